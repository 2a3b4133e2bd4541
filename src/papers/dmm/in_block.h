/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMM paper's moves in shared memory (papers/kernels/in_block.cu), made ready for a device: their tables and their launch.
 */
#ifndef RIFFLE_PAPERS_DMM_IN_BLOCK_H
#define RIFFLE_PAPERS_DMM_IN_BLOCK_H

#include "device/device.h"
#include "riffle.h"

enum { IN_BLOCK_TABLES = 2 };

/** A move. The arrays are the caller's, who fills in both. */
typedef struct in_block_move {
    device on;
    riffle_algorithm algorithm;
    size_t elem_bytes, shared_bytes;
    unsigned tables, blocks, threads;
    uint32_t n, cells; /**< cells: n in whole warps */
    void *dst;
    const void *src;
    uint16_t *host[IN_BLOCK_TABLES];  /**< p, q, or s and d; the first stands for the allocation */
    uint16_t *table[IN_BLOCK_TABLES]; /**< the same on the device */
} in_block_move;

/** Refuses algorithms, elements and numbers of blocks that there are not. */
riffle_status in_block_check(riffle_algorithm algorithm, size_t elem_bytes, unsigned blocks);

/** Shapes the launch for a device with such limits, without its tables. RIFFLE_ERROR_UNSUPPORTED where a block's shared memory does
 *  not hold an array, its result and the tables. */
riffle_status in_block_shape(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm,
                             const device *on, const device_limits *limits, in_block_move *out);

/** Makes the tables, for banks of that number, and brings them to the device. in_block_end frees them, whatever is returned. */
riffle_status in_block_bring(const riffle_perm *perm, unsigned width, in_block_move *work);
void in_block_end(in_block_move *work);

/** Appends the launch that moves so often. */
void in_block_append(const in_block_move *work, uint64_t repetitions, launch_list *out);

#endif
