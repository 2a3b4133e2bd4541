/* SPDX-License-Identifier: Apache-2.0
 *
 * A permutation of each row of a matrix, or of each column, as one of the whole array.
 */
#ifndef RIFFLE_CLI_SIMULATE_LINES_H
#define RIFFLE_CLI_SIMULATE_LINES_H

#include <stdbool.h>

#include "riffle.h"

/** The power of two next to the square root: the length of rows unless told. */
uint64_t lines_length(uint64_t n);

/** The permutation of n elements, in rows of `cols`, that moves each row along `line`, or each column. */
riffle_status lines_repeat(const riffle_perm *line, uint64_t n, uint64_t cols, bool columns, riffle_perm **out);

#endif
