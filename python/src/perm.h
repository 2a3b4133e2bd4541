// SPDX-License-Identifier: Apache-2.0
//
// riffle.Perm: a handle on a riffle_perm.
#pragma once
#include <nanobind/nanobind.h>

#include "failing.h"
#include "riffle.h"

struct perm {
    riffle_perm *handle;

    explicit perm(riffle_perm *owned) : handle(owned) {}
    perm(const perm &other) : handle(riffle_perm_retain(other.handle)) {}
    perm(perm &&other) noexcept : handle(other.handle) { other.handle = nullptr; }
    perm &operator=(const perm &) = delete;
    ~perm() { riffle_perm_free(handle); }
    uint64_t length() const { return riffle_perm_length(handle); }
};

void bind_perm(nb::module_ &m);
