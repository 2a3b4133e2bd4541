/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece at a time: its runs are copied side by side into the thread's staging (in the second-level cache),
 * then gathered from there in the piece's order and streamed out. A piece that is one run needs no staging: while it is gathered, the
 * next one is fetched.
 */
#include "move/cpu/passes/bucket_piece.h"

/* The same, and for each line that leaves one of `next` is fetched. */
ALWAYS_INLINE void gather_fetching(char *out, const char *in, const uint16_t *order, size_t count,
                                   const char *next, size_t elem_bytes) {
    const size_t at_once = elem_bytes < LINE_BYTES ? LINE_BYTES / elem_bytes : 1;
    size_t j = 0;
    for (; j + at_once <= count; j += at_once) {
        __builtin_prefetch(next + j * elem_bytes, 0, 2);
        gather_piece(out + j * elem_bytes, in, order + j, at_once, elem_bytes);
    }
    gather_piece(out + j * elem_bytes, in, order + j, count - j, elem_bytes);
}

/* Elements before the next line; 0 where none ends there. */
ALWAYS_INLINE size_t before_line(const char *out, size_t count, size_t elem_bytes) {
    const size_t bytes = -(uintptr_t)out % LINE_BYTES;
    return bytes % elem_bytes == 0 ? min(bytes / elem_bytes, count) : 0;
}

ALWAYS_INLINE void gather_plain(char *out, const char *in, const uint16_t *order, size_t count,
                                size_t elem_bytes) {
    for (size_t j = 0; j < count; j++) memcpy(out + j * elem_bytes, in + order[j] * elem_bytes, elem_bytes);
}

/* A piece whose elements leave in several runs. Lines that a run fills are streamed; in the cache its ends meet those of other pieces' runs. */
ALWAYS_INLINE void gather_runs(const bucket_schedule *s, uint64_t piece, char *to, const char *in,
                               const char *next, size_t elem_bytes) {
    const size_t at_once = elem_bytes < LINE_BYTES ? LINE_BYTES / elem_bytes : 1;
    const uint16_t *order = s->order + (piece << s->piece_bits);
    for (uint64_t r = s->first_out[piece]; r < s->first_out[piece + 1]; r++) {
        const size_t count = bucket_run_length(s->outs[r]);
        char *const out = to + bucket_run_start(s->outs[r]) * elem_bytes;
        const size_t before = before_line(out, count, elem_bytes);
        const size_t end = before + (count - before) / at_once * at_once;
        gather_plain(out, in, order, before, elem_bytes);
        gather_fetching(out + before * elem_bytes, in, order + before, end - before, next + before * elem_bytes,
                        elem_bytes);
        gather_plain(out + end * elem_bytes, in, order + end, count - end, elem_bytes);
        next += count * elem_bytes;
        order += count;
    }
}

static void prefetch_bytes(const char *from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += LINE_BYTES) __builtin_prefetch(from + at, 0, 2);
}

static void move_staged(const bucket_schedule *s, uint64_t piece, char *to, const char *from, char *staging) {
    const uint64_t begin = piece << s->piece_bits;
    char *const out = to + begin * s->elem_bytes;
    stage_runs(s, piece, staging, from);
    CALL_FOR_ELEMENT_SIZE(s->elem_bytes, gather_piece, out, staging, s->order + begin, piece_length(s, piece))
}

/* The lone run that follows a piece among those taken, and is as long; else NULL. */
static const char *lone_run_behind(const bucket_schedule *s, uint64_t piece, team_share some,
                                   const char *input) {
    const uint64_t next = piece + 1;
    if (next == some.end || !is_lone_run(s, next) || piece_length(s, next) < piece_length(s, piece))
        return NULL;
    return lone_run(s, next, input);
}

/* next: NULL, or what is to be moved behind this piece. */
static void move_lone(const bucket_schedule *s, uint64_t piece, char *to, const char *in, const char *next) {
    const uint64_t begin = piece << s->piece_bits;
    const size_t count = piece_length(s, piece);
    char *const out = to + begin * s->elem_bytes;
    if (s->outs != NULL) {
        const char *const fetched = next != NULL ? next : in; /* there already */
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, gather_runs, s, piece, to, in, fetched)
    } else if (next != NULL) {
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, gather_fetching, out, in, s->order + begin, count, next)
    } else {
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, gather_piece, out, in, s->order + begin, count)
    }
}

static void move_pieces(const bucket_schedule *s, team_share some, char *to, const char *from, char *staging) {
    const char *fetched = NULL; /* the lone run that is, or is on its way */
    for (uint64_t k = some.first; k < some.end; k++) {
        if (!is_lone_run(s, k)) {
            move_staged(s, k, to, from, staging);
            continue;
        }
        const char *const in = lone_run(s, k, from);
        const char *const next = lone_run_behind(s, k, some, from);
        if (in != fetched) prefetch_bytes(in, piece_length(s, k) * s->elem_bytes);
        move_lone(s, k, to, in, next);
        fetched = next;
    }
}

void cpu_bucket(const cpu_move *move, team_member me) {
    const bucket_schedule *const s = &move->p->bucket;
    char *const staging =
        move->staging; /* a member's behind the other's; none for a lone piece, which is not staged */
    char *const mine = staging != NULL ? staging + me.number * bucket_staging_bytes(s) : NULL;
    const uint64_t most = taken_at_once(s, me.count);
    for (;;) {
        const team_share some = team_take(s->pieces, most, move->taken);
        if (some.first == some.end) break;
        move_pieces(s, some, move->dst, move->src, mine);
    }
    stream_finish();
}
