/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_SCHEDULES_TEST_BUCKET_PASSES_H
#define RIFFLE_TESTS_CUDA_SCHEDULES_TEST_BUCKET_PASSES_H

#include <stdbool.h>

/** Bucket passes of every shape, planned on the GPU and executed there; `small` does fewer. */
void test_bucket_passes(bool small);

#endif
