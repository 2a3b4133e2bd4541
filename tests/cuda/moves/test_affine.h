/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_AFFINE_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_AFFINE_H

#include <stdbool.h>

/** Affine permutations of every element size, in place and in batches, by every algorithm that is for them;
 *  arrays of up to 4 GiB, or of those lengths only that a slow tool bears. */
void test_affine(bool small);

#endif
