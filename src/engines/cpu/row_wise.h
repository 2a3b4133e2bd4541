/* SPDX-License-Identifier: Apache-2.0
 *
 * The row_wise pass on the CPU (the idea stands in plan/row_wise.h).
 */
#ifndef RIFFLE_ENGINES_CPU_ROW_WISE_H
#define RIFFLE_ENGINES_CPU_ROW_WISE_H

#include "plan/row_wise.h"

/** dst[i][d[k]] = src[i][s[k]] for every row i and all k, elements of any size. An element beyond `readable`
 *  is read as zeros, one beyond `writable` is not written. dst and src do not overlap. */
void cpu_row_wise(const row_wise_schedule *schedule, void *dst, const void *src, unsigned threads);

#endif
