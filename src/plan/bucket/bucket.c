/* SPDX-License-Identifier: Apache-2.0
 *
 * Building follows the elements through the passes. `dest` says of each, in the order that the last pass left
 * them in, where it is still to go, relative to its bucket (so 32 bits do). A pass sorts its pieces each
 * on its own, in parallel; `split` keeps where in a piece each bucket's elements begin, and from it the runs
 * of the next pass are cut. The last pass has no more buckets: its order is where the elements go.
 */
#include "plan/bucket/bucket.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "models/move_cost.h"

enum {
    PIECE_BYTES = 512 << 10, /* a quarter of a second-level cache of 2 MiB: a piece and its streams stay */
    SHORTEST_RUN = 4,        /* elements: a run takes 8 bytes of the plan, which 4 elements can bear */
};

static unsigned floor_log2(uint64_t v) { return 63 - (unsigned)__builtin_clzll(v); }

static uint64_t blocks_of(uint64_t n, unsigned bits) { return (n + ((uint64_t)1 << bits) - 1) >> bits; }

static unsigned choose_piece_bits(size_t elem_bytes) {
    const unsigned bits = floor_log2(PIECE_BYTES / elem_bytes);
    return bits < BUCKET_MAX_PIECE_BITS ? bits : BUCKET_MAX_PIECE_BITS;
}

bucket_shape bucket_choose_shape(uint64_t n, size_t elem_bytes, const translation_cache *cache) {
    bucket_shape shape = {.piece_bits = choose_piece_bits(elem_bytes), .passes = 1};
    const uint64_t pieces = blocks_of(n, shape.piece_bits);
    if (pieces <= 1) return shape;
    const move_cost two = move_cost_bucket(n, elem_bytes, shape.piece_bits, 2, cache);
    const move_cost three = move_cost_bucket(n, elem_bytes, shape.piece_bits, 3, cache);
    const bool fits = ((uint64_t)1 << shape.piece_bits) / pieces >= SHORTEST_RUN;
    const double gain = 1.1; /* that a third pass must bring for the memory that it takes */
    shape.passes = fits && move_cost_sum(&two) <= gain * move_cost_sum(&three) ? 2 : 3;
    return shape;
}

/* A zeroed array, or NULL and why. */
static void *allocate(const char *what, size_t bytes, riffle_status *status) {
    void *array = NULL;
    *status = buffer_create(what, bytes, &array);
    return array;
}

/* One pass being built. Its input lies in regions of 2^region_bits positions, its output in buckets of
 * 2^bucket_bits: each region holds exactly the elements of its own buckets. */
typedef struct builder {
    const riffle_perm *perm;
    unsigned threads;
    unsigned piece_bits, region_bits, bucket_bits;
    uint64_t fan;      /* buckets of a region */
    uint32_t *dest;    /* n entries, NULL in the first pass */
    uint32_t *split;   /* fan + 1 entries for each piece of the pass before, turn by turn */
    uint64_t *scratch; /* for each thread the destinations that arrive at its piece, then fan counters */
} builder;

static uint64_t piece_length(const bucket_schedule *s, uint64_t piece) {
    return min(s->n - (piece << s->piece_bits), (uint64_t)1 << s->piece_bits);
}

/* The region-relative destinations of the elements that arrive at `piece`, in order of arrival. */
static riffle_status collect_arrivals(const builder *b, const bucket_schedule *s, uint64_t piece,
                                      uint64_t *arriving) {
    if (b->dest == NULL) {
        return riffle_perm_map(b->perm, piece << s->piece_bits, piece_length(s, piece), arriving);
    }
    for (uint64_t r = s->first_run[piece]; r < s->first_run[piece + 1]; r++) {
        const uint32_t *from = b->dest + bucket_run_start(s->runs[r]);
        const size_t length = bucket_run_length(s->runs[r]);
        for (size_t j = 0; j < length; j++) *arriving++ = from[j];
    }
    return RIFFLE_OK;
}

/* Each piece begins with another bucket: if all began with the first, a bucket's runs would lie a piece's length apart, a power of two,
 * and share few sets of a cache. */
static uint64_t first_bucket(const builder *b, uint64_t piece) { return piece % b->fan; }

/* Where a bucket comes in its piece. */
static uint64_t turn_of(const builder *b, uint64_t piece, uint64_t bucket) {
    const uint64_t first = first_bucket(b, piece);
    return bucket >= first ? bucket - first : bucket + b->fan - first;
}

/* A stable counting sort of one piece by bucket: its order, where buckets begin, and what is left to go. */
static void sort_piece(const builder *b, uint64_t piece, const uint64_t *arriving, size_t length,
                       uint32_t *next, uint16_t *order, uint32_t *dest) {
    uint32_t *const split = b->split + piece * (b->fan + 1);
    memset(next, 0, b->fan * sizeof *next);
    for (size_t j = 0; j < length; j++) next[arriving[j] >> b->bucket_bits]++;
    uint32_t begin = 0;
    uint64_t bucket = first_bucket(b, piece);
    for (uint64_t turn = 0; turn < b->fan; turn++) {
        const uint32_t count = next[bucket];
        split[turn] = next[bucket] = begin;
        begin += count;
        if (++bucket == b->fan) bucket = 0;
    }
    split[b->fan] = begin;
    const uint64_t within = ((uint64_t)1 << b->bucket_bits) - 1;
    for (size_t j = 0; j < length; j++) {
        const uint32_t to = next[arriving[j] >> b->bucket_bits]++;
        order[to] = (uint16_t)j;
        dest[to] = (uint32_t)(arriving[j] & within);
    }
}

static void place_piece(const uint64_t *arriving, size_t length, uint16_t *order) {
    for (size_t j = 0; j < length; j++) order[arriving[j]] = (uint16_t)j;
}

typedef struct ordering {
    const builder *b;
    bucket_schedule *s;
    uint32_t *next_dest;
    riffle_status *status;
} ordering;

static void order_share(const void *context, team_member me) {
    const ordering *const o = context;
    const builder *const b = o->b;
    bucket_schedule *const s = o->s;
    const uint64_t piece_elems = (uint64_t)1 << s->piece_bits;
    uint64_t *const arriving = b->scratch + me.number * (piece_elems + b->fan);
    const team_share mine = team_share_of(s->pieces, me);
    for (uint64_t p = mine.first; p < mine.end; p++) {
        const size_t length = piece_length(s, p);
        const uint64_t base = p << s->piece_bits;
        const riffle_status collected = collect_arrivals(b, s, p, arriving);
        if (collected != RIFFLE_OK) {
            __atomic_store_n(o->status, collected, __ATOMIC_RELAXED);
        } else if (o->next_dest == NULL) {
            place_piece(arriving, length, s->order + base);
        } else {
            sort_piece(b, p, arriving, length, (uint32_t *)(arriving + piece_elems), s->order + base,
                       o->next_dest + base);
        }
    }
}

/* Orders every piece of a pass; next_dest is NULL in the last one. */
static riffle_status order_pieces(const builder *b, bucket_schedule *s, uint32_t *next_dest) {
    riffle_status status = RIFFLE_OK;
    team_run(b->threads, order_share, &(ordering){b, s, next_dest, &status});
    return status;
}

/* Cuts the runs of one bucket at the borders of output pieces. Counts them into count[piece] where runs is
 * NULL; else writes them from runs[next[piece]] on, counting next up. */
static void cut_bucket(const builder *b, uint64_t n, uint64_t bucket, uint64_t *next, bucket_run *runs) {
    const uint64_t region = bucket << b->bucket_bits >> b->region_bits;
    const uint64_t local = bucket - (region << (b->region_bits - b->bucket_bits));
    const uint64_t first_piece = region << (b->region_bits - b->piece_bits);
    const uint64_t end_piece = blocks_of(min(n, (region + 1) << b->region_bits), b->piece_bits);
    uint64_t to = bucket << b->bucket_bits;
    for (uint64_t p = first_piece; p < end_piece; p++) {
        const uint32_t *split = b->split + p * (b->fan + 1) + turn_of(b, p, local);
        uint64_t start = (p << b->piece_bits) + split[0], left = split[1] - split[0];
        while (left > 0) {
            const uint64_t piece = to >> b->piece_bits;
            const uint64_t length = min(left, ((piece + 1) << b->piece_bits) - to);
            if (runs != NULL) runs[next[piece]] = start | (length - 1) << 48;
            next[piece]++;
            start += length, to += length, left -= length;
        }
    }
}

typedef struct cutting {
    const builder *b;
    bucket_schedule *s;
} cutting;

static void cut_share(const void *context, team_member me) {
    const cutting *const c = context;
    const team_share mine = team_share_of(blocks_of(c->s->n, c->b->bucket_bits), me);
    for (uint64_t u = mine.first; u < mine.end; u++) cut_bucket(c->b, c->s->n, u, c->s->first_run, c->s->runs);
}

/* Gives `s`, the pass after the one whose pieces were split, its runs. */
static riffle_status cut_runs(const builder *b, bucket_schedule *s) {
    const cutting all = {b, s};
    uint64_t *const first = s->first_run;
    team_run(b->threads, cut_share, &all); /* counts them, as there are none */
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t count = first[p];
        first[p] = s->run_count;
        s->run_count += count;
    }
    riffle_status status;
    s->runs = allocate("a bucket schedule's runs", s->run_count * sizeof *s->runs, &status);
    if (status != RIFFLE_OK) return status;
    team_run(b->threads, cut_share, &all);
    /* Each first[p] has been counted up to where piece p + 1 begins. */
    memmove(first + 1, first, s->pieces * sizeof *first);
    first[0] = 0;
    return RIFFLE_OK;
}

/* The first pass reads src piece by piece: one run each. */
riffle_status bucket_whole_pieces(bucket_schedule *s) {
    riffle_status status;
    s->runs = allocate("a bucket schedule's runs", s->pieces * sizeof *s->runs, &status);
    if (status != RIFFLE_OK) return status;
    s->run_count = s->pieces;
    for (uint64_t p = 0; p < s->pieces; p++) {
        s->first_run[p + 1] = p + 1;
        s->runs[p] = p << s->piece_bits | (piece_length(s, p) - 1) << 48;
    }
    return RIFFLE_OK;
}

riffle_status bucket_start(uint64_t n, size_t elem_bytes, unsigned piece_bits, bucket_schedule *s) {
    *s = (bucket_schedule){.n = n, .elem_bytes = elem_bytes, .piece_bits = piece_bits};
    s->pieces = blocks_of(s->n, s->piece_bits);
    riffle_status status;
    s->first_run = allocate("a bucket schedule", (s->pieces + 1) * sizeof *s->first_run, &status);
    if (status == RIFFLE_OK) s->order = allocate("a bucket schedule", s->n * sizeof *s->order, &status);
    return status;
}

/* Sets the pass's buckets: whole pieces in the one before the last, and before that enough pieces a bucket to
 * make the runs of both later passes equally long. */
static void choose_buckets(builder *b, uint64_t n, unsigned passes_left) {
    const unsigned index_bits = n > 1 ? floor_log2(n - 1) + 1 : 0;
    b->region_bits = b->dest == NULL ? 63 : b->bucket_bits;
    b->bucket_bits = b->piece_bits;
    if (passes_left == 3) b->bucket_bits += (index_bits - b->piece_bits) / 2;
    b->fan = blocks_of(min(n, (uint64_t)1 << b->region_bits), b->bucket_bits);
}

static size_t split_bytes(const builder *b, uint64_t pieces) {
    return pieces * (b->fan + 1) * sizeof *b->split;
}

/* Builds one pass that is not the last: orders its pieces by bucket and moves `dest` along. */
static riffle_status build_sorting_pass(builder *b, bucket_schedule *s) {
    uint32_t *next_dest = NULL;
    riffle_status status;
    b->split = allocate("planning buckets", split_bytes(b, s->pieces), &status);
    if (status != RIFFLE_OK) return status;
    next_dest = allocate("planning buckets", s->n * sizeof *next_dest, &status);
    if (status != RIFFLE_OK) return status;
    status = order_pieces(b, s, next_dest);
    riffle_buffer_free(b->dest, s->n * sizeof *b->dest);
    b->dest = next_dest;
    return status;
}

static size_t scratch_bytes(const builder *b) {
    return b->threads * (((uint64_t)1 << b->piece_bits) + b->fan) * sizeof *b->scratch;
}

static riffle_status build_pass(builder *b, bucket_schedule *s, unsigned passes_left) {
    riffle_status status = b->dest == NULL ? bucket_whole_pieces(s) : cut_runs(b, s);
    if (b->split != NULL) riffle_buffer_free(b->split, split_bytes(b, s->pieces));
    b->split = NULL;
    if (status != RIFFLE_OK) return status;
    choose_buckets(b, s->n, passes_left);
    b->scratch = allocate("planning buckets", scratch_bytes(b), &status);
    if (status != RIFFLE_OK) return status;
    status = passes_left > 1 ? build_sorting_pass(b, s) : order_pieces(b, s, NULL);
    riffle_buffer_free(b->scratch, scratch_bytes(b));
    return status;
}

riffle_status bucket_plan(const riffle_perm *perm, size_t elem_bytes, bucket_shape shape, unsigned threads,
                          bucket_schedule out[BUCKET_MAX_PASSES]) {
    const uint64_t n = riffle_perm_length(perm);
    builder b = {.perm = perm, .threads = threads, .piece_bits = shape.piece_bits};
    riffle_status status = RIFFLE_OK;
    unsigned built = 0;
    while (built < shape.passes && status == RIFFLE_OK) {
        bucket_schedule *s = &out[built++];
        status = bucket_start(n, elem_bytes, b.piece_bits, s);
        if (status == RIFFLE_OK) status = build_pass(&b, s, shape.passes - built + 1);
    }
    if (b.split != NULL) riffle_buffer_free(b.split, split_bytes(&b, out[0].pieces));
    riffle_buffer_free(b.dest, n * sizeof *b.dest);
    if (status != RIFFLE_OK) {
        while (built > 0) bucket_free(&out[--built]);
    }
    return status;
}

static size_t order_bytes(const bucket_schedule *s) { return s->n * sizeof *s->order; }
static size_t first_run_bytes(const bucket_schedule *s) { return (s->pieces + 1) * sizeof *s->first_run; }
static size_t run_bytes(const bucket_schedule *s) { return s->run_count * sizeof *s->runs; }
static size_t out_bytes(const bucket_schedule *s) { return s->out_count * sizeof *s->outs; }

size_t bucket_bytes(const bucket_schedule *s) {
    const size_t first_out = s->first_out != NULL ? first_run_bytes(s) : 0;
    return order_bytes(s) + first_run_bytes(s) + run_bytes(s) + first_out + out_bytes(s);
}

size_t bucket_staging_bytes(const bucket_schedule *s) {
    enum { LINE_BYTES = 64 };
    const size_t piece = s->elem_bytes << s->piece_bits;
    return (piece + 2 * LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

void bucket_free(bucket_schedule *s) {
    riffle_buffer_free(s->order, order_bytes(s));
    riffle_buffer_free(s->first_run, first_run_bytes(s));
    riffle_buffer_free(s->runs, run_bytes(s));
    riffle_buffer_free(s->first_out, first_run_bytes(s));
    riffle_buffer_free(s->outs, out_bytes(s));
}
