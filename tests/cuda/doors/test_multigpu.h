/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_DOORS_TEST_MULTIGPU_H
#define RIFFLE_TESTS_CUDA_DOORS_TEST_MULTIGPU_H

#include <stdbool.h>

/** riffle/multigpu.h: parts of one GPU's memory, and of all GPUs that there are. */
void test_multigpu(bool small);

#endif
