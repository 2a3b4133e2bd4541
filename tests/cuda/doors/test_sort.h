/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_TEST_SORT_H
#define RIFFLE_TESTS_CUDA_TEST_SORT_H

#include <stdbool.h>

void test_sort(bool small);

#endif
