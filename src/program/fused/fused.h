/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass of a compiled program as launches of a fused kernel, for arrays that lie one behind the other. Mostly it is one
 * launch. There are more where a pass has more stages than a launch's code can say, and for what is left of the
 * arrays where several make a tile.
 */
#ifndef RIFFLE_PROGRAM_FUSED_FUSED_H
#define RIFFLE_PROGRAM_FUSED_FUSED_H

#include "program/kernels/kernel.h"
#include "program/pass.h"

/** One launch. Addresses are multiples of `alignment`. */
typedef struct fused_launch {
    const fused_kernel *kernel;
    size_t elem_bytes;
    bool reads_src;      /**< else it reads what it writes, dst */
    uint64_t first_byte; /**< where both arrays begin */
    uint64_t blocks;
    unsigned threads;
    size_t shared_bytes, alignment;
    bool has_lines; /**< a tile is read in whole lines of 128 bytes, as many as there are threads */
    fused_table table;
} fused_launch;

typedef struct fused_launches {
    size_t count, capacity;
    fused_launch *launches;
} fused_launches;

enum {
    FUSED_MAX_BITS = 32,        /**< bits of the index in an array */
    FUSED_ALONE_THREADS = 1024, /**< threads of a block that a multiprocessor has one of at a time */
};

/** The sizes of a tile that a fused kernel can have: elements of unit_bits (log2 of bytes), log2. */
unsigned fused_most_tile_bits(unsigned unit_bits);

/** Appends the launches of a pass for `count` arrays; the first pass reads src, which may be dst if it does not move.
 *  *out begins zeroed and is to be given to fused_launches_free.
 *  RIFFLE_ERROR_UNSUPPORTED for arrays of more than 2^FUSED_MAX_BITS elements, for launches of more blocks than there
 *  are, and for single stages that are too long. */
riffle_status fused_lower(const program_pass *pass, riffle_type type, uint64_t count, bool is_first,
                          fused_launches *out);

/** Has blocks of FUSED_ALONE_THREADS fetch early what blocks read that begin soon: while such a block computes, no other would read. For a GPU with so many multiprocessors. */
void fused_fetch_early(fused_launches *launches, unsigned multiprocessors);

void fused_launches_free(fused_launches *launches);

#endif
