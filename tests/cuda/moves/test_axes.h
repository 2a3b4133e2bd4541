/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_AXES_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_AXES_H

#include <stdbool.h>

/** Axes permutations of random shapes, of elements of all lengths, at all addresses, in batches; `small` leaves out long
 *  arrays. */
void test_axes(bool small);

#endif
