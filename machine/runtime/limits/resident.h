/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that an H200 has under way at once, as cudaOccupancyMaxActiveBlocksPerMultiprocessor counts them: by threads, blocks and shared memory
 * of a multiprocessor. The machine knows no registers.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LIMITS_RESIDENT_H
#define RIFFLE_MACHINE_RUNTIME_LIMITS_RESIDENT_H

#include <stddef.h>
#include <stdint.h>

enum {
    RESIDENT_MULTIPROCESSORS = 132,
    RESIDENT_THREADS = 2048,
    RESIDENT_BLOCKS = 32,
    RESIDENT_SHARED_BYTES = 228 << 10,
    RESIDENT_SHARED_RESERVED = 1 << 10, /* for each block */
};

/** Blocks of a multiprocessor; 0: not even one. */
static inline unsigned resident_of_one(unsigned threads, size_t shared_bytes) {
    const size_t by_shared = RESIDENT_SHARED_BYTES / (shared_bytes + RESIDENT_SHARED_RESERVED);
    size_t most = RESIDENT_THREADS / threads;
    if (most > by_shared) most = by_shared;
    return (unsigned)(most < RESIDENT_BLOCKS ? most : RESIDENT_BLOCKS);
}

/** Blocks of the device; at least 1. */
static inline uint64_t resident_blocks(unsigned threads, size_t shared_bytes) {
    const unsigned most = resident_of_one(threads, shared_bytes);
    return (uint64_t)RESIDENT_MULTIPROCESSORS * (most > 0 ? most : 1);
}

#endif
