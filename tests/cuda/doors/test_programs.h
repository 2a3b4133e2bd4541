/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_DOORS_TEST_PROGRAMS_H
#define RIFFLE_TESTS_CUDA_DOORS_TEST_PROGRAMS_H

#include <stdbool.h>

/** Array programs, of all sizes, or of those only that a slow tool bears. */
void test_programs(bool small);

#endif
