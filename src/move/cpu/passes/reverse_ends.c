/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements as far from the ends of a run as each other change places, so that one goes up and the other comes down. A
 * thread has a share of the pairs of both runs together.
 *
 *     [0 ->  ...  <- first-1] [first ->  ...  <- n-1]
 */
#include <string.h>

#include "base/element_size.h"
#include "move/cpu/passes/loops.h"

enum { PIECE_BYTES = 64 }; /* moved at a time, where elements are long */

/* The first `pairs` elements from `low` on, and as many that end at high_end, last one first. */
ALWAYS_INLINE void exchange(char *restrict low, char *restrict high_end, uint64_t pairs, size_t elem_bytes) {
    for (uint64_t k = 0; k < pairs; k++) {
        char *const a = low + k * elem_bytes, *const b = high_end - (k + 1) * elem_bytes;
        for (size_t at = 0; at < elem_bytes; at += PIECE_BYTES) {
            const size_t bytes = elem_bytes - at < PIECE_BYTES ? elem_bytes - at : PIECE_BYTES;
            char held[PIECE_BYTES];
            memcpy(held, a + at, bytes);
            memcpy(a + at, b + at, bytes);
            memcpy(b + at, held, bytes);
        }
    }
}

/* Pairs `first` to `end` - 1 of a run, counted from its ends. */
static void exchange_in(char *run, uint64_t length, uint64_t first, uint64_t end, size_t elem_bytes) {
    if (first >= end) return;
    char *const low = run + first * elem_bytes, *const high_end = run + (length - first) * elem_bytes;
    CALL_FOR_ELEMENT_SIZE(elem_bytes, exchange, low, high_end, end - first)
}

void cpu_reverse_ends(const cpu_move *move, team_member me) {
    const reverse_ends_schedule *const s = &move->p->reverse_ends;
    char *const array = move->dst, *const behind = array + s->first * s->elem_bytes;
    const uint64_t pairs = s->first / 2, length_behind = s->n - s->first;
    const team_share mine = team_share_of(pairs + length_behind / 2, me);
    const uint64_t turn = mine.first > pairs ? mine.first : mine.end < pairs ? mine.end : pairs;
    exchange_in(array, s->first, mine.first, turn, s->elem_bytes);
    if (turn < mine.end) exchange_in(behind, length_behind, turn - pairs, mine.end - pairs, s->elem_bytes);
}
