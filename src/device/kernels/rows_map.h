/* SPDX-License-Identifier: Apache-2.0
 *
 * From the number of a part (rows.h) to its row, and to where the map sends it.
 */
#ifndef RIFFLE_DEVICE_KERNELS_ROWS_MAP_H
#define RIFFLE_DEVICE_KERNELS_ROWS_MAP_H

#include "device/kernels/device.h"
#include "device/kernels/rows.h"

/* k by the number that these two are of. */
static __device__ inline uint64_t rows_quotient(uint64_t k, uint64_t reciprocal, uint32_t shift) {
    return (uint64_t)((unsigned __int128)(2 * k) * reciprocal >> 64) >> shift;
}

static __device__ inline uint64_t rows_row(const rows_table *t, uint64_t k) {
    return rows_quotient(k, t->reciprocal, t->shift);
}

static __device__ inline uint64_t rows_entry(const rows_table *t, const void *map, uint64_t row) {
    const uint64_t entry = t->entry_bytes == 4 ? ((const uint32_t *)map)[row] : ((const uint64_t *)map)[row];
    if (t->out_of_range == nullptr || entry < t->limit) return entry;
    ATOMIC_MIN((unsigned long long *)t->out_of_range, (unsigned long long)row);
    return 0;
}

/* The part of the same number in the row that the map gives. */
static __device__ inline uint64_t rows_image(const rows_table *t, const void *map, uint64_t k) {
    const uint64_t row = rows_row(t, k);
    return rows_entry(t, map, row) * t->row_parts + (k - row * t->row_parts);
}

#endif
