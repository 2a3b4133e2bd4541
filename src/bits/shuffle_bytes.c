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

#include "base/simd/stream.h"
#include "bits/shuffle.h"

/* The part of a piece's elements that is of whole groups of 8, and how many elements are behind it. */
static size_t whole_groups(const shuffle_piece *p, size_t *rest) {
    const bool is_last = (p->first + p->run) * 8 > p->s->n;
    *rest = is_last ? (size_t)(p->s->n % 8) : 0;
    return p->run - (is_last ? 1 : 0);
}

static size_t element_at(const shuffle_piece *p, size_t group, size_t i) {
    return (8 * (p->first + group) + i) * (p->s->width / 8) + p->column;
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

static void put_bytes(const shuffle_piece *p, const uint8_t *stage, uint8_t *elements) {
    const size_t bytes = p->s->width / 8;
    size_t rest;
    const size_t groups = whole_groups(p, &rest), parts = p->columns == bytes ? 1 : 8;
    tile_block_kernel *const move = bytes == 1 ? p->tiles->interleave[0] : p->tiles->transpose[0];
    const bool stream = bytes == 1 && p->stream && p->tiles->streams_lines;
    for (size_t i = 0; i < parts && groups > 0; i++) {
        uint8_t *const to = elements + element_at(p, 0, i);
        move(&(tile_block){.dst = to,
                           .src = stage + i * p->columns * p->pitch,
                           .rows = p->columns * 8 / parts,
                           .cols = groups,
                           .src_row = (ptrdiff_t)p->pitch,
                           .src_col = 1,
                           .dst_row = 1,
                           .dst_col = 8 * bytes,
                           .run_bytes = 1,
                           .stream = stream && (uintptr_t)to % 64 == 0});
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

static void to_planes(const shuffle_piece *p, uint8_t *stage) {
    const size_t plane = shuffle_plane_bytes(p->s), row = p->columns * p->pitch;
    uint8_t *const planes = (uint8_t *)p->s->dst + (p->array * p->s->width + 8 * p->column) * plane + p->first;
    take_bytes(p, (const uint8_t *)p->s->src + p->array * shuffle_element_bytes(p->s), stage);
    for (size_t j = 0; j < p->columns; j++) {
        uint8_t *const from = stage + j * p->pitch, *const to = planes + 8 * j * plane;
        if (!p->stream) {
            exchange(p, to, plane, from, row);
            continue;
        }
        exchange(p, from, row, from, row);
        for (size_t k = 0; k < 8; k++)
            stream_copy((char *)to + k * plane, (const char *)from + k * row, p->run);
    }
}

static void to_elements(const shuffle_piece *p, uint8_t *stage) {
    const size_t plane = shuffle_plane_bytes(p->s), row = p->columns * p->pitch;
    const uint8_t *const planes =
        (const uint8_t *)p->s->src + (p->array * p->s->width + 8 * p->column) * plane + p->first;
    for (size_t j = 0; j < p->columns; j++)
        exchange(p, stage + j * p->pitch, row, planes + 8 * j * plane, plane);
    put_bytes(p, stage, (uint8_t *)p->s->dst + p->array * shuffle_element_bytes(p->s));
}

void shuffle_bytes(const shuffle_piece *p) {
    _Alignas(64) uint8_t stage[SHUFFLE_STAGE_BYTES];
    if (p->s->to_planes)
        to_planes(p, stage);
    else
        to_elements(p, stage);
    if (p->stream) stream_finish();
}
