/* SPDX-License-Identifier: Apache-2.0
 *
 * How a sort is cut: into levels of k-partition, pieces, samples and leaves, and its workspace.
 */
#include "device/workspace.h"
#include "sort/gpu/codes/launches.h"

enum {
    LEAST_PIECE = 1024,
    MOST_WAYS = SORT_MOST_WAYS * 3 / 4,
    FEW_WAYS = 192,
    FEW_KEYS = 1 << 23,
    MANY_KEYS = 1 << 26,
    FEW_JOINED = 1 << 14, /* keys in shorter strips */
    MOST_JOINED = 1 << 16,
};

static uint32_t longest_leaf(const sort_request *r) {
    return sort_leaf_most(sort_leaf_sizes(r->key_bytes) - 1);
}

static uint32_t root(uint32_t x) {
    uint32_t r = 1;
    while ((uint64_t)r * r < x) r++;
    return r;
}

static void set_ways(sort_level *l, uint32_t ways) {
    l->ways = min(max(ways, 1), SORT_MOST_WAYS);
    l->row = l->ways + l->ways % 2;
    l->levels = 0;
    while (1U << l->levels < l->ways) l->levels++;
}

static void lay_level(const sort_request *r, sort_steps *s, sort_level *l) {
    l->splitters = launch_lay(&s->bytes, (size_t)l->segments * l->row * r->key_bytes);
    l->are_alike = launch_lay(&s->bytes, (size_t)l->segments * l->row);
    l->counts =
        launch_lay(&s->bytes, (size_t)(r->carries ? l->pieces : l->segments) * l->row * sizeof(uint32_t));
}

/* Segments get up to four times the leaves, and twice the ways of each level, of an average one; a single segment needs no
 * more than all. */
static void cut_segments(const sort_request *r, sort_steps *s, uint32_t leaf, uint32_t piece,
                         unsigned multiprocessors) {
    sort_level *const l = &s->level[0];
    const uint32_t length = ceil_div(r->n, r->segments), leaves = ceil_div(length, leaf);
    l->segments = r->segments;
    const uint32_t most_ways = s->count == 1 ? 4 * leaves : 2 * root(leaves);
    set_ways(l, r->segments > 1 ? most_ways : s->count == 1 ? leaves : root(leaves));
    l->bucket = s->count == 1 ? leaf : ceil_div(length, root(leaves));
    l->piece = min(piece, max(2 * LEAST_PIECE, ceil_div(r->n, 4 * multiprocessors)));
    l->pieces = r->n / l->piece + l->segments;
    l->samples = min(sort_sample_most(SORT_SAMPLE_SIZES - 1), 16 * l->ways);
    l->first_piece = launch_lay(&s->bytes, (l->segments + 1) * sizeof(uint32_t));
    lay_level(r, s, l);
}

static void cut_first(const sort_request *r, sort_steps *s, uint32_t leaves, uint32_t piece,
                      unsigned multiprocessors) {
    sort_level *const l = &s->level[0];
    const uint32_t tile = sort_move_tile(r->key_bytes), blocks = 2 * multiprocessors;
    const uint32_t even = ceil_div(r->n, blocks);
    l->segments = 1;
    set_ways(l, s->count == 1 ? leaves : root(leaves));
    l->bucket = ceil_div(r->n, l->ways);
    l->piece = min(piece, max(LEAST_PIECE, even > tile ? ceil_div(even, tile) * tile : even));
    l->pieces = ceil_div(r->n, l->piece);
    l->samples = min(sort_sample_most(SORT_SAMPLE_SIZES - 1),
                     (s->count == 1 && l->ways > SORT_MOST_SUMMED ? 8 : 16) * l->ways);
    lay_level(r, s, l);
}

static void cut_second(const sort_request *r, sort_steps *s, uint32_t leaf, uint32_t piece,
                       unsigned multiprocessors) {
    const sort_level *const first = &s->level[0];
    sort_level *const l = &s->level[1];
    l->segments = first->segments * first->row;
    l->bucket = leaf;
    set_ways(l, r->segments > 1 ? first->ways : 2 * first->ways);
    if (l->ways > MOST_WAYS) set_ways(l, max(MOST_WAYS, first->ways));
    l->piece = min(piece, max(sort_move_tile(r->key_bytes), ceil_div(r->n, 4 * multiprocessors)));
    l->pieces = r->n / l->piece + l->segments;
    l->samples = sort_sample_most(sort_sample_size(12 * first->ways)); /* as the launch has room for */
    l->begin = launch_lay(&s->bytes, (l->segments + 1) * sizeof(uint32_t));
    l->first_piece = launch_lay(&s->bytes, (l->segments + 1) * sizeof(uint32_t));
    lay_level(r, s, l);
}

/* The first launch for leaves of that length, or the last one. */
static unsigned leaf_size_for(const sort_request *r, uint32_t length) {
    unsigned size = 0;
    while (size + 1 < sort_leaf_sizes(r->key_bytes) && sort_leaf_most(size) < length) size++;
    return size;
}

/* Segments that are leaves, or one array: if all have one length there is one launch. In a warp of their own they take fewer
 * instructions if they have more than half of the other's registers. */
static void choose_segment_leaves(const sort_request *r, sort_steps *s) {
    const uint32_t longest = sort_longest_segment(r), most_short = sort_short_most(r->key_bytes, r->carries);
    s->leaf_last = leaf_size_for(r, longest);
    s->has_short = r->is_uneven || longest <= most_short / 2;
    s->is_longer = sort_leaf_most(s->leaf_last) < longest;
    s->leaf_first = s->has_short ? 0 : s->leaf_last;
    while (s->has_short && s->leaf_first <= s->leaf_last &&
           (longest <= most_short || sort_leaf_most(s->leaf_first) <= most_short))
        s->leaf_first++;
}

/* A launch has to be worth its time: of few keys there is one, for leaves up to three times the average. */
static void choose_leaves(const sort_request *r, sort_steps *s) {
    s->leaf_first = 0, s->leaf_last = 3;
    if (s->count == 0) choose_segment_leaves(r, s);
    if (s->count == 0 || r->is_segmented) return;
    if (s->count == 1) {
        const uint32_t longest = 3 * s->level[0].bucket - s->level[0].bucket / 8;
        s->leaf_last = leaf_size_for(r, longest);
        s->leaf_first = min(s->leaf_last, 4);
    } else if (r->n < FEW_KEYS) {
        s->leaf_first = 2;
    } else if (r->n >= MANY_KEYS) {
        s->leaf_last = 4;
    }
}

sort_steps sort_cut(const sort_request *r, unsigned levels, uint32_t leaf, uint32_t piece,
                    unsigned multiprocessors) {
    sort_steps s = {.count = levels, .is_longer = true, .multiprocessors = 1};
    if (levels > 0 || r->n > SORT_CHUNK) {
        s.keys = launch_lay(&s.bytes, (size_t)r->n * r->key_bytes);
        if (r->carries) s.carried = launch_lay(&s.bytes, (size_t)r->n * sizeof(uint32_t));
    }
    if (levels == 0 && !r->is_segmented && r->n > longest_leaf(r)) return s;
    if (levels > 0 && r->is_segmented)
        cut_segments(r, &s, leaf, piece, multiprocessors);
    else if (levels > 0)
        cut_first(r, &s, ceil_div(r->n, leaf), piece, multiprocessors);
    if (levels == 2) cut_second(r, &s, leaf, piece, multiprocessors);
    s.window = launch_lay(&s.bytes, 2 * sizeof(uint32_t));
    const size_t leaves = sort_leaf_count(r, &s);
    if (levels > 0) s.leaf_begin = launch_lay(&s.bytes, (leaves + 1) * sizeof(uint32_t));
    s.rest = launch_lay(&s.bytes, (SORT_LEAF_SIZES + SORT_REST + leaves) * sizeof(uint32_t));
    choose_leaves(r, &s);
    s.multiprocessors = multiprocessors;
    s.has_leaves = true;
    return s;
}

/* One array of few keys: in a block's registers where they are a strip. Keys of 4 bytes alone a leaf of four warps sorts sooner than two
 * launches do. */
static bool has_strips(const sort_request *r) {
    const bool is_leaf = r->key_bytes == 4 && !r->carries && r->n > sort_strip(1) && r->n <= sort_leaf_most(4);
    return !r->is_segmented && !r->is_checked && r->n > sort_leaf_most(0) && r->n <= MOST_JOINED && !is_leaf;
}

/* Parts are so short that none has more keys than a strip: a step for each strip more than its samples' distance says (sort_join.cu). */
static sort_steps cut_strips(const sort_request *r) {
    const bool is_short = r->n <= sort_strip(0) || (r->n > sort_strip(1) && r->n <= FEW_JOINED);
    sort_steps s = {.strip_size = is_short ? 0 : 1};
    const uint32_t strip = sort_strip(s.strip_size), samples = ceil_div(r->n, (uint32_t)SORT_JOIN_STEP);
    s.strips = ceil_div(r->n, strip);
    if (s.strips == 1) return s;
    s.parts = ceil_div(samples, (strip - (SORT_JOIN_STEP - 1) * s.strips) / SORT_JOIN_STEP);
    s.keys = launch_lay(&s.bytes, (size_t)r->n * r->key_bytes);
    if (r->carries) s.carried = launch_lay(&s.bytes, (size_t)r->n * sizeof(uint32_t));
    return s;
}

/* Keys that a warp's leaves are to have, of the most that it sorts. */
static uint32_t leaf_keys(const sort_request *r) {
    return r->key_bytes == 16 || r->carries ? 600 : r->key_bytes == 8 ? 500 : 700;
}

/* Keys of a leaf with one level only: more splitters make sampling slower, fewer leave too little to do at once. */
static uint32_t one_level_leaf(const sort_request *r) {
    const uint32_t wanted = min(sort_leaf_most(3) / 3, ceil_div(r->n, FEW_WAYS));
    return max(ceil_div(r->n, MOST_WAYS), max(wanted, sort_leaf_most(1) / 3));
}

/* Longer leaves of one level would take longer than a second level, sooner where they are sorted by order. */
static uint32_t one_level_most(const sort_request *r) {
    return sort_leaf_most(r->key_bytes > 4 || r->carries ? 3 : SORT_LEAF_SIZES - 1) / 3;
}

bool sort_needs_begin(const sort_request *r, const sort_steps *s) { return r->is_uneven || s->is_longer; }

sort_steps sort_choose_steps(const sort_request *r, unsigned multiprocessors) {
    const uint32_t leaf = leaf_keys(r), piece = 1U << 31;
    if (r->is_segmented) {
        const uint32_t length = ceil_div(r->n, r->segments), as_leaf = longest_leaf(r);
        const unsigned levels = length <= (r->is_uneven ? as_leaf / 2 : as_leaf) ? 0
                                : length / leaf < SORT_MOST_WAYS / 2             ? 1
                                                                                 : 2;
        return sort_cut(r, levels, leaf, 1U << 17, multiprocessors);
    }
    if (has_strips(r)) return cut_strips(r);
    if (r->n <= SORT_CHUNK) return sort_cut(r, 0, leaf, piece, multiprocessors);
    if (r->n / MOST_WAYS <= one_level_most(r)) return sort_cut(r, 1, one_level_leaf(r), piece, multiprocessors);
    return sort_cut(r, 2, leaf, r->carries ? 1U << 17 : 1U << 16, multiprocessors);
}
