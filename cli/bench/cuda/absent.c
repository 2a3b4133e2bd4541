/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "bench/cuda/cuda.h"

riffle_status bench_cuda_measure(const bench_row *row, const bench_settings *settings, bench_result *out) {
    (void)row, (void)settings;
    snprintf(out->problem, sizeof out->problem, "this riffle was built without CUDA");
    return RIFFLE_ERROR_UNSUPPORTED;
}
