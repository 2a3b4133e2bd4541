/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_ROWS_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_ROWS_H

#include <stdbool.h>

/** Scatter and gather of elements of all lengths; `small` leaves out long arrays and those beyond 4 GiB. */
void test_rows(bool small);

#endif
