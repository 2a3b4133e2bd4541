/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements that are a number and nothing else: their codes (sort/key.h) are sorted in their place and turned back.
 */
#ifndef RIFFLE_SORT_CPU_NUMBERS_H
#define RIFFLE_SORT_CPU_NUMBERS_H

#include "sort/plan.h"

/** True if it is for this plan. */
bool numbers_serve(const riffle_sort_plan *plan);

/** Bytes that an execution takes. */
size_t numbers_bytes(const riffle_sort_plan *plan);

/** riffle_sort_execute. */
riffle_status numbers_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

#endif
