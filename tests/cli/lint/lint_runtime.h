/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that lint_runtime.cu and lint_runtime_other.cu have in common.
 */
#ifndef RIFFLE_TESTS_CLI_LINT_RUNTIME_H
#define RIFFLE_TESTS_CLI_LINT_RUNTIME_H

__device__ static int doubled(int x) { return 2 * x; }

/* 1 if a kernel of its file, with dynamic shared memory, has done what it should. */
int other_file(int *a, int n);

#endif
