// SPDX-License-Identifier: Apache-2.0
//
// What the library prints to a FILE, as a string.
#pragma once
#include <cstdio>
#include <functional>
#include <string>

#include "riffle.h"

// Raises if `print` fails.
std::string printed(const std::function<riffle_status(FILE *)> &print);
