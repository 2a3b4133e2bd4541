/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cuda/table/steps.h"

#include "move/cuda/table/threads.cuh"

/* atomicMin and atomicAdd know no uint64_t, which is another type of the same length. */
static __device__ __forceinline__ unsigned long long *counter(uint64_t *at) { return (unsigned long long *)at; }

/* ------------------------------------------------------------------ taking */

template <class given, class entry>
static __global__ void copy(const given *__restrict__ from, uint64_t n, uint64_t limit, entry *__restrict__ to,
                            uint64_t *first_bad) {
    const uint64_t i = thread_number();
    if (i >= n) return;
    const given value = from[i];
    if (value < limit)
        to[i] = (entry)value;
    else
        atomicMin(counter(first_bad), (unsigned long long)i);
}

template <class given>
static void launch_copy(const table_entries *from, uint64_t limit, void *to, size_t to_bytes,
                        uint64_t *first_bad, cudaStream_t stream) {
    const given *entries = (const given *)from->entries;
    const unsigned blocks = blocks_for(from->n);
    if (to_bytes == 4)
        copy<<<blocks, THREADS, 0, stream>>>(entries, from->n, limit, (uint32_t *)to, first_bad);
    else
        copy<<<blocks, THREADS, 0, stream>>>(entries, from->n, limit, (uint64_t *)to, first_bad);
}

cudaError_t table_steps_copy(const table_entries *from, uint64_t limit, void *to, size_t to_bytes,
                             uint64_t *first_bad, cudaStream_t stream) {
    if (from->entry_bytes == 4)
        launch_copy<uint32_t>(from, limit, to, to_bytes, first_bad, stream);
    else
        launch_copy<uint64_t>(from, limit, to, to_bytes, first_bad, stream);
    return cudaGetLastError();
}

/* Nobody waits for what the word was before: these atomics only go out. */
template <class entry>
static __global__ void mark(const entry *__restrict__ entries, uint64_t n, uint32_t *bits) {
    const uint64_t i = thread_number();
    if (i < n) atomicOr(&bits[entries[i] / 32], 1u << (uint32_t)(entries[i] % 32));
}

cudaError_t table_steps_mark(const table_entries *table, uint32_t *bits, cudaStream_t stream) {
    const unsigned blocks = blocks_for(table->n);
    if (table->entry_bytes == 4)
        mark<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, table->n, bits);
    else
        mark<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, table->n, bits);
    return cudaGetLastError();
}

static __global__ void count_bits(const uint32_t *__restrict__ bits, uint64_t words, uint64_t *sum) {
    const uint64_t k = thread_number();
    const unsigned of_warp = __reduce_add_sync(0xffffffffu, k < words ? (unsigned)__popc(bits[k]) : 0u);
    if (threadIdx.x % 32 == 0) atomicAdd(counter(sum), (unsigned long long)of_warp);
}

cudaError_t table_steps_count_bits(const uint32_t *bits, uint64_t words, uint64_t *sum, cudaStream_t stream) {
    count_bits<<<blocks_for(words), THREADS, 0, stream>>>(bits, words, sum);
    return cudaGetLastError();
}

template <class entry>
static __global__ void find(const entry *__restrict__ entries, uint64_t n, uint64_t value, uint64_t *first) {
    const uint64_t i = thread_number();
    if (i < n && entries[i] == value) atomicMin(counter(first), (unsigned long long)i);
}

cudaError_t table_steps_find(const table_entries *table, uint64_t value, uint64_t *first, cudaStream_t stream) {
    const unsigned blocks = blocks_for(table->n);
    if (table->entry_bytes == 4)
        find<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, table->n, value, first);
    else
        find<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, table->n, value, first);
    return cudaGetLastError();
}

/* --------------------------------------------------------------- inverting */

template <class entry>
static __global__ void invert(const entry *__restrict__ entries, uint64_t n, entry *__restrict__ to) {
    const uint64_t i = thread_number();
    if (i < n) to[entries[i]] = (entry)i;
}

cudaError_t table_steps_invert(const table_entries *table, void *to, cudaStream_t stream) {
    const unsigned blocks = blocks_for(table->n);
    if (table->entry_bytes == 4)
        invert<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, table->n, (uint32_t *)to);
    else
        invert<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, table->n, (uint64_t *)to);
    return cudaGetLastError();
}

/* ------------------------------------------------------------- recognizing */

template <class entry>
static __global__ void pick(const entry *__restrict__ entries, const uint64_t *__restrict__ indices,
                            uint64_t *__restrict__ values, unsigned count) {
    const uint64_t k = thread_number();
    if (k < count) values[k] = entries[indices[k]];
}

cudaError_t table_steps_pick(const table_entries *table, const uint64_t *indices, uint64_t *values,
                             unsigned count, cudaStream_t stream) {
    const unsigned blocks = blocks_for(count);
    if (table->entry_bytes == 4)
        pick<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, indices, values, count);
    else
        pick<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, indices, values, count);
    return cudaGetLastError();
}

/* ---------------------------------------------------------------- sampling */

template <class entry>
static __global__ void pick_lines(const entry *__restrict__ entries, table_lines lines,
                                  uint64_t *__restrict__ values) {
    const uint64_t k = thread_number();
    if (k >= (uint64_t)lines.lines * lines.elements) return;
    values[k] = entries[k / lines.elements * lines.step * lines.elements + k % lines.elements];
}

cudaError_t table_steps_pick_lines(const table_entries *table, const table_lines *lines, uint64_t *values,
                                   cudaStream_t stream) {
    const unsigned blocks = blocks_for((uint64_t)lines->lines * lines->elements);
    if (table->entry_bytes == 4)
        pick_lines<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, *lines, values);
    else
        pick_lines<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, *lines, values);
    return cudaGetLastError();
}

/* Quotients are as long as entries, for long ones take a GPU long. */
template <class entry>
static __global__ void seek_lines(const entry *__restrict__ entries, uint64_t n, table_lines lines,
                                  uint64_t *__restrict__ indices) {
    const uint64_t i = thread_number();
    if (i >= n) return;
    const entry value = entries[i], step = (entry)lines.step, line = value / lines.elements;
    if (line % step == 0 && line / step < lines.lines)
        indices[line / step * lines.elements + value % lines.elements] = i;
}

cudaError_t table_steps_seek_lines(const table_entries *table, const table_lines *lines, uint64_t *indices,
                                   cudaStream_t stream) {
    const unsigned blocks = blocks_for(table->n);
    if (table->entry_bytes == 4)
        seek_lines<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, table->n, *lines, indices);
    else
        seek_lines<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, table->n, *lines, indices);
    return cudaGetLastError();
}

template <class entry>
static __global__ void compare_rotation(const entry *__restrict__ entries, uint64_t n, bool reflected,
                                        uint64_t offset, uint32_t *differs) {
    const uint64_t i = thread_number();
    if (i >= n) return;
    const uint64_t sum = reflected ? offset + n - i : offset + i; /* below 2 n, or 2 n - 1 + 1 at i = 0 */
    if (entries[i] != (sum >= n ? sum - n : sum)) *differs = 1;
}

cudaError_t table_steps_compare_rotation(const table_entries *table, bool reflected, uint64_t offset,
                                         uint32_t *differs, cudaStream_t stream) {
    const unsigned blocks = blocks_for(table->n);
    if (table->entry_bytes == 4)
        compare_rotation<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, table->n, reflected,
                                                         offset, differs);
    else
        compare_rotation<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, table->n, reflected,
                                                         offset, differs);
    return cudaGetLastError();
}

template <class entry>
static __global__ void compare_affine(const entry *__restrict__ entries, uint64_t n,
                                      const __grid_constant__ table_affine affine, uint32_t *differs) {
    const uint64_t i = thread_number();
    if (i >= n) return;
    entry image = (entry)affine.c;
    for (unsigned k = 0; i >> k != 0; k++)
        if (i >> k & 1) image ^= (entry)affine.column[k];
    if (entries[i] != image) *differs = 1;
}

cudaError_t table_steps_compare_affine(const table_entries *table, const table_affine *affine,
                                       uint32_t *differs, cudaStream_t stream) {
    const unsigned blocks = blocks_for(table->n);
    if (table->entry_bytes == 4)
        compare_affine<<<blocks, THREADS, 0, stream>>>((const uint32_t *)table->entries, table->n, *affine,
                                                       differs);
    else
        compare_affine<<<blocks, THREADS, 0, stream>>>((const uint64_t *)table->entries, table->n, *affine,
                                                       differs);
    return cudaGetLastError();
}
