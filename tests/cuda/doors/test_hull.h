/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_TEST_HULL_H
#define RIFFLE_TESTS_CUDA_TEST_HULL_H

#include <stdbool.h>

/** Many sets: by lanes, by blocks, of any lengths. */
void test_hull_sets(bool small);

/** One large set, and large ones among others. */
void test_hull_large(bool small);

/** The dissertation's way. */
void test_hull_paper(bool small);

/** Points that are not finite, sets that are none, and arguments that are wrong. */
void test_hull_refused(bool small);

#endif
