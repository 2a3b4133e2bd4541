/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_MOVES_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_MOVES_H

#include <stdbool.h>

/** Moves of all lengths, or of those only that a slow tool bears. */
void test_moves(bool small);

#endif
