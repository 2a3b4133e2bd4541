/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_ADDRESSES_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_ADDRESSES_H

#include <stdbool.h>

/** Every algorithm on arrays at every address within 16 bytes that suits their elements, apart and in place; and
 *  what is said of others. */
void test_addresses(bool small);

#endif
