/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread fills its share of dst in order. dst[i] comes from src[i - offset], or src[offset - i] where
 * reflected (mod n), so the share is at most two runs of src, split where the index wraps around:
 *
 *     rotation    dst  [0 .. offset)            from src [n - offset .. n)
 *                      [offset .. n)            from src [0 .. n - offset)
 *     reflection  dst  [0 .. offset]            from src [0 .. offset]        backwards
 *                      (offset .. n)            from src (offset .. n)        backwards
 */
#include "base/simd/copy.h"
#include "move/cpu/passes/loops.h"
#include "move/cpu/passes/reverse_run/reverse_run.h"

/* Fills dst[first..end), which lies on one side of the wrap: below `turn`, or from it on. */
static void fill(const copy_schedule *s, char *dst, const char *src, uint64_t turn, uint64_t first,
                 uint64_t end) {
    if (first >= end) return;
    char *to = dst + first * s->elem_bytes;
    const uint64_t lift = first < turn ? s->n : 0; /* mod n, as one addition */
    if (s->rotation.reflected) {
        const uint64_t last = s->rotation.offset + s->n - lift - first; /* src index of dst[first] */
        const char *src_end = src + (last + 1) * s->elem_bytes;
        reverse_runs[vectors_for(LOOPS_REVERSALS)](to, src_end, end - first, s->elem_bytes, s->stream);
    } else {
        copy_run(to, src + (first + lift - s->rotation.offset) * s->elem_bytes, (end - first) * s->elem_bytes);
    }
}

void cpu_copy(const cpu_move *move, team_member me) {
    const copy_schedule *const s = &move->p->copy;
    const uint64_t turn = s->rotation.reflected && s->n > 0 ? s->rotation.offset + 1 : s->rotation.offset;
    const team_share mine = team_share_of(s->n, me);
    const uint64_t middle = turn < mine.first ? mine.first : turn < mine.end ? turn : mine.end;
    fill(s, move->dst, move->src, turn, mine.first, middle);
    fill(s, move->dst, move->src, turn, middle, mine.end);
}
