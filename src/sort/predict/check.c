/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of checks of sorts (sort/kernels/codes/sort_check.cu and sort_check_numbers.cu). Elements and what goes along are read whatever they
 * are. Neighbours are compared by their pieces up to the first that differs, and by their places where none does: how many come so far is a mean over
 * random keys. Blocks between the first and the last access alike, where segments do not begin in them.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "check/predict.h"
#include "device/kernels/lanes.h"
#include "sort/predict/patterns.h"
#include "sort/predict/rows.h"

/* Blocks one after the other, of which those that are `inner` are like the second. */
typedef void follow_block(const void *view, uint64_t block);

static void follow_blocks(pattern *out, uint64_t blocks, uint64_t behind, follow_block *follow,
                          const void *view) {
    const uint64_t inner = blocks > behind + 1 ? blocks - behind - 1 : 0;
    for (uint64_t block = 0; block < blocks; block++) {
        const uint64_t alike = block == 1 && inner > 0 ? inner : 1;
        pattern_alike(out, block, alike);
        follow(view, block);
        block += alike - 1;
    }
}

/* ------------------------------------------------------------------- numbers */

enum { VECTORS, AHEAD = CHECK_VECTOR_SITES, NUMBER_SUMS };

typedef struct numbers_view {
    const sort_check_numbers_table *table;
    uint64_t from;
    size_t elem_bytes;
    pattern *out;
} numbers_view;

/* A warp's first vector is compared with the number before it. */
static void read_round(const numbers_view *v, uint64_t first) {
    const uint64_t each = ROWS_WORD_BYTES / v->elem_bytes, lead = v->from % ROWS_WORD_BYTES / v->elem_bytes,
                   begin = first * each;
    check_note_vectors(v->out, VECTORS, v->from, v->elem_bytes, v->table->n, first);
    if (v->table->has_order != 0 && begin > lead && begin - lead <= v->table->n)
        pattern_next(v->out, AHEAD, &(pattern_lanes){1, {v->from + (begin - lead - 1) * v->elem_bytes}});
}

static void read_numbers(const void *view, uint64_t block) {
    const numbers_view *const v = view;
    const uint64_t each = (uint64_t)v->table->rounds * CHECK_ROUND;
    for (uint64_t thread = 0; thread < CHECK_THREADS; thread += WARP_LANES) {
        pattern_begin_warp(v->out);
        for (uint64_t i = 0; i < each; i += CHECK_THREADS) read_round(v, block * each + i + thread);
        check_note_block(v->out, NUMBER_SUMS, 0, thread / WARP_LANES, CHECK_THREADS / WARP_LANES,
                         v->table->record);
    }
}

void pattern_of_sort_check_numbers(const launch *work, const void *subject, pattern *out) {
    enum { BEHIND = 3 /* blocks that may have vectors which are not whole, or none */ };
    const sort_check_numbers_table *const t =
        &((const struct sort_check_numbers_arguments *)work->arguments)->table;
    const numbers_view v = {t, (uintptr_t)work->from, work->elem_bytes, out};
    (void)subject;
    check_declare_vectors(out, VECTORS, work->elem_bytes);
    pattern_declare(out, AHEAD, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    check_declare_block(out, NUMBER_SUMS);
    follow_blocks(out, out->grid, BEHIND, read_numbers, &v);
}

/* ------------------------------------------------------------------ elements */

enum {
    UNITS,
    TAG_ADDED,
    TAG_LEFT, /* where elements lie, of the one before and of each */
    TAG_RIGHT,
    TAG_LATER, /* elements that tie in all pieces */
    TAG_SOONER,
    WORDS,                /* the first word of a piece, by the size of words, and those behind it */
    ROW_SUMS = WORDS + 8, /* words have 1, 2, 4 or 8 bytes */
    MOST_LOOKED_AT = 1 << 20,
};

/* Turns of warps in which some lanes tie. */
typedef struct tied_turns {
    double lanes;  /* in a turn with any */
    double warps;  /* turns of all warps */
    double rounds; /* the warp's that has most */
} tied_turns;

typedef struct rows_view {
    const launch *work;
    const sort_check_table *table;
    pattern *out;
    double turns, warps; /* a warp's turns, and how many warps there are */
} rows_view;

static unsigned words_site(uint32_t bytes) { return WORDS + 2 * (unsigned)__builtin_ctz(bytes); }

/* Segments are one where results are. */
static bool has_segments(const sort_check_table *t) { return t->segments > 1 && t->is_one == 0; }

static bool is_first(const sort_check_table *t, uint64_t place) {
    return has_segments(t) ? place % t->length == 0 : place == 0;
}

static void next_tags(const rows_view *v, unsigned site, const pattern_lanes *places) {
    pattern_lanes tags = *places;
    for (unsigned k = 0; k < tags.count; k++)
        tags.at[k] = (uintptr_t)v->table->tags + places->at[k] * v->table->tag_bytes;
    pattern_next(v->out, site, &tags);
}

/* ------------------------------------------------------------- what is added up */

static void add_elements(const rows_view *v, const pattern_lanes *places) {
    const sort_check_table *const t = v->table;
    const uint64_t units = t->rows.elem_bytes / v->work->elem_bytes;
    for (uint64_t u = 0; t->are_through == 0 && t->rows.elements != NULL && u < units; u++) {
        pattern_lanes lanes = *places;
        for (unsigned k = 0; k < lanes.count; k++)
            lanes.at[k] =
                (uintptr_t)t->rows.elements + places->at[k] * t->rows.elem_bytes + u * v->work->elem_bytes;
        pattern_next(v->out, UNITS, &lanes);
    }
    if (t->are_places == 0 && t->tags != NULL) next_tags(v, TAG_ADDED, places);
}

/* ------------------------------------------------------------- what is compared */

/* Some lanes meet some of so many groups. */
static double groups_of(double lanes, double groups) {
    return groups * (1 - pow(1 - 1 / fmax(groups, 1 + 1e-9), lanes));
}

/* Address groups of words of the elements that a warp's may be anywhere among: all, or those of its segments, which begin anywhere. */
static double groups_anywhere(const sort_check_table *t, const row_words *words) {
    const double group = words->bytes * WARP_LANES, each = t->rows.elem_bytes / group, all = t->n * each;
    return fmax(has_segments(t) ? fmin((t->length + WARP_LANES) * each + 1, all) : all, 1);
}

static void read_anywhere(const rows_view *v, const row_words *words, uint64_t lanes) {
    const double met = groups_of((double)lanes, groups_anywhere(v->table, words));
    const unsigned site = words_site(words->bytes), stages = (unsigned)fmax(round(met), 1);
    for (uint32_t k = 0; lanes > 0 && k < 2 * words->count; k++) {
        const unsigned here = site + (k < 2 ? 0 : 1);
        pattern_stages(v->out, here, v->out->done[here]++, stages, stages);
    }
}

/* Each word of a piece, of both elements. */
static void read_in_order(const rows_view *v, const key_piece *piece, const row_words *words,
                          const pattern_lanes *places) {
    const sort_rows *const rows = &v->table->rows;
    for (uint32_t k = 0; k < words->count; k++)
        for (unsigned of = 0; of < 2; of++) {
            pattern_lanes lanes = *places;
            for (unsigned j = 0; j < lanes.count; j++)
                lanes.at[j] = (uintptr_t)rows->elements + (places->at[j] - 1 + of) * rows->elem_bytes +
                              piece->offset + (uint64_t)k * words->bytes;
            pattern_next(v->out, words_site(words->bytes) + (k == 0 ? 0 : 1), &lanes);
        }
}

static void compare(const rows_view *v, const pattern_lanes *places) {
    const sort_check_table *const t = v->table;
    const key_piece *const piece = &t->rows.pieces.piece[0];
    const row_words words = row_words_of(&t->rows, piece);
    pattern_lanes later = {0}, sooner = {0};
    for (unsigned k = 0; k < places->count; k++) {
        if (is_first(t, places->at[k])) continue;
        pattern_lane(&later, places->at[k]);
        pattern_lane(&sooner, places->at[k] - 1);
    }
    if (t->are_through == 0) {
        read_in_order(v, piece, &words, &later);
        return;
    }
    next_tags(v, TAG_LEFT, &sooner);
    next_tags(v, TAG_RIGHT, &later);
    read_anywhere(v, &words, later.count);
}

static void read_rows(const void *view, uint64_t block) {
    const rows_view *const v = view;
    const sort_check_table *const t = v->table;
    const uint64_t each = (uint64_t)t->rounds * SORT_ROW_TILE;
    for (uint64_t thread = 0; thread < SORT_ROW_THREADS; thread += WARP_LANES) {
        pattern_begin_warp(v->out);
        for (uint64_t i = thread; i < each && block * each + i < t->n; i += SORT_ROW_THREADS) {
            pattern_lanes places = {0};
            const uint64_t first = block * each + i, end = min(first + WARP_LANES, (uint64_t)t->n);
            for (uint64_t place = first; place < end; place++) pattern_lane(&places, place);
            add_elements(v, &places);
            if (t->has_order != 0) compare(v, &places);
        }
        check_note_block(v->out, ROW_SUMS, 0, thread / WARP_LANES, SORT_ROW_THREADS / WARP_LANES, t->record);
    }
}

/* ------------------------------------------------------------------ what ties */

/* Values of a piece's code: floats are drawn from 0 to 1, with as many bits as one has between 1/2 and 1. */
static double values_of(const key_piece *piece) {
    if (piece->kind != RIFFLE_SORT_KEY_FLOAT) return ldexp(1, 8 * piece->bytes);
    return ldexp(1, piece->bytes == 8 ? 53 : piece->bytes == 4 ? 24 : 11);
}

/* The part of elements that are like the one before them, of so many values. */
static double tied_part(const sort_check_table *t, double values) {
    const double length = has_segments(t) ? t->length : t->n,
                 distinct = -values * expm1(length * log1p(-1 / values));
    return length > 1 ? fmin(fmax((length - distinct) / length, 0), 1) : 0;
}

/* Turns of a warp with such lanes are binomially distributed, and the most of all warps counts. */
static tied_turns turns_with_ties(const rows_view *v, double part) {
    const double some = -expm1(WARP_LANES * log1p(-fmin(part, 1 - 1e-12)));
    tied_turns out = {.lanes = part * WARP_LANES / fmax(some, 1e-300), .warps = some * v->turns * v->warps};
    double exactly = pow(1 - some, v->turns), up_to = exactly;
    for (double k = 1; k <= v->turns; k++) {
        out.rounds += 1 - pow(fmin(up_to, 1), v->warps);
        exactly *= (v->turns - k + 1) / k * some / fmax(1 - some, 1e-12);
        up_to += exactly;
    }
    return out;
}

/* Reads in these turns, each of so many stages. */
static void add_turns(const rows_view *v, unsigned site, const tied_turns *tied, double reads, double stages) {
    const uint64_t rounds = (uint64_t)llround(tied->rounds * reads),
                   all = (uint64_t)llround(tied->warps * reads * fmax(stages, 1));
    size_t round = v->out->site[site].rounds;
    if (rounds == 0 || all == 0) return;
    pattern_alike(v->out, 0, 1);
    for (uint64_t k = 0; k < rounds; k++)
        pattern_stages(v->out, site, round++, all / rounds + (k < all % rounds ? 1 : 0),
                       stages > 1.0001 ? 2 : 1);
}

static double groups_of_words(const rows_view *v, const key_piece *piece, const row_words *words) {
    const sort_check_table *const t = v->table;
    return t->are_through != 0 ? groups_anywhere(t, words)
                               : row_groups(&t->rows, piece->offset, words->bytes, WARP_LANES);
}

/* Pieces behind the first, and places behind all, are looked at where all before are the same. */
static void add_ties(const rows_view *v) {
    const sort_check_table *const t = v->table;
    double values = 1;
    for (uint32_t p = 0; p < t->rows.pieces.count; p++) {
        const key_piece *const piece = &t->rows.pieces.piece[p];
        const row_words words = row_words_of(&t->rows, piece);
        const tied_turns tied = turns_with_ties(v, tied_part(t, values));
        const double stages = groups_of(tied.lanes, groups_of_words(v, piece, &words));
        if (p > 0) {
            add_turns(v, words_site(words.bytes), &tied, 2, stages);
            add_turns(v, words_site(words.bytes) + 1, &tied, 2 * (words.count - 1), stages);
        }
        values *= values_of(piece);
    }
    if (t->by_tags == 0) return;
    const tied_turns tied = turns_with_ties(v, tied_part(t, values));
    add_turns(v, TAG_LATER, &tied, 1, 1);
    add_turns(v, TAG_SOONER, &tied, 1, 1 + tied.lanes / WARP_LANES * -expm1(-fmax(tied.lanes - 1, 0)));
}

/* ------------------------------------------------------------------ the pattern */

static void declare_rows(const rows_view *v) {
    pattern *const out = v->out;
    pattern_declare(out, UNITS, PATTERN_GLOBAL, PATTERN_READ, v->work->elem_bytes);
    for (unsigned site = TAG_ADDED; site <= TAG_SOONER; site++)
        pattern_declare(out, site, PATTERN_GLOBAL, PATTERN_READ, max(v->table->tag_bytes, 1u));
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
        for (unsigned k = 0; k < 2; k++)
            pattern_declare(out, words_site(bytes) + k, PATTERN_GLOBAL, PATTERN_READ, bytes);
    check_declare_block(out, ROW_SUMS);
}

/* Segments that begin anywhere in blocks make each another. */
static void follow_segments(const rows_view *v) {
    const uint64_t most = v->out->most_elements, each = (uint64_t)v->table->rounds * SORT_ROW_TILE;
    v->out->most_elements = min(most, (uint64_t)MOST_LOOKED_AT);
    const uint64_t samples = pattern_samples(v->out, each);
    v->out->most_elements = most;
    for (uint64_t k = 0; k < samples; k++) read_rows(v, pattern_sample(v->out, samples, k));
}

void pattern_of_sort_check(const launch *work, const void *subject, pattern *out) {
    const sort_check_table *const t = &((const struct sort_check_arguments *)work->arguments)->table;
    const rows_view v = {.work = work,
                         .table = t,
                         .out = out,
                         .turns = (double)t->rounds * SORT_ROW_EACH,
                         .warps = (double)out->grid * SORT_ROW_THREADS / WARP_LANES};
    (void)subject;
    out->is_unknown = t->first != NULL; /* segments that the device alone knows */
    if (out->is_unknown) return;
    declare_rows(&v);
    if (has_segments(t) && t->has_order != 0)
        follow_segments(&v);
    else
        follow_blocks(out, out->grid, 1, read_rows, &v);
    if (t->has_order == 0) return;
    if (t->are_through != 0 || t->by_tags != 0 || t->rows.pieces.count > 1) pattern_mean(out, PATTERN_EXPECTED);
    add_ties(&v);
}
