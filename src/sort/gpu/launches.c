/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys go from `from` to the second array, and with two levels of k-partition back to `to`; the leaves are sorted
 * to `to`.
 */
#include "sort/gpu/launches.h"

enum {
    ALIGNMENT = 256,
    SAMPLE_SIZES = 3,
    LEAST_SAMPLES = 2 * SORT_SAMPLE_THREADS, /* as sort/kernels/list.h has it, then twice as many */
    SAMPLES = LEAST_SAMPLES << (SAMPLE_SIZES - 1),
    LEAST_PIECE = 1024,
    MOST_WAYS = SORT_MOST_WAYS * 3 / 4,
    FEW_WAYS = 192,
    FEW_KEYS = 1 << 23,
    MANY_KEYS = 1 << 26,
    MOST_SUMMED = 96,        /* pieces of one segment that a thread adds up */
    RESIDENT_THREADS = 1024, /* threads of a multiprocessor, for the kernels that split */
};

/* Sizes of a k-partition's blocks, as sort/kernels/list.h has them. */
static unsigned move_threads(size_t key_bytes, bool carries) { return !carries && key_bytes == 4 ? 512 : 1024; }

static uint32_t tile_keys(size_t key_bytes) { return key_bytes == 16 ? 4096 : 8192; }

static uint32_t divide_up(uint64_t a, uint64_t b) { return (uint32_t)((a + b - 1) / b); }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t most(uint32_t a, uint32_t b) { return a < b ? b : a; }

static uint32_t root(uint32_t x) {
    uint32_t r = 1;
    while ((uint64_t)r * r < x) r++;
    return r;
}

/* ------------------------------------------------------------------- shapes */

static size_t take(sort_steps *s, size_t bytes) {
    const size_t at = s->bytes;
    s->bytes = (s->bytes + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

static void set_ways(sort_level *l, uint32_t ways) {
    l->ways = least(most(ways, 1), SORT_MOST_WAYS);
    l->row = l->ways + l->ways % 2;
    l->levels = 0;
    while (1U << l->levels < l->ways) l->levels++;
}

static void lay_level(const sort_request *r, sort_steps *s, sort_level *l) {
    l->splitters = take(s, (size_t)l->segments * l->row * r->key_bytes);
    l->are_alike = take(s, (size_t)l->segments * l->row);
    l->counts = take(s, (size_t)(r->carries ? l->pieces : l->segments) * l->row * sizeof(uint32_t));
}

/* Segments get up to four times the leaves, and twice the ways of each level, of an average one; a single segment needs no
 * more than all. */
static void cut_segments(const sort_request *r, sort_steps *s, uint32_t leaf, uint32_t piece,
                         unsigned multiprocessors) {
    sort_level *const l = &s->level[0];
    const uint32_t length = divide_up(r->n, r->segments), leaves = divide_up(length, leaf);
    l->segments = r->segments;
    const uint32_t most_ways = s->count == 1 ? 4 * leaves : 2 * root(leaves);
    set_ways(l, r->segments > 1 ? most_ways : s->count == 1 ? leaves : root(leaves));
    l->bucket = s->count == 1 ? leaf : divide_up(length, root(leaves));
    l->piece = least(piece, most(2 * LEAST_PIECE, divide_up(r->n, 4 * multiprocessors)));
    l->pieces = r->n / l->piece + l->segments;
    l->samples = least(SAMPLES, 16 * l->ways);
    l->first_piece = take(s, (l->segments + 1) * sizeof(uint32_t));
    lay_level(r, s, l);
}

static void cut_first(const sort_request *r, sort_steps *s, uint32_t leaves, uint32_t piece,
                      unsigned multiprocessors) {
    sort_level *const l = &s->level[0];
    const uint32_t tile = tile_keys(r->key_bytes), blocks = 2 * multiprocessors;
    const uint32_t even = divide_up(r->n, blocks);
    l->segments = 1;
    set_ways(l, s->count == 1 ? leaves : root(leaves));
    l->bucket = divide_up(r->n, l->ways);
    l->piece = least(piece, most(LEAST_PIECE, even > tile ? divide_up(even, tile) * tile : even));
    l->pieces = divide_up(r->n, l->piece);
    l->samples = least(SAMPLES, s->count == 1 && l->ways > MOST_SUMMED ? 8 * l->ways : 16 * l->ways);
    lay_level(r, s, l);
}

/* As many samples as the launch for so many has room for. */
static uint32_t sample_room(uint32_t samples) {
    uint32_t room = LEAST_SAMPLES;
    while (room < SAMPLES && room < samples) room *= 2;
    return room;
}

static void cut_second(const sort_request *r, sort_steps *s, uint32_t leaf, uint32_t piece,
                       unsigned multiprocessors) {
    const sort_level *const first = &s->level[0];
    sort_level *const l = &s->level[1];
    l->segments = first->segments * first->row;
    l->bucket = leaf;
    set_ways(l, r->segments > 1 ? first->ways : 2 * first->ways);
    if (l->ways > MOST_WAYS) set_ways(l, most(MOST_WAYS, first->ways));
    l->piece = least(piece, most(tile_keys(r->key_bytes), divide_up(r->n, 4 * multiprocessors)));
    l->pieces = r->n / l->piece + l->segments;
    l->samples = sample_room(12 * first->ways);
    l->begin = take(s, (l->segments + 1) * sizeof(uint32_t));
    l->first_piece = take(s, (l->segments + 1) * sizeof(uint32_t));
    lay_level(r, s, l);
}

/* Keys of a lane in the launches for leaves, which sort/kernels/list.h has in this order, and warps of a leaf. */
static uint32_t leaf_each(unsigned size) {
    static const uint32_t each[SORT_LEAF_SIZES] = {16, 24, 32, 32, 32, 32};
    return each[size];
}

static uint32_t leaf_warps(unsigned size) { return size < 3 ? 1 : 1U << (size - 2); }

static unsigned leaf_sizes(const sort_request *r) {
    return r->key_bytes == 16 ? SORT_LEAF_SIZES - 1 : SORT_LEAF_SIZES;
}

static uint32_t leaf_most(unsigned size) { return leaf_warps(size) * leaf_each(size) * SORT_LANES; }

/* Keys of a lane in the launch for short ones, likewise, and of a warp. */
static uint32_t short_each(const sort_request *r) { return r->key_bytes > 4 || r->carries ? 8 : 16; }

static uint32_t short_most(const sort_request *r) { return short_each(r) * SORT_LANES; }

static uint32_t segments_of(const sort_request *r) { return r->is_segmented ? r->segments : 1; }

/* Keys of the longest segment, as far as that is known. */
static uint32_t longest_segment(const sort_request *r) {
    return r->is_uneven ? r->n : divide_up(r->n, segments_of(r));
}

/* Segments that are leaves, or one array: if all have one length there is one launch. In a warp of their own they take fewer
 * instructions if they have more than half of the other's registers. */
static void choose_segment_leaves(const sort_request *r, sort_steps *s) {
    const uint32_t longest = longest_segment(r);
    s->leaf_last = 0;
    while (s->leaf_last + 1 < leaf_sizes(r) && leaf_most(s->leaf_last) < longest) s->leaf_last++;
    s->has_short = r->is_uneven || longest <= short_most(r) / 2;
    s->is_longer = leaf_most(s->leaf_last) < longest;
    s->leaf_first = s->has_short ? 0 : s->leaf_last;
    while (s->has_short && s->leaf_first <= s->leaf_last &&
           (longest <= short_most(r) || leaf_most(s->leaf_first) <= short_most(r)))
        s->leaf_first++;
}

/* A launch has to be worth its time: of few keys there is one, for leaves up to three times the average. */
static void choose_leaves(const sort_request *r, sort_steps *s) {
    s->leaf_first = 0, s->leaf_last = 3;
    if (s->count == 0) choose_segment_leaves(r, s);
    if (s->count == 0 || r->is_segmented) return;
    if (s->count == 1) {
        const uint32_t longest = 3 * s->level[0].bucket - s->level[0].bucket / 8;
        s->leaf_last = 0;
        while (s->leaf_last + 1 < leaf_sizes(r) && leaf_most(s->leaf_last) < longest) s->leaf_last++;
        s->leaf_first = least(s->leaf_last, 4);
    } else if (r->n < FEW_KEYS) {
        s->leaf_first = 2;
    } else if (r->n >= MANY_KEYS) {
        s->leaf_last = 4;
    }
}

/* Counts the leaves: the last level's buckets, or the segments. */
static size_t leaves_of(const sort_request *r, const sort_steps *s) {
    const sort_level *const last = s->count > 0 ? &s->level[s->count - 1] : NULL;
    return last != NULL ? (size_t)last->segments * last->row : segments_of(r);
}

sort_steps sort_cut(const sort_request *r, unsigned levels, uint32_t leaf, uint32_t piece,
                    unsigned multiprocessors) {
    sort_steps s = {.count = levels, .is_longer = true, .multiprocessors = 1};
    if (levels > 0 || r->n > SORT_CHUNK) {
        s.keys = take(&s, (size_t)r->n * r->key_bytes);
        if (r->carries) s.carried = take(&s, (size_t)r->n * sizeof(uint32_t));
    }
    if (levels == 0 && !r->is_segmented && r->n > leaf_most(leaf_sizes(r) - 1)) return s;
    if (levels > 0 && r->is_segmented)
        cut_segments(r, &s, leaf, piece, multiprocessors);
    else if (levels > 0)
        cut_first(r, &s, divide_up(r->n, leaf), piece, multiprocessors);
    if (levels == 2) cut_second(r, &s, leaf, piece, multiprocessors);
    s.window = take(&s, 2 * sizeof(uint32_t));
    const size_t leaves = leaves_of(r, &s);
    if (levels > 0) s.leaf_begin = take(&s, (leaves + 1) * sizeof(uint32_t));
    s.rest = take(&s, (SORT_LEAF_SIZES + SORT_REST + leaves) * sizeof(uint32_t));
    choose_leaves(r, &s);
    s.multiprocessors = multiprocessors;
    s.has_leaves = true;
    return s;
}

/* Keys that a warp's leaves are to have, of the most that it sorts. */
static uint32_t leaf_keys(const sort_request *r) {
    return r->key_bytes == 16 || r->carries ? 600 : r->key_bytes == 8 ? 500 : 700;
}

/* Keys of a leaf with one level only: more splitters make sampling slower, fewer leave too little to do at once. */
static uint32_t one_level_leaf(const sort_request *r) {
    const uint32_t wanted = least(leaf_most(3) / 3, divide_up(r->n, FEW_WAYS));
    return most(divide_up(r->n, MOST_WAYS), most(wanted, leaf_most(1) / 3));
}

/* Longer leaves of one level would take longer than a second level, sooner where they are sorted by order. */
static uint32_t one_level_most(const sort_request *r) {
    return leaf_most(r->key_bytes > 4 || r->carries ? 3 : SORT_LEAF_SIZES - 1) / 3;
}

bool sort_needs_begin(const sort_request *r, const sort_steps *s) { return r->is_uneven || s->is_longer; }

sort_steps sort_choose_steps(const sort_request *r, unsigned multiprocessors) {
    const uint32_t leaf = leaf_keys(r), piece = 1U << 31;
    if (r->is_segmented) {
        const uint32_t length = divide_up(r->n, r->segments), as_leaf = leaf_most(leaf_sizes(r) - 1);
        const unsigned levels = length <= (r->is_uneven ? as_leaf / 2 : as_leaf) ? 0
                                : length / leaf < SORT_MOST_WAYS / 2             ? 1
                                                                                 : 2;
        return sort_cut(r, levels, leaf, 1U << 17, multiprocessors);
    }
    if (r->n <= SORT_CHUNK) return sort_cut(r, 0, leaf, piece, multiprocessors);
    if (r->n / MOST_WAYS <= one_level_most(r)) return sort_cut(r, 1, one_level_leaf(r), piece, multiprocessors);
    return sort_cut(r, 2, leaf, r->carries ? 1U << 17 : 1U << 16, multiprocessors);
}

/* ----------------------------------------------------------------- launches */

typedef struct launches {
    const sort_request *r;
    const sort_steps *s;
    const sort_buffers *b;
    sort_table table;
    launch_list *out;
} launches;

static void *at(const launches *l, size_t offset) { return (char *)l->b->workspace + offset; }

static void add(launches *l, const sort_kernel *kernel, size_t key_bytes, uint32_t grid, unsigned block,
                size_t shared_bytes, void *to, const void *from) {
    launch *const work = append_sort(l->out, kernel, key_bytes, &(struct sort_arguments){l->table});
    work->grid = grid;
    work->block_x = block;
    work->shared_bytes = shared_bytes;
    launch_between(work, to, from);
}

/* Kernels of keys of 4, 8 and 16 bytes; those of keys alone, and those that carry something along. */
#define OF_EACH_KEY(name)                                                                                      \
    { &KERNEL_##name##_4, &KERNEL_##name##_8, &KERNEL_##name##_16 }
static const sort_kernel *const moves[2][3] = {OF_EACH_KEY(sort_move), OF_EACH_KEY(sort_carry)};
static const sort_kernel *const shorts[2][3] = {OF_EACH_KEY(sort_short), OF_EACH_KEY(sort_carry_short)};
#undef OF_EACH_KEY

#define OF_EACH_SIZE(name)                                                                                     \
    &KERNEL_##name##_0, &KERNEL_##name##_1, &KERNEL_##name##_2, &KERNEL_##name##_3, &KERNEL_##name##_4
static const sort_kernel *const leaf_kernels[2][3][SORT_LEAF_SIZES] = {
    {{OF_EACH_SIZE(sort_leaves_4), &KERNEL_sort_leaves_4_5},
     {OF_EACH_SIZE(sort_leaves_8), &KERNEL_sort_leaves_8_5},
     {OF_EACH_SIZE(sort_leaves_16)}},
    {{OF_EACH_SIZE(sort_carry_leaves_4), &KERNEL_sort_carry_leaves_4_5},
     {OF_EACH_SIZE(sort_carry_leaves_8), &KERNEL_sort_carry_leaves_8_5},
     {OF_EACH_SIZE(sort_carry_leaves_16)}}};
#undef OF_EACH_SIZE

/* The place of a key in these tables. */
static unsigned key_of(const launches *l) { return l->r->key_bytes == 4 ? 0 : l->r->key_bytes == 8 ? 1 : 2; }

static size_t record_bytes(const launches *l) { return l->r->key_bytes == 4 ? 8 : l->r->key_bytes + 8; }

/* Four to eight cells a splitter. */
static uint32_t cell_bits(const sort_level *level) { return least(level->levels + 2, SORT_CELL_BITS); }

/* Bytes of a guide (sort/kernels/sort_guide.h). */
static size_t guide_bytes(const launches *l, const sort_level *level) {
    return ((size_t)1 << level->levels) * l->r->key_bytes + ((size_t)1 << cell_bits(level)) * sizeof(uint16_t) +
           4 * sizeof(uint32_t);
}

/* True if numbers are not their own codes. */
static bool is_coded(const sort_request *r) {
    const sort_coding *const c = &r->coding;
    return (c->positive | c->negative | c->minus | c->turn | c->plus) != 0;
}

static void fill_level(launches *l, unsigned k) {
    const sort_level *const from = &l->s->level[k], *const next = k + 1 < l->s->count ? from + 1 : NULL;
    sort_table *const t = &l->table;
    t->segments = from->segments, t->piece = from->piece, t->bucket = from->bucket;
    t->ways = from->ways, t->levels = from->levels, t->row = from->row, t->samples = from->samples;
    t->begin = k > 0 ? at(l, from->begin) : l->b->begin;
    t->first_piece = k > 0 || l->r->is_segmented ? at(l, from->first_piece) : NULL;
    t->splitters = at(l, from->splitters);
    t->cell_bits = cell_bits(from);
    t->key_words = (uint32_t)(l->r->key_bytes / sizeof(uint32_t));
    t->is_alike = k > 0 ? at(l, l->s->level[k - 1].are_alike) : NULL;
    t->are_alike = at(l, from->are_alike);
    t->counts = at(l, from->counts);
    t->bucket_begin = at(l, next != NULL ? next->begin : l->s->leaf_begin);
    t->next_first_piece = next != NULL && !l->r->is_segmented ? at(l, next->first_piece) : NULL;
    t->next_piece = next != NULL ? next->piece : 1;
    t->turns = at(l, l->s->rest);
    t->rest = t->turns + SORT_LEAF_SIZES;
    t->are_cursors = !l->r->carries;
    t->is_summed = l->r->carries && from->segments == 1 && from->pieces > MOST_SUMMED;
    t->encodes = k == 0 && l->r->encodes && is_coded(l->r);
    t->decodes = false;
}

/* Blocks that read a level: one for each piece, or of one segment whose order is not kept as many as run at a time. */
static uint32_t shares(const launches *l, const sort_level *level, uint32_t tile, unsigned threads) {
    if (l->r->carries || l->table.first_piece != NULL) return level->pieces;
    return least(divide_up(l->r->n, tile), l->s->multiprocessors * (RESIDENT_THREADS / threads));
}

static void add_move(launches *l, const sort_level *level, void *to, const void *from) {
    const size_t e = l->r->key_bytes, guide = guide_bytes(l, level);
    const unsigned threads = move_threads(e, l->r->carries);
    const size_t tile = tile_keys(e), keys = tile * e, warps = threads / SORT_LANES;
    const size_t behind = guide + (2 * level->row + SORT_LANES) * sizeof(uint32_t) + tile * sizeof(uint16_t);
    const size_t counts = (warps * level->row * sizeof(uint16_t) + 15) / 16 * 16;
    const uint32_t grid = l->r->carries ? level->pieces : shares(l, level, (uint32_t)tile, threads);
    const size_t held = l->r->carries && counts > keys ? counts : keys;
    add(l, moves[l->r->carries][key_of(l)], e, grid, threads, held + behind, to, from);
}

/* True if the second level of one array sorts only what is asked for. */
static bool has_window(const launches *l) {
    return l->s->count == 2 && !l->r->is_segmented && l->r->needed < l->r->needed_end;
}

static void add_window(launches *l) {
    l->table.needed = l->r->needed, l->table.needed_end = l->r->needed_end;
    l->table.window = at(l, l->s->window);
    add(l, &KERNEL_sort_window, sizeof(uint32_t), 1, SORT_SUM_THREADS, 2 * sizeof(uint32_t), l->table.begin,
        NULL);
}

/* From where the first level has left it. */
static void add_outside(launches *l) {
    const bool carries = l->r->carries;
    if (!has_window(l) || !l->r->has_rest) return;
    const uint32_t *const carried_from = l->table.carried_from;
    l->table.carried_from = l->table.carried_room;
    add(l, carries ? &KERNEL_sort_carry_outside : &KERNEL_sort_outside, l->r->key_bytes,
        divide_up(l->r->n, SORT_ROW_THREADS), SORT_ROW_THREADS, 0, l->b->to, l->table.room);
    l->table.carried_from = carried_from;
}

static void add_sample(launches *l, const sort_level *level, const void *from) {
    const size_t e = l->r->key_bytes;
    if (level->segments == 1) {
        add(l, &KERNEL_sort_ranks, e, divide_up(level->samples, SORT_RANKED), SORT_SAMPLE_THREADS,
            (level->samples + SORT_LANES) * e + SORT_RANKED * sizeof(uint32_t), l->table.splitters, from);
        return;
    }
    unsigned size = 0;
    while (level->samples > (uint32_t)LEAST_SAMPLES << size) size++;
    static const sort_kernel *const samples[SAMPLE_SIZES] = {&KERNEL_sort_sample_0, &KERNEL_sort_sample_1,
                                                             &KERNEL_sort_sample_2};
    add(l, samples[size], e, level->segments, SORT_SAMPLE_THREADS,
        SORT_SAMPLE_THREADS * least(SORT_AT_ONCE, 2U << size) * e, l->table.splitters, from);
}

static void add_level(launches *l, unsigned k, void *to, const void *from) {
    const sort_level *const level = &l->s->level[k];
    const size_t e = l->r->key_bytes, guide = guide_bytes(l, level);
    fill_level(l, k);
    if (k > 0 && has_window(l)) add_window(l);
    if (l->r->is_segmented || (k > 0 && has_window(l)))
        add(l, &KERNEL_sort_pieces, sizeof(uint32_t), 1, SORT_SUM_THREADS, SORT_LANES * sizeof(uint32_t),
            l->table.first_piece, NULL);
    add_sample(l, level, from);
    add(l, l->r->carries ? &KERNEL_sort_carry_count : &KERNEL_sort_count, e,
        shares(l, level, 2 * SORT_COUNT_THREADS * SORT_COUNT_BYTES / (uint32_t)e, SORT_COUNT_THREADS),
        SORT_COUNT_THREADS, guide + level->row * sizeof(uint32_t), NULL, from);
    if (l->table.is_summed)
        add(l, &KERNEL_sort_sums, sizeof(uint32_t), divide_up(level->row, SORT_LANES), SORT_SUM_THREADS,
            SORT_SUM_THREADS * sizeof(uint32_t), l->table.counts, NULL);
    add(l, &KERNEL_sort_offsets, sizeof(uint32_t), level->segments,
        divide_up(level->row, SORT_LANES) * SORT_LANES, SORT_LANES * sizeof(uint32_t), l->table.counts, NULL);
    add_move(l, level, to, from);
}

/* Shared memory of a team, as sort/kernels/sort_leaves.cu has it. */
static size_t leaf_bytes(const sort_request *r, uint32_t each, uint32_t warps) {
    const size_t lanes = warps * SORT_LANES, most = lanes * each;
    const size_t order = most + most / SORT_LANES + SORT_JOINED;
    const size_t exchanged = warps > 1 ? lanes * SORT_AT_ONCE : 0;
    if (!r->carries && r->key_bytes == 4) return (most + lanes) * r->key_bytes;
    return most * r->key_bytes +
           (((r->carries ? most : 0) + order + exchanged) * sizeof(uint32_t) + 15) / 16 * 16;
}

/* Blocks of a multiprocessor, likewise. */
static uint32_t leaf_blocks(const sort_request *r, uint32_t each, unsigned threads, size_t shared_bytes) {
    const uint32_t words = (uint32_t)r->key_bytes / 4 + r->carries, registers = 24 + each * words;
    return least((228 << 10) / (uint32_t)(1024 + shared_bytes), (64 << 10) / (threads * registers));
}

/* True if a launch leaves something to others. */
static bool has_list(const launches *l) {
    return l->s->is_longer || (l->s->has_short && l->s->leaf_first <= l->s->leaf_last);
}

/* Segments that are leaves themselves. */
static void fill_segments(launches *l) {
    sort_table *const t = &l->table;
    t->segments = segments_of(l->r), t->row = 1;
    t->bucket_begin = l->b->begin, t->bucket = longest_segment(l->r);
    t->turns = at(l, l->s->rest);
    t->rest = t->turns + SORT_LEAF_SIZES;
    t->units = SORT_LEAF_SIZES + SORT_REST;
    if (has_list(l)) add(l, &KERNEL_sort_clear, sizeof(uint32_t), 1, SORT_LANES, 0, t->turns, NULL);
}

/* Sorts short leaves, several in a warp: it has as many as its rows hold if all have the average length, or more, where they
 * have not. */
static void add_short(launches *l, const void *from) {
    const sort_request *const r = l->r;
    const uint32_t each = short_each(r), warps = SORT_LEAF_THREADS / SORT_LANES, keys = SORT_LANES * (each + 1);
    const size_t beside = (r->carries ? keys + SORT_LANES : SORT_LANES) * sizeof(uint32_t);
    uint32_t rows = 1;
    while (rows < SORT_LANES && rows * each < divide_up(r->n, segments_of(r))) rows *= 2;
    l->table.turn = least(SORT_LANES, (r->is_uneven ? 4 * SORT_LANES : SORT_LANES) / rows);
    l->table.leaf_lists = has_list(l);
    add(l, shorts[r->carries][key_of(l)], r->key_bytes,
        divide_up(divide_up(segments_of(r), l->table.turn), warps), SORT_LEAF_THREADS,
        warps * (keys * r->key_bytes + beside), l->b->to, from);
}

static void add_leaves(launches *l, const void *from) {
    const sort_kernel *const *const kernels = leaf_kernels[l->r->carries][key_of(l)];
    const bool has_short = l->s->has_short;
    uint32_t leaves = (uint32_t)leaves_of(l->r, l->s);
    if (has_short) { /* it lists all others, of which there are no more than fit into n */
        add_short(l, from);
        leaves = least(leaves, l->r->n / short_most(l->r));
        l->table.leaf_list = l->table.rest;
    }
    l->table.alike_stay = l->table.are_alike != NULL && from == l->b->to && !l->table.decodes;
    for (unsigned k = l->s->leaf_first; k <= l->s->leaf_last; k++) {
        const uint32_t each = leaf_each(k);
        const unsigned threads = leaf_warps(k) > 1 ? leaf_warps(k) * SORT_LANES : SORT_LEAF_THREADS;
        const uint32_t teams = threads / (leaf_warps(k) * SORT_LANES);
        const size_t shared = 16 + teams * leaf_bytes(l->r, each, leaf_warps(k));
        const uint32_t at_once = l->s->multiprocessors * leaf_blocks(l->r, each, threads, shared);
        uint32_t blocks = least(at_once, divide_up(leaves, teams));
        l->table.turn = least(16, leaves <= 2 * blocks * teams ? divide_up(leaves, blocks * teams)
                                                               : divide_up(leaves, 4 * blocks * teams));
        const uint32_t all = divide_up(leaves, teams * l->table.turn);
        if (!has_list(l)) blocks = all; /* one length: no leaf has to wait for a team that is done early */
        l->table.leaf_turn = blocks < all ? l->table.turns + k : NULL;
        l->table.leaf_above = k > l->s->leaf_first ? leaf_most(k - 1) : has_short ? short_most(l->r) : 0;
        l->table.leaf_lists = k == l->s->leaf_last && !has_short;
        add(l, kernels[k], l->r->key_bytes, blocks, threads, shared, l->b->to, from);
    }
}

/* Leaves of any length: a block does those of a chunk, all blocks what is longer. */
static void add_runs(launches *l, const void *from) {
    const bool carries = l->r->carries;
    const uint32_t tiles = divide_up(l->r->n, SORT_CHUNK);
    add(l, carries ? &KERNEL_sort_carry_chunks : &KERNEL_sort_chunks, l->r->key_bytes, tiles, SORT_LONG_THREADS,
        SORT_LONG_THREADS * SORT_AT_ONCE * record_bytes(l), l->b->to, from);
    for (uint64_t run = SORT_CHUNK; run < l->r->n; run *= 2) {
        l->table.piece = (uint32_t)run;
        add(l, carries ? &KERNEL_sort_carry_runs : &KERNEL_sort_runs, l->r->key_bytes, tiles, SORT_LONG_THREADS,
            0, l->b->to, NULL);
    }
}

static void add_long(launches *l, const void *from) {
    l->table.long_most = l->r->is_uneven ? SORT_CHUNK : UINT32_MAX;
    l->table.leaf_above = l->table.rest != NULL ? leaf_most(l->s->leaf_last) : 0;
    add(l, l->r->carries ? &KERNEL_sort_carry_long : &KERNEL_sort_long, l->r->key_bytes, l->s->multiprocessors,
        SORT_LONG_THREADS, SORT_LONG_THREADS * SORT_AT_ONCE * record_bytes(l), l->b->to, from);
}

void launch_sort(const sort_request *r, const sort_steps *s, const sort_buffers *b, launch_list *out) {
    launches l = {.r = r, .s = s, .b = b, .out = out, .table = {.coding = r->coding, .n = r->n}};
    void *const spare = at(&l, s->keys), *to = b->to;
    uint32_t *const spare_carried = at(&l, s->carried);
    const void *from = b->from;
    const uint32_t *carried = b->carried_from;
    for (unsigned k = 0; k < s->count; k++) {
        to = k % 2 == 0 ? spare : b->to;
        l.table.carried_from = carried;
        l.table.carried_to = k % 2 == 0 ? spare_carried : b->carried_to;
        add_level(&l, k, to, from);
        from = to;
        carried = l.table.carried_to;
    }
    l.table.encodes = s->count == 0 && r->encodes && is_coded(r);
    l.table.decodes = r->decodes && is_coded(r);
    l.table.carried_from = carried;
    l.table.carried_to = b->carried_to;
    l.table.room = spare;
    l.table.carried_room = spare_carried;
    if (s->count == 0 && s->has_leaves) fill_segments(&l);
    add_outside(&l);
    if (s->has_leaves) add_leaves(&l, from);
    if (s->is_longer) add_long(&l, from);
    if (r->is_uneven && r->n > SORT_CHUNK) add_runs(&l, from);
}
