/* SPDX-License-Identifier: Apache-2.0
 *
 * An element's number s is below 2^32, so divisions are of 32 bits; only numbers of threads need 64.
 */
#include "move/cuda/planner/bucket_steps.h"

#include "move/cuda/table/threads.cuh"
#include "move/kernels/bucket/bucket_cell.h"

/* ---------------------------------------------------------------- chunks */

static __device__ __forceinline__ bool is_head(const bucket_sequence &q, uint32_t s) {
    return s % q.piece == 0 || q.at[s] >> q.unit_bits != q.at[s - 1] >> q.unit_bits;
}

static __global__ void mark_heads(const bucket_sequence q, uint32_t *__restrict__ heads) {
    const uint64_t s = thread_number();
    if (s < q.n) heads[s] = is_head(q, (uint32_t)s) ? 1 : 0;
}

cudaError_t bucket_steps_mark_heads(const bucket_sequence *q, uint32_t *heads, cudaStream_t stream) {
    mark_heads<<<blocks_for(q->n), THREADS, 0, stream>>>(*q, heads);
    return cudaGetLastError();
}

/* Chunks that begin before element `start`, the first of a piece or n. */
static __device__ __forceinline__ uint32_t chunks_before(const bucket_sequence &q, uint64_t start) {
    return start < q.n ? q.ordinal[start] - 1 : q.ordinal[q.n - 1];
}

static __global__ void count_chunks(const bucket_sequence q, uint64_t pieces,
                                    uint32_t *__restrict__ first_chunk, bucket_chunk_counts *counts) {
    const uint64_t p = thread_number();
    if (p >= pieces) return;
    const uint32_t first = chunks_before(q, p * q.piece), end = chunks_before(q, (p + 1) * q.piece);
    first_chunk[p] = first;
    atomicMax(&counts->most, end - first);
    if (p == pieces - 1) first_chunk[pieces] = counts->all = end;
}

cudaError_t bucket_steps_count_chunks(const bucket_sequence *q, uint32_t *first_chunk,
                                      bucket_chunk_counts *counts, cudaStream_t stream) {
    const uint64_t pieces = (q->n + q->piece - 1) / q->piece;
    count_chunks<<<blocks_for(pieces), THREADS, 0, stream>>>(*q, pieces, first_chunk, counts);
    return cudaGetLastError();
}

static __global__ void list_chunks(const bucket_sequence q, uint32_t *__restrict__ chunks) {
    const uint64_t s = thread_number();
    if (s < q.n && is_head(q, (uint32_t)s)) chunks[q.ordinal[s] - 1] = q.at[s] >> q.unit_bits;
}

cudaError_t bucket_steps_list_chunks(const bucket_sequence *q, uint32_t *chunks, cudaStream_t stream) {
    list_chunks<<<blocks_for(q->n), THREADS, 0, stream>>>(*q, chunks);
    return cudaGetLastError();
}

static __global__ void mark_again(uint32_t *__restrict__ chunks, uint64_t count, uint32_t *listed) {
    const uint64_t k = thread_number();
    if (k >= count) return;
    const uint32_t chunk = chunks[k], bit = 1u << chunk % 32;
    if ((atomicOr(&listed[chunk / 32], bit) & bit) != 0) chunks[k] = chunk | BUCKET_LISTED_AGAIN;
}

cudaError_t bucket_steps_mark_again(uint32_t *chunks, uint64_t count, uint32_t *listed, cudaStream_t stream) {
    mark_again<<<blocks_for(count), THREADS, 0, stream>>>(chunks, count, listed);
    return cudaGetLastError();
}

/* ---------------------------------------------------------------- orders */

/* Where element s is in the staged piece. Ordinals are modulo 2^32, and so is their difference. */
static __device__ __forceinline__ uint16_t staged(const bucket_sequence &q, uint32_t s) {
    const uint32_t at = q.at != nullptr ? q.at[s] : s;
    const uint32_t chunk =
        q.at != nullptr ? q.ordinal[s] - 1 - q.first_chunk[s / q.piece] : (s % q.piece) >> q.unit_bits;
    return (uint16_t)(riffle_bucket_cell(chunk) << q.unit_bits | (at & ((1u << q.unit_bits) - 1)));
}

static __global__ void key_pieces(const bucket_sequence q, uint64_t first, uint64_t count, uint32_t bucket,
                                  unsigned bucket_bits, uint32_t *__restrict__ keys,
                                  uint32_t *__restrict__ values) {
    const uint64_t k = thread_number();
    if (k >= count) return;
    const uint32_t s = (uint32_t)(first + k), piece = (uint32_t)k / q.piece;
    /* With one piece the shift may be by 32, which C leaves open. */
    keys[k] = (uint32_t)((uint64_t)piece << bucket_bits) | q.dest[s] / bucket;
    values[k] = s;
}

cudaError_t bucket_steps_key_pieces(const bucket_sequence *q, uint64_t first, uint64_t count, uint32_t bucket,
                                    unsigned bucket_bits, uint32_t *keys, uint32_t *values,
                                    cudaStream_t stream) {
    key_pieces<<<blocks_for(count), THREADS, 0, stream>>>(*q, first, count, bucket, bucket_bits, keys, values);
    return cudaGetLastError();
}

static __global__ void order_pieces(const bucket_sequence q, uint64_t first, uint64_t count,
                                    const uint32_t *__restrict__ sorted, uint16_t *__restrict__ order,
                                    uint32_t *__restrict__ dest) {
    const uint64_t k = thread_number();
    if (k >= count) return;
    const uint32_t s = sorted[k];
    order[first + k] = staged(q, s);
    dest[first + k] = q.dest[s];
}

cudaError_t bucket_steps_order_pieces(const bucket_sequence *q, uint64_t first, uint64_t count,
                                      const uint32_t *sorted, uint16_t *order, uint32_t *dest,
                                      cudaStream_t stream) {
    order_pieces<<<blocks_for(count), THREADS, 0, stream>>>(*q, first, count, sorted, order, dest);
    return cudaGetLastError();
}

static __global__ void order_last(const bucket_sequence q, uint16_t *__restrict__ order) {
    const uint64_t s = thread_number();
    if (s < q.n) order[q.dest[s]] = staged(q, (uint32_t)s);
}

cudaError_t bucket_steps_order_last(const bucket_sequence *q, uint16_t *order, cudaStream_t stream) {
    order_last<<<blocks_for(q->n), THREADS, 0, stream>>>(*q, order);
    return cudaGetLastError();
}

static __global__ void order_only(const bucket_sequence q, uint16_t *__restrict__ order) {
    const uint64_t i = thread_number();
    if (i < q.n) order[i] = staged(q, q.dest[i]);
}

cudaError_t bucket_steps_order_only(const bucket_sequence *q, uint16_t *order, cudaStream_t stream) {
    order_only<<<blocks_for(q->n), THREADS, 0, stream>>>(*q, order);
    return cudaGetLastError();
}

/* ------------------------------------------------------- the next sequence */

static __global__ void key_buckets(const uint32_t *__restrict__ dest, uint64_t n, uint32_t bucket,
                                   uint32_t *__restrict__ keys, uint32_t *__restrict__ values) {
    const uint64_t t = thread_number();
    if (t >= n) return;
    keys[t] = dest[t] / bucket;
    values[t] = (uint32_t)t;
}

cudaError_t bucket_steps_key_buckets(const uint32_t *dest, uint64_t n, uint32_t bucket, uint32_t *keys,
                                     uint32_t *values, cudaStream_t stream) {
    key_buckets<<<blocks_for(n), THREADS, 0, stream>>>(dest, n, bucket, keys, values);
    return cudaGetLastError();
}

static __global__ void gather(const uint32_t *__restrict__ from, const uint32_t *__restrict__ at, uint64_t n,
                              uint32_t *__restrict__ to) {
    const uint64_t s = thread_number();
    if (s < n) to[s] = from[at[s]];
}

cudaError_t bucket_steps_gather(const uint32_t *from, const uint32_t *at, uint64_t n, uint32_t *to,
                                cudaStream_t stream) {
    gather<<<blocks_for(n), THREADS, 0, stream>>>(from, at, n, to);
    return cudaGetLastError();
}
