/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of a whole warp on small matrices as C++ on the functions of cuda/ptx_mma.h: mma, ldmatrix, stmatrix and movmatrix,
 * their modifiers in any order.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_MATRIX_H
#define RIFFLE_MACHINE_LINT_PTX_MATRIX_H

#include <stdbool.h>
#include <stdio.h>

/** True for a name of one of these four. */
bool ptx_is_of_matrices(const char *name);

/** Writes the instruction; false for a shape, a type or a number of registers that it does not have. Changes its texts. */
bool ptx_write_matrices(char *name, char **operand, unsigned operands, FILE *out);

#endif
