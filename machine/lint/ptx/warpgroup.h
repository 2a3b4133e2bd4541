/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of a warpgroup (wgmma) as C++ on the machine's products: their fence, groups, waits, and mma_async of all shapes and types but sparse ones.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_WARPGROUP_H
#define RIFFLE_MACHINE_LINT_PTX_WARPGROUP_H

#include <stdbool.h>
#include <stdio.h>

bool ptx_is_of_warpgroups(const char *name);

/** Writes the instruction; false for a shape, a type or a number of registers that it does not have, and for sums that are no operands of the statement's. Changes its
 *  texts. */
bool ptx_write_warpgroup(char *name, char **operand, unsigned operands, FILE *out);

#endif
