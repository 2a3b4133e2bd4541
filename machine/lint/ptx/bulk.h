/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX that copies in bulk: cp.async.bulk between global and shared memory, of bytes and of boxes of tensors.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_BULK_H
#define RIFFLE_MACHINE_LINT_PTX_BULK_H

#include <stdbool.h>
#include <stdio.h>

/** True for an instruction's name that is one of these. */
bool ptx_is_bulk(const char *name);

/** Writes one; false if it is not known. Changes the texts. */
bool ptx_write_bulk(char *name, char **operand, unsigned operands, FILE *out);

#endif
