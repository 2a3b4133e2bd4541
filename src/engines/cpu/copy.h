/* SPDX-License-Identifier: Apache-2.0
 *
 * The copy pass on the CPU: a rotation is two runs, a reflection two runs backwards.
 */
#ifndef RIFFLE_ENGINES_CPU_COPY_H
#define RIFFLE_ENGINES_CPU_COPY_H

#include "plan/pass.h"

void cpu_copy(const copy_schedule *schedule, void *dst, const void *src, unsigned threads);

#endif
