/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass is its order. Two are planned from tables of their runs (run_planner.c), of which three would have too many.
 * Three are planned as the host does, as a few steps over whole arrays. A pass, all in device memory:
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
#include "move/cuda/planner/bucket_planner.h"

#include <string.h>

#include "base/arithmetic.h"
#include "device/cuda/runtime.h"
#include "move/cuda/planner/bucket_steps.h"
#include "move/cuda/planner/run_planner.h"
#include "move/cuda/planner/sort.h"
#include "move/cuda/table/table.h"

enum {
    SLICE = 1 << 24, /* elements of a slice: a few waves of a sort's blocks, and little memory beside n */
    KEY_BITS = 32,   /* bits of a sort's keys */
    SLICE_ARRAYS = 4,
};

typedef struct planner {
    uint64_t n;
    size_t elem_bytes;
    bucket_tile_shape shape;
    cudaStream_t stream;
    const uint32_t *given; /* dest of the first pass */
    uint32_t *inverted;    /* and it where it had to be made */
    void *arena;
    uint32_t *next, *dest;
    device_pair values;
    uint32_t *spare, *slice[SLICE_ARRAYS]; /* the slice's arrays lie in spare */
    bucket_chunk_counts *counts;
    void *temp;
    size_t temp_bytes;
} planner;

/* Bits that tell 0..count-1 apart, for count > 0. */
static unsigned bits_for(uint64_t count) { return count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0; }

static unsigned unit_bits(const planner *b) { return bits_for(BUCKET_TILE_CHUNK_BYTES / b->elem_bytes); }

/* ---------------------------------------------------------------- memory */

static riffle_status ask_temp_bytes(planner *b) {
    size_t slices = 0, whole = 0, scan = 0;
    cudaError_t error = device_sort_bytes(min(b->n, SLICE), &slices);
    if (error == cudaSuccess) error = device_sort_bytes(b->n, &whole);
    if (error == cudaSuccess) error = device_scan_bytes(b->n, &scan);
    b->temp_bytes = slices > whole ? slices : whole;
    if (scan > b->temp_bytes) b->temp_bytes = scan;
    return cuda_result(error, "asking CUB for the memory that it needs");
}

static void carve_all(planner *b, bucket_arena *a) {
    const size_t array = (size_t)b->n * sizeof(uint32_t);
    const size_t slice = bucket_quotient_up(min(b->n, SLICE), BUCKET_ARRAY_ALIGNMENT) * BUCKET_ARRAY_ALIGNMENT *
                         sizeof(uint32_t);
    b->next = bucket_carve(a, array);
    b->dest = bucket_carve(a, array);
    b->values.now = bucket_carve(a, array);
    b->values.other = bucket_carve(a, array);
    b->spare = bucket_carve(a, array > SLICE_ARRAYS * slice ? array : SLICE_ARRAYS * slice);
    for (unsigned k = 0; k < SLICE_ARRAYS && b->spare != NULL; k++)
        b->slice[k] = b->spare + k * (slice / sizeof(uint32_t));
    b->counts = bucket_carve(a, sizeof *b->counts);
    b->temp = bucket_carve(a, b->temp_bytes);
}

/* Counts the bytes of the arena, after which temp_bytes is known. */
static riffle_status count_arena(planner *b, size_t *out) {
    bucket_arena counting = {NULL, 0};
    const riffle_status status = ask_temp_bytes(b);
    if (status != RIFFLE_OK) return status;
    carve_all(b, &counting);
    *out = counting.used;
    return RIFFLE_OK;
}

static riffle_status create_arena(planner *b) {
    size_t bytes;
    bucket_arena whole = {NULL, 0};
    riffle_status status = count_arena(b, &bytes);
    if (status == RIFFLE_OK) status = cuda_allocate("planning by buckets", bytes, &b->arena);
    if (status != RIFFLE_OK) return status;
    whole.start = b->arena;
    carve_all(b, &whole);
    return RIFFLE_OK;
}

/* Three passes start from places to scatter to. */
static riffle_status create_dest(const cuda_bucket_source *source, planner *b) {
    const cuda_table inverse = {(void *)source->entries, b->n, sizeof(uint32_t)};
    cuda_table dest;
    b->given = source->entries;
    if (!source->is_inverse) return RIFFLE_OK;
    const riffle_status status = cuda_table_invert(&inverse, b->stream, &dest);
    if (status == RIFFLE_OK) b->given = b->inverted = dest.entries;
    return status;
}

/* With two passes, the most bytes that any halving takes. */
static riffle_status runs_bytes(uint64_t n, size_t elem_bytes, bucket_tile_shape shape, bool is_inverse,
                                size_t *out) {
    const uint32_t units = (uint32_t)(BUCKET_TILE_CHUNK_BYTES / elem_bytes);
    bool may_exceed = true;
    riffle_status status = RIFFLE_OK;
    *out = 0;
    while (status == RIFFLE_OK && may_exceed) {
        size_t bytes;
        status = run_planning_bytes(n, &shape, is_inverse, &bytes);
        if (status == RIFFLE_OK && bytes > *out) *out = bytes;
        may_exceed = shape.piece > units && shape.piece > shape.positions / (2 * units - 1);
        shape = bucket_tile_halve(&shape, n, elem_bytes);
    }
    return status;
}

riffle_status cuda_bucket_planning_bytes(uint64_t n, size_t elem_bytes, bucket_tile_shape shape,
                                         bool is_inverse, size_t *out) {
    planner b = {.n = n, .elem_bytes = elem_bytes, .shape = shape};
    *out = 0;
    if (n == 0 || shape.passes == 1) return RIFFLE_OK;
    if (shape.passes == 2) return runs_bytes(n, elem_bytes, shape, is_inverse, out);
    const riffle_status status = count_arena(&b, out);
    if (is_inverse) *out += (size_t)n * sizeof(uint32_t);
    return status;
}

static riffle_status check_free(const planner *b, const cuda_bucket_source *source) {
    size_t planning;
    const riffle_status status =
        cuda_bucket_planning_bytes(b->n, b->elem_bytes, b->shape, source->is_inverse, &planning);
    if (status != RIFFLE_OK) return status;
    return cuda_check_free("a plan by buckets",
                           bucket_tile_most_bytes(b->n, b->elem_bytes, &b->shape) + planning);
}

/* ---------------------------------------------------------------- chunks */

static riffle_status fetch_counts(const planner *b, bucket_chunk_counts *out) {
    cudaError_t error = cudaMemcpyAsync(out, b->counts, sizeof *out, cudaMemcpyDeviceToHost, b->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(b->stream);
    return bucket_result(error);
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
    riffle_status status = bucket_result(error);
    if (status == RIFFLE_OK) status = fetch_counts(b, &counts);
    s->chunk_count = (uint64_t)(uint32_t)(counts.all - 1) + 1; /* there is one at least, so 0 stands for 2^32 */
    s->most_chunks = counts.most;
    return status;
}

/* Lists a later pass's chunks, unless a piece has more of them than `positions` hold: *fits. */
static riffle_status list_chunks(const planner *b, bucket_sequence *q, bucket_tile_schedule *s, bool *fits) {
    riffle_status status = bucket_create_first_chunk(s);
    if (status == RIFFLE_OK) status = count_chunks(b, q, b->values.other, s);
    if (status != RIFFLE_OK) return status;
    *fits = (uint64_t)s->most_chunks << q->unit_bits <= b->shape.positions;
    if (!*fits) return RIFFLE_OK;
    status = bucket_create_chunks(s);
    return status == RIFFLE_OK ? bucket_result(bucket_steps_list_chunks(q, s->chunks, b->stream)) : status;
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
    const unsigned bucket_bits = bits_for(bucket_quotient_up(b->n, bucket));
    const unsigned bits = bucket_bits + bits_for(bucket_quotient_up(count, q->piece));
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
    const uint64_t step = slice_pieces(q->piece, bits_for(bucket_quotient_up(b->n, bucket))) * q->piece;
    cudaError_t error = cudaSuccess;
    for (uint64_t first = 0; error == cudaSuccess && first < b->n; first += step)
        error = order_slice(b, q, first, min(step, b->n - first), bucket, order);
    return error;
}

/* All elements sorted by bucket: their places t are the next pass's `at`. The old sequence is used up. */
static cudaError_t sort_sequence(planner *b, uint32_t bucket) {
    const unsigned bits = bits_for(bucket_quotient_up(b->n, bucket));
    device_pair keys = {b->dest, b->spare};
    cudaError_t error = bucket_steps_key_buckets(b->next, b->n, bucket, keys.now, b->values.now, b->stream);
    if (error == cudaSuccess)
        error = device_sort(b->temp, b->temp_bytes, &keys, &b->values, b->n, bits, b->stream);
    if (error == cudaSuccess) error = bucket_steps_gather(b->next, b->values.now, b->n, b->dest, b->stream);
    return error;
}

/* ---------------------------------------------------------------- passes */

static uint32_t first_chunks(const planner *b, const bucket_tile_schedule *s) {
    return (uint32_t)bucket_quotient_up(min(b->n, s->piece), BUCKET_TILE_CHUNK_BYTES / b->elem_bytes);
}

static riffle_status plan_pass(planner *b, unsigned pass, bucket_tile_schedule *s, bool *fits) {
    const bool is_first = pass == 0;
    bucket_sequence q = {.n = b->n,
                         .piece = s->piece,
                         .unit_bits = unit_bits(b),
                         .dest = is_first ? b->given : b->dest,
                         .at = is_first ? NULL : b->values.now};
    riffle_status status = bucket_create_order(s, b->stream);
    if (is_first) s->most_chunks = first_chunks(b, s);
    if (status == RIFFLE_OK && !is_first) status = list_chunks(b, &q, s, fits);
    if (status != RIFFLE_OK || !*fits) return status;
    if (pass + 1 == b->shape.passes) return bucket_result(bucket_steps_order_last(&q, s->order, b->stream));
    const uint32_t bucket = bucket_tile_bucket(&b->shape, pass);
    cudaError_t error = order_pieces(b, &q, bucket, s->order);
    if (error == cudaSuccess) error = sort_sequence(b, bucket);
    return bucket_result(error);
}

static riffle_status plan_one(const planner *b, const cuda_bucket_source *source, bucket_tile_schedule *s) {
    const bucket_sequence q = {
        .n = b->n, .piece = s->piece, .unit_bits = unit_bits(b), .dest = source->entries};
    const riffle_status status = bucket_create_order(s, b->stream);
    s->most_chunks = first_chunks(b, s);
    if (status != RIFFLE_OK) return status;
    return bucket_result(source->is_inverse ? bucket_steps_order_only(&q, s->order, b->stream)
                                            : bucket_steps_order_last(&q, s->order, b->stream));
}

static riffle_status plan_three(planner *b, bucket_tile_schedule out[BUCKET_TILE_PASSES], bool *fits) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && *fits && k < b->shape.passes; k++)
        status = plan_pass(b, k, &out[k], fits);
    return status;
}

static void free_passes(bucket_tile_schedule out[BUCKET_TILE_PASSES]) {
    for (unsigned k = 0; k < BUCKET_TILE_PASSES; k++) cuda_bucket_free(&out[k]);
}

/* Plans all passes; none are left where that fails, nor where a piece does not fit. */
static riffle_status plan_passes(planner *b, const cuda_bucket_source *source,
                                 bucket_tile_schedule out[BUCKET_TILE_PASSES], bool *fits) {
    riffle_status status = RIFFLE_OK;
    *fits = true;
    for (unsigned k = 0; k < b->shape.passes; k++) out[k] = bucket_tile_pass(b->n, b->elem_bytes, &b->shape, k);
    if (b->n == 0) return RIFFLE_OK;
    if (b->shape.passes == 1) status = plan_one(b, source, &out[0]);
    if (b->shape.passes == 2) status = run_plan(source, b->n, b->elem_bytes, &b->shape, b->stream, out, fits);
    if (b->shape.passes == 3) status = plan_three(b, out, fits);
    if (status == RIFFLE_OK && *fits) status = bucket_result(cudaStreamSynchronize(b->stream));
    if (status != RIFFLE_OK || !*fits) free_passes(out);
    return status;
}

riffle_status cuda_bucket_plan(const cuda_bucket_source *source, uint64_t n, size_t elem_bytes,
                               bucket_tile_shape shape, struct CUstream_st *stream,
                               cuda_bucket_schedule out[BUCKET_TILE_PASSES]) {
    planner b = {.n = n, .elem_bytes = elem_bytes, .shape = shape, .stream = stream};
    bool fits = false;
    memset(out, 0, BUCKET_TILE_PASSES * sizeof *out);
    riffle_status status = check_free(&b, source);
    if (status == RIFFLE_OK && n > 0 && shape.passes == 3) {
        status = create_dest(source, &b);
        if (status == RIFFLE_OK) status = create_arena(&b);
    }
    while (status == RIFFLE_OK && !fits) {
        const bucket_tile_shape half = bucket_tile_halve(&b.shape, n, elem_bytes);
        status = plan_passes(&b, source, out, &fits);
        if (status == RIFFLE_OK && !fits && half.piece == b.shape.piece)
            status = bucket_tile_fail_positions(&b.shape, elem_bytes);
        b.shape = half;
    }
    cudaFree(b.arena);
    cudaFree(b.inverted);
    return status;
}

riffle_status cuda_bucket_mark(const cuda_bucket_schedule *s, struct CUstream_st *stream) {
    const uint64_t units = BUCKET_TILE_CHUNK_BYTES / s->elem_bytes;
    const size_t bytes = ((size_t)(s->n / units) / 32 + 1) * sizeof(uint32_t);
    void *listed = NULL;
    if (units == 1) return RIFFLE_OK;
    riffle_status status = cuda_allocate("marking chunks", bytes, &listed);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMemsetAsync(listed, 0, bytes, stream);
    if (error == cudaSuccess) error = bucket_steps_mark_again(s->chunks, s->chunk_count, listed, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    cudaFree(listed);
    return bucket_result(error);
}
