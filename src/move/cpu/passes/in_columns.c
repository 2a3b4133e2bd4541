/* SPDX-License-Identifier: Apache-2.0
 *
 * A strip of columns is copied aside, and comes back with each column in its new order; rows of the strip are read and
 * written whole. The way back is the other way about: the order is made where the strip is copied aside.
 *
 * Element (i, j) belongs to row (base(i) + offset(j)) mod rows, base(i) = i step - i / group and offset(j) = j / block, both
 * modulo rows; both are counted up.
 */
#include <string.h>

#include "base/element_size.h"
#include "move/cpu/passes/loops.h"

/* Some columns, from `first` on. */
typedef struct strip {
    const in_columns_schedule *s;
    char *array, *aside;
    uint64_t first, count;
} strip;

/* The offset of the strip's first column, and how far into its block that is. */
typedef struct offset {
    uint64_t value, within;
} offset;

static offset offset_of(const strip *t) {
    return (offset){t->first / t->s->block % t->s->rows, t->first % t->s->block};
}

static void step_on(offset *at, const in_columns_schedule *s) {
    if (++at->within < s->block) return;
    at->within = 0;
    if (++at->value == s->rows) at->value = 0;
}

/* One row of the strip: element k of it in the array, and where in the strip aside it belongs. */
ALWAYS_INLINE void move_row(const strip *t, uint64_t i, uint64_t base, size_t elem_bytes) {
    const in_columns_schedule *const s = t->s;
    char *const row = t->array + (i * s->cols + t->first) * elem_bytes;
    offset at = offset_of(t);
    for (uint64_t k = 0; k < t->count; k++, step_on(&at, s)) {
        const uint64_t sum = base + at.value, other = sum >= s->rows ? sum - s->rows : sum;
        char *const aside = t->aside + (other * t->count + k) * elem_bytes;
        memcpy(s->back ? aside : row + k * elem_bytes, s->back ? row + k * elem_bytes : aside, elem_bytes);
    }
}

ALWAYS_INLINE void move_rows(const strip *t, size_t elem_bytes) {
    const in_columns_schedule *const s = t->s;
    uint64_t base = 0, within = 0; /* rows into the group */
    for (uint64_t i = 0; i < s->rows; i++) {
        move_row(t, i, base, elem_bytes);
        base += s->step;
        if (++within == s->group) {
            within = 0;
            base += s->rows - 1;
        }
        while (base >= s->rows) base -= s->rows;
    }
}

/* All of the strip in the order in which it lies aside. */
static void copy_rows(const strip *t) {
    const in_columns_schedule *const s = t->s;
    const size_t bytes = t->count * s->elem_bytes;
    for (uint64_t i = 0; i < s->rows; i++) {
        char *const row = t->array + (i * s->cols + t->first) * s->elem_bytes, *const aside =
                                                                                   t->aside + i * bytes;
        memcpy(s->back ? row : aside, s->back ? aside : row, bytes);
    }
}

void cpu_in_columns(const cpu_move *move, team_member me) {
    const in_columns_schedule *const s = &move->p->in_columns;
    strip t = {s, move->dst, (char *)move->staging + me.number * in_columns_bytes(s), 0, 0};
    const team_share mine = team_share_of((s->cols + s->strip - 1) / s->strip, me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        t.first = k * s->strip;
        t.count = s->cols - t.first < s->strip ? s->cols - t.first : s->strip;
        if (!s->back) copy_rows(&t);
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, move_rows, &t)
        if (s->back) copy_rows(&t);
    }
}
