/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of what is between bucket passes: the record, and the numbers, from 1 on, of the arrays between that a pass reads and writes.
 */
#ifndef RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_BETWEEN_H
#define RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_BETWEEN_H

#include "check/kernels/table.h"

typedef struct bucket_between {
    check_record *record;
    uint32_t read, written; /**< 0 where it reads or writes none of these */
    uint32_t block;         /**< where in shared memory, behind the piece, the block's sums are */
} bucket_between;

#endif
