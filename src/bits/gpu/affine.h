/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine maps of bits as a launch: the table of bits/kernels/bits_affine.cu.
 */
#ifndef RIFFLE_BITS_GPU_AFFINE_H
#define RIFFLE_BITS_GPU_AFFINE_H

#include "bits/kernels/affine_table.h"
#include "device/launch.h"
#include "perm/perm.h"

/** The map of arrays of 2^m bits, m at least BITS_LEAST_TILE, side by side. Takes a fraction of a millisecond, cannot fail. */
void bits_affine_table_of(const perm_affine *affine, uint64_t arrays, bits_affine_table *out);

/** Threads of a block, and bytes of a tile. */
unsigned bits_affine_threads(const bits_affine_table *t);
size_t bits_affine_tile_bytes(const bits_affine_table *t);

/** Appends the launch between arrays of the device, at any addresses. */
void bits_affine_append(const bits_affine_table *t, void *dst, const void *src, launch_list *out);

#endif
