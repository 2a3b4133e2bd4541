/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_MOVES_TEST_VIEWS_H
#define RIFFLE_TESTS_CUDA_MOVES_TEST_VIEWS_H

#include <stdbool.h>

/** Copies between views, and what they refuse. Comes first: one of them is captured before its kernel has ever run. */
void test_views(bool small);

#endif
