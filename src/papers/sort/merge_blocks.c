/* SPDX-License-Identifier: Apache-2.0
 *
 * The segments of a sort's arrays as the streams of Algorithm 9.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "papers/sort/streams.h"
#include "riffle/papers.h"
#include "sort/plan.h"

typedef struct segments {
    const riffle_sort_plan *plan;
    const uint64_t *first;
    const unsigned char *from;
    unsigned char *to; /* where the next element goes */
    uint64_t *at;      /* elements of each segment that are read */
    uint64_t block;
    riffle_merge_counts counts;
} segments;

static riffle_status read_block(void *context, uint32_t stream, void *items, uint32_t *count) {
    segments *const all = context;
    const size_t bytes = all->plan->layout.elem_bytes;
    const uint64_t begin = sort_segment_first(all->plan, all->first, stream) + all->at[stream];
    const uint64_t left = sort_segment_first(all->plan, all->first, stream + 1) - begin;
    *count = (uint32_t)(left < all->block ? left : all->block);
    if (*count > 0) memcpy(items, all->from + begin * bytes, *count * bytes);
    all->at[stream] += *count;
    all->counts.reads += *count > 0;
    return RIFFLE_OK;
}

static riffle_status write_block(void *context, const void *items, uint64_t count) {
    segments *const all = context;
    const size_t bytes = count * all->plan->layout.elem_bytes;
    memcpy(all->to, items, bytes);
    all->to += bytes;
    all->counts.writes++;
    return RIFFLE_OK;
}

static riffle_status check_plan(const riffle_sort_plan *plan) {
    if (plan->engine == &cpu_sort_engine && plan->task == RIFFLE_SORT_TASK_MERGE && plan->key.before == NULL &&
        plan->value_bytes + plan->index_bytes == 0)
        return RIFFLE_OK;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "a merge by blocks takes a plan of the cpu engine that merges by fields, without values and indices");
}

static riffle_status check_blocks(const riffle_sort_plan *plan, uint64_t block, uint64_t memory_blocks) {
    if (block > 0 && block <= UINT32_MAX && memory_blocks <= UINT32_MAX && plan->segments <= memory_blocks)
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "memory of %llu blocks of %llu elements for %llu segments; give it a block of each, and both "
                "numbers from 1 "
                "to 2^32 - 1",
                (unsigned long long)memory_blocks, (unsigned long long)block,
                (unsigned long long)plan->segments);
}

static riffle_status check(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, uint64_t block,
                           uint64_t memory_blocks) {
    riffle_status status = sort_check_arrays(plan, arrays);
    if (status == RIFFLE_OK) status = check_plan(plan);
    if (status == RIFFLE_OK) status = sort_check_segments(plan, arrays->first);
    if (status == RIFFLE_OK) status = check_blocks(plan, block, memory_blocks);
    if (status == RIFFLE_OK && plan->n > 0 && arrays->keys == arrays->from_keys)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "keys and from_keys are one array; a merge by blocks has two");
    return status;
}

riffle_status riffle_merge_by_blocks(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                     uint64_t block, uint64_t memory_blocks, riffle_merge_counts *counts) {
    riffle_status status = check(plan, arrays, block, memory_blocks);
    if (status != RIFFLE_OK) return status;
    if (block > plan->n && plan->n > 0) block = plan->n;
    segments all = {.plan = plan, .first = arrays->first, .from = arrays->from_keys, .block = block};
    all.at = calloc(plan->segments, sizeof *all.at);
    if (all.at == NULL) return fail_memory("segments", plan->segments * sizeof *all.at);
    const stream_merge merge = {.streams = (uint32_t)plan->segments,
                                .block = (uint32_t)block,
                                .memory_blocks = (uint32_t)memory_blocks,
                                .items = plan->n,
                                .item_bytes = plan->layout.elem_bytes,
                                .before = sort_before_by_fields,
                                .order = &plan->layout,
                                .read = read_block,
                                .write = write_block,
                                .sorts = &all.counts.sorts,
                                .context = &all};
    if (plan->n > 0) {
        all.to = (unsigned char *)arrays->keys + sort_segment_first(plan, arrays->first, 0) * merge.item_bytes;
        status = stream_merge_run(&merge);
    }
    if (status == RIFFLE_OK && counts != NULL) *counts = all.counts;
    free(all.at);
    return status;
}
