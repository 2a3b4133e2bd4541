// SPDX-License-Identifier: Apache-2.0
//
// How the library's failures become Python's exceptions. Each status has a class in riffle/errors.py; the sentence is the
// library's, or one of ours in its style.
#pragma once
#include <nanobind/nanobind.h>

#include "riffle.h"

namespace nb = nanobind;

// Raises the exception of a status, unless it is RIFFLE_OK, with what riffle_error_detail says.
void check(riffle_status status);

// Raises the exception of a status with a sentence of the binding's own.
[[noreturn]] void fail(riffle_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Raises a class of riffle/errors.py that no status has.
[[noreturn]] void fail_as(const char *class_name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void bind_failing(nb::module_ &m);
