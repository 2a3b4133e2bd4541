/* SPDX-License-Identifier: Apache-2.0
 *
 * Which blocks of a launch are counted: all while they are few enough, else one of each stretch of blocks, at a place drawn in it:
 *
 *     | x       |     x   |       x |  x      |        as long as the accesses left suffice for, by the mean of the blocks before
 *
 * The first is block 0. Nothing but the blocks before tells which come next, so that every run counts the same ones. Stretches have unlike
 * lengths, so each block that is counted stands for as many as its stretch has: sums with these as weights are estimates of all blocks'
 * without a bias. Where accesses are used up one more block is counted, which stands for the rest.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LIMITS_SAMPLE_H
#define RIFFLE_MACHINE_RUNTIME_LIMITS_SAMPLE_H

#include <stdint.h>

typedef struct block_sample {
    uint64_t pick, length; /**< of the stretch that runs: the block that is counted, and of how many */
    uint64_t end;          /**< the first of the next one */
} block_sample;

/** What has been counted of a launch, and may be. */
typedef struct sample_spent {
    uint64_t accesses, blocks;
    uint64_t left; /**< accesses that all of its blocks may make */
} sample_spent;

/** How many blocks the one stands for whose turn it is, of `turns`: they come in their order. 0 if it is not counted. */
uint64_t sample_weight(block_sample *s, uint64_t turn, uint64_t turns, const sample_spent *spent);

#endif
