/* SPDX-License-Identifier: Apache-2.0
 *
 * The shapes of launches, for kernels and for who launches them.
 */
#ifndef RIFFLE_BITS_KERNELS_SHAPE_H
#define RIFFLE_BITS_KERNELS_SHAPE_H

enum {
    BITS_WARPS = 8,
    BITS_THREADS = 32 * BITS_WARPS,
    BITS_RUN = 1024,           /* elements that a warp has in hand, of one byte each: 32 a lane */
    BITS_GATHER_THREADS = 256, /* a byte each */
};

/* Runs of a tile, for columns of so many bytes: a warp for each byte of each run. */
#define BITS_RUNS(column_bytes) (BITS_WARPS / (column_bytes))
/* Bytes from one run's in shared memory to the next one's: a word more for every 32 elements, so that lanes meet different banks. */
#define BITS_SHARED_RUN(column_bytes) ((BITS_RUN * (column_bytes)) + 32 * 4)

#endif
