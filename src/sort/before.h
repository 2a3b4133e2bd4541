/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison of the user's as C: a type `element`, a number or the members that the key names, and compare(x, y) of two
 * elements at any address, which is the user's expression over them. That stands on a line 1 of "operation0".
 */
#ifndef RIFFLE_SORT_BEFORE_H
#define RIFFLE_SORT_BEFORE_H

#include <stdio.h>

#include "riffle/sort.h"

/** Prints it. `function` is what stands before each function: "static". */
void sort_before_print(const riffle_sort_key *key, const char *function, FILE *out);

#endif
