/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_ONCE_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_ONCE_H

#include <stdbool.h>

void test_once(bool small);

#endif
