/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan is checked before it is timed. The GPU itself compares orders of axes with the definition. The host looks through all
 * other arrays of up to 2^26 elements, and at a sample of longer ones.
 */
#include <stdlib.h>

#include "axes/axes.h"
#include "gpu/timing.h"

static const uint64_t ALL = (uint64_t)1 << 26;
enum { SAMPLE = 1 << 20 };

static riffle_status check_all(const bench_move *move, cuda_arrays *arrays, bench_result *out) {
    const riffle_status status = cuda_arrays_fetch(arrays, out);
    if (status == RIFFLE_OK) out->right = bench_all_is_right(move, arrays->host);
    return status;
}

static void fill_destinations(const bench_move *move, uint64_t *at) {
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < SAMPLE; ++k) at[k] = bench_destination(move, bench_sample(move, k));
}

static bool picked_is_right(const bench_move *move, const unsigned char *picked) {
    uint64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (uint64_t k = 0; k < SAMPLE; ++k)
        wrong += !bench_is_right(move, bench_sample(move, k), picked + k * move->elem_bytes);
    return wrong == 0;
}

static riffle_status check_sample(const bench_move *move, cuda_arrays *arrays, bench_result *out) {
    const size_t at_bytes = SAMPLE * sizeof(uint64_t), picked_bytes = SAMPLE * move->elem_bytes;
    void *at = NULL, *picked = NULL;
    riffle_status status = riffle_buffer_create(at_bytes, &at);
    if (status == RIFFLE_OK) status = riffle_buffer_create(picked_bytes, &picked);
    if (status == RIFFLE_OK) {
        fill_destinations(move, at);
        status = cuda_arrays_pick(arrays, move->elem_bytes, SAMPLE, at, picked, out);
        out->right = status == RIFFLE_OK && picked_is_right(move, picked);
    } else {
        bench_fail(status, out);
    }
    riffle_buffer_free(picked, picked_bytes);
    riffle_buffer_free(at, at_bytes);
    return status;
}

static riffle_status check_axes(const bench_axes *axes, const bench_move *move, cuda_arrays *arrays,
                                bench_result *out) {
    unsigned long long misplaced = 0;
    const riffle_status status = cuda_arrays_misplaced(arrays, axes, move->elem_bytes, &misplaced, out);
    out->right = status == RIFFLE_OK && misplaced == 0;
    return status;
}

riffle_status bench_cuda_check(const cuda_mover *mover, const bench_move *move, cuda_arrays *arrays,
                               bench_result *out) {
    bench_axes axes;
    riffle_status status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, mover, out);
    if (status != RIFFLE_OK) return status;
    if (move->by != NULL && bench_axes_read(move->by, &axes)) return check_axes(&axes, move, arrays, out);
    return move->batch * riffle_perm_length(move->perm) <= ALL ? check_all(move, arrays, out)
                                                               : check_sample(move, arrays, out);
}
