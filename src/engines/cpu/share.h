/* SPDX-License-Identifier: Apache-2.0
 *
 * The calling thread's share of a loop over `count` items: one contiguous range, as even as may be.
 */
#ifndef RIFFLE_ENGINES_CPU_SHARE_H
#define RIFFLE_ENGINES_CPU_SHARE_H

#include <omp.h>
#include <stdint.h>

typedef struct share {
    uint64_t first, end;
} share;

/** To be called inside a parallel region. */
static inline share share_of(uint64_t count) {
    const uint64_t threads = (uint64_t)omp_get_num_threads(), me = (uint64_t)omp_get_thread_num();
    const uint64_t whole = count / threads, rest = count % threads;
    const uint64_t first = whole * me + (me < rest ? me : rest);
    return (share){first, first + whole + (me < rest ? 1 : 0)};
}

#endif
