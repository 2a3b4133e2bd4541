/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece of a bucket pass: its runs side by side in a thread's staging, and its elements gathered from there.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_BUCKET_PIECE_H
#define RIFFLE_MOVE_CPU_PASSES_BUCKET_PIECE_H

#include <string.h>

#include "base/arithmetic.h"
#include "base/element_size.h"
#include "base/simd/gather.h"
#include "base/simd/stream.h"
#include "move/cpu/passes/loops.h"

enum {
    LINE_BYTES = 64,
    RUNS_AHEAD = 32,  /* runs fetched before they are copied: enough to cover a memory latency */
    PIECES_TAKEN = 4, /* so few that threads are near each other in their runs, which share lines */
    LONE_TAKEN = 16,  /* a thread waits for the first of them */
    TURNS = 8,        /* a thread's, so that all end at about the same time */
};

enum { WORD = sizeof(uint64_t) };

/* Elements that fit a word leave as whole words, packed as a little-endian machine lays them out. */
ALWAYS_INLINE size_t gather_words(char *out, const char *in, const uint16_t *order, size_t count,
                                  size_t elem_bytes) {
    const size_t per_word = WORD / elem_bytes;
    size_t j = 0;
    for (; j + per_word <= count; j += per_word) {
        uint64_t word = 0;
        for (size_t e = 0; e < per_word; e++) {
            uint64_t element = 0;
            memcpy(&element, in + order[j + e] * elem_bytes, elem_bytes);
            word |= element << (8 * elem_bytes * e);
        }
        stream_word((uint64_t *)(void *)(out + j * elem_bytes), word);
    }
    return j;
}

ALWAYS_INLINE size_t gather_long(char *out, const char *in, const uint16_t *order, size_t count,
                                 size_t elem_bytes) {
    for (size_t j = 0; j < count; j++) {
        for (size_t at = 0; at < elem_bytes; at += WORD) {
            uint64_t word;
            memcpy(&word, in + order[j] * elem_bytes + at, WORD);
            stream_word((uint64_t *)(void *)(out + j * elem_bytes + at), word);
        }
    }
    return count;
}

ALWAYS_INLINE size_t gather_lines(char *out, const char *in, const uint16_t *order, size_t count,
                                  size_t elem_bytes) {
    const size_t at_once = GATHER_LINE / elem_bytes;
    size_t j = 0;
    for (; j + at_once <= count; j += at_once) gather_stream(out + j * elem_bytes, in, order + j, elem_bytes);
    return j;
}

/* out[j] = in[order[j]] for elements of a constant size: streamed where they make up whole aligned words. */
ALWAYS_INLINE void gather_piece(char *out, const char *in, const uint16_t *order, size_t count,
                                size_t elem_bytes) {
    const bool little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    size_t j = 0;
    if (gather_streams(elem_bytes) && (uintptr_t)out % GATHER_BYTES == 0) {
        j = gather_lines(out, in, order, count, elem_bytes);
    } else if ((uintptr_t)out % WORD == 0) {
        if (elem_bytes % WORD == 0) {
            j = gather_long(out, in, order, count, elem_bytes);
        } else if (WORD % elem_bytes == 0 && little_endian) {
            j = gather_words(out, in, order, count, elem_bytes);
        }
    }
    for (; j < count; j++) memcpy(out + j * elem_bytes, in + order[j] * elem_bytes, elem_bytes);
}

/* Copies a run as whole lines while both the input and the staging's slack allow, since runs are short. */
static inline void copy_run(char *to, const char *from, size_t bytes, const char *input_end) {
    if ((size_t)(input_end - from) < bytes + LINE_BYTES) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += LINE_BYTES) memcpy(to + at, from + at, LINE_BYTES);
}

static inline void stage_runs(const bucket_schedule *s, uint64_t piece, char *staging, const char *input) {
    const uint64_t end = s->first_run[piece + 1];
    const char *const input_end = input + s->n * s->elem_bytes;
    for (uint64_t r = s->first_run[piece]; r < end; r++) {
        if (r + RUNS_AHEAD < s->run_count) {
            const bucket_run ahead = s->runs[r + RUNS_AHEAD];
            const char *line = input + bucket_run_start(ahead) * s->elem_bytes;
            __builtin_prefetch(line, 0, 2);
            __builtin_prefetch(line + LINE_BYTES, 0, 2);
        }
        const size_t bytes = bucket_run_length(s->runs[r]) * s->elem_bytes;
        copy_run(staging, input + bucket_run_start(s->runs[r]) * s->elem_bytes, bytes, input_end);
        staging += bytes;
    }
}

static inline bool is_lone_run(const bucket_schedule *s, uint64_t piece) {
    return s->first_run[piece + 1] - s->first_run[piece] == 1;
}

static inline const char *lone_run(const bucket_schedule *s, uint64_t piece, const char *input) {
    return input + bucket_run_start(s->runs[s->first_run[piece]]) * s->elem_bytes;
}

static inline size_t piece_length(const bucket_schedule *s, uint64_t piece) {
    return min(s->n - (piece << s->piece_bits), (uint64_t)1 << s->piece_bits);
}

static inline uint64_t taken_at_once(const bucket_schedule *s, unsigned members) {
    if (s->run_count > s->pieces) return PIECES_TAKEN;
    return min(max(s->pieces / (TURNS * members), PIECES_TAKEN), LONE_TAKEN);
}

#endif
