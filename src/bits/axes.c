/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations of packed elements, E of which are a byte. Where the last axis stays the last and its elements fill bytes, bytes move. Where
 * another, r, becomes the last, and c was, both of multiples of E: bytes move so that E rows of dst have each other's elements,
 *
 *     src   r = (R, r'), c = (C, c'): byte C, element c'      bytes moved   ... C, r': byte ... R, element c'
 *     dst   ... C, c': byte ... R, element r'
 *
 * and those change places.
 */
#include "base/arithmetic.h"
#include "base/status.h"
#include "bits/plan.h"
#include "perm/kind.h"

enum { CHUNK = 4096 };

/* The same permutation of bytes, of which the digits say how; none of them if there is no such. */
static riffle_status plan_digits(riffle_bits_plan *plan, const perm_digit *digits, unsigned count, bool *can) {
    const riffle_status status =
        count == 0 ? riffle_perm_identity(plan->array_bytes, &plan->byte_perm)
                   : axes_create(plan->array_bytes, count, digits, NULL, NULL, &plan->byte_perm);
    *can = plan->byte_perm != NULL;
    return status;
}

static void add_digit(perm_digit *digits, unsigned *count, uint64_t extent, uint64_t stride) {
    if (extent > 1) digits[(*count)++] = (perm_digit){extent, stride};
}

riffle_status bits_axes_plan(const perm_axes *axes, riffle_bits_plan *plan, bool *can) {
    const uint64_t each = 8 / plan->elem_bits;
    const perm_digit *const last = &axes->digit[0];
    perm_digit digits[RIFFLE_MAX_RANK + 1];
    unsigned count = 0;
    *can = false;
    if (axes->digits == 0 || last->extent % each != 0) return RIFFLE_OK;
    for (unsigned k = 1; k < axes->digits; k++)
        if (axes->digit[k].stride == 1 && axes->digit[k].extent % each != 0) return RIFFLE_OK;
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
    plan->rows = last->stride == 1 ? (bits_rows){0}
                                   : (bits_rows){plan->batch * (plan->n / (each * last->stride)),
                                                 (size_t)(last->stride / each)};
    return plan_digits(plan, digits, count, can);
}

void bits_rows_run(const riffle_bits_plan *plan, uint8_t *dst, team_member me) {
    const bits_rows *const rows = &plan->rows;
    const size_t each = 8 / plan->elem_bits;
    const uint64_t chunks = ceil_div((uint64_t)rows->bytes, (uint64_t)CHUNK);
    const team_share mine = team_share_of(rows->groups * chunks, me);
    const bits_loops *const loops = bits_loops_best();
    const ptrdiff_t row = plan->is_big ? -(ptrdiff_t)rows->bytes : (ptrdiff_t)rows->bytes;
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const size_t at = (size_t)(k % chunks) * CHUNK;
        uint8_t *const first = dst + (size_t)(k / chunks) * each * rows->bytes + at,
                       *const place = plan->is_big ? first + (each - 1) * rows->bytes : first;
        loops->exchange(place, row, place, row, min((size_t)CHUNK, rows->bytes - at), plan->elem_bits);
    }
}
