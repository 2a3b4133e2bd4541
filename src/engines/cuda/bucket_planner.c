/* SPDX-License-Identifier: Apache-2.0
 *
 * The host planner's work as a few steps over whole arrays. A pass, all in device memory:
 *
 *     at, dest --heads, scan--> chunks, first_chunk                     (later passes)
 *     s --sort by (piece, bucket of dest[s])--> order[t], next[t] = dest of the element at t
 *     t --sort by bucket of next[t]--> at, dest of the next pass
 *
 * The first sort goes slice by slice, some pieces at a time, so that its arrays are short and its keys have few
 * bits. All working memory is one allocation, most of it five arrays of n, which change roles:
 *
 *     next            dest in the order t
 *     dest            of the sequence; keys while it is sorted
 *     values          at, and what counts chunks; t while it is sorted
 *     spare           keys while the sequence is sorted; keys and values of a slice
 */
#include "engines/cuda/bucket_planner.h"

#include <string.h>

#include "engines/cuda/bucket_steps.h"
#include "engines/cuda/device.h"
#include "engines/cuda/sort.h"

enum {
    SLICE = 1 << 24, /* elements of a slice: a few waves of a sort's blocks, and little memory beside n */
    KEY_BITS = 32,   /* of a sort */
    ALIGNMENT = 256, /* of each array */
    SLICE_ARRAYS = 4,
};

typedef struct planner {
    uint64_t n;
    size_t elem_bytes;
    bucket_tile_shape shape;
    cudaStream_t stream;
    const uint32_t *given; /* dest of the first pass */
    void *arena;
    uint32_t *next, *dest;
    device_pair values;
    uint32_t *spare, *slice[SLICE_ARRAYS]; /* the slice's arrays lie in spare */
    bucket_chunk_counts *counts;
    void *temp;
    size_t temp_bytes;
} planner;

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t quotient_up(uint64_t v, uint64_t unit) { return (v + unit - 1) / unit; }

/* Bits that tell 0..count-1 apart, for count > 0. */
static unsigned bits_for(uint64_t count) { return count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0; }

static riffle_status result(cudaError_t error) { return cuda_result(error, "planning on the GPU"); }

/* ---------------------------------------------------------------- memory */

/* Hands out one array after another, or only counts where there is no memory yet. */
typedef struct arena {
    char *start;
    size_t used;
} arena;

static void *carve(arena *a, size_t bytes) {
    void *const array = a->start != NULL ? a->start + a->used : NULL;
    a->used += quotient_up(bytes, ALIGNMENT) * ALIGNMENT;
    return array;
}

static riffle_status ask_temp_bytes(planner *b) {
    size_t slices = 0, whole = 0, scan = 0;
    cudaError_t error = device_sort_bytes(least(b->n, SLICE), &slices);
    if (error == cudaSuccess) error = device_sort_bytes(b->n, &whole);
    if (error == cudaSuccess) error = device_scan_bytes(b->n, &scan);
    b->temp_bytes = slices > whole ? slices : whole;
    if (scan > b->temp_bytes) b->temp_bytes = scan;
    return cuda_result(error, "asking CUB for the memory that it needs");
}

static void carve_all(planner *b, arena *a) {
    const size_t array = (size_t)b->n * sizeof(uint32_t);
    const size_t slice = quotient_up(least(b->n, SLICE), ALIGNMENT) * ALIGNMENT * sizeof(uint32_t);
    b->next = carve(a, array);
    b->dest = carve(a, array);
    b->values.now = carve(a, array);
    b->values.other = carve(a, array);
    b->spare = carve(a, array > SLICE_ARRAYS * slice ? array : SLICE_ARRAYS * slice);
    for (unsigned k = 0; k < SLICE_ARRAYS && b->spare != NULL; k++)
        b->slice[k] = b->spare + k * (slice / sizeof(uint32_t));
    b->counts = carve(a, sizeof *b->counts);
    b->temp = carve(a, b->temp_bytes);
}

/* A single pass only writes its order. */
static bool needs_arena(uint64_t n, const bucket_tile_shape *shape) { return n > 0 && shape->passes > 1; }

/* What the arena takes, after which temp_bytes is known. */
static riffle_status count_arena(planner *b, size_t *out) {
    arena counting = {NULL, 0};
    if (needs_arena(b->n, &b->shape)) {
        const riffle_status status = ask_temp_bytes(b);
        if (status != RIFFLE_OK) return status;
        carve_all(b, &counting);
    }
    *out = counting.used;
    return RIFFLE_OK;
}

riffle_status cuda_bucket_planning_bytes(uint64_t n, size_t elem_bytes, bucket_tile_shape shape, size_t *out) {
    planner b = {.n = n, .elem_bytes = elem_bytes, .shape = shape};
    return count_arena(&b, out);
}

static riffle_status create_arena(planner *b) {
    size_t planning;
    arena whole = {NULL, 0};
    riffle_status status = count_arena(b, &planning);
    if (status != RIFFLE_OK) return status;
    const size_t kept = bucket_tile_most_bytes(b->n, b->elem_bytes, &b->shape);
    status = cuda_check_free("a plan by buckets", kept + planning);
    if (status != RIFFLE_OK || planning == 0) return status;
    status = cuda_allocate("planning by buckets", planning, &b->arena);
    if (status != RIFFLE_OK) return status;
    whole.start = b->arena;
    carve_all(b, &whole);
    return RIFFLE_OK;
}

/* ---------------------------------------------------------------- chunks */

static riffle_status fetch_counts(const planner *b, bucket_chunk_counts *out) {
    cudaError_t error = cudaMemcpyAsync(out, b->counts, sizeof *out, cudaMemcpyDeviceToHost, b->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(b->stream);
    return result(error);
}

/* Numbers the chunks: `ordinal` of the sequence, first_chunk and how many there are. */
static riffle_status count_chunks(const planner *b, bucket_sequence *q, uint32_t *ordinal,
                                  bucket_tile_schedule *s) {
    bucket_chunk_counts counts = {0, 0};
    cudaError_t error = bucket_steps_mark_heads(q, ordinal, b->stream);
    if (error == cudaSuccess) error = device_scan(b->temp, b->temp_bytes, ordinal, b->n, b->stream);
    if (error == cudaSuccess) error = cudaMemsetAsync(b->counts, 0, sizeof *b->counts, b->stream);
    q->ordinal = ordinal;
    q->first_chunk = s->first_chunk;
    if (error == cudaSuccess) error = bucket_steps_count_chunks(q, s->first_chunk, b->counts, b->stream);
    riffle_status status = result(error);
    if (status == RIFFLE_OK) status = fetch_counts(b, &counts);
    s->chunk_count = (uint64_t)(uint32_t)(counts.all - 1) + 1; /* there is one at least, so 0 stands for 2^32 */
    s->most_chunks = counts.most;
    return status;
}

/* Lists a later pass's chunks, unless a piece has more of them than `positions` hold: *fits. */
static riffle_status list_chunks(const planner *b, bucket_sequence *q, bucket_tile_schedule *s, bool *fits) {
    const size_t bytes = ((size_t)s->pieces + 1) * sizeof *s->first_chunk;
    riffle_status status = cuda_allocate("a bucket schedule", bytes, (void **)&s->first_chunk);
    if (status == RIFFLE_OK) status = count_chunks(b, q, b->values.other, s);
    if (status != RIFFLE_OK) return status;
    *fits = (uint64_t)s->most_chunks << q->unit_bits <= b->shape.positions;
    if (!*fits) return RIFFLE_OK;
    status = cuda_allocate("a bucket schedule's chunks", (size_t)s->chunk_count * sizeof *s->chunks,
                           (void **)&s->chunks);
    return status == RIFFLE_OK ? result(bucket_steps_list_chunks(q, s->chunks, b->stream)) : status;
}

/* ---------------------------------------------------------------- orders */

/* Pieces of a slice: as many as it holds, if keys can tell them and the buckets apart. */
static uint64_t slice_pieces(uint32_t piece, unsigned bucket_bits) {
    uint64_t pieces = SLICE / piece;
    while (bits_for(pieces) + bucket_bits > KEY_BITS) pieces /= 2;
    return pieces;
}

static cudaError_t order_slice(const planner *b, const bucket_sequence *q, uint64_t first, uint64_t count,
                               uint32_t bucket, uint16_t *order) {
    const unsigned bucket_bits = bits_for(quotient_up(b->n, bucket));
    const unsigned bits = bucket_bits + bits_for(quotient_up(count, q->piece));
    device_pair keys = {b->slice[0], b->slice[1]}, values = {b->slice[2], b->slice[3]};
    cudaError_t error =
        bucket_steps_key_pieces(q, first, count, bucket, bucket_bits, keys.now, values.now, b->stream);
    if (error == cudaSuccess)
        error = device_sort(b->temp, b->temp_bytes, &keys, &values, count, bits, b->stream);
    if (error == cudaSuccess)
        error = bucket_steps_order_pieces(q, first, count, values.now, order, b->next, b->stream);
    return error;
}

static cudaError_t order_pieces(const planner *b, const bucket_sequence *q, uint32_t bucket, uint16_t *order) {
    const uint64_t step = slice_pieces(q->piece, bits_for(quotient_up(b->n, bucket))) * q->piece;
    cudaError_t error = cudaSuccess;
    for (uint64_t first = 0; error == cudaSuccess && first < b->n; first += step)
        error = order_slice(b, q, first, least(step, b->n - first), bucket, order);
    return error;
}

/* All elements sorted by bucket: their places t are the next pass's `at`. What the sequence was is used up. */
static cudaError_t sort_sequence(planner *b, uint32_t bucket) {
    const unsigned bits = bits_for(quotient_up(b->n, bucket));
    device_pair keys = {b->dest, b->spare};
    cudaError_t error = bucket_steps_key_buckets(b->next, b->n, bucket, keys.now, b->values.now, b->stream);
    if (error == cudaSuccess)
        error = device_sort(b->temp, b->temp_bytes, &keys, &b->values, b->n, bits, b->stream);
    if (error == cudaSuccess) error = bucket_steps_gather(b->next, b->values.now, b->n, b->dest, b->stream);
    return error;
}

/* ---------------------------------------------------------------- passes */

static riffle_status create_order(const planner *b, bucket_tile_schedule *s) {
    const size_t bytes = bucket_tile_order_bytes(s), used = (size_t)s->n * sizeof *s->order;
    const riffle_status status = cuda_allocate("a bucket schedule", bytes, (void **)&s->order);
    if (status != RIFFLE_OK || bytes == used) return status;
    return result(cudaMemsetAsync((char *)s->order + used, 0, bytes - used, b->stream));
}

static riffle_status plan_pass(planner *b, unsigned pass, bucket_tile_schedule *s, bool *fits) {
    const bool is_first = pass == 0;
    bucket_sequence q = {.n = b->n,
                         .piece = s->piece,
                         .unit_bits = bits_for(BUCKET_TILE_CHUNK_BYTES / b->elem_bytes),
                         .dest = is_first ? b->given : b->dest,
                         .at = is_first ? NULL : b->values.now};
    riffle_status status = create_order(b, s);
    if (is_first) s->most_chunks = (uint32_t)quotient_up(least(b->n, s->piece), (uint64_t)1 << q.unit_bits);
    if (status == RIFFLE_OK && !is_first) status = list_chunks(b, &q, s, fits);
    if (status != RIFFLE_OK || !*fits) return status;
    if (pass + 1 == b->shape.passes) return result(bucket_steps_order_last(&q, s->order, b->stream));
    const uint32_t bucket = bucket_tile_bucket(&b->shape, pass);
    cudaError_t error = order_pieces(b, &q, bucket, s->order);
    if (error == cudaSuccess) error = sort_sequence(b, bucket);
    return result(error);
}

static void free_passes(bucket_tile_schedule out[BUCKET_TILE_PASSES]) {
    for (unsigned k = 0; k < BUCKET_TILE_PASSES; k++) cuda_bucket_free(&out[k]);
}

/* Plans all passes; none are left where that fails, nor where a piece does not fit. */
static riffle_status plan_passes(planner *b, bucket_tile_schedule out[BUCKET_TILE_PASSES], bool *fits) {
    riffle_status status = RIFFLE_OK;
    *fits = true;
    for (unsigned k = 0; status == RIFFLE_OK && *fits && k < b->shape.passes; k++) {
        out[k] = bucket_tile_pass(b->n, b->elem_bytes, &b->shape, k);
        if (b->n > 0) status = plan_pass(b, k, &out[k], fits);
    }
    if (status == RIFFLE_OK && *fits) status = result(cudaStreamSynchronize(b->stream));
    if (status != RIFFLE_OK || !*fits) free_passes(out);
    return status;
}

riffle_status cuda_bucket_plan(const uint32_t *dest, uint64_t n, size_t elem_bytes, bucket_tile_shape shape,
                               struct CUstream_st *stream, cuda_bucket_schedule out[BUCKET_TILE_PASSES]) {
    planner b = {.n = n, .elem_bytes = elem_bytes, .shape = shape, .stream = stream, .given = dest};
    bool fits = false;
    memset(out, 0, BUCKET_TILE_PASSES * sizeof *out);
    riffle_status status = create_arena(&b);
    while (status == RIFFLE_OK && !fits) {
        const bucket_tile_shape half = bucket_tile_halve(&b.shape, n, elem_bytes);
        status = plan_passes(&b, out, &fits);
        if (status == RIFFLE_OK && !fits && half.piece == b.shape.piece)
            status = bucket_tile_fail_positions(&b.shape, elem_bytes);
        b.shape = half;
    }
    cudaFree(b.arena);
    return status;
}

void cuda_bucket_free(cuda_bucket_schedule *s) {
    cudaFree(s->order);
    cudaFree(s->chunks);
    cudaFree(s->first_chunk);
    *s = (cuda_bucket_schedule){0};
}
