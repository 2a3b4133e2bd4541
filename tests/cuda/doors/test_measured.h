/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_TEST_MEASURED_H
#define RIFFLE_TESTS_CUDA_TEST_MEASURED_H

#include <stdbool.h>

/** Explanations that measure: of moves, programs, sorts and merges, each with a time and a copy's beside it. */
void test_measured(bool small);

#endif
