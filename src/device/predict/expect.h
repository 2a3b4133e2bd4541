/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of a launch of random data: each place in a kernel's code, how often a warp comes there at most, and
 * the stages of all warps. Sums are of means, so that no number is more than near; docs/machine.md says how near.
 */
#ifndef RIFFLE_DEVICE_PREDICT_EXPECT_H
#define RIFFLE_DEVICE_PREDICT_EXPECT_H

#include "device/predict/pattern.h"
#include "device/predict/predict.h"

typedef struct expectation {
    pattern *p;
    uint64_t blocks; /**< blocks that have something to do */
    unsigned sites;  /**< so far */
} expectation;

/** All that is added is expected, unless the launch does not depend on data. */
expectation expect_begin(pattern *p, uint64_t blocks, bool is_exact);

/** Adds a place: `warps` accesses of warps, in so many rounds, each of which takes `each` stages. Nothing where there are none. */
void expect_add(expectation *e, pattern_space space, pattern_op op, double rounds, double warps, double each);

/** The same of global memory, and of shared memory without conflicts. */
static inline void expect_global(expectation *e, pattern_op op, double rounds, double warps, double each) {
    expect_add(e, PATTERN_GLOBAL, op, rounds, warps, each);
}

static inline void expect_shared(expectation *e, pattern_op op, double rounds, double warps) {
    expect_add(e, PATTERN_SHARED, op, rounds, warps, 1);
}

#endif
