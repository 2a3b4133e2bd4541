/* SPDX-License-Identifier: Apache-2.0
 *
 * From phases to what a fused kernel takes (program/kernels/fused.h).
 */
#ifndef RIFFLE_PROGRAM_FUSED_CODE_H
#define RIFFLE_PROGRAM_FUSED_CODE_H

#include "program/fused/phases.h"

/** The kernel's number of an operation, the first one of users'. */
uint32_t fused_op_of(riffle_op_kind kind);

/** Writes the table's sides and its code; false if the code is longer than the table has room for. *shared_bytes gets the
 *  shared memory that it uses, *has_groups whether there is a FUSED_GROUP in it. */
bool fused_code_write(const phase_tile *t, const phase_list *phases, fused_table *out, size_t *shared_bytes,
                      bool *has_groups);

#endif
