/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/gpu/stages.h"

#include "base/arithmetic.h"
#include "hull/gpu/steps/steps_kernel.h"

enum { TILE = 1024, GRAIN = 1 << 14, ROUNDS = 6, WARP = 32 };

/* A sample of 1/32, as far as it pays. */
static uint32_t sample_for(uint64_t most) { return (uint32_t)min(max(most / 32, 1 << 14), 1 << 18); }

static uint32_t threads_for(unsigned most) {
    uint32_t threads = HULL_STEPS_THREADS;
    while (threads > most) threads /= 2;
    return threads;
}

static hull_source source_of(const hull_stages *stages, const hull_stages_arrays *arrays) {
    return (hull_source){.points = arrays->points,
                         .candidates = arrays->candidates,
                         .count = arrays->count,
                         .first = arrays->first,
                         .most = (uint32_t)stages->most,
                         .coordinate = hull_coordinate_of(stages->type)};
}

static launch *append_sorted(const hull_stages *stages, const hull_stages_arrays *arrays, launch_list *out) {
    const hull_source source = source_of(stages, arrays);
    struct hull_sorted_arguments arguments;
    hull_sorted_place(&stages->sizes, &source, arrays->workspace, &arguments.table);
    arguments.table.hull = arrays->hull;
    arguments.table.length = arrays->length;
    arguments.table.all = stages->all;
    launch *const work =
        append_hull_sorted(out, &KERNEL_hull_sorted, hull_record_kind(source.coordinate), &arguments);
    work->shared_bytes = hull_sorted_shared_bytes(&stages->sizes, source.coordinate);
    return work;
}

static uint32_t warps_of(const hull_stages *stages) {
    return stages->sizes.blocks * (stages->sizes.threads / WARP);
}

static launch *append_paper(const hull_stages *stages, const hull_stages_arrays *arrays, launch_list *out) {
    const hull_source source = source_of(stages, arrays);
    struct hull_paper_arguments arguments;
    hull_paper_place(warps_of(stages), &source, arrays->workspace, &arguments.table);
    arguments.table.hull = arrays->hull;
    arguments.table.length = arrays->length;
    launch *const work =
        append_hull_paper(out, &KERNEL_hull_paper, hull_record_kind(source.coordinate), &arguments);
    work->shared_bytes = hull_paper_shared_bytes(stages->sizes.threads, source.coordinate);
    return work;
}

void launch_hull_stages(const hull_stages *stages, const hull_stages_arrays *arrays, launch_list *out) {
    launch *const work = (stages->is_paper ? append_paper : append_sorted)(stages, arrays, out);
    work->grid = stages->sizes.blocks;
    work->block_x = stages->sizes.threads;
}

size_t hull_stages_bytes(const hull_stages *stages) {
    const hull_source source = source_of(stages, &(hull_stages_arrays){0});
    hull_sorted_table sorted;
    hull_paper_table paper;
    return stages->is_paper ? hull_paper_place(warps_of(stages), &source, NULL, &paper)
                            : hull_sorted_place(&stages->sizes, &source, NULL, &sorted);
}

riffle_status hull_stages_choose(hull_stages *stages, const device *d) {
    const uint32_t sample = sample_for(stages->most);
    device_limits limits;
    launch_list list;
    riffle_status status = d->ops->describe(d, &limits);
    if (status != RIFFLE_OK) return status;
    stages->sizes = (hull_sizes){.blocks = 1,
                                 .threads = threads_for(limits.block_threads),
                                 .tile = TILE,
                                 .sample = sample,
                                 .direct = 2 * sample,
                                 .grain = GRAIN,
                                 .rounds = ROUNDS};
    launch_list_begin(&list);
    launch_hull_stages(stages, &(hull_stages_arrays){0}, &list);
    status = d->ops->load(d, "a step of hulls", &list);
    if (status == RIFFLE_OK) status = d->ops->fit(d, list.first, HULL_STEPS_BLOCKS, &stages->sizes.blocks);
    launch_list_free(&list);
    return status;
}
