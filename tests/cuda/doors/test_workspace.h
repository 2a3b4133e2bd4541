/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_DOORS_TEST_WORKSPACE_H
#define RIFFLE_TESTS_CUDA_DOORS_TEST_WORKSPACE_H

/** Executions with the caller's workspace: one, two at a time, none, a misaligned one. */
void test_workspace(void);

#endif
