/* SPDX-License-Identifier: Apache-2.0
 *
 * Where bucket passes put a chunk of 16 bytes in shared memory: chunks change places within rows of 128 bytes,
 * which all banks share, by what the row's number says. So elements whose distance is a power of two, as along
 * bit reversal, lie in eight columns and not in one. Planners and kernels agree on it.
 */
#ifndef RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_CELL_H
#define RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_CELL_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKET_ROW_CHUNKS = 8 };

#ifdef __CUDACC__
#define BUCKET_CELL_BOTH __host__ __device__
#else
#define BUCKET_CELL_BOTH
#endif

/** The cell, in chunks, of the chunk that comes ordinal-th in its piece, below 2^15: the ordinal with its
 *  lowest octal digit replaced by the sum (XOR) of all its octal digits. */
BUCKET_CELL_BOTH static inline uint32_t riffle_bucket_cell(uint32_t ordinal) {
    uint32_t row = ordinal / BUCKET_ROW_CHUNKS;
    row ^= row >> 6;
    row ^= row >> 3;
    return ordinal ^ (row & (BUCKET_ROW_CHUNKS - 1));
}

/** A chunk of several elements that another piece has listed too, and takes, in a list of a check's. */
#define BUCKET_LISTED_AGAIN UINT32_C(0x80000000)

/** The chunk of an entry of a list, of chunks of so many elements: a chunk of one has all 32 bits. */
BUCKET_CELL_BOTH static inline uint32_t riffle_bucket_chunk(uint32_t entry, uint32_t units) {
    return units > 1 ? entry & ~BUCKET_LISTED_AGAIN : entry;
}
BUCKET_CELL_BOTH static inline bool riffle_bucket_is_again(uint32_t entry, uint32_t units) {
    return units > 1 && (entry & BUCKET_LISTED_AGAIN) != 0;
}

#undef BUCKET_CELL_BOTH

#endif
