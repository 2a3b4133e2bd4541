/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/bucket/streams.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "perm/kind.h"

enum {
    ORDER_BITS = 16, /* a position within a piece */
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    SHORTEST_SPREAD =
        256,            /* bytes of a run on average: streamed stores fill most of the lines that they touch */
    SHORTEST_JOIN = 64, /* a line, which is read for each run once or twice */
    FEWEST_PIECES = 4,
    PIECES_SAMPLED = 16, /* at most: a stretch of a tenth that is shuffled has one */
    WINDOWS = 16,
    WINDOW = PERM_BLOCK,
};

static inline uint64_t piece_length(uint64_t n, unsigned bits, uint64_t piece) {
    return min(n - (piece << bits), (uint64_t)1 << bits);
}

/* ------------------------------------------------------------------ SPREAD */

/* Places of a piece's elements above their positions in it, and as much room again. */
typedef struct sorter {
    uint64_t *keys, *other;
    uint32_t *count;
} sorter;

static size_t sorter_bytes(unsigned bits) {
    return ((size_t)2 << bits) * sizeof(uint64_t) + DIGITS * sizeof(uint32_t);
}

static sorter sorter_at(void *room, unsigned bits) {
    uint64_t *const keys = room;
    return (sorter){keys, keys + ((size_t)1 << bits), (uint32_t *)(keys + ((size_t)2 << bits))};
}

/* One digit of the keys, the lowest first; a digit that all have alike is passed over. */
static void sort_digit(sorter *s, size_t length, unsigned shift) {
    memset(s->count, 0, DIGITS * sizeof *s->count);
    for (size_t k = 0; k < length; k++) s->count[s->keys[k] >> shift & (DIGITS - 1)]++;
    if (s->count[s->keys[0] >> shift & (DIGITS - 1)] == length) return;
    uint32_t begin = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const uint32_t count = s->count[d];
        s->count[d] = begin;
        begin += count;
    }
    for (size_t k = 0; k < length; k++) s->other[s->count[s->keys[k] >> shift & (DIGITS - 1)]++] = s->keys[k];
    uint64_t *const sorted = s->other;
    s->other = s->keys;
    s->keys = sorted;
}

static void sort_piece(const riffle_perm *perm, uint64_t first, size_t length, sorter *s) {
    perm_map(perm, first, length, s->keys);
    for (size_t k = 0; k < length; k++) s->keys[k] = s->keys[k] << ORDER_BITS | k;
    for (unsigned shift = ORDER_BITS;
         shift < ORDER_BITS + RIFFLE_MAX_BITS && (perm->n - 1) >> (shift - ORDER_BITS) > 0; shift += DIGIT_BITS)
        sort_digit(s, length, shift);
}

/* The end of the run of dst that begins with a sorted key. */
static size_t run_end(const uint64_t *keys, size_t k, size_t length) {
    const uint64_t before = (keys[k] >> ORDER_BITS) - k;
    for (k++; k < length && (keys[k] >> ORDER_BITS) - k == before;) k++;
    return k;
}

static uint64_t count_runs(const uint64_t *keys, size_t length) {
    uint64_t runs = 0;
    for (size_t k = 0; k < length; k = run_end(keys, k, length)) runs++;
    return runs;
}

static void write_runs(const uint64_t *keys, size_t length, bucket_run *out) {
    for (size_t k = 0, end; k < length; k = end) {
        end = run_end(keys, k, length);
        *out++ = keys[k] >> ORDER_BITS | (uint64_t)(end - k - 1) << 48;
    }
}

typedef struct spreader {
    const riffle_perm *perm;
    bucket_schedule *s;
    char *room; /* a sorter's for each thread */
} spreader;

static sorter sorter_of(const spreader *b, team_member me) {
    const unsigned bits = b->s->piece_bits;
    return sorter_at(b->room + me.number * sorter_bytes(bits), bits);
}

/* Sorts each piece, keeps its order, and counts its runs into first_out. */
static void order_pieces(const void *context, team_member me) {
    const spreader *const b = context;
    bucket_schedule *const s = b->s;
    const team_share mine = team_share_of(s->pieces, me);
    for (uint64_t p = mine.first; p < mine.end; p++) {
        const size_t length = piece_length(s->n, s->piece_bits, p);
        uint16_t *const order = s->order + (p << s->piece_bits);
        sorter sort = sorter_of(b, me);
        sort_piece(b->perm, p << s->piece_bits, length, &sort);
        for (size_t k = 0; k < length; k++) order[k] = (uint16_t)sort.keys[k];
        s->first_out[p] = count_runs(sort.keys, length);
    }
}

/* Looks pieces up in their order again, and writes their runs. */
static void list_runs(const void *context, team_member me) {
    const spreader *const b = context;
    const bucket_schedule *const s = b->s;
    const team_share mine = team_share_of(s->pieces, me);
    for (uint64_t p = mine.first; p < mine.end; p++) {
        const size_t length = piece_length(s->n, s->piece_bits, p);
        const uint16_t *const order = s->order + (p << s->piece_bits);
        const sorter sort = sorter_of(b, me);
        perm_map(b->perm, p << s->piece_bits, length, sort.other);
        for (size_t k = 0; k < length; k++) sort.keys[k] = sort.other[order[k]] << ORDER_BITS;
        write_runs(sort.keys, length, s->outs + s->first_out[p]);
    }
}

/* Counts become where each piece's runs begin. */
static void place_outs(bucket_schedule *s) {
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t count = s->first_out[p];
        s->first_out[p] = s->out_count;
        s->out_count += count;
    }
    s->first_out[s->pieces] = s->out_count;
}

static riffle_status plan_spread(const riffle_perm *perm, bucket_schedule *s, unsigned threads) {
    const size_t bytes = threads * sorter_bytes(s->piece_bits);
    void *room = NULL, *first = NULL, *outs = NULL;
    riffle_status status = buffer_create("planning streams", bytes, &room);
    if (status == RIFFLE_OK)
        status = buffer_create("a bucket schedule", (s->pieces + 1) * sizeof *s->first_out, &first);
    s->first_out = first;
    const spreader b = {perm, s, room};
    if (status == RIFFLE_OK) {
        team_run(threads, order_pieces, &b);
        place_outs(s);
        status = buffer_create("a bucket schedule's runs", s->out_count * sizeof *s->outs, &outs);
    }
    s->outs = outs;
    if (status == RIFFLE_OK) team_run(threads, list_runs, &b);
    riffle_buffer_free(room, bytes);
    return status == RIFFLE_OK ? bucket_whole_pieces(s) : status;
}

static bool spreads(const riffle_perm *perm, size_t elem_bytes, unsigned bits) {
    const uint64_t most = (elem_bytes << bits) / SHORTEST_SPREAD, whole = perm->n >> bits,
                   samples = min(whole, (uint64_t)PIECES_SAMPLED);
    const size_t length = (size_t)1 << bits;
    void *room = NULL;
    if (buffer_create("a sample of a table", sorter_bytes(bits), &room) != RIFFLE_OK) return false;
    bool all = true;
    for (uint64_t k = 0; k < samples && all; k++) {
        sorter sort = sorter_at(room, bits);
        sort_piece(perm, (whole - 1) * k / (samples - 1) << bits, length, &sort);
        all = count_runs(sort.keys, length) <= most;
    }
    riffle_buffer_free(room, sorter_bytes(bits));
    return all;
}

/* ------------------------------------------------------------------ JOIN */

/* Cuts first .. end - 1 of src where the piece of dst changes. Counts runs into next[piece] where runs is NULL; else writes them from
 * runs[next[piece]] on, counting next up. */
static void cut(const riffle_perm *perm, unsigned bits, uint64_t first, uint64_t end, uint64_t *next,
                bucket_run *runs) {
    uint64_t values[PERM_BLOCK], start = first, piece = UINT64_MAX;
    for (uint64_t at = first; at < end; at += PERM_BLOCK) {
        const size_t count = min(end - at, (uint64_t)PERM_BLOCK);
        perm_map(perm, at, count, values);
        for (size_t k = 0; k < count; k++) {
            if (values[k] >> bits == piece) continue;
            if (runs != NULL && piece != UINT64_MAX) runs[next[piece] - 1] = start | (at + k - start - 1) << 48;
            piece = values[k] >> bits;
            start = at + k;
            next[piece]++;
        }
    }
    if (runs != NULL && piece != UINT64_MAX) runs[next[piece] - 1] = start | (end - start - 1) << 48;
}

typedef struct joiner {
    const riffle_perm *perm;
    bucket_schedule *s;
    unsigned threads;
    uint64_t *next; /* a counter a piece, for each thread */
} joiner;

/* A share of src for each thread that was asked for, with counters of its own. */
static void cut_shares(const void *context, team_member me) {
    const joiner *const j = context;
    const team_share mine = team_share_of(j->threads, me);
    for (uint64_t t = mine.first; t < mine.end; t++) {
        const team_share part = team_share_of(j->s->n, (team_member){(unsigned)t, j->threads});
        cut(j->perm, j->s->piece_bits, part.first, part.end, j->next + t * j->s->pieces, j->s->runs);
    }
}

/* Counts become places in runs, by piece and in order of src. */
static void place_runs(bucket_schedule *s, unsigned threads, uint64_t *next) {
    for (uint64_t p = 0; p < s->pieces; p++) {
        s->first_run[p] = s->run_count;
        for (unsigned t = 0; t < threads; t++) {
            const uint64_t count = next[t * s->pieces + p];
            next[t * s->pieces + p] = s->run_count;
            s->run_count += count;
        }
    }
    s->first_run[s->pieces] = s->run_count;
}

static void order_piece(const riffle_perm *perm, const bucket_schedule *s, uint64_t piece) {
    const uint64_t within = ((uint64_t)1 << s->piece_bits) - 1;
    uint16_t *const order = s->order + (piece << s->piece_bits);
    uint64_t values[PERM_BLOCK], arrived = 0;
    for (uint64_t r = s->first_run[piece]; r < s->first_run[piece + 1]; r++) {
        const uint64_t end = bucket_run_start(s->runs[r]) + bucket_run_length(s->runs[r]);
        for (uint64_t at = bucket_run_start(s->runs[r]); at < end; at += PERM_BLOCK) {
            const size_t count = min(end - at, (uint64_t)PERM_BLOCK);
            perm_map(perm, at, count, values);
            for (size_t k = 0; k < count; k++) order[values[k] & within] = (uint16_t)arrived++;
        }
    }
}

static void order_joined(const void *context, team_member me) {
    const joiner *const j = context;
    const team_share mine = team_share_of(j->s->pieces, me);
    for (uint64_t p = mine.first; p < mine.end; p++) order_piece(j->perm, j->s, p);
}

static riffle_status plan_join(const riffle_perm *perm, bucket_schedule *s, unsigned threads) {
    const size_t bytes = threads * s->pieces * sizeof(uint64_t);
    void *next = NULL, *runs = NULL;
    riffle_status status = buffer_create("planning streams", bytes, &next);
    if (status != RIFFLE_OK) return status;
    const joiner j = {perm, s, threads, next};
    team_run(threads, cut_shares, &j);
    place_runs(s, threads, next);
    status = buffer_create("a bucket schedule's runs", s->run_count * sizeof *s->runs, &runs);
    s->runs = runs;
    if (status == RIFFLE_OK) team_run(threads, cut_shares, &j);
    riffle_buffer_free(next, bytes);
    if (status == RIFFLE_OK) team_run(threads, order_joined, &j);
    return status;
}

static bool joins(const riffle_perm *perm, size_t elem_bytes, unsigned bits) {
    const uint64_t most = (uint64_t)WINDOWS * WINDOW * elem_bytes / SHORTEST_JOIN;
    uint64_t values[WINDOW], runs = 0;
    for (uint64_t w = 0; w < WINDOWS && runs <= most; w++) {
        perm_map(perm, (perm->n - WINDOW) / (WINDOWS - 1) * w, WINDOW, values);
        for (size_t k = 1; k < WINDOW; k++) runs += values[k] >> bits != values[k - 1] >> bits;
    }
    return runs <= most;
}

/* ------------------------------------------------------------------ both */

bucket_form bucket_find_streams(const riffle_perm *perm, size_t elem_bytes, unsigned piece_bits) {
    if (perm->kind != PERM_TABLE) return BUCKET_ANY;
    if (perm->n < (uint64_t)FEWEST_PIECES << piece_bits || perm->n < (uint64_t)WINDOWS * WINDOW)
        return BUCKET_ANY;
    if (spreads(perm, elem_bytes, piece_bits)) return BUCKET_SPREAD;
    return joins(perm, elem_bytes, piece_bits) ? BUCKET_JOIN : BUCKET_ANY;
}

riffle_status bucket_plan_streams(const riffle_perm *perm, size_t elem_bytes, bucket_shape shape,
                                  unsigned threads, bucket_schedule *out) {
    riffle_status status = bucket_start(riffle_perm_length(perm), elem_bytes, shape.piece_bits, out);
    if (status == RIFFLE_OK)
        status = (shape.form == BUCKET_SPREAD ? plan_spread : plan_join)(perm, out, threads);
    if (status != RIFFLE_OK) bucket_free(out);
    return status;
}
