/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows whose permutation is a table in device memory, as a user of riffle_cuda_plan_table has it.
 */
#ifndef RIFFLE_BENCH_SUITES_KINDS_TABLE_H
#define RIFFLE_BENCH_SUITES_KINDS_TABLE_H

#include "bench/result.h"

/** The table of a permutation of n <= 2^32 in device memory, for cudaFree. *table stays as it was on
 *  failure. */
riffle_status bench_cuda_upload(const riffle_perm *perm, void **table, bench_result *out);

#endif
