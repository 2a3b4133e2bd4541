/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_TEST_HULL_H
#define RIFFLE_TESTS_CUDA_TEST_HULL_H

#include <stdbool.h>

void test_hull(bool small);

#endif
