/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece of pass 1's output is sorted by tile, so a piece and a tile share one run. The runs' lengths are counted, and sums of
 * them say where each begins:
 *
 *     entries --count--> begin[tile][piece] --scan--> begin --> chunks of each tile --scan--> first_chunk
 *
 * Then whoever comes to a run first gets its first place: an element's place in pass 1's output is its run's beginning and
 * how many came before. With the run's first chunk among the tile's that is all that both orders say of it. Indices that
 * dst gathers from are read by tile, where the last pass's order is written in turn and the first's in runs; tiles that
 * are planned at the same time fill the same lines. Places that src scatters to are read by piece, so that the last pass's
 * order must wait until the runs of a tile are together.
 */
#include "move/cuda/planner/run_planner.h"

#include "move/cuda/planner/run_steps.h"
#include "move/cuda/planner/sort.h"

typedef struct planner {
    const cuda_bucket_source *source;
    cudaStream_t stream;
    run_table t;
    uint16_t *within; /* for places to scatter to */
    uint32_t *most;
    void *temp;
    size_t temp_bytes;
    bucket_tile_schedule *first, *last;
} planner;

static planner create(const cuda_bucket_source *source, uint64_t n, const bucket_tile_shape *shape) {
    return (planner){.source = source,
                     .t = {.n = n,
                           .piece = shape->first_piece,
                           .tile = shape->piece,
                           .pieces = (uint32_t)bucket_quotient_up(n, shape->first_piece),
                           .tiles = (uint32_t)bucket_quotient_up(n, shape->piece)}};
}

/* ---------------------------------------------------------------- memory */

static void carve_all(planner *b, bucket_arena *a) {
    const size_t row = (size_t)b->t.pieces * sizeof *b->t.begin;
    b->t.begin = bucket_carve(a, ((size_t)b->t.tiles + 1) * row);
    b->t.sums = bucket_carve(a, run_steps_sums(b->t.tiles) * row);
    b->within = b->source->is_inverse ? NULL : bucket_carve(a, (size_t)b->t.n * sizeof *b->within);
    b->most = bucket_carve(a, sizeof *b->most);
    b->temp = bucket_carve(a, b->temp_bytes);
}

/* Counts the bytes of the arena, after which temp_bytes is known. */
static riffle_status count_arena(planner *b, size_t *out) {
    bucket_arena counting = {NULL, 0};
    const riffle_status status =
        cuda_result(device_scan_bytes(b->t.tiles, &b->temp_bytes), "asking CUB for the memory that it needs");
    carve_all(b, &counting);
    *out = counting.used;
    return status;
}

riffle_status run_planning_bytes(uint64_t n, const bucket_tile_shape *shape, bool is_inverse, size_t *out) {
    const cuda_bucket_source source = {NULL, is_inverse};
    planner b = create(&source, n, shape);
    return count_arena(&b, out);
}

/* ---------------------------------------------------------------- steps */

static cudaError_t count_runs(const planner *b) {
    const uint32_t *const entries = b->source->entries;
    const cudaError_t error = b->source->is_inverse ? run_steps_count_gathered(&b->t, entries, b->stream)
                                                    : run_steps_count_scattered(&b->t, entries, b->stream);
    return error == cudaSuccess ? run_steps_scan(&b->t, b->stream) : error;
}

/* first_chunk, how many chunks there are, and in the tile with the most. */
static riffle_status count_chunks(const planner *b) {
    bucket_tile_schedule *const s = b->last;
    uint32_t all = 0;
    cudaError_t error = cudaMemsetAsync(s->first_chunk, 0, sizeof *s->first_chunk, b->stream);
    if (error == cudaSuccess) error = cudaMemsetAsync(b->most, 0, sizeof *b->most, b->stream);
    if (error == cudaSuccess) error = run_steps_count_chunks(&b->t, s->first_chunk + 1, b->most, b->stream);
    if (error == cudaSuccess)
        error = device_scan(b->temp, b->temp_bytes, s->first_chunk + 1, b->t.tiles, b->stream);
    if (error == cudaSuccess)
        error =
            cudaMemcpyAsync(&all, s->first_chunk + b->t.tiles, sizeof all, cudaMemcpyDeviceToHost, b->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(&s->most_chunks, b->most, sizeof *b->most, cudaMemcpyDeviceToHost, b->stream);
    const cudaError_t end = cudaStreamSynchronize(b->stream);
    s->chunk_count = (uint64_t)(uint32_t)(all - 1) + 1; /* there is one at least, so 0 stands for 2^32 */
    return bucket_result(error != cudaSuccess ? error : end);
}

static cudaError_t place(const planner *b) {
    const bucket_tile_schedule *const s = b->last;
    const uint32_t *const entries = b->source->entries;
    if (b->source->is_inverse)
        return run_steps_place_gathered(&b->t, entries, s->first_chunk, s->chunks, b->first->order, s->order,
                                        b->stream);
    const cudaError_t error =
        run_steps_sort_pieces(&b->t, entries, b->first->order, b->within, s->order, b->stream);
    if (error != cudaSuccess) return error;
    return run_steps_place_scattered(&b->t, b->within, s->first_chunk, s->chunks, s->order, b->stream);
}

static riffle_status plan_both(const planner *b, uint32_t positions, bool *fits) {
    riffle_status status = bucket_result(count_runs(b));
    if (status == RIFFLE_OK) status = count_chunks(b);
    if (status != RIFFLE_OK) return status;
    *fits = (uint64_t)b->last->most_chunks << b->t.unit_bits <= positions;
    if (!*fits) return RIFFLE_OK;
    status = bucket_create_chunks(b->last);
    if (status == RIFFLE_OK) status = bucket_create_order(b->first, b->stream);
    if (status == RIFFLE_OK) status = bucket_create_order(b->last, b->stream);
    return status == RIFFLE_OK ? bucket_result(place(b)) : status;
}

riffle_status run_plan(const cuda_bucket_source *source, uint64_t n, size_t elem_bytes,
                       const bucket_tile_shape *shape, struct CUstream_st *stream,
                       cuda_bucket_schedule out[BUCKET_TILE_PASSES], bool *fits) {
    const uint64_t units = BUCKET_TILE_CHUNK_BYTES / elem_bytes;
    planner b = create(source, n, shape);
    bucket_arena arena = {NULL, 0};
    size_t bytes;
    b.stream = stream;
    b.t.unit_bits = (unsigned)__builtin_ctzll(units);
    b.first = &out[0], b.last = &out[1];
    b.first->most_chunks = (uint32_t)bucket_quotient_up(n < b.t.piece ? n : b.t.piece, units);
    riffle_status status = count_arena(&b, &bytes);
    if (status == RIFFLE_OK) status = cuda_allocate("planning by buckets", bytes, (void **)&arena.start);
    if (status == RIFFLE_OK) status = bucket_create_first_chunk(b.last);
    if (status == RIFFLE_OK) {
        carve_all(&b, &arena);
        status = plan_both(&b, shape->positions, fits);
    }
    const cudaError_t end = cudaStreamSynchronize(stream); /* queued work uses what is freed */
    cudaFree(arena.start);
    return status == RIFFLE_OK ? bucket_result(end) : status;
}
