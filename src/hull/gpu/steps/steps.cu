/* SPDX-License-Identifier: Apache-2.0
 *
 * All blocks of the grid make a step, wait for each other, and find the next one, which is the same for all.
 */
#include <cooperative_groups.h>

#include "device/families.h"
#include "hull/gpu/steps/stages.h"
#include "hull/gpu/steps/steps.h"

template <class record>
__global__ void __launch_bounds__(HULL_STEPS_THREADS, HULL_STEPS_BLOCKS)
    sorted_all(const __grid_constant__ hull_sorted_table t) {
    extern __shared__ uint64_t shared_memory[];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    hull_cursor cursor = hull_sorted_begin(hull_candidates(&t.from));
    if (cursor.step == HULL_STEP_DONE && blockIdx.x == 0 && threadIdx.x == 0) *t.length = 0;
    while (cursor.step != HULL_STEP_DONE) {
        hull_sorted_do<record>(&t, &cursor, shared_memory);
        grid.sync();
        hull_sorted_next(&t, &cursor);
    }
}

static const void *sorted_kernel(size_t kind) {
    switch (kind) {
    case HULL_RECORD_F32: return (const void *)sorted_all<hull_record_f32>;
    case HULL_RECORD_F64: return (const void *)sorted_all<hull_record_f64>;
    default: return (const void *)sorted_all<hull_record_i64>;
    }
}

template <class record>
__global__ void __launch_bounds__(HULL_STEPS_THREADS, HULL_STEPS_BLOCKS)
    paper_all(const __grid_constant__ hull_paper_table t) {
    extern __shared__ uint64_t shared_memory[];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    hull_paper_cursor cursor = hull_paper_begin(hull_candidates(&t.from));
    if (cursor.step == HULL_PAPER_DONE && blockIdx.x == 0 && threadIdx.x == 0) *t.length = 0;
    while (cursor.step != HULL_PAPER_DONE) {
        hull_paper_do<record>(&t, &cursor, shared_memory);
        grid.sync();
        hull_paper_next(&t, &cursor);
    }
}

static const void *paper_kernel(size_t kind) {
    switch (kind) {
    case HULL_RECORD_F32: return (const void *)paper_all<hull_record_f32>;
    case HULL_RECORD_F64: return (const void *)paper_all<hull_record_f64>;
    default: return (const void *)paper_all<hull_record_i64>;
    }
}

const void *cuda_hull_steps_kernel(unsigned number, size_t kind) {
    return number == HULL_STEPS_PAPER ? paper_kernel(kind) : sorted_kernel(kind);
}
