/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of leaves: several in a warp, one by a warp or some, and what is too long for these.
 */
#include "check/kernels/block.h"
#include "sort/gpu/codes/work.h"

static uint32_t *turns_of(const sort_work *w) { return sort_at(w, w->s->rest); }

static uint32_t *rest_of(const sort_work *w) { return turns_of(w) + SORT_LEAF_SIZES; }

/* True if a launch leaves something to others. */
static bool has_list(const sort_work *w) {
    return w->s->is_longer || (w->s->has_short && w->s->leaf_first <= w->s->leaf_last);
}

static sort_leaf_places leaves_of(const sort_work *w) {
    return (sort_leaf_places){.begin = sort_leaf_begin(w),
                              .length = sort_longest_segment(w->r),
                              .count = (uint32_t)sort_leaf_count(w->r, w->s)};
}

static const uint8_t *are_alike(const sort_work *w) {
    return w->s->count > 0 ? sort_at(w, w->s->level[w->s->count - 1].are_alike) : NULL;
}

static sort_spare spare_of(const sort_work *w) {
    return (sort_spare){sort_at(w, w->s->keys), sort_at(w, w->s->carried)};
}

/* All leaves' launches read what the last level has written, and write results. */
static void shape(const sort_work *w, launch *work, uint32_t grid, unsigned threads, size_t shared_bytes) {
    launch_set(work, grid, threads, shared_bytes, w->b->to, sort_read_by(w, w->s->count));
}

/* Counters and lists begin at 0, as a level leaves them for its buckets. */
static void add_clear(const sort_work *w) {
    launch_set(append_sort_words(w->out, &KERNEL_sort_clear, sizeof(uint32_t),
                                 &(struct sort_words_arguments){SORT_LEAF_SIZES + SORT_REST}),
               1, WARP_LANES, 0, turns_of(w), NULL);
}

/* Kernels of keys alone, with what goes along, and the same of keys that are added up. */
static const sort_short_kernel *const shorts[2][3] = {OF_EACH_KEY(sort_short), OF_EACH_KEY(sort_carry_short)};

#define OF_EACH_SIZE(name)                                                                                     \
    &KERNEL_##name##_0, &KERNEL_##name##_1, &KERNEL_##name##_2, &KERNEL_##name##_3, &KERNEL_##name##_4
static const sort_leaves_kernel *const leaf_kernels[4][3][SORT_LEAF_SIZES] = {
    {{OF_EACH_SIZE(sort_leaves_4), &KERNEL_sort_leaves_4_5},
     {OF_EACH_SIZE(sort_leaves_8), &KERNEL_sort_leaves_8_5},
     {OF_EACH_SIZE(sort_leaves_16)}},
    {{OF_EACH_SIZE(sort_carry_leaves_4), &KERNEL_sort_carry_leaves_4_5},
     {OF_EACH_SIZE(sort_carry_leaves_8), &KERNEL_sort_carry_leaves_8_5},
     {OF_EACH_SIZE(sort_carry_leaves_16)}},
    {{OF_EACH_SIZE(sort_summed_leaves_4), &KERNEL_sort_summed_leaves_4_5},
     {OF_EACH_SIZE(sort_summed_leaves_8), &KERNEL_sort_summed_leaves_8_5},
     {OF_EACH_SIZE(sort_summed_leaves_16)}},
    {{OF_EACH_SIZE(sort_summed_carry_leaves_4), &KERNEL_sort_summed_carry_leaves_4_5},
     {OF_EACH_SIZE(sort_summed_carry_leaves_8), &KERNEL_sort_summed_carry_leaves_8_5},
     {OF_EACH_SIZE(sort_summed_carry_leaves_16)}}};

/* Sorts short leaves, several in a warp: it has as many as its rows hold if all have the average length, or more, where they
 * have not. */
static void add_short(const sort_work *w) {
    const sort_request *const r = w->r;
    const uint32_t each = sort_short_each(r->key_bytes, r->carries), warps = SORT_LEAF_THREADS / WARP_LANES;
    const uint32_t segments = sort_segment_count(r);
    uint32_t rows = 1;
    while (rows < WARP_LANES && rows * each < ceil_div(r->n, segments)) rows *= 2;
    const uint32_t turn = min(WARP_LANES, (r->is_uneven ? 4U * WARP_LANES : WARP_LANES) / rows);
    const struct sort_short_arguments arguments = {{.coder = sort_coder_of(w, 0),
                                                    .carried = sort_carried_by(w, 0),
                                                    .leaves = leaves_of(w),
                                                    .rest = has_list(w) ? rest_of(w) : NULL,
                                                    .turn = turn}};
    launch *const work =
        append_sort_short(w->out, shorts[r->carries][sort_key_place(r)], r->key_bytes, &arguments);
    shape(w, work, ceil_div(ceil_div(segments, turn), warps), SORT_LEAF_THREADS,
          warps * sort_short_bytes(r->key_bytes, r->carries));
}

/* Leaves of a size, of which there are `leaves` at most: blocks that run at a time take them in turns, unless all have one
 * length, where no leaf has to wait for a team that is done early. */
static void add_size(const sort_work *w, unsigned size, uint32_t leaves) {
    const sort_request *const r = w->r;
    const sort_steps *const s = w->s;
    const uint32_t teams = sort_leaf_teams(size);
    const uint32_t at_once = s->multiprocessors * sort_leaf_blocks(r->key_bytes, r->carries, size);
    const uint32_t most = min(at_once, ceil_div(leaves, teams));
    const uint32_t turn = min(16, ceil_div(leaves, (leaves <= 2 * most * teams ? 1 : 4) * most * teams));
    const uint32_t all = ceil_div(leaves, teams * turn), blocks = has_list(w) ? most : all;
    const sort_coder coder = sort_coder_of(w, s->count);
    const struct sort_leaves_arguments arguments = {
        {.coder = coder,
         .carried = sort_carried_by(w, s->count),
         .leaves = leaves_of(w),
         .list = s->has_short ? rest_of(w) : NULL,
         .rest = size == s->leaf_last && !s->has_short ? rest_of(w) : NULL,
         .are_alike = sort_alike_stay(w) ? are_alike(w) : NULL,
         .turns = blocks < all ? turns_of(w) + size : NULL,
         .turn = turn,
         .above = size > s->leaf_first ? sort_leaf_most(size - 1)
                  : s->has_short       ? sort_short_most(r->key_bytes, r->carries)
                                       : 0,
         .summed = sort_summed_by(w, s->count)}};
    const unsigned way = (r->carries ? 1U : 0U) + (arguments.table.summed.record != NULL ? 2U : 0U);
    launch *const work =
        append_sort_leaves(w->out, leaf_kernels[way][sort_key_place(r)][size], r->key_bytes, &arguments);
    shape(w, work, blocks, sort_leaf_threads(size), sort_leaf_bytes(r->key_bytes, r->carries, size));
}

static void add_leaves(const sort_work *w) {
    const sort_request *const r = w->r;
    uint32_t leaves = (uint32_t)sort_leaf_count(r, w->s);
    if (w->s->count == 0 && has_list(w)) add_clear(w);
    if (w->s->has_short) { /* it lists all others, of which there are no more than fit into n */
        add_short(w);
        leaves = min(leaves, r->n / sort_short_most(r->key_bytes, r->carries));
    }
    for (unsigned k = w->s->leaf_first; k <= w->s->leaf_last; k++) add_size(w, k, leaves);
}

static uint32_t record_bytes(const sort_request *r) { return r->key_bytes == 4 ? 8 : r->key_bytes + 8; }

/* Where there are no other leaves all keys are one. */
static void add_long(const sort_work *w) {
    const sort_request *const r = w->r;
    const bool has_leaves = w->s->has_leaves;
    const struct sort_long_arguments arguments = {{.coder = sort_coder_of(w, w->s->count),
                                                   .carried = sort_carried_by(w, w->s->count),
                                                   .spare = spare_of(w),
                                                   .begin = sort_leaf_begin(w),
                                                   .rest = has_leaves ? rest_of(w) : NULL,
                                                   .are_alike = are_alike(w),
                                                   .n = r->n,
                                                   .above = has_leaves ? sort_leaf_most(w->s->leaf_last) : 0,
                                                   .most = r->is_uneven ? SORT_CHUNK : UINT32_MAX,
                                                   .summed = sort_summed_by(w, w->s->count)}};
    shape(w,
          append_sort_long(w->out, r->carries ? &KERNEL_sort_carry_long : &KERNEL_sort_long, r->key_bytes,
                           &arguments),
          w->s->multiprocessors, SORT_LONG_THREADS, SORT_LONG_THREADS * SORT_AT_ONCE * record_bytes(r));
}

/* Leaves of any length: a block does those of a chunk, all blocks what is longer. */
static void add_runs(const sort_work *w) {
    const sort_request *const r = w->r;
    const uint32_t tiles = ceil_div(r->n, SORT_CHUNK);
    const sort_chunks_table chunks = {.coder = sort_coder_of(w, w->s->count),
                                      .carried = sort_carried_by(w, w->s->count),
                                      .spare = spare_of(w),
                                      .leaves = leaves_of(w),
                                      .rest = rest_of(w),
                                      .n = r->n};
    shape(w,
          append_sort_chunks(w->out, r->carries ? &KERNEL_sort_carry_chunks : &KERNEL_sort_chunks, r->key_bytes,
                             &(struct sort_chunks_arguments){chunks}),
          tiles, SORT_LONG_THREADS, SORT_LONG_THREADS * SORT_AT_ONCE * record_bytes(r));
    for (uint64_t run = SORT_CHUNK; run < r->n; run *= 2) {
        const struct sort_runs_arguments arguments = {{.of = chunks, .run = (uint32_t)run}};
        launch_set(append_sort_runs(w->out, r->carries ? &KERNEL_sort_carry_runs : &KERNEL_sort_runs,
                                    r->key_bytes, &arguments),
                   tiles, SORT_LONG_THREADS, 0, w->b->to, NULL);
    }
}

/* A check of passes looks at what lies side by side when all is sorted. */
static void add_borders(const sort_work *w) {
    const sort_leaf_places leaves = leaves_of(w);
    const struct sort_borders_arguments arguments = {{.coding = w->r->coding,
                                                      .begin = leaves.begin,
                                                      .leaves = leaves.count,
                                                      .are_alike = sort_alike_stay(w) ? are_alike(w) : NULL,
                                                      .summed = sort_summed_by(w, w->s->count)}};
    launch_set(append_sort_borders(w->out, &KERNEL_sort_borders, w->r->key_bytes, &arguments),
               ceil_div(leaves.count, CHECK_THREADS), CHECK_THREADS, sizeof(check_block), NULL, w->b->to);
}

void launch_sort_leaves(const sort_work *w) {
    if (w->s->has_leaves) add_leaves(w);
    if (w->s->is_longer) add_long(w);
    if (w->r->is_uneven && w->r->n > SORT_CHUNK) add_runs(w);
    if (w->b->compared.record != NULL && w->b->compared.are_passes) add_borders(w);
}
