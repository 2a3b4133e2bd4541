// SPDX-License-Identifier: Apache-2.0
//
// The library's prints to a FILE, as a string, and its names of types.
#pragma once
#include <cstdio>
#include <functional>
#include <string>

#include "riffle/type.h"

// The type of a name such as "f32"; else raises "NAME: elements of type TYPE; REFUSAL".
riffle_type type_named(const std::string &type, const char *name, const char *refusal);

// Raises if `print` fails.
std::string printed(const std::function<riffle_status(FILE *)> &print);
