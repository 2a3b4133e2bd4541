/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/matrix/in_place.h"

#include "base/arithmetic.h"

enum { HOST_STRIP_BYTES = 256, DEVICE_STRIP_BYTES = 128, SECTOR_BYTES = 32 };

/* On devices as wide as shared memory allows, two blocks at a time if strips have a sector then. */
static uint64_t strip_for(uint64_t rows, uint64_t cols, size_t elem_bytes, const plan_target *target) {
    if (!plan_target_is_device(target))
        return elem_bytes < HOST_STRIP_BYTES ? min(HOST_STRIP_BYTES / elem_bytes, cols) : 1;
    uint64_t strip = DEVICE_STRIP_BYTES / elem_bytes;
    for (; strip > 1; strip /= 2) {
        if (strip > target->block_threads) continue;
        const size_t bytes = strip * elem_bytes,
                     room = bytes > SECTOR_BYTES ? target->shared_bytes / 2 : target->shared_bytes;
        if (rows * bytes <= room) break;
    }
    return strip;
}

/* In order as they are, or from the last one on, backwards. */
in_place_passes transpose_passes(matrix_shape shape, size_t elem_bytes, const plan_target *target) {
    const bool back = shape.rows > shape.cols;
    const uint64_t m = back ? shape.cols : shape.rows, n = back ? shape.rows : shape.cols;
    const uint64_t c = common_divisor(m, n), strip = strip_for(m, n, elem_bytes, target);
    const in_columns_schedule rotated = {m, n, 1, m, n / c, strip, elem_bytes, back};
    const in_columns_schedule shuffled = {m, n, n % m, m / c, 1, strip, elem_bytes, back};
    in_place_passes out = {.count = c > 1 ? 3 : 2, .rows = {m, n, n / c, elem_bytes, back}};
    out.rows_at = c > 1 || back ? 1 : 0;
    out.columns[back ? 0 : out.count - 1] = shuffled;
    if (c > 1) out.columns[back ? 2 : 0] = rotated;
    return out;
}
