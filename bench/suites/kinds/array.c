/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/array.h"

#include "kinds/kinds.h"

#ifdef BENCH_GPU
#include "gpu/timing.h"

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm;
    riffle_status status = bench_perm(row, row->by, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    riffle_plan *plan = NULL;
    status = bench_cuda_plan(perm, NULL, row, settings, &plan, out);
    if (status == RIFFLE_OK) status = bench_cuda_measure_move(plan, perm, row, settings, out);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return status;
}
#endif

const bench_kind bench_array = {.on_host = bench_array_on_host, .on_gpu = BENCH_GPU_HALF(on_gpu)};
