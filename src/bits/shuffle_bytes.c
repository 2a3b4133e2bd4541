/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions of elements of whole bytes: bytes are transposed into the stage, and bits there, between the 8 rows of one byte
 * of 8 elements that follow each other:
 *
 *     elements   8 q + i: byte j          stage   row i * columns + j: byte q          planes   8 j + p: byte q
 *                bit p                            bit p                                         bit i
 *
 * A last byte of planes may be of fewer than 8 elements; bytes of those that are missing are 0 in the stage.
 */
#include <string.h>

#include "base/arithmetic.h"
#include "base/simd/stream.h"
#include "bits/shuffle.h"

enum {
    LINE = 64,
    STREAMED_BYTES = 2048, /* elements that are made in the cache and then streamed */
    MOST_STREAMED = 16     /* bytes of an element */
};

/* The part of a piece's elements that is of whole groups of 8, and how many elements are behind it. */
static size_t whole_groups(const shuffle_piece *p, size_t *rest) {
    const bool is_last = (p->first + p->run) * 8 > p->s->n;
    *rest = is_last ? (size_t)(p->s->n % 8) : 0;
    return p->run - (is_last ? 1 : 0);
}

/* Where each side of a piece's array begins. */
static const uint8_t *src_of(const shuffle_piece *p) {
    return (const uint8_t *)p->s->src + p->array * (shuffle_src_bytes(p->s) / p->s->batch);
}
static uint8_t *dst_of(const shuffle_piece *p) {
    return (uint8_t *)p->s->dst + p->array * (shuffle_dst_bytes(p->s) / p->s->batch);
}

/* A piece's first byte of plane k of its column j. */
static size_t plane_at(const shuffle_piece *p, size_t j, size_t k) {
    return (8 * (p->column + j) + k) * shuffle_plane_bytes(p->s) + p->first;
}

static size_t element_at(const shuffle_piece *p, size_t group, size_t i) {
    return (8 * (p->first + group) + i) * (p->s->width / 8) + p->column;
}

/* A piece's src, as `width` strips of so many bytes. */
typedef struct strips {
    const uint8_t *first;
    size_t step, bytes;
} strips;

/* None where groups of columns read the same elements, or there is no piece. */
static strips strips_of(const shuffle_piece *p) {
    if (p == NULL || !p->stream || p->columns != p->s->width / 8) return (strips){0};
    size_t rest;
    const size_t groups = whole_groups(p, &rest);
    return p->s->to_planes ? (strips){src_of(p) + element_at(p, 0, 0), groups, groups}
                           : (strips){src_of(p) + plane_at(p, 0, 0), shuffle_plane_bytes(p->s), p->run};
}

/* Has strip k on its way while stores of the piece before go past the caches and leave time for it. */
static void fetch(const strips *s, size_t k) {
    for (size_t at = 0; at < s->bytes; at += LINE) __builtin_prefetch(s->first + k * s->step + at, 0, 2);
}

/* Byte `column` of elements i, i + 8, ...: `rows` of them from the first, and as many columns; all of 8 elements are
 * one block where groups have whole elements. */
static void take_bytes(const shuffle_piece *p, const uint8_t *elements, uint8_t *stage) {
    const size_t bytes = p->s->width / 8;
    size_t rest;
    const size_t groups = whole_groups(p, &rest), parts = p->columns == bytes ? 1 : 8;
    tile_block_kernel *const move = bytes == 1 ? p->tiles->separate[0] : p->tiles->transpose[0];
    for (size_t i = 0; i < parts && groups > 0; i++)
        move(&(tile_block){.dst = stage + i * p->columns * p->pitch,
                           .src = elements + element_at(p, 0, i),
                           .rows = groups,
                           .cols = p->columns * 8 / parts,
                           .src_row = (ptrdiff_t)(8 * bytes),
                           .src_col = 1,
                           .dst_row = 1,
                           .dst_col = p->pitch,
                           .run_bytes = 1});
    if (groups == p->run) return;
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < p->columns; j++)
            stage[(i * p->columns + j) * p->pitch + groups] =
                i < rest ? elements[element_at(p, groups, i) + j] : 0;
}

/* Groups `first` to `end` - 1 of the stage become elements, `rows` bytes of each group. */
static void put_block(const shuffle_piece *p, uint8_t *to, const uint8_t *stage, size_t rows, size_t first,
                      size_t end, bool stream) {
    tile_block_kernel *const move = p->s->width == 8 ? p->tiles->interleave[0] : p->tiles->transpose[0];
    move(&(tile_block){.dst = to,
                       .src = stage + first,
                       .rows = rows,
                       .cols = end - first,
                       .src_row = (ptrdiff_t)p->pitch,
                       .src_col = 1,
                       .dst_row = 1,
                       .dst_col = p->s->width,
                       .run_bytes = 1,
                       .stream = stream});
}

/* The same of whole elements, past the caches by way of a few lines. */
static void stream_groups(const shuffle_piece *p, uint8_t *to, const uint8_t *stage, size_t first, size_t end) {
    _Alignas(LINE) uint8_t lines[STREAMED_BYTES];
    const size_t group = p->s->width, together = STREAMED_BYTES / group;
    for (size_t k = first; k < end; k += together) {
        const size_t upto = min(k + together, end);
        put_block(p, lines, stage, group, k, upto, false);
        stream_copy((char *)to + (k - first) * group, (const char *)lines, (upto - k) * group);
    }
}

static void put_groups(const shuffle_piece *p, uint8_t *elements, const uint8_t *stage, size_t first,
                       size_t end) {
    const size_t bytes = p->s->width / 8, parts = p->columns == bytes ? 1 : 8, rows = 8 * p->columns / parts;
    if (first == end) return;
    for (size_t i = 0; i < parts; i++) {
        uint8_t *const to = elements + element_at(p, first, i);
        const uint8_t *const from = stage + i * p->columns * p->pitch;
        const bool is_line = (uintptr_t)to % LINE == 0;
        if (p->stream && parts == 1 && bytes > 1 && bytes <= MOST_STREAMED)
            stream_groups(p, to, from, first, end);
        else
            put_block(p, to, from, rows, first, end,
                      bytes == 1 && p->stream && p->tiles->streams_turned && is_line);
    }
}

static void put_bytes(const shuffle_piece *p, const shuffle_piece *next, const uint8_t *stage,
                      uint8_t *elements) {
    enum { TURNS = 8 }; /* rows of a column */
    size_t rest;
    const size_t groups = whole_groups(p, &rest),
                 each = round_up(ceil_div(groups, (size_t)TURNS), (size_t)LINE);
    const strips ahead = strips_of(next);
    for (size_t turn = 0; turn < TURNS; turn++) {
        put_groups(p, elements, stage, min(each * turn, groups), min(each * (turn + 1), groups));
        for (size_t k = 0; k < p->columns; k++) fetch(&ahead, turn * p->columns + k);
    }
    for (size_t i = 0; i < rest; i++)
        for (size_t j = 0; j < p->columns; j++)
            elements[element_at(p, groups, i) + j] = stage[(i * p->columns + j) * p->pitch + groups];
}

/* Planes of a byte column, `bytes` of which are a row's, from where plane 0 has the piece. In big order bytes begin with
 * their highest bit, so that rows come the other way round. */
static void exchange(const shuffle_piece *p, uint8_t *to, size_t to_row, const uint8_t *from, size_t from_row) {
    const bool is_turned = p->s->is_big;
    if (!is_turned)
        p->loops->exchange(to, (ptrdiff_t)to_row, from, (ptrdiff_t)from_row, p->run, 1);
    else if (p->s->to_planes)
        p->loops->exchange(to, (ptrdiff_t)to_row, from + 7 * from_row, -(ptrdiff_t)from_row, p->run, 1);
    else
        p->loops->exchange(to + 7 * to_row, -(ptrdiff_t)to_row, from, (ptrdiff_t)from_row, p->run, 1);
}

static void to_planes(const shuffle_piece *p, const shuffle_piece *next, uint8_t *stage) {
    const size_t plane = shuffle_plane_bytes(p->s), row = p->columns * p->pitch;
    const strips ahead = strips_of(next);
    uint8_t *const planes = dst_of(p);
    take_bytes(p, src_of(p), stage);
    for (size_t j = 0; j < p->columns; j++) {
        uint8_t *const from = stage + j * p->pitch;
        if (!p->stream) {
            exchange(p, planes + plane_at(p, j, 0), plane, from, row);
            continue;
        }
        exchange(p, from, row, from, row);
        for (size_t k = 0; k < 8; k++) {
            fetch(&ahead, 8 * j + k);
            stream_copy((char *)planes + plane_at(p, j, k), (const char *)from + k * row, p->run);
        }
    }
}

static void to_elements(const shuffle_piece *p, const shuffle_piece *next, uint8_t *stage) {
    const size_t plane = shuffle_plane_bytes(p->s), row = p->columns * p->pitch;
    const uint8_t *const planes = src_of(p);
    for (size_t j = 0; j < p->columns; j++)
        exchange(p, stage + j * p->pitch, row, planes + plane_at(p, j, 0), plane);
    put_bytes(p, next, stage, dst_of(p));
}

void shuffle_bytes(const shuffle_piece *p, const shuffle_piece *next) {
    _Alignas(LINE) uint8_t stage[SHUFFLE_STAGE_BYTES];
    if (p->s->to_planes)
        to_planes(p, next, stage);
    else
        to_elements(p, next, stage);
}
