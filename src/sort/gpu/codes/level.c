/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of a level of k-partition: samples, counts, where buckets begin, and the move into these.
 */
#include "check/kernels/block.h"
#include "sort/gpu/codes/work.h"

enum { RESIDENT_THREADS = 1024 }; /* threads of a multiprocessor, for the kernels that split */

/* -------------------------------------------------------------------- tables */

static sort_segments segments_of(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    return (sort_segments){.begin = k > 0 ? sort_at(w, level->begin) : w->b->begin,
                           .is_alike = k > 0 ? sort_at(w, w->s->level[k - 1].are_alike) : NULL,
                           .n = w->r->n,
                           .bucket = level->bucket,
                           .ways = level->ways};
}

static bool has_pieces(const sort_work *w, unsigned k) { return k > 0 || w->r->is_segmented; }

static sort_cuts cuts_of(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    return (sort_cuts){.of = segments_of(w, k),
                       .first_piece = has_pieces(w, k) ? sort_at(w, level->first_piece) : NULL,
                       .segments = level->segments,
                       .piece = level->piece};
}

/* Four to eight cells a splitter. */
static uint32_t cell_bits(const sort_level *level) { return min(level->levels + 2, SORT_CELL_BITS); }

static uint32_t guide_bytes(const sort_work *w, const sort_level *level) {
    return sort_guide_bytes(w->r->key_bytes, level->levels, cell_bits(level));
}

static sort_tile_table tile_of(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    return (sort_tile_table){.coder = sort_coder_of(w, k),
                             .cuts = cuts_of(w, k),
                             .splitters = {.keys = sort_at(w, level->splitters),
                                           .row = level->row,
                                           .levels = level->levels,
                                           .cell_bits = cell_bits(level)},
                             .counts = sort_at(w, level->counts)};
}

/* Where the level's buckets begin: the next one's segments, or leaves. */
static uint32_t *buckets_of(const sort_work *w, unsigned k) {
    return sort_at(w, k + 1 < w->s->count ? w->s->level[k + 1].begin : w->s->leaf_begin);
}

static bool is_summed(const sort_work *w, const sort_level *level) {
    return w->r->carries && level->segments == 1 && level->pieces > SORT_MOST_SUMMED;
}

/* ------------------------------------------------------------------ launches */

/* Blocks that read a level: one for each piece, or of one segment whose order is not kept as many as run at a time. */
static uint32_t shares(const sort_work *w, unsigned k, uint32_t tile, unsigned threads) {
    if (w->r->carries || has_pieces(w, k)) return w->s->level[k].pieces;
    return min(ceil_div(w->r->n, tile), w->s->multiprocessors * (RESIDENT_THREADS / threads));
}

/* Segments that end before what is asked for, or begin behind it, become empty. */
static void add_window(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    const struct sort_window_arguments arguments = {{.n = w->r->n,
                                                     .segments = level->segments,
                                                     .needed = w->r->needed,
                                                     .needed_end = w->r->needed_end,
                                                     .window = sort_at(w, w->s->window)}};
    launch_set(append_sort_window(w->out, &KERNEL_sort_window, sizeof(uint32_t), &arguments), 1,
               SORT_SUM_THREADS, 2 * sizeof(uint32_t), sort_at(w, level->begin), NULL);
}

static void add_pieces(const sort_work *w, unsigned k) {
    const sort_cuts cuts = cuts_of(w, k);
    const struct sort_pieces_arguments arguments = {
        {.begin = cuts.of.begin, .segments = cuts.segments, .piece = cuts.piece}};
    launch_set(append_sort_pieces(w->out, &KERNEL_sort_pieces, sizeof(uint32_t), &arguments), 1,
               SORT_SUM_THREADS, WARP_LANES * sizeof(uint32_t), sort_at(w, w->s->level[k].first_piece), NULL);
}

/* A single segment's samples are ranked by many blocks. */
static void add_sample(const sort_work *w, unsigned k) {
    static const sort_sample_kernel *const kernels[SORT_SAMPLE_SIZES] = {
        &KERNEL_sort_sample_0, &KERNEL_sort_sample_1, &KERNEL_sort_sample_2};
    const sort_level *const level = &w->s->level[k];
    const uint32_t e = w->r->key_bytes;
    const unsigned size = sort_sample_size(level->samples);
    const bool is_one = level->segments == 1;
    const size_t shared_bytes = is_one ? (level->samples + WARP_LANES) * e + SORT_RANKED * sizeof(uint32_t)
                                       : SORT_SAMPLE_THREADS * min(SORT_AT_ONCE, sort_sample_each(size)) * e;
    const struct sort_sample_arguments arguments = {
        {.coder = sort_coder_of(w, k),
         .segments = segments_of(w, k),
         .samples = level->samples,
         .row = level->row,
         .cursors = w->r->carries ? NULL : sort_at(w, level->counts)}};
    launch_set(append_sort_sample(w->out, is_one ? &KERNEL_sort_ranks : kernels[size], e, &arguments),
               is_one ? ceil_div(level->samples, SORT_RANKED) : level->segments, SORT_SAMPLE_THREADS,
               shared_bytes, sort_at(w, level->splitters), sort_read_by(w, k));
}

static void add_count(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    struct sort_tile_arguments arguments = {tile_of(w, k)};
    if (!w->r->carries) arguments.table.summed = sort_summed_by(w, k);
    const bool is_summed = arguments.table.summed.record != NULL;
    const sort_tile_kernel *const kernel = w->r->carries ? &KERNEL_sort_carry_count
                                           : is_summed   ? &KERNEL_sort_summed_count
                                                         : &KERNEL_sort_count;
    launch_set(append_sort_tile(w->out, kernel, w->r->key_bytes, &arguments),
               shares(w, k, 2 * sort_count_tile(w->r->key_bytes), SORT_COUNT_THREADS), SORT_COUNT_THREADS,
               guide_bytes(w, level) + level->row * sizeof(uint32_t) + (is_summed ? sizeof(check_block) : 0),
               NULL, sort_read_by(w, k));
}

static void add_sums(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    const struct sort_sums_arguments arguments = {
        {.cuts = cuts_of(w, k), .row = level->row, .bucket_begin = buckets_of(w, k)}};
    launch_set(append_sort_sums(w->out, &KERNEL_sort_sums, sizeof(uint32_t), &arguments),
               ceil_div(level->row, WARP_LANES), SORT_SUM_THREADS, SORT_SUM_THREADS * sizeof(uint32_t),
               sort_at(w, level->counts), NULL);
}

static void add_offsets(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k], *const next = k + 1 < w->s->count ? level + 1 : NULL;
    const struct sort_offsets_arguments arguments = {
        {.cuts = cuts_of(w, k),
         .splitters = sort_at(w, level->splitters),
         .row = level->row,
         .key_words = w->r->key_bytes / (uint32_t)sizeof(uint32_t),
         .are_cursors = !w->r->carries,
         .is_summed = is_summed(w, level),
         .are_alike = sort_at(w, level->are_alike),
         .bucket_begin = buckets_of(w, k),
         .turns = sort_at(w, w->s->rest),
         .next_first_piece = next != NULL && !w->r->is_segmented ? sort_at(w, next->first_piece) : NULL,
         .next_piece = next != NULL ? next->piece : 1}};
    launch_set(append_sort_offsets(w->out, &KERNEL_sort_offsets, sizeof(uint32_t), &arguments), level->segments,
               round_up(level->row, WARP_LANES), WARP_LANES * sizeof(uint32_t), sort_at(w, level->counts),
               NULL);
}

static launch *append_move(const sort_work *w, unsigned k) {
    static const sort_tile_kernel *const moves[] = OF_EACH_KEY(sort_move);
    static const sort_carry_kernel *const carries[2][3] = {OF_EACH_KEY(sort_carry),
                                                           OF_EACH_KEY(sort_summed_carry)};
    const unsigned key = sort_key_place(w->r);
    sort_tile_table tile = tile_of(w, k);
    if (!w->r->carries)
        return append_sort_tile(w->out, moves[key], w->r->key_bytes, &(struct sort_tile_arguments){tile});
    tile.summed = sort_summed_by(w, k); /* the count does not read what goes along */
    const struct sort_carry_arguments arguments = {
        {.tile = tile, .bucket_begin = buckets_of(w, k), .carried = sort_carried_by(w, k)}};
    return append_sort_carry(w->out, carries[tile.summed.record != NULL][key], w->r->key_bytes, &arguments);
}

static void add_move(const sort_work *w, unsigned k) {
    const sort_level *const level = &w->s->level[k];
    const uint32_t e = w->r->key_bytes, tile = sort_move_tile(e);
    const unsigned threads = sort_move_threads(e, w->r->carries);
    const size_t behind =
        guide_bytes(w, level) + (2 * level->row + WARP_LANES) * sizeof(uint32_t) + tile * sizeof(uint16_t);
    launch_set(append_move(w, k), shares(w, k, tile, threads), threads,
               sort_staged_bytes(e, w->r->carries, level->row) + behind, sort_written_by(w, k),
               sort_read_by(w, k));
}

void launch_sort_level(const sort_work *w, unsigned k) {
    const bool has_window = k > 0 && sort_has_window(w);
    if (has_window) add_window(w, k);
    if (w->r->is_segmented || has_window) add_pieces(w, k);
    add_sample(w, k);
    add_count(w, k);
    if (is_summed(w, &w->s->level[k])) add_sums(w, k);
    add_offsets(w, k);
    add_move(w, k);
}
