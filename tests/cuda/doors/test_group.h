/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_TEST_GROUP_H
#define RIFFLE_TESTS_CUDA_TEST_GROUP_H

#include <stdbool.h>

/** Groups of rows on the GPU, beside the CPU's. */
void test_group(bool small);

#endif
