/* SPDX-License-Identifier: Apache-2.0
 *
 * Between permutations and tables in device memory (move/cuda/steps.h), for who has a GPU as a device.
 */
#ifndef RIFFLE_MOVE_CUDA_TABLES_H
#define RIFFLE_MOVE_CUDA_TABLES_H

#include "move/cuda/steps.h"
#include "perm/perm.h"

/** Writes out `perm`, or its inverse: computed on the device for a random one, else evaluated on the host and
 *  copied; a table is copied, and inverted on the device. */
riffle_status cuda_table_write(const riffle_perm *perm, bool inverse, struct CUstream_st *stream,
                               cuda_table *out);

/** Device memory that cuda_table_write needs at most. */
size_t cuda_table_write_bytes(const riffle_perm *perm, bool inverse);

/** The permutation in structured form where the table is a rotation, a reflection or affine, else *out is NULL.
 *  Reads the whole table only where a few entries have not ruled both out. */
riffle_status cuda_table_recognize(const cuda_table *table, struct CUstream_st *stream, riffle_perm **out);

#endif
