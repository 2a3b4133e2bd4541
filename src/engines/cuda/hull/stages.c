/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cuda/hull/stages.h"

#include "base/status.h"
#include "engines/cuda/device.h"
#include "engines/cuda/hull/steps.h"
#include "engines/launch/hull_paper.h"
#include "engines/launch/hull_sorted.h"

enum { TILE = 1024, GRAIN = 1 << 14, ROUNDS = 6, WARP = 32 };

/* A launch that is the same whatever is found. */
typedef struct stages_launch {
    const void *kernel;
    bool is_paper;
    hull_sizes sizes;
    hull_source source;
    size_t shared_bytes;
} stages_launch;

/* A sample of 1/32, as far as it pays. */
static uint32_t sample_for(uint64_t most) {
    const uint64_t least = 1 << 14, usual = most / 32, largest = 1 << 18;
    return (uint32_t)(usual < least ? least : usual > largest ? largest : usual);
}

static riffle_status find_blocks(stages_launch *work) {
    int device, multiprocessors, each = 0;
    riffle_status status = cuda_device_current(&device);
    if (status == RIFFLE_OK)
        status =
            cuda_device_attribute(device, cudaDevAttrMultiProcessorCount, "multiprocessors", &multiprocessors);
    if (status == RIFFLE_OK) status = cuda_load_kernel(work->kernel, work->shared_bytes);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                 &each, work->kernel, HULL_STEPS_THREADS, work->shared_bytes),
                             "asking how many blocks of a hull fit");
    if (status != RIFFLE_OK) return status;
    if (each == 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "this GPU has no room for a block of %d threads and %zu bytes of shared memory",
                    HULL_STEPS_THREADS, work->shared_bytes);
    work->sizes.blocks =
        (uint32_t)(each < HULL_STEPS_BLOCKS ? each : HULL_STEPS_BLOCKS) * (uint32_t)multiprocessors;
    return RIFFLE_OK;
}

static riffle_status make_launch(const hull_stages *stages, stages_launch *out) {
    const uint32_t sample = sample_for(stages->most), coordinate = hull_coordinate_of(stages->type);
    const uint32_t kind = hull_record_kind(coordinate);
    *out = (stages_launch){.kernel = stages->is_paper ? cuda_hull_paper(kind) : cuda_hull_sorted(kind),
                           .is_paper = stages->is_paper,
                           .sizes = {.threads = HULL_STEPS_THREADS,
                                     .tile = TILE,
                                     .sample = sample,
                                     .direct = 2 * sample,
                                     .grain = GRAIN,
                                     .rounds = ROUNDS},
                           .source = {.most = (uint32_t)stages->most, .coordinate = coordinate}};
    out->shared_bytes = stages->is_paper ? hull_paper_shared_bytes(HULL_STEPS_THREADS, coordinate)
                                         : hull_sorted_shared_bytes(&out->sizes, coordinate);
    return find_blocks(out);
}

/* The kernel's argument. */
typedef union stages_table {
    hull_sorted_table sorted;
    hull_paper_table paper;
} stages_table;

static size_t place(const stages_launch *work, void *workspace, stages_table *out) {
    const uint32_t warps = work->sizes.blocks * (HULL_STEPS_THREADS / WARP);
    return work->is_paper ? hull_paper_place(warps, &work->source, workspace, &out->paper)
                          : hull_sorted_place(&work->sizes, &work->source, workspace, &out->sorted);
}

static stages_table make_table(const stages_launch *work, const hull_stages *stages,
                               const hull_stages_arrays *arrays) {
    stages_table out;
    place(work, arrays->workspace, &out);
    if (work->is_paper) {
        out.paper.hull = arrays->hull;
        out.paper.length = arrays->length;
    } else {
        out.sorted.hull = arrays->hull;
        out.sorted.length = arrays->length;
        out.sorted.all = stages->all;
    }
    return out;
}

riffle_status hull_stages_bytes(const hull_stages *stages, size_t *out) {
    stages_launch work;
    stages_table table;
    const riffle_status status = make_launch(stages, &work);
    if (status == RIFFLE_OK) *out = place(&work, NULL, &table);
    return status;
}

riffle_status hull_stages_load(const hull_stages *stages) {
    stages_launch work;
    return make_launch(stages, &work);
}

riffle_status hull_stages_queue(const hull_stages *stages, const hull_stages_arrays *arrays,
                                struct CUstream_st *stream) {
    stages_launch work;
    const riffle_status status = make_launch(stages, &work);
    if (status != RIFFLE_OK) return status;
    work.source.points = arrays->points;
    work.source.candidates = arrays->candidates;
    work.source.count = arrays->count;
    work.source.first = arrays->first;
    stages_table table = make_table(&work, stages, arrays);
    void *arguments[] = {&table};
    const dim3 grid = {work.sizes.blocks, 1, 1}, block = {work.sizes.threads, 1, 1};
    return cuda_result(
        cudaLaunchCooperativeKernel(work.kernel, grid, block, arguments, work.shared_bytes, stream),
        "launching the steps of a hull");
}
