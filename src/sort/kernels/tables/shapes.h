/* SPDX-License-Identifier: Apache-2.0
 *
 * How long tiles, samples and leaves are, and the blocks that do them: kernels are made for these sizes, and launched with
 * them. There is no other place that knows them. For C and for kernels.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_SHAPES_H
#define RIFFLE_SORT_KERNELS_TABLES_SHAPES_H

#include "sort/kernels/tables/common.h"

enum {
    SORT_SAMPLE_SIZES = 3,
    SORT_LEAF_SIZES = 6, /* launches for leaves of different lengths, from the shortest on */
    SORT_LEAF_THREADS = 128,
    SORT_JOIN_SIZES = 2,             /* launches for strips of different lengths */
    SORT_TEAM_LEAD = 16,             /* bytes before the shared memory of a block's teams */
    SORT_BLOCK_BYTES = 1 << 10,      /* bytes of shared memory that a block takes besides its own */
    SORT_RESIDENT_BYTES = 228 << 10, /* shared memory and registers of a multiprocessor of an H200 */
    SORT_RESIDENT_REGISTERS = 64 << 10,
};

SORT_FUNCTION uint32_t sort_aligned(uint32_t bytes) { return (bytes + 15) / 16 * 16; }

/* ------------------------------------------------------------------- samples */

/** Keys of a thread, and all of them, in the launch for samples of that size. */
SORT_FUNCTION uint32_t sort_sample_each(unsigned size) { return 2u << size; }

SORT_FUNCTION uint32_t sort_sample_most(unsigned size) { return sort_sample_each(size) * SORT_SAMPLE_THREADS; }

/** The first size for so many samples, or the last one. */
SORT_FUNCTION unsigned sort_sample_size(uint32_t samples) {
    unsigned size = 0;
    while (size + 1 < SORT_SAMPLE_SIZES && sort_sample_most(size) < samples) size++;
    return size;
}

/** Bytes of splitters and their guide (sort_guide.h). */
SORT_FUNCTION uint32_t sort_guide_bytes(uint32_t key_bytes, uint32_t levels, uint32_t cell_bits) {
    return (key_bytes << levels) + (2u << cell_bits) + 16;
}

/* --------------------------------------------------------------------- tiles */

/** Keys that a block counts at a time. */
SORT_FUNCTION uint32_t sort_count_tile(uint32_t key_bytes) {
    return SORT_COUNT_THREADS * (SORT_COUNT_BYTES / key_bytes);
}

/** Keys that a block moves at a time, and its threads. */
SORT_FUNCTION uint32_t sort_move_tile(uint32_t key_bytes) { return key_bytes == 16 ? 4096 : 8192; }

SORT_FUNCTION uint32_t sort_move_threads(uint32_t key_bytes, bool carries) {
    return !carries && key_bytes == 4 ? 512 : 1024;
}

/** Bytes of what is staged of a tile (sort_tile.h), where the ranks of keys are counted before: by each warp, where
 *  something is carried. */
SORT_FUNCTION uint32_t sort_staged_bytes(uint32_t key_bytes, bool carries, uint32_t row) {
    const uint32_t keys = sort_move_tile(key_bytes) * key_bytes;
    const uint32_t counts = sort_aligned(sort_move_threads(key_bytes, carries) / WARP_LANES * row * 2);
    return carries && counts > keys ? counts : keys;
}

/* -------------------------------------------------------------------- leaves */

/** Sizes of leaves: the longest of 16 bytes would have more shared memory than a block of some GPUs. */
SORT_FUNCTION unsigned sort_leaf_sizes(uint32_t key_bytes) {
    return key_bytes == 16 ? SORT_LEAF_SIZES - 1 : SORT_LEAF_SIZES;
}

/** Keys of a lane, warps of a team, and keys of a leaf that it sorts at most. */
SORT_FUNCTION uint32_t sort_leaf_each(unsigned size) { return size == 0 ? 16 : size == 1 ? 24 : 32; }

SORT_FUNCTION uint32_t sort_leaf_warps(unsigned size) { return size < 3 ? 1 : 1u << (size - 2); }

SORT_FUNCTION uint32_t sort_leaf_most(unsigned size) {
    return sort_leaf_warps(size) * sort_leaf_each(size) * WARP_LANES;
}

/** Threads of a block, of one team or of several, and how many. */
SORT_FUNCTION uint32_t sort_leaf_threads(unsigned size) {
    return sort_leaf_warps(size) > 1 ? sort_leaf_warps(size) * WARP_LANES : (uint32_t)SORT_LEAF_THREADS;
}

SORT_FUNCTION uint32_t sort_leaf_teams(unsigned size) {
    return sort_leaf_threads(size) / (sort_leaf_warps(size) * WARP_LANES);
}

/** Bytes of shared memory of lanes that sort that many keys at most: keys to be turned, or a leaf and its order (sort_order.h). */
SORT_FUNCTION uint32_t sort_lanes_bytes(uint32_t key_bytes, bool carries, uint32_t lanes, uint32_t most) {
    const uint32_t order = most + most / WARP_LANES + SORT_JOINED;
    const uint32_t exchanged = lanes > WARP_LANES ? lanes * SORT_AT_ONCE : 0;
    if (!carries && key_bytes == 4) return (most + lanes) * 4;
    return most * key_bytes + sort_aligned(((carries ? most : 0) + order + exchanged) * 4);
}

/** The bytes of a team. */
SORT_FUNCTION uint32_t sort_team_bytes(uint32_t key_bytes, bool carries, unsigned size) {
    return sort_lanes_bytes(key_bytes, carries, sort_leaf_warps(size) * WARP_LANES, sort_leaf_most(size));
}

SORT_FUNCTION uint32_t sort_leaf_bytes(uint32_t key_bytes, bool carries, unsigned size) {
    return SORT_TEAM_LEAD + sort_leaf_teams(size) * sort_team_bytes(key_bytes, carries, size);
}

/** Blocks of a multiprocessor: as many as shared memory and registers hold, where a lane takes those for what it reads and
 *  some more. */
SORT_FUNCTION uint32_t sort_leaf_blocks(uint32_t key_bytes, bool carries, unsigned size) {
    const uint32_t by_shared =
        SORT_RESIDENT_BYTES / (SORT_BLOCK_BYTES + sort_leaf_bytes(key_bytes, carries, size));
    const uint32_t registers = 24 + sort_leaf_each(size) * (key_bytes / 4 + (carries ? 1 : 0));
    const uint32_t by_registers = SORT_RESIDENT_REGISTERS / (sort_leaf_threads(size) * registers);
    return by_shared < by_registers ? by_shared : by_registers;
}

/** The blocks that registers are shared by: sums take some of their own where a lane has few. */
SORT_FUNCTION uint32_t sort_leaf_resident(uint32_t key_bytes, bool carries, bool is_summed, unsigned size) {
    const uint32_t blocks = sort_leaf_blocks(key_bytes, carries, size);
    return is_summed && key_bytes == 4 && !carries && blocks > 1 ? blocks - 1 : blocks;
}

/* ------------------------------------------------------- few keys, joined of strips */

/** Warps and threads of a block in the launches of that size, and keys of a strip. */
SORT_FUNCTION uint32_t sort_join_warps(unsigned size) { return 8u << size; }

SORT_FUNCTION uint32_t sort_join_threads(unsigned size) { return sort_join_warps(size) * WARP_LANES; }

SORT_FUNCTION uint32_t sort_strip(unsigned size) { return sort_join_threads(size) * SORT_JOIN_EACH; }

/** Bytes of shared memory of a block that sorts a strip, or a part of all. */
SORT_FUNCTION uint32_t sort_strip_bytes(uint32_t key_bytes, bool carries, unsigned size) {
    return sort_lanes_bytes(key_bytes, carries, sort_join_threads(size), sort_strip(size));
}

/* ------------------------------------------------- short leaves, several in a warp */

/** Keys of a lane, and of a warp. */
SORT_FUNCTION uint32_t sort_short_each(uint32_t key_bytes, bool carries) {
    return key_bytes > 4 || carries ? 8 : 16;
}

SORT_FUNCTION uint32_t sort_short_most(uint32_t key_bytes, bool carries) {
    return WARP_LANES * sort_short_each(key_bytes, carries);
}

/** Bytes of shared memory that a warp has: keys with a gap a row, what goes along likewise, and a word a lane. */
SORT_FUNCTION uint32_t sort_short_bytes(uint32_t key_bytes, bool carries) {
    const uint32_t cells = sort_short_most(key_bytes, carries) + WARP_LANES;
    return cells * key_bytes + ((carries ? cells : 0) + WARP_LANES) * 4;
}

#endif
