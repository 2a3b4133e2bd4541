/* SPDX-License-Identifier: Apache-2.0
 *
 * The transpose pass on the CPU (Kasagi, Nakano, Ito 2013, section V): whole matrices between the row-wise
 * passes of a column-wise or scheduled permutation. The planner's own choice for a transpose is
 * plan/axes_tile.h.
 */
#ifndef RIFFLE_ENGINES_CPU_TRANSPOSE_H
#define RIFFLE_ENGINES_CPU_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

/** dst[j * rows + i] = src[i * cols + j] for elements of any size. dst and src do not overlap. */
void cpu_transpose(uint64_t rows, uint64_t cols, size_t elem_bytes, void *dst, const void *src,
                   unsigned threads);

#endif
