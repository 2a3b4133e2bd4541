/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/axes.h"

#include "base/arithmetic.h"
#include "base/status.h"
#include "bits/cpu/loops.h"
#include "perm/kind.h"

enum { CHUNK = 4096 };

static void add_digit(perm_digit *digits, unsigned *count, uint64_t extent, uint64_t stride) {
    if (extent > 1) digits[(*count)++] = (perm_digit){extent, stride};
}

/* True where the last axes of both sides fill bytes. */
static bool fill_bytes(const perm_axes *axes, uint64_t each) {
    if (axes->digits == 0 || axes->digit[0].extent % each != 0) return false;
    for (unsigned k = 1; k < axes->digits; k++)
        if (axes->digit[k].stride == 1 && axes->digit[k].extent % each != 0) return false;
    return true;
}

riffle_status bits_axes_plan(const perm_axes *axes, const bits_packed *packed, bits_rows *rows,
                             riffle_perm **bytes) {
    const uint64_t each = bits_of_byte(packed);
    const perm_digit *const last = &axes->digit[0];
    perm_digit digits[RIFFLE_MAX_RANK + 1];
    unsigned count = 0;
    *bytes = NULL;
    *rows = (bits_rows){0};
    if (!fill_bytes(axes, each)) return RIFFLE_OK;
    add_digit(digits, &count, last->extent / each, last->stride == 1 ? 1 : last->stride);
    for (unsigned k = 1; k < axes->digits; k++) {
        const perm_digit *const digit = &axes->digit[k];
        if (digit->stride != 1) {
            add_digit(digits, &count, digit->extent, digit->stride / each);
            continue;
        }
        add_digit(digits, &count, each, last->stride / each);
        add_digit(digits, &count, digit->extent / each, 1);
    }
    if (last->stride != 1)
        *rows = (bits_rows){packed->batch * (packed->n / (each * last->stride)), (size_t)(last->stride / each)};
    return count == 0 ? riffle_perm_identity(packed->array_bytes, bytes)
                      : axes_create(packed->array_bytes, count, digits, NULL, NULL, bytes);
}

void bits_rows_run(const bits_packed *packed, const bits_rows *rows, uint8_t *dst, team_member me) {
    const size_t each = bits_of_byte(packed);
    const uint64_t chunks = ceil_div((uint64_t)rows->bytes, (uint64_t)CHUNK);
    const team_share mine = team_share_of(rows->groups * chunks, me);
    const bits_loops *const loops = bits_loops_best();
    const ptrdiff_t row = packed->is_big ? -(ptrdiff_t)rows->bytes : (ptrdiff_t)rows->bytes;
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const size_t at = (size_t)(k % chunks) * CHUNK;
        uint8_t *const first = dst + (size_t)(k / chunks) * each * rows->bytes + at,
                       *const place = packed->is_big ? first + (each - 1) * rows->bytes : first;
        loops->exchange(place, row, place, row, min((size_t)CHUNK, rows->bytes - at), packed->elem_bits);
    }
}
