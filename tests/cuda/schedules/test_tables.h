/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_SCHEDULES_TEST_TABLES_H
#define RIFFLE_TESTS_CUDA_SCHEDULES_TEST_TABLES_H

#include <stdbool.h>

/** Tables on the GPU: taken and refused, written, inverted, recognized; of 2^32 entries and more where the GPU
 *  has the memory and the tool is not a slow one. */
void test_tables(bool small);

#endif
