/* SPDX-License-Identifier: Apache-2.0
 *
 * The bucket pass where a check compares what is between passes: the elements of a piece's runs are added up where they are staged, each
 * with its place in the array that they came from; and those that leave for the next pass in a block of the first-level cache, from which
 * they are streamed out.
 *
 *     src --runs--> staging --order--> block --> dst
 *                      |                 |
 *                      '--> sums, less   '--> sums
 */
#include "check/check.h"
#include "move/cpu/passes/bucket_piece.h"

enum { BLOCK_BYTES = 16 << 10, BLOCK_ELEMENTS = BLOCK_BYTES / BUCKET_MAX_ELEM_BYTES };

/* Where one is in a piece's runs. */
typedef struct run_cursor {
    const bucket_run *run;
    size_t in_run;
} run_cursor;

static void places_in_runs(const void *context, uint64_t first, size_t count, uint64_t *places) {
    run_cursor *const at = *(run_cursor *const *)context;
    (void)first;
    while (count > 0) {
        const size_t length = bucket_run_length(*at->run), now = min(count, length - at->in_run);
        const uint64_t start = bucket_run_start(*at->run) + at->in_run;
        for (size_t k = 0; k < now; k++) places[k] = start + k;
        at->in_run += now, places += now, count -= now;
        if (at->in_run == length) *at = (run_cursor){at->run + 1, 0};
    }
}

/* The sums of `count` elements that follow each other in the number-th array between passes, or lie there where the cursor says. */
static check_sums sums_between(const bucket_schedule *s, unsigned number, const char *elements, size_t count,
                               run_cursor *at, uint64_t first) {
    return check_sum_alone(&(check_side){.rows = elements,
                                         .row_bytes = s->elem_bytes,
                                         .items = count,
                                         .each = 1,
                                         .places = at != NULL ? places_in_runs : NULL,
                                         .context = &at,
                                         .before = (number - 1) * s->n + first});
}

ALWAYS_INLINE void gather_block(char *out, const char *in, const uint16_t *order, size_t count,
                                size_t elem_bytes) {
    for (size_t j = 0; j < count; j++) memcpy(out + j * elem_bytes, in + order[j] * elem_bytes, elem_bytes);
}

/* Gathers `count` elements that begin at element `begin` of `to`. */
static check_sums write_between(const bucket_schedule *s, unsigned number, uint64_t begin, size_t count,
                                char *to, const char *in) {
    _Alignas(LINE_BYTES) char block[BLOCK_BYTES];
    check_sums sums = {0, 0};
    for (size_t done = 0; done < count; done += BLOCK_ELEMENTS) {
        const size_t now = min(count - done, (size_t)BLOCK_ELEMENTS);
        const uint64_t at = begin + done;
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, gather_block, block, in, s->order + at, now)
        check_add_sums(&sums, sums_between(s, number, block, now, NULL, at));
        stream_copy(to + at * s->elem_bytes, block, now * s->elem_bytes);
    }
    return sums;
}

static void take_sums(check_sums *from, check_sums sums) {
    check_add_sums(from, (check_sums){0 - sums.first, 0 - sums.second});
}

static void move_compared(const cpu_move *move, uint64_t piece, char *staging, check_sums *compared) {
    const pass *const p = move->p;
    const bucket_schedule *const s = &p->bucket;
    const uint64_t begin = piece << s->piece_bits;
    const size_t count = piece_length(s, piece);
    const char *in = staging;
    if (p->reads_between > 0) {
        run_cursor at = {s->runs + s->first_run[piece], 0};
        stage_runs(s, piece, staging, move->src);
        take_sums(compared, sums_between(s, p->reads_between, staging, count, &at, 0));
    } else {
        in = lone_run(s, piece, move->src);
    }
    if (p->writes_between > 0)
        check_add_sums(compared, write_between(s, p->writes_between, begin, count, move->dst, in));
    else
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, gather_piece, (char *)move->dst + begin * s->elem_bytes, in,
                              s->order + begin, count)
}

void cpu_bucket_checked(const cpu_move *move, team_member me) {
    const bucket_schedule *const s = &move->p->bucket;
    char *const mine = (char *)move->staging + me.number * bucket_staging_bytes(s);
    const uint64_t most = taken_at_once(s, me.count);
    check_sums compared = {0, 0};
    for (;;) {
        const team_share some = team_take(s->pieces, most, move->taken);
        if (some.first == some.end) break;
        for (uint64_t k = some.first; k < some.end; k++) move_compared(move, k, mine, &compared);
    }
    __atomic_fetch_add(&move->compared->first, compared.first, __ATOMIC_RELAXED);
    __atomic_fetch_add(&move->compared->second, compared.second, __ATOMIC_RELAXED);
    stream_finish();
}
