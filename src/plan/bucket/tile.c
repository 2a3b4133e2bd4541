/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning on the host follows the elements as a sequence, pass by pass. One counting sort of all by bucket
 * gives the next sequence, and the order of this pass too: who walks along the sorted elements meets those of
 * each piece sorted by bucket, so their places t only need counting up. The next sequence's `at` are these t.
 */
#include "plan/bucket/tile.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"

static uint32_t units_of(size_t elem_bytes) { return (uint32_t)(BUCKET_TILE_CHUNK_BYTES / elem_bytes); }

/* ---------------------------------------------------------------- planning */

/* The sequence between two passes. */
typedef struct builder {
    const riffle_perm *perm;
    uint64_t n;
    uint32_t units;
    uint32_t *dest;   /* where each element goes */
    uint32_t *at;     /* in the pass's input; not used in the first pass, where it is the element's number */
    uint32_t *sorted; /* dest of the next sequence */
    uint16_t *staged; /* where each element is in the staged piece */
} builder;

/* A zeroed array; NULL where *status is, or becomes, an error. */
static void *allocate(const char *what, uint64_t count, size_t entry_bytes, riffle_status *status) {
    void *array = NULL;
    if (*status == RIFFLE_OK) *status = buffer_create(what, count * entry_bytes, &array);
    return array;
}

static riffle_status create_builder(builder *b) {
    static const char what[] = "planning buckets";
    riffle_status status = RIFFLE_OK;
    b->dest = allocate(what, b->n, sizeof *b->dest, &status);
    b->at = allocate(what, b->n, sizeof *b->at, &status);
    b->sorted = allocate(what, b->n, sizeof *b->sorted, &status);
    b->staged = allocate(what, b->n, sizeof *b->staged, &status);
    return status;
}

static void free_builder(builder *b) {
    riffle_buffer_free(b->dest, b->n * sizeof *b->dest);
    riffle_buffer_free(b->at, b->n * sizeof *b->at);
    riffle_buffer_free(b->sorted, b->n * sizeof *b->sorted);
    riffle_buffer_free(b->staged, b->n * sizeof *b->staged);
}

static riffle_status start_sequence(builder *b) {
    enum { BLOCK = 4096 };
    uint64_t block[BLOCK];
    for (uint64_t first = 0; first < b->n; first += BLOCK) {
        const size_t count = min(b->n - first, BLOCK);
        const riffle_status status = riffle_perm_map(b->perm, first, count, block);
        if (status != RIFFLE_OK) return status;
        for (size_t k = 0; k < count; k++) b->dest[first + k] = (uint32_t)block[k];
    }
    return RIFFLE_OK;
}

static uint16_t staged_at(const builder *b, uint32_t ordinal, uint64_t at) {
    return (uint16_t)(riffle_bucket_cell(ordinal) * b->units + at % b->units);
}

static void stage_first(builder *b, bucket_tile_schedule *s) {
    for (uint64_t i = 0; i < b->n; i++) b->staged[i] = staged_at(b, (uint32_t)(i % s->piece / b->units), i);
    s->most_chunks = (uint32_t)ceil_div(min(b->n, s->piece), b->units);
}

static bool begins_chunk(const builder *b, uint64_t start, uint64_t i) {
    return i == start || b->at[i] / b->units != b->at[i - 1] / b->units;
}

/* Where the chunks of each piece will begin. Modulo 2^32: all of them may be so many where n is, but not those
 * of a piece. */
static void count_chunks(const builder *b, bucket_tile_schedule *s) {
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t start = p * s->piece, end = min(b->n, start + s->piece), before = s->chunk_count;
        for (uint64_t i = start; i < end; i++) s->chunk_count += begins_chunk(b, start, i);
        s->first_chunk[p + 1] = (uint32_t)s->chunk_count;
        const uint32_t count = (uint32_t)(s->chunk_count - before);
        if (count > s->most_chunks) s->most_chunks = count;
    }
}

static void stage_chunks(builder *b, bucket_tile_schedule *s) {
    uint32_t *next = s->chunks;
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t start = p * s->piece, end = min(b->n, start + s->piece);
        const uint32_t *const first = next;
        for (uint64_t i = start; i < end; i++) {
            if (begins_chunk(b, start, i)) *next++ = b->at[i] / b->units;
            const uint64_t ordinal = (uint64_t)(next - first - 1);
            b->staged[i] = staged_at(b, (uint32_t)ordinal, b->at[i]);
        }
    }
}

/* Lists a later pass's chunks, unless a piece has more of them than `positions` hold: *fits. */
static riffle_status list_chunks(builder *b, uint32_t positions, bucket_tile_schedule *s, bool *fits) {
    riffle_status status = RIFFLE_OK;
    s->first_chunk = allocate("a bucket schedule", s->pieces + 1, sizeof *s->first_chunk, &status);
    if (status != RIFFLE_OK) return status;
    count_chunks(b, s);
    *fits = (uint64_t)s->most_chunks * b->units <= positions;
    if (!*fits) return RIFFLE_OK;
    s->chunks = allocate("a bucket schedule's chunks", s->chunk_count, sizeof *s->chunks, &status);
    if (status == RIFFLE_OK) stage_chunks(b, s);
    return status;
}

static void order_last(const builder *b, bucket_tile_schedule *s) {
    for (uint64_t i = 0; i < b->n; i++) s->order[b->dest[i]] = b->staged[i];
}

/* Sorts the sequence by dest / bucket, stably: `sorted` gets dest, and `at`, which is used up, the number i of
 * each element. next[] has a zero for each bucket. */
static void sort_sequence(builder *b, uint64_t bucket, uint32_t *next, uint64_t buckets) {
    for (uint64_t i = 0; i < b->n; i++) next[b->dest[i] / bucket]++;
    uint32_t begin = 0;
    for (uint64_t u = 0; u < buckets; u++) {
        const uint32_t count = next[u];
        next[u] = begin;
        begin += count;
    }
    for (uint64_t i = 0; i < b->n; i++) {
        const uint32_t to = next[b->dest[i] / bucket]++;
        b->sorted[to] = b->dest[i];
        b->at[to] = (uint32_t)i;
    }
}

/* Gives the sorted elements places t in the pieces that they lie in; filled[] has a zero for each piece. */
static void order_pieces(builder *b, bucket_tile_schedule *s, uint32_t *filled) {
    for (uint64_t k = 0; k < b->n; k++) {
        const uint32_t i = b->at[k], p = i / s->piece;
        const uint32_t t = p * s->piece + filled[p]++;
        s->order[t] = b->staged[i];
        b->at[k] = t;
    }
}

static riffle_status sort_pass(builder *b, uint64_t bucket, bucket_tile_schedule *s) {
    const uint64_t buckets = ceil_div(b->n, bucket);
    riffle_status status = RIFFLE_OK;
    uint32_t *next = allocate("planning buckets", buckets, sizeof *next, &status);
    uint32_t *filled = allocate("planning buckets", s->pieces, sizeof *filled, &status);
    if (status == RIFFLE_OK) {
        sort_sequence(b, bucket, next, buckets);
        order_pieces(b, s, filled);
        uint32_t *const sorted = b->sorted;
        b->sorted = b->dest;
        b->dest = sorted;
    }
    riffle_buffer_free(next, buckets * sizeof *next);
    riffle_buffer_free(filled, s->pieces * sizeof *filled);
    return status;
}

static riffle_status build_pass(builder *b, const bucket_tile_shape *shape, unsigned pass,
                                bucket_tile_schedule *s, bool *fits) {
    riffle_status status = RIFFLE_OK;
    s->order = allocate("a bucket schedule", round_up(b->n, b->units), sizeof *s->order, &status);
    if (status != RIFFLE_OK) return status;
    if (pass == 0)
        stage_first(b, s);
    else
        status = list_chunks(b, shape->positions, s, fits);
    if (status != RIFFLE_OK || !*fits) return status;
    if (pass + 1 < shape->passes) return sort_pass(b, bucket_tile_bucket(shape, pass), s);
    order_last(b, s);
    return RIFFLE_OK;
}

static void free_passes(bucket_tile_schedule out[BUCKET_TILE_PASSES]) {
    for (unsigned k = 0; k < BUCKET_TILE_PASSES; k++) bucket_tile_free(&out[k]);
    memset(out, 0, BUCKET_TILE_PASSES * sizeof *out);
}

/* Builds all passes; none are left where that fails, nor where a piece does not fit. */
static riffle_status build_passes(builder *b, size_t elem_bytes, const bucket_tile_shape *shape,
                                  bucket_tile_schedule out[BUCKET_TILE_PASSES], bool *fits) {
    riffle_status status = start_sequence(b);
    *fits = true;
    for (unsigned k = 0; k < shape->passes && status == RIFFLE_OK && *fits; k++) {
        out[k] = bucket_tile_pass(b->n, elem_bytes, shape, k);
        status = build_pass(b, shape, k, &out[k], fits);
    }
    if (status != RIFFLE_OK || !*fits) free_passes(out);
    return status;
}

riffle_status bucket_tile_plan(const riffle_perm *perm, size_t elem_bytes, bucket_tile_shape shape,
                               bucket_tile_schedule out[BUCKET_TILE_PASSES]) {
    builder b = {.perm = perm, .n = riffle_perm_length(perm), .units = units_of(elem_bytes)};
    memset(out, 0, BUCKET_TILE_PASSES * sizeof *out);
    riffle_status status = create_builder(&b);
    bool fits = false;
    while (status == RIFFLE_OK && !fits) {
        const bucket_tile_shape half = bucket_tile_halve(&shape, b.n, elem_bytes);
        status = build_passes(&b, elem_bytes, &shape, out, &fits);
        if (status == RIFFLE_OK && !fits && half.piece == shape.piece)
            status = bucket_tile_fail_positions(&shape, elem_bytes);
        shape = half;
    }
    free_builder(&b);
    return status;
}

riffle_status bucket_tile_mark(bucket_tile_schedule *s) {
    const uint32_t units = units_of(s->elem_bytes);
    const uint64_t words = s->n / units / 64 + 1;
    riffle_status status = RIFFLE_OK;
    if (units == 1) return RIFFLE_OK;
    uint64_t *const listed = allocate("planning buckets", words, sizeof *listed, &status);
    for (uint64_t k = 0; status == RIFFLE_OK && k < s->chunk_count; k++) {
        const uint32_t chunk = s->chunks[k];
        const uint64_t bit = (uint64_t)1 << chunk % 64;
        if ((listed[chunk / 64] & bit) != 0) s->chunks[k] |= BUCKET_LISTED_AGAIN;
        listed[chunk / 64] |= bit;
    }
    riffle_buffer_free(listed, words * sizeof *listed);
    return status;
}

void bucket_tile_free(bucket_tile_schedule *s) {
    if (s->order == NULL) return; /* none of them was made, or they are a device's */
    riffle_buffer_free(s->order, bucket_tile_order_bytes(s));
    riffle_buffer_free(s->chunks, s->chunk_count * sizeof *s->chunks);
    riffle_buffer_free(s->first_chunk, bucket_tile_first_chunk_bytes(s));
}
