/* SPDX-License-Identifier: Apache-2.0
 *
 * All suites: a file here for one or a few, and a line. The first one is the default.
 */
#ifndef RIFFLE_BENCH_SUITES_SUITES_H
#define RIFFLE_BENCH_SUITES_SUITES_H

#include "bench/suite.h"

#define EACH_BENCH_SUITE(DO)                                                                                   \
    DO(cpu)                                                                                                    \
    DO(quick)                                                                                                  \
    DO(small)                                                                                                  \
    DO(choice)                                                                                                 \
    DO(bits)                                                                                                   \
    DO(f2)                                                                                                     \
    DO(axes)                                                                                                   \
    DO(views)                                                                                                  \
    DO(affine)                                                                                                 \
    DO(arbitrary)                                                                                              \
    DO(once)                                                                                                   \
    DO(programs)                                                                                               \
    DO(group)                                                                                                  \
    DO(hull)                                                                                                   \
    DO(sort)                                                                                                   \
    DO(sort_gpu)                                                                                               \
    DO(hmm)                                                                                                    \
    DO(hmm_random)                                                                                             \
    DO(dmm)

#define DECLARE_BENCH_SUITE(name) extern const bench_suite bench_suite_##name;
EACH_BENCH_SUITE(DECLARE_BENCH_SUITE)

#endif
