/* SPDX-License-Identifier: Apache-2.0
 *
 * A row is copied aside, and comes back in its new order. Where an element goes is counted up from one to the next, without
 * a division: d = ((row + j / block) mod rows + j rows) mod cols.
 */
#include <string.h>

#include "base/element_size.h"
#include "move/cpu/passes/loops.h"

/* The terms of d, for one element of a row. */
typedef struct place {
    uint64_t turn;    /* (row + j / block) mod rows */
    uint64_t product; /* j rows mod cols */
    uint64_t within;  /* j mod block */
} place;

static uint64_t place_of(const place *at, uint64_t cols) {
    const uint64_t sum = at->turn + at->product; /* rows <= cols */
    return sum >= cols ? sum - cols : sum;
}

static void step_on(place *at, const in_rows_schedule *s) {
    at->product += s->rows;
    if (at->product >= s->cols) at->product -= s->cols;
    if (++at->within < s->block) return;
    at->within = 0;
    if (++at->turn == s->rows) at->turn = 0;
}

ALWAYS_INLINE void permute_row(char *row, const char *aside, const in_rows_schedule *s, uint64_t number,
                               size_t elem_bytes) {
    place at = {.turn = number};
    for (uint64_t j = 0; j < s->cols; j++, step_on(&at, s)) {
        const uint64_t d = place_of(&at, s->cols);
        memcpy(row + (s->back ? j : d) * elem_bytes, aside + (s->back ? d : j) * elem_bytes, elem_bytes);
    }
}

void cpu_in_rows(const cpu_move *move, team_member me) {
    const in_rows_schedule *const s = &move->p->in_rows;
    const size_t bytes = in_rows_bytes(s);
    char *const aside = (char *)move->staging + me.number * bytes;
    const team_share mine = team_share_of(s->rows, me);
    for (uint64_t i = mine.first; i < mine.end; i++) {
        char *const row = (char *)move->dst + i * bytes;
        memcpy(aside, row, bytes);
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, permute_row, row, aside, s, i)
    }
}
