/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_CLI_BENCH_CUDA_VIEWS_H
#define RIFFLE_CLI_BENCH_CUDA_VIEWS_H

#include "bench/measure.h"

/** Measures a row of kind VIEW: riffle_cuda_copy_strided, beside copies of as many bytes as it writes. 2^20 elements that
 *  look random are compared. */
riffle_status bench_cuda_views(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif
