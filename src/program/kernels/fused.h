/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the fused kernels take by value: where a tile lies, and a code that says what is done to it. A thread holds up
 * to 32 elements of a tile in registers. So a place in the tile is
 *
 *      | thread: warp, lane | register |
 *
 * in a basis that changes while the code runs. Places in memory count elements from a run's start, cells are bytes
 * of shared memory; each is a sum (XOR) of what the bits of the register's, the thread's and the tile's number
 * choose.
 *
 * The code is a list of instructions of 32-bit words. The first word has the instruction in its low byte, and
 * behind it what the instruction's line says. All threads do the same.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_FUSED_H
#define RIFFLE_PROGRAM_KERNELS_FUSED_H

#include <stdint.h>

enum {
    FUSED_HELD_BYTES = 128,  /* bytes that a thread holds, where elements have 4 bytes or more */
    FUSED_HELD_LOG2 = 5,     /* log2 of its elements, at most */
    FUSED_THREADS_LOG2 = 10, /* log2 of a block's threads */
    FUSED_TILES_LOG2 = 32,   /* log2 of a run's tiles */
    FUSED_CODE_WORDS = 880,
};

enum fused_instruction {
    FUSED_END,
    /* Another basis, by way of shared memory: put: cells by bits of the thread and of the register, and get: the
     * same. Bits say whether the whole block waits, or the warp alone: before | bit 8, after | bit 9. Where bit 10 is set, each
     * warp has cells of its own, and the vectors of its bits are not read. */
    FUSED_EXCHANGE,
    /* The register bits and as many lane bits, from the first on, change places: | before << 8. */
    FUSED_LANES,
    /* The last register bits and some warp bits change places: | before << 8 | how many << 16 | the first warp bit
     * << 24. */
    FUSED_WARPS,
    /* Where a thread has 32 registers and there are | bits << 16 of the warp: register bits become lane bits, the lanes'
     * last become the warp's, the warp's become the registers' last, and the lanes' first the registers' first:
     * | before << 8. */
    FUSED_CYCLE,
    /* Register bits 0 and | bit << 8 change places. */
    FUSED_TURN,
    /* MINMAX of registers that differ by the mask, the first having its highest bit 0: | mask << 16. */
    FUSED_ORDER,
    /* The same by several masks one after the other: | run << 8, a run of FUSED_RUNS. */
    FUSED_ORDERS,
    /* Pairs along register bits, one after the other from the lowest on: | op << 8 | set of bits << 16. */
    FUSED_ALONG,
    /* SCALE or NEGATE of each element: | op << 8, and the parameter's two words. */
    FUSED_EACH,
    /* Between the two elements of each pair, where pairs are held: | op << 8. */
    FUSED_WITHIN,
    /* ROTATE_BUTTERFLY along register bit | bit << 16: k of the root, an index, and for each pair of registers the
     * factor's two parts (of doubles two words each) by which its root differs from its thread's. */
    FUSED_TWIDDLE,
    /* Groups along the first register bits: | op << 8 | bits << 16 | conditions << 20 | is indexed << 28, the
     * parameter's two words, a functional for each bit, for each condition, and an index. */
    FUSED_GROUP,
};

/* Runs of masks that networks often have, for 32 registers and for 16, longer ones before their parts: code for a run
 * keeps what it does in registers between masks, and takes one branch. */
#define FUSED_RUNS(RUN)                                                                                        \
    RUN(0, 16, 24, 8, 28, 12, 4, 30, 14, 6, 2, 31, 15, 7, 3, 1)                                                \
    RUN(1, 8, 12, 4, 14, 6, 2, 15, 7, 3, 1)                                                                    \
    RUN(2, 31, 15, 7, 3, 1)                                                                                    \
    RUN(3, 1, 31, 15, 7, 3)                                                                                    \
    RUN(4, 3, 1, 31, 15, 7)                                                                                    \
    RUN(5, 7, 3, 1, 31, 15)                                                                                    \
    RUN(6, 15, 7, 3, 1, 31)                                                                                    \
    RUN(7, 31, 8, 4, 2, 1)                                                                                     \
    RUN(8, 16, 8, 4, 2, 1)                                                                                     \
    RUN(9, 15, 7, 3, 1)                                                                                        \
    RUN(10, 1, 15, 7, 3)                                                                                       \
    RUN(11, 3, 1, 15, 7)                                                                                       \
    RUN(12, 7, 3, 1, 15)                                                                                       \
    RUN(13, 8, 4, 2, 1)                                                                                        \
    RUN(14, 28, 12, 4)                                                                                         \
    RUN(15, 7, 3, 1)                                                                                           \
    RUN(16, 16, 8, 4)

/* A functional is three words: its value by the register's number (bit r for register r); bits of the thread's
 * number with which it changes; bits of the tile's number.
 * An index is its constant; what each bit of the thread adds, and of the register; how many bits of the tile's number
 * add to it, a multiple of FUSED_INDEX_STEP, and what each of them adds. */
enum {
    FUSED_FUNCTIONAL_WORDS = 3,
    FUSED_INDEX_WORDS = 2 + FUSED_THREADS_LOG2 + FUSED_HELD_LOG2, /* and the tile's */
    FUSED_INDEX_STEP = 8,
    FUSED_EXCHANGE_WORDS = 1 + 2 * (FUSED_THREADS_LOG2 + FUSED_HELD_LOG2),
};

enum fused_op {
    FUSED_MINMAX,
    FUSED_BUTTERFLY,
    FUSED_ADD,
    FUSED_SUBTRACT,
    FUSED_XOR,
    FUSED_SWAP,
    FUSED_ROTATE,
    FUSED_ROTATE_BUTTERFLY,
    FUSED_SCALE,
    FUSED_NEGATE,
    FUSED_OWN, /* and behind: users', by their number */
};

enum fused_access {
    FUSED_SOME,    /* the first registers one by one: for a small tile */
    FUSED_SINGLES, /* all registers one by one */
    FUSED_VECTORS, /* registers that differ in the first bits are 16 neighbouring bytes */
};

/* One side of a tile, reading or writing. */
typedef struct fused_side {
    uint32_t access;
    uint32_t origin;
    uint32_t thread[FUSED_THREADS_LOG2];
    uint32_t held[FUSED_HELD_LOG2];
    uint32_t tile[FUSED_TILES_LOG2];
} fused_side;

typedef struct fused_table {
    uint64_t stride;    /* bytes from one run to the next */
    uint32_t tile_bits; /* a run has 2^tile_bits tiles */
    uint32_t held;      /* elements of a thread, fewer than it could hold where a tile is so small */
    uint32_t ahead;     /* each block fetches early what this many blocks after it reads; 0: nothing */
    uint32_t line[FUSED_THREADS_LOG2]; /* where a thread's line lies then, as sides have places */
    uint32_t code[FUSED_CODE_WORDS];
    fused_side read, write;
} fused_table;

#endif
