/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_ARBITRARY_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_ARBITRARY_H

#include <stdbool.h>

/** Any permutation on the GPU, thousands of cases; `small` leaves out most of them, and the long arrays. */
void test_arbitrary(bool small);

#endif
