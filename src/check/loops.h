/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop that checks on the host are made of, for each set of vector instructions: words at places, added to two sums (hash.h).
 */
#ifndef RIFFLE_CHECK_LOOPS_H
#define RIFFLE_CHECK_LOOPS_H

#include "base/processor/vectors.h"
#include "check/kernels/hash.h"

/** Words and the lower halves of their places, which have one upper half. */
typedef struct check_words {
    const char *words;      /**< each has 32 bits; at any address */
    const uint32_t *places; /**< NULL: they count up from `place` */
    uint32_t place;         /**< `count` words behind it, places stay below 2^32 */
    uint32_t upper;
    size_t count;
} check_words;

typedef void check_loop(check_sums *sums, const check_words *of);

check_loop check_loop_portable;
#if defined(__x86_64__)
check_loop check_loop_avx2;
#endif

/** By set; NULL where none is written. */
extern check_loop *const check_loop_of[VECTOR_SETS];

/** By the best set that may run. */
check_loop *check_loop_best(void);

#endif
