/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of permutations in device memory: checked, shortened, written out, inverted, recognized there. Entries
 * are unsigned, of 4 bytes where n <= 2^32, else of 8, as in perm/table.c. Functions belong to the current
 * device, queue on a stream and wait for it; a table that they make is device memory that cudaFree gives back,
 * and NULL for n = 0.
 */
#ifndef RIFFLE_MOVE_CUDA_TABLE_TABLE_H
#define RIFFLE_MOVE_CUDA_TABLE_TABLE_H

#include "models/line_reads.h"
#include "perm/perm.h"

struct CUstream_st;

/** A table on the device. */
typedef struct cuda_table {
    void *entries;
    uint64_t n;
    size_t entry_bytes;
} cuda_table;

/** Copies `entries`, device memory of n entries of given_bytes (4 or 8), after checking that they are a
 *  permutation. RIFFLE_ERROR_NOT_A_PERMUTATION names the first entry that is not below n, or the first index
 *  that repeats a value and the one that has it before, in the words of riffle_perm_table_u32. */
riffle_status cuda_table_take(uint64_t n, const void *entries, size_t given_bytes, struct CUstream_st *stream,
                              cuda_table *out);

/** Device memory that cuda_table_take needs at most, the table that it makes included. */
size_t cuda_table_take_bytes(uint64_t n);

/** Writes out `perm`, or its inverse: computed on the device for a random one, else evaluated on the host and
 *  copied; a table is copied, and inverted on the device. */
riffle_status cuda_table_write(const riffle_perm *perm, bool inverse, struct CUstream_st *stream,
                               cuda_table *out);

/** Device memory that cuda_table_write needs at most. */
size_t cuda_table_write_bytes(const riffle_perm *perm, bool inverse);

/** A copy of a table. */
riffle_status cuda_table_copy(const cuda_table *table, struct CUstream_st *stream, cuda_table *out);

/** The inverse of a table that is a permutation. */
riffle_status cuda_table_invert(const cuda_table *table, struct CUstream_st *stream, cuda_table *out);

/** The permutation in structured form where the table is a rotation, a reflection or affine, else *out is NULL.
 *  Reads the whole table only where a few entries have not ruled both out. */
riffle_status cuda_table_recognize(const cuda_table *table, struct CUstream_st *stream, riffle_perm **out);

/** Copies entries first..first+count-1 to the host, as 8-byte numbers. */
riffle_status cuda_table_fetch(const cuda_table *table, uint64_t first, size_t count, uint64_t *out);

/** Copies to the host what the table, or its inverse, has for a sample of indices (models/line_reads.h). The
 *  inverse is not made: one look at all entries finds it there. */
riffle_status cuda_table_sample(const cuda_table *table, bool inverse, const line_sample *sample,
                                struct CUstream_st *stream, uint64_t *out);

void cuda_table_free(cuda_table *table);

#endif
