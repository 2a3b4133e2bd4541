/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of permutations in device memory, as move/cuda/steps.h has them.
 */
#ifndef RIFFLE_MOVE_CUDA_TABLE_TABLE_H
#define RIFFLE_MOVE_CUDA_TABLE_TABLE_H

#include "move/cuda/steps.h"

riffle_status cuda_table_take(uint64_t n, const void *entries, size_t given_bytes, struct CUstream_st *stream,
                              cuda_table *out);
size_t cuda_table_take_bytes(uint64_t n);
riffle_status cuda_table_fill(uint64_t n, const cuda_random *random, const void *entries,
                              struct CUstream_st *stream, cuda_table *out);
riffle_status cuda_table_copy(const cuda_table *table, struct CUstream_st *stream, cuda_table *out);
riffle_status cuda_table_invert(const cuda_table *table, struct CUstream_st *stream, cuda_table *out);
riffle_status cuda_table_pick(const cuda_table *table, unsigned count, const uint64_t *indices, uint64_t *out,
                              struct CUstream_st *stream);
riffle_status cuda_table_is_form(const cuda_table *table, const cuda_form *form, struct CUstream_st *stream,
                                 bool *out);
riffle_status cuda_table_fetch(const cuda_table *table, uint64_t first, size_t count, uint64_t *out);
riffle_status cuda_table_sample(const cuda_table *table, bool inverse, const line_sample *sample,
                                struct CUstream_st *stream, uint64_t *out);
void cuda_table_free(cuda_table *table);

#endif
