/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes of the HMM paper's algorithms (Kasagi, Nakano, Ito 2013, sections V to VII), put into a plan whose
 * choice holds the matrix.
 *
 *     transpose      src -T-> dst
 *     row-wise       src -R-> dst
 *     column-wise    src -T-> dst -R-> workspace -T-> dst
 *     scheduled      src -R-> dst -T-> workspace -R-> dst -T-> workspace -R-> dst
 *
 * Where the matrix is larger than the array, a spare buffer stands in for dst before the last pass.
 */
#ifndef RIFFLE_PLAN_MATRIX_PASSES_H
#define RIFFLE_PLAN_MATRIX_PASSES_H

#include "plan/plan.h"

riffle_status build_transpose(riffle_plan *plan, const riffle_perm *perm);

/** RIFFLE_ERROR_UNSUPPORTED names an element that does not stay in its row. Also conflict-free: one row. */
riffle_status build_row_wise(riffle_plan *plan, const riffle_perm *perm);

/** RIFFLE_ERROR_UNSUPPORTED names an element that does not stay in its column. */
riffle_status build_column_wise(riffle_plan *plan, const riffle_perm *perm);

riffle_status build_scheduled(riffle_plan *plan, const riffle_perm *perm);

#endif
