/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_TESTS_CUDA_DOORS_TEST_BLOCKS_H
#define RIFFLE_TESTS_CUDA_DOORS_TEST_BLOCKS_H

/** riffle_cuda_permute_in_blocks: every algorithm, and what it refuses. */
void test_blocks(void);

#endif
