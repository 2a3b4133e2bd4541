/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/merge.h"

#include "base/arithmetic.h"
#include "device/kernels/lanes.h"

enum {
    WARPS_WANTED =
        4096,        /* parts get shorter so that a GPU has as many, where they are no shorter than a round */
    BETWEEN = 32,    /* parts from one that is split among all keys to the next */
    FEW_PARTS = 1024 /* that are all split among all keys */
};

static size_t aligned(size_t bytes) { return round_up(bytes, MERGE_WORKSPACE_ALIGNMENT); }

/* Keys that a warp writes at once, a round's; a run is two of them. */
static uint32_t round_keys(const merge_job *job) { return WARP_LANES * merge_block_keys(job->key_bytes); }

static uint32_t run_keys(const merge_job *job) { return 2 * round_keys(job); }

static uint64_t streams_of(const merge_job *job) {
    return job->is_sort ? ceil_div(job->n, run_keys(job)) : job->streams;
}

static uint32_t ways_of(const merge_job *job) { return job->is_pairwise ? 2 : MERGE_WAYS; }

static uint32_t part_of(const merge_job *job) {
    if (job->is_pairwise) return MERGE_PAIR_EACH * MERGE_PAIR_THREADS;
    if (job->part != 0) return job->part;
    const uint64_t wanted = round_up(ceil_div(job->n, WARPS_WANTED), round_keys(job));
    const uint32_t most = merge_most_part(job->key_bytes);
    return wanted == 0 ? round_keys(job) : (uint32_t)min(wanted, most);
}

/* Groups that have keys have a part more than they fill. */
static uint64_t parts_of(const merge_job *job, uint64_t step) {
    const uint64_t groups = ceil_div(streams_of(job), step * ways_of(job));
    return job->n / part_of(job) + min(groups, job->n);
}

unsigned merge_levels(const merge_job *job) {
    const uint64_t streams = streams_of(job);
    unsigned levels = 0;
    for (uint64_t step = 1; step < streams; step *= ways_of(job)) levels++;
    return levels == 0 && !job->is_sort ? 1 : levels; /* 1: a copy */
}

/* Arrays that are written one after the other. */
static unsigned steps_of(const merge_job *job) {
    const unsigned steps = merge_levels(job) + (job->is_sort ? 1 : 0);
    return steps + (job->is_in_place && steps % 2 == 1 && !(job->is_sort && steps == 1) ? 1 : 0);
}

static size_t at_bytes(const merge_job *job) {
    return aligned((size_t)parts_of(job, 1) * MERGE_WAYS * sizeof(uint32_t));
}

size_t merge_workspace_bytes(const merge_job *job) {
    const size_t at = job->is_pairwise ? 0 : at_bytes(job);
    if (steps_of(job) < 2) return at;
    return at + aligned((size_t)job->n * job->key_bytes) +
           (job->is_placed ? aligned((size_t)job->n * sizeof(uint32_t)) : 0);
}

size_t merge_shared_bytes(const merge_kernel *kernel, uint32_t key_bytes) {
    const size_t warps = MERGE_THREADS / WARP_LANES, run = 2 * WARP_LANES * merge_block_keys(key_bytes);
    if (kernel == &KERNEL_merge_runs || kernel == &KERNEL_merge_runs_placed)
        return warps * (run + run / (128 / (key_bytes < 8 ? 4 : key_bytes))) * key_bytes;
    if (kernel == &KERNEL_merge_parts) return warps * merge_warp_bytes(key_bytes, false);
    if (kernel == &KERNEL_merge_parts_placed) return warps * merge_warp_bytes(key_bytes, true);
    return kernel == &KERNEL_merge_pairs ? (size_t)MERGE_PAIR_EACH * MERGE_PAIR_THREADS * key_bytes : 0;
}

/* Where the arrays of a job are while it is done. */
typedef struct progress {
    const merge_job *job;
    const merge_arrays *arrays;
    void *spare_keys;
    uint32_t *spare_places;
    const void *from; /* the next step's */
    const uint32_t *from_places;
    unsigned left; /* steps */
    launch_list *out;
} progress;

static void *next_keys(const progress *at) { return at->left % 2 == 1 ? at->arrays->keys : at->spare_keys; }

static uint32_t *next_places(const progress *at) {
    return at->left % 2 == 1 ? at->arrays->places : at->spare_places;
}

static void add(progress *at, const merge_kernel *kernel, uint64_t blocks, const merge_table *table) {
    launch_set(append_merge(at->out, kernel, at->job->key_bytes, &(struct merge_arguments){*table}),
               (unsigned)blocks, kernel == &KERNEL_merge_pairs ? MERGE_PAIR_THREADS : MERGE_THREADS,
               merge_shared_bytes(kernel, at->job->key_bytes), next_keys(at), at->from);
}

static void step_done(progress *at) {
    at->from = next_keys(at);
    at->from_places = next_places(at);
    at->left--;
}

static void add_runs(progress *at) {
    const merge_table table = {.n = (uint32_t)at->job->n, .to_places = next_places(at)};
    const uint64_t run = (uint64_t)run_keys(at->job) * (MERGE_THREADS / WARP_LANES);
    add(at, at->job->is_placed ? &KERNEL_merge_runs_placed : &KERNEL_merge_runs, ceil_div(at->job->n, run),
        &table);
    step_done(at);
}

static void add_splits(progress *at, merge_table *table, uint64_t parts) {
    const uint64_t blocks = ceil_div(parts, MERGE_THREADS / WARP_LANES);
    table->every = parts <= FEW_PARTS ? 1 : BETWEEN;
    add(at, &KERNEL_merge_split, blocks, table);
    if (table->every == 1) return;
    table->every = 0;
    table->between = BETWEEN;
    add(at, &KERNEL_merge_split, blocks, table);
}

static void add_level(progress *at, uint64_t step) {
    const merge_job *const job = at->job;
    const uint64_t parts = parts_of(job, step);
    merge_table table = {.n = (uint32_t)job->n,
                         .streams = (uint32_t)streams_of(job),
                         .step = (uint32_t)min(step, job->n),
                         .ways = ways_of(job),
                         .part = part_of(job),
                         .run = job->is_sort ? run_keys(job) : (uint32_t)(job->n / job->streams),
                         .first = job->is_sort ? NULL : at->arrays->first,
                         .at = at->arrays->workspace,
                         .from_places = at->from_places,
                         .to_places = next_places(at)};
    if (job->is_pairwise) {
        add(at, &KERNEL_merge_pairs, parts, &table);
    } else {
        add_splits(at, &table, parts);
        add(at, job->is_placed ? &KERNEL_merge_parts_placed : &KERNEL_merge_parts,
            ceil_div(parts, MERGE_THREADS / WARP_LANES), &table);
    }
    step_done(at);
}

void launch_merge(const merge_job *job, const merge_arrays *arrays, launch_list *out) {
    if (job->n == 0 || streams_of(job) == 0) return;
    const size_t before = job->is_pairwise ? 0 : at_bytes(job); /* 0 bytes may be behind NULL */
    char *const spare = before > 0 ? (char *)arrays->workspace + before : arrays->workspace;
    progress at = {.job = job,
                   .arrays = arrays,
                   .spare_keys = spare,
                   .from = arrays->from_keys,
                   .left = steps_of(job),
                   .out = out};
    if (job->is_placed)
        at.spare_places = (uint32_t *)(void *)(spare + aligned((size_t)job->n * job->key_bytes));
    if (job->is_sort) add_runs(&at);
    for (uint64_t step = 1; at.left > 0; step *= ways_of(job)) add_level(&at, step);
}
