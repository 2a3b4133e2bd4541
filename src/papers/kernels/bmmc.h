/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the BMMC paper's kernels take by value. Where the paper generates code for each permutation, these look up
 * what each part of a thread's place contributes (papers/schedules/bmmc.h has the words):
 *
 *     place       read index          write index               cell in the tile
 *     block       runs of its bits    write_block, 4 bits each
 *     warp        warp[].read         warp[].write              its row; shift[] on the way out
 *     lane        the lane            lane_write, or in lane    the lane; in lane on the way out
 *     tile        tile[].read         tile[].write              whole tiles
 *
 * The first three contributions to the write index and to cells are added by XOR, distances of tiles as
 * numbers. The complement is in warp[].write.
 */
#ifndef RIFFLE_PAPERS_KERNELS_BMMC_H
#define RIFFLE_PAPERS_KERNELS_BMMC_H

#include <stdint.h>

enum {
    BMMC_TABLE_LANE_BITS = 5, /* bits of a lane of a warp of 32; a block has as many warps at most */
    BMMC_TABLE_WARPS = 1 << BMMC_TABLE_LANE_BITS,
    BMMC_TABLE_TILES = 8,  /* tiles of a block */
    BMMC_TABLE_GROUPS = 8, /* groups of bits of the block's number, which is below 2^31 */
    BMMC_TABLE_GROUP_BITS = 4,
    BMMC_TABLE_RUNS = BMMC_TABLE_LANE_BITS + 1, /* between and around the row bits */
    BMMC_TABLE_SHIFT_AT = 16,                   /* in bmmc_table.lane */
    BMMC_TABLE_INDEX_AT = 24,
};

typedef struct bmmc_table {
    /** For each value of each group of bits of the block's number. */
    uint64_t write_block[BMMC_TABLE_GROUPS][1 << BMMC_TABLE_GROUP_BITS];
    struct {
        uint64_t read, write;
    } warp[BMMC_TABLE_WARPS];
    /** Bytes from the block's first tile to each. */
    struct {
        int64_t read, write;
    } tile[BMMC_TABLE_TILES];
    /** For each bit of the lane; of the naive kernel. */
    uint64_t lane_write[BMMC_TABLE_LANE_BITS];
    /** For each bit of the lane, of the others, on the way out: its cell from bit 0 on, the shift of its row of
     *  the tile from BMMC_TABLE_SHIFT_AT on, the write index from BMMC_TABLE_INDEX_AT on. */
    uint32_t lane[BMMC_TABLE_LANE_BITS];
    /** Bits of the block's number that stay neighbours in the read index, and the power of two that brings them
     *  there. */
    uint32_t run_bits[BMMC_TABLE_RUNS], run_factor[BMMC_TABLE_RUNS];
    /** Shift of each row of the tile; the same number is the cell that a warp adds on the way out. */
    uint8_t shift[BMMC_TABLE_WARPS];
} bmmc_table;

#endif
