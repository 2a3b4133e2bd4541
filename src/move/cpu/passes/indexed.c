/* SPDX-License-Identifier: Apache-2.0
 *
 * A table is looked up where it lies; any other map is evaluated into a batch of indices first.
 */
#include <string.h>

#include "base/element_size.h"
#include "base/simd/gather.h"
#include "base/simd/stream.h"
#include "move/cpu/passes/loops.h"
#include "plan/request/streaming.h"

enum { BATCH = 1024, LINE_BYTES = 64, ROWS_AHEAD = 16 };

/* Elements first .. first + count - 1 and where their counterparts are. */
typedef struct run {
    char *dst;
    const char *src;
    const void *indices; /* entry k is element first + k's */
    size_t index_bytes;
    uint64_t first;
    size_t count;
    bool stream; /* write around the caches */
} run;

ALWAYS_INLINE uint64_t index_at(const void *indices, size_t index_bytes, size_t k) {
    return index_bytes == sizeof(uint32_t) ? ((const uint32_t *)indices)[k] : ((const uint64_t *)indices)[k];
}

/* Stores might change *r for all that the compiler knows, so loops keep what they need of it in registers. */
ALWAYS_INLINE void scatter_loop(const run *r, size_t index_bytes, size_t elem_bytes) {
    const void *const indices = r->indices;
    char *const dst = r->dst;
    const char *const from = r->src + r->first * elem_bytes;
    const size_t count = r->count;
#pragma GCC unroll 4
    for (size_t k = 0; k < count; k++)
        memcpy(dst + index_at(indices, index_bytes, k) * elem_bytes, from + k * elem_bytes, elem_bytes);
}

ALWAYS_INLINE void gather_loop(const run *r, size_t index_bytes, size_t elem_bytes) {
    const void *const indices = r->indices;
    char *const to = r->dst + r->first * elem_bytes;
    const char *const src = r->src;
    const size_t count = r->count;
#pragma GCC unroll 4
    for (size_t k = 0; k < count; k++)
        memcpy(to + k * elem_bytes, src + index_at(indices, index_bytes, k) * elem_bytes, elem_bytes);
}

typedef void gather_block(char *to, const char *src, const uint32_t *indices);

/* Elements that leave by GATHER_BYTES at a time, then the rest. */
ALWAYS_INLINE void gather_blocks(const run *r, size_t elem_bytes, gather_block *block) {
    enum { UNROLLED = 2 };
    const uint32_t *const indices = r->indices;
    char *const to = r->dst + r->first * elem_bytes;
    const char *const src = r->src;
    const size_t count = r->count, step = GATHER_BYTES / elem_bytes;
    size_t k = 0;
#pragma GCC unroll UNROLLED
    for (; k + step <= count; k += step) block(to + k * elem_bytes, src, indices + k);
    for (; k < count; k++) memcpy(to + k * elem_bytes, src + (size_t)indices[k] * elem_bytes, elem_bytes);
}

static void gather_words_of_4(const run *r) { gather_blocks(r, 4, gather_4_words); }
static void gather_words_of_8(const run *r) { gather_blocks(r, 8, gather_2_words); }

static void copy_row(const run *r, char *to, const char *from, size_t row_bytes) {
    if (r->stream) {
        stream_copy(to, from, row_bytes);
    } else {
        memcpy(to, from, row_bytes);
    }
}

/* Rows of a line and more. Rows that are read in no order are fetched ahead, as the processor does for rows
 * that are read in order. */
static void gather_rows(const run *r, size_t row_bytes) {
    const size_t fetched = row_bytes < 8 * LINE_BYTES ? row_bytes : 8 * LINE_BYTES;
    char *to = r->dst + r->first * row_bytes;
    for (size_t k = 0; k < r->count; k++, to += row_bytes) {
        const size_t ahead = k + ROWS_AHEAD < r->count ? k + ROWS_AHEAD : r->count - 1;
        const char *next = r->src + index_at(r->indices, r->index_bytes, ahead) * row_bytes;
        for (size_t at = 0; at < fetched; at += LINE_BYTES) __builtin_prefetch(next + at);
        copy_row(r, to, r->src + index_at(r->indices, r->index_bytes, k) * row_bytes, row_bytes);
    }
}

static void scatter_rows(const run *r, size_t row_bytes) {
    const char *from = r->src + r->first * row_bytes;
    for (size_t k = 0; k < r->count; k++, from += row_bytes) {
        copy_row(r, r->dst + index_at(r->indices, r->index_bytes, k) * row_bytes, from, row_bytes);
    }
}

static void scatter_run(const run *r, size_t elem_bytes) {
    if (elem_bytes >= LINE_BYTES) {
        scatter_rows(r, elem_bytes);
    } else if (r->index_bytes == sizeof(uint32_t)) {
        CALL_FOR_ELEMENT_SIZE(elem_bytes, scatter_loop, r, sizeof(uint32_t))
    } else {
        CALL_FOR_ELEMENT_SIZE(elem_bytes, scatter_loop, r, sizeof(uint64_t))
    }
}

static void gather_run(const run *r, size_t elem_bytes) {
    if (elem_bytes >= LINE_BYTES) {
        gather_rows(r, elem_bytes);
    } else if (r->index_bytes == sizeof(uint32_t) && elem_bytes == 4) {
        gather_words_of_4(r);
    } else if (r->index_bytes == sizeof(uint32_t) && elem_bytes == 8) {
        gather_words_of_8(r);
    } else if (r->index_bytes == sizeof(uint32_t)) {
        CALL_FOR_ELEMENT_SIZE(elem_bytes, gather_loop, r, sizeof(uint32_t))
    } else {
        CALL_FOR_ELEMENT_SIZE(elem_bytes, gather_loop, r, sizeof(uint64_t))
    }
}

typedef void move_run(const run *r, size_t elem_bytes);

static void move_batches(const riffle_perm *map, run r, size_t elem_bytes, move_run *move) {
    uint64_t indices[BATCH];
    const uint64_t end = r.first + r.count;
    r.indices = indices;
    r.index_bytes = sizeof indices[0];
    for (; r.first < end; r.first += r.count) {
        r.count = end - r.first < BATCH ? end - r.first : BATCH;
        riffle_perm_map(map, r.first, r.count, indices); /* in range, so it cannot fail */
        move(&r, elem_bytes);
    }
}

static void move_share(const cpu_move *move, team_member me, move_run *move_one) {
    const indexed_schedule *const s = &move->p->indexed;
    const riffle_perm *const map = s->map;
    const team_share mine = team_share_of(map->n, me);
    /* Scattered rows are streamed only where no two share a line, for a line must leave whole. */
    const bool whole_lines = ((uintptr_t)move->dst | s->elem_bytes) % LINE_BYTES == 0;
    const size_t index_bytes = map->kind == PERM_TABLE ? map->table.entry_bytes : sizeof(uint64_t);
    /* One object from here on: a copy would be read before its fields had left for it, as long as 100 bytes take. */
    const run r = {
        .dst = move->dst,
        .src = move->src,
        .indices = map->kind == PERM_TABLE ? (const char *)map->table.entries + mine.first * index_bytes : NULL,
        .index_bytes = index_bytes,
        .first = mine.first,
        .count = mine.end - mine.first,
        .stream = is_streamed(map->n * s->elem_bytes) && (whole_lines || move_one == gather_run)};
    if (map->kind == PERM_TABLE) {
        move_one(&r, s->elem_bytes);
    } else {
        move_batches(map, r, s->elem_bytes, move_one);
    }
    if (r.stream) stream_finish(); /* it waits for all stores, as long as 1 KiB takes */
}

void cpu_scatter(const cpu_move *move, team_member me) { move_share(move, me, scatter_run); }

void cpu_gather(const cpu_move *move, team_member me) { move_share(move, me, gather_run); }

/* ------------------------------------------------------- indices used once */

static void move_rows(const cpu_rows *rows, team_member me, uint64_t dst_rows, move_run *move_one) {
    const riffle_indices *const indices = rows->indices;
    const team_share mine = team_share_of(indices->m, me);
    const bool whole_lines = ((uintptr_t)rows->dst | rows->row_bytes) % LINE_BYTES == 0;
    const run r = {.dst = rows->dst,
                   .src = rows->src,
                   .indices = (const char *)indices->entries + mine.first * indices->entry_bytes,
                   .index_bytes = indices->entry_bytes,
                   .first = mine.first,
                   .count = mine.end - mine.first,
                   .stream =
                       is_streamed(dst_rows * rows->row_bytes) && (whole_lines || move_one == gather_run)};
    move_one(&r, rows->row_bytes);
    if (r.stream) stream_finish();
}

void cpu_take(const cpu_rows *rows, team_member me) { move_rows(rows, me, rows->indices->m, gather_run); }

void cpu_put(const cpu_rows *rows, team_member me) { move_rows(rows, me, rows->indices->n, scatter_run); }
