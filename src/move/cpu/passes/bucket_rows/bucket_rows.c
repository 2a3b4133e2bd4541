/* SPDX-License-Identifier: Apache-2.0
 *
 * Members take pieces that follow each other, so that what a piece gathers from is in the second-level cache: the piece before has fetched it.
 */
#include "move/cpu/passes/bucket_rows/bucket_rows.h"

#include "move/cpu/passes/loops.h"

enum { TURNS = 8 /* a member's, so that all end at about the same time */ };

move_rows *const move_rows_of[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = move_rows_portable,
#if defined(__x86_64__)
    [VECTORS_AVX512] = move_rows_avx512,
#endif
};

/* The last of an odd number of elements has no neighbour. */
static move_rows *loop_for(const bucket_rows *s, uint64_t p) {
    const bool is_alone = p + 1 == s->pieces && s->from[s->pieces] % 2 != 0;
    return move_rows_of[is_alone ? VECTORS_PORTABLE : vectors_for(LOOPS_TABLES)];
}

static void fetch_piece(const bucket_rows *s, uint64_t p, const char *from) {
    const char *const end = from + s->from[p + 1] * s->elem_bytes;
    const char *line = from + s->from[p - min(p, (uint64_t)s->lag)] * s->elem_bytes;
    for (; line < end; line += ROWS_LINE_BYTES) __builtin_prefetch(line, 0, 2);
}

void cpu_bucket_rows(const cpu_move *move, team_member me) {
    const bucket_rows *const s = &move->p->bucket_rows;
    const uint64_t most = max(s->pieces / (TURNS * me.count), 1);
    for (;;) {
        const team_share some = team_take(s->pieces, most, move->taken);
        if (some.first == some.end) break;
        fetch_piece(s, some.first, move->src);
        for (uint64_t p = some.first; p < some.end; p++)
            loop_for(s, p)(s, p, move->dst, move->src, p + 1 < some.end);
    }
    stream_finish();
}
