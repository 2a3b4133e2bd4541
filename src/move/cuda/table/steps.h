/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of table.c that a thread does for each entry. Arrays are on the device, entries have 4 or 8 bytes;
 * a step is one kernel, queued on `stream`, and returns whether it could be launched. Counts are at least 1.
 */
#ifndef RIFFLE_MOVE_CUDA_TABLE_STEPS_H
#define RIFFLE_MOVE_CUDA_TABLE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "base/feistel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** n entries as they lie in memory. */
typedef struct table_entries {
    const void *entries;
    size_t entry_bytes;
    uint64_t n;
} table_entries;

/** Copies entries below `limit` to `to`, of to_bytes an entry, and lowers *first_bad to the first index of
 *  another. */
cudaError_t table_steps_copy(const table_entries *from, uint64_t limit, void *to, size_t to_bytes,
                             uint64_t *first_bad, cudaStream_t stream);

/** Sets the bit of each entry; all of them are below the number of bits. */
cudaError_t table_steps_mark(const table_entries *table, uint32_t *bits, cudaStream_t stream);

/** Adds the number of bits that are set to *sum. */
cudaError_t table_steps_count_bits(const uint32_t *bits, uint64_t words, uint64_t *sum, cudaStream_t stream);

/** Lowers *first to the first index of `value`. */
cudaError_t table_steps_find(const table_entries *table, uint64_t value, uint64_t *first, cudaStream_t stream);

/** to[entries[i]] = i, in entries as long. */
cudaError_t table_steps_invert(const table_entries *table, void *to, cudaStream_t stream);

/** values[k] = entries[indices[k]], in 8 bytes. */
cudaError_t table_steps_pick(const table_entries *table, const uint64_t *indices, uint64_t *values,
                             unsigned count, cudaStream_t stream);

/** Lines of a table's indices, as many elements each; line k begins with index k * step * elements. */
typedef struct table_lines {
    uint64_t step;
    unsigned lines, elements;
} table_lines;

/** values[k * elements + j] = the entry of element j of line k, in 8 bytes. */
cudaError_t table_steps_pick_lines(const table_entries *table, const table_lines *lines, uint64_t *values,
                                   cudaStream_t stream);

/** The same of the table's inverse: where the table has element j of line k. */
cudaError_t table_steps_seek_lines(const table_entries *table, const table_lines *lines, uint64_t *indices,
                                   cudaStream_t stream);

/** Sets *differs if the table is not i -> offset + i, or offset - i where reflected, mod n. */
cudaError_t table_steps_compare_rotation(const table_entries *table, bool reflected, uint64_t offset,
                                         uint32_t *differs, cudaStream_t stream);

/** A matrix over GF(2) by columns, and zeros behind them. */
enum { TABLE_STEPS_COLUMNS = 40 };
typedef struct table_affine {
    uint64_t c, column[TABLE_STEPS_COLUMNS];
} table_affine;

/** Sets *differs if the table is not i -> a i + c. */
cudaError_t table_steps_compare_affine(const table_entries *table, const table_affine *affine,
                                       uint32_t *differs, cudaStream_t stream);

/** The random permutation of n >= 2 indices that this network computes, as n entries. `swap` is that of
 *  random.c, and `inverted` says that the network is an inverse. */
cudaError_t table_steps_random(const feistel *net, bool inverted, uint32_t swap, uint64_t n, void *entries,
                               size_t entry_bytes, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
