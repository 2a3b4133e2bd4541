/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/codes/coding.h"

sort_coding sort_coding_of(const sort_field *field) {
    const unsigned bytes = field->bytes < 8 ? field->bytes : 8;
    const uint64_t mask = sort_mask(bytes), top = mask / 2 + 1;
    sort_coding c = {0};
    if (field->kind == RIFFLE_SORT_KEY_SIGNED) c.positive = c.negative = top;
    if (field->kind == RIFFLE_SORT_KEY_FLOAT) {
        c.positive = top, c.negative = mask;
        c.minus = top - 1 - sort_infinity(bytes);
    }
    if (field->descending) c.turn = mask, c.plus = sort_numbers(field->kind, bytes);
    return c;
}

bool sort_is_coded(const sort_coding *c) {
    return (c->positive | c->negative | c->minus | c->turn | c->plus) != 0;
}
