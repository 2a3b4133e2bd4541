/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's sums in its shared memory, on their way to a check's record.
 */
#ifndef RIFFLE_CHECK_KERNELS_BLOCK_H
#define RIFFLE_CHECK_KERNELS_BLOCK_H

#include <stdint.h>

enum { CHECK_BLOCK_WARPS = 32 }; /* at most */

/** The sums of each warp. */
typedef struct check_block {
    uint64_t first[CHECK_BLOCK_WARPS], second[CHECK_BLOCK_WARPS];
} check_block;

#endif
