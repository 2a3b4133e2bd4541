/* SPDX-License-Identifier: Apache-2.0
 *
 * The scatter and gather passes on the CPU: one element at a time, in order of src or of dst.
 */
#ifndef RIFFLE_ENGINES_CPU_INDEXED_H
#define RIFFLE_ENGINES_CPU_INDEXED_H

#include "plan/pass.h"

/** dst[map(i)] = src[i] in order of i (Kasagi, Nakano, Ito 2013, section V: destination-designated). */
void cpu_scatter(const indexed_schedule *schedule, void *dst, const void *src, unsigned threads);

/** dst[i] = src[map(i)] in order of i (the same section: source-designated). */
void cpu_gather(const indexed_schedule *schedule, void *dst, const void *src, unsigned threads);

#endif
