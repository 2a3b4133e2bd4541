/* SPDX-License-Identifier: Apache-2.0
 *
 * Which blocks of a launch are counted: all while they are few enough, else one of each stretch of blocks, at a place drawn in it:
 *
 *     | x       |     x   |       x |  x      |        as long as the accesses left suffice for, by the mean of the blocks before
 *
 * The first is block 0. Nothing but the blocks before tells which come next, so that every run counts the same ones.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LIMITS_SAMPLE_H
#define RIFFLE_MACHINE_RUNTIME_LIMITS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct block_sample {
    uint64_t pick, end; /**< of the stretch that runs: the block that is counted, and the first of the next one */
} block_sample;

/** What has been counted of a launch, and may be. */
typedef struct sample_spent {
    uint64_t accesses, blocks;
    uint64_t left; /**< accesses that all of its blocks may make */
} sample_spent;

/** True if the block is counted whose turn it is, of `turns`: they come in their order. */
bool sample_takes(block_sample *s, uint64_t turn, uint64_t turns, const sample_spent *spent);

#endif
