/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_DOORS_TEST_CAPTURE_H
#define RIFFLE_TESTS_CUDA_DOORS_TEST_CAPTURE_H

/** Planning, moves of host arrays and riffle_plan_free while a stream is being captured, in every mode. */
void test_capture(void);

#endif
