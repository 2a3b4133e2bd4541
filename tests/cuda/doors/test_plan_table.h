/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_DOORS_TEST_PLAN_TABLE_H
#define RIFFLE_TESTS_CUDA_DOORS_TEST_PLAN_TABLE_H

#include <stdbool.h>

/** Plans from tables on the GPU, and what memory they need; `small` leaves out the long tables. */
void test_plan_table(bool small);

#endif
