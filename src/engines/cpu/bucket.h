/* SPDX-License-Identifier: Apache-2.0
 *
 * The bucket pass on the CPU (the idea stands in plan/bucket.h).
 */
#ifndef RIFFLE_ENGINES_CPU_BUCKET_H
#define RIFFLE_ENGINES_CPU_BUCKET_H

#include "plan/bucket.h"

/** Runs one pass from `from` to `to`, both of n elements; staging holds bucket_staging_bytes() for each thread.
 */
void cpu_bucket(const bucket_schedule *schedule, void *to, const void *from, void *staging, unsigned threads);

#endif
