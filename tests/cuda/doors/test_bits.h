/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_TEST_BITS_H
#define RIFFLE_TESTS_CUDA_TEST_BITS_H

#include <stdbool.h>

/** Bit transpositions of all widths, there and back. */
void test_bits(bool small);

#endif
