/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of what is between bucket passes: the record, and the numbers of the first words of the arrays between that a pass reads and writes.
 */
#ifndef RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_BETWEEN_H
#define RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_BETWEEN_H

#include "check/kernels/table.h"

typedef struct bucket_between {
    check_record *record;
    uint64_t read, written; /**< 0 where it reads or writes none of these */
} bucket_between;

#endif
