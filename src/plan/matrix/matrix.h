/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix that the HMM paper's algorithms see in an array (Kasagi, Nakano, Ito 2013, sections V to VII).
 */
#ifndef RIFFLE_PLAN_MATRIX_MATRIX_H
#define RIFFLE_PLAN_MATRIX_MATRIX_H

#include "papers/schedules/scheduled.h"
#include "plan/request/request.h"

/** True if the request transposes a matrix of at least two rows and two columns, whose shape is then in *out. Looks
 *  at the permutation's form, not at its values: a table must have been recognized. */
bool matrix_transposed(const plan_request *request, matrix_shape *out);

/** The matrix for one of the HMM paper's algorithms: that of a transpose; one row for CONFLICT_FREE; else rows
 *  of row_length, or as square as may be. RIFFLE_ERROR_UNSUPPORTED where it is no transpose, n is no whole
 *  matrix (ROW_WISE and COLUMN_WISE), or two rows (for columns, two of these) do not fit the target's shared
 *  memory. */
riffle_status matrix_for(const plan_request *request, riffle_algorithm algorithm, matrix_shape *out);

#endif
