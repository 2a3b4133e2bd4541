/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of src and one of dst stay in the caches while they are permuted, so the order of the moves does not
 * matter here: it is the GPU's. An element beyond `readable` is read as zeros, one beyond `writable` is not
 * written.
 */
#include <string.h>

#include "base/element_size.h"
#include "move/cpu/passes/loops.h"

/* One row: its lists, and as many of its elements as exist on either side. */
typedef struct row {
    char *dst;
    const char *src;
    const uint16_t *s, *d;
    uint64_t cols, readable, writable;
} row;

ALWAYS_INLINE void move_row(const row *r, size_t elem_bytes) {
    for (uint64_t k = 0; k < r->cols; k++) {
        memcpy(r->dst + r->d[k] * elem_bytes, r->src + r->s[k] * elem_bytes, elem_bytes);
    }
}

static void move_row_with_padding(const row *r, size_t elem_bytes) {
    for (uint64_t k = 0; k < r->cols; k++) {
        if (r->d[k] >= r->writable) continue;
        char *to = r->dst + r->d[k] * elem_bytes;
        if (r->s[k] < r->readable) {
            memcpy(to, r->src + r->s[k] * elem_bytes, elem_bytes);
        } else {
            memset(to, 0, elem_bytes);
        }
    }
}

/* How many of the elements first, first + 1, ... of a row of `cols` lie below `end`. */
static uint64_t existing(uint64_t first, uint64_t cols, uint64_t end) {
    if (first >= end) return 0;
    return end - first < cols ? end - first : cols;
}

static row row_of(const row_wise_schedule *schedule, uint64_t i, void *dst, const void *src) {
    const uint64_t first = i * schedule->cols;
    row r = {.s = schedule->s + first, .d = schedule->d + first, .cols = schedule->cols};
    r.readable = existing(first, r.cols, schedule->readable);
    r.writable = existing(first, r.cols, schedule->writable);
    /* A row of padding has no place in the buffer: no pointer is made to it. */
    if (r.readable > 0) r.src = (const char *)src + first * schedule->elem_bytes;
    if (r.writable > 0) r.dst = (char *)dst + first * schedule->elem_bytes;
    return r;
}

void cpu_row_wise(const cpu_move *move, team_member me) {
    const row_wise_schedule *const s = &move->p->row_wise;
    const team_share mine = team_share_of(s->rows, me);
    for (uint64_t i = mine.first; i < mine.end; i++) {
        const row r = row_of(s, i, move->dst, move->src);
        if (r.readable == r.cols && r.writable == r.cols) {
            CALL_FOR_ELEMENT_SIZE(s->elem_bytes, move_row, &r)
        } else {
            move_row_with_padding(&r, s->elem_bytes);
        }
    }
}
