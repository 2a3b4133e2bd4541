/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions of elements of 1, 2 and 4 bits. In a word of 8 bytes, bits of an element's number e and of its own bits p
 * are numbered
 *
 *     4 bits   p p e e e e   --even bits below, twice-->   e e e e p p         2 bits   p e e e e e   --once-->   e e e e e p
 *
 * so that 1 << 6 >> p bits of each plane lie together, and whole bytes are left to move. In big order elements lie in bytes, and bits of
 * planes in theirs, the other way round; both are one change of the planes' bytes.
 */
#include <string.h>

#include "base/arithmetic.h"
#include "bits/shuffle.h"

enum { WORD_BYTES = 8 };

/* How bits lie in a part of a piece's elements. */
typedef struct parts {
    unsigned times;  /* that even bits come below */
    unsigned change; /* bits' places in planes change by it */
    size_t together; /* bytes of a plane in a word */
} parts;

static parts parts_of(const bit_shuffle *s) {
    const unsigned p = (unsigned)__builtin_ctzll(s->width);
    return (parts){p, s->is_big ? (unsigned)(8 / s->width - 1) ^ 7 : 0, WORD_BYTES / s->width};
}

/* Clears the bits of a last byte that are no element's, `bits` of them being some's. */
static void clear_rest(uint8_t *last, unsigned bits, bool is_big) {
    if (bits == 0) return;
    *last &= (uint8_t)(is_big ? 0xff00 >> bits : (1 << bits) - 1);
}

static tile_block block_of(const shuffle_piece *p, const parts *w, uint8_t *dst, const uint8_t *src,
                           size_t words) {
    return p->s->to_planes ? (tile_block){.dst = dst,
                                          .src = src,
                                          .rows = words,
                                          .cols = p->s->width,
                                          .src_row = WORD_BYTES,
                                          .src_col = (ptrdiff_t)w->together,
                                          .dst_row = w->together,
                                          .dst_col = p->pitch,
                                          .run_bytes = w->together}
                           : (tile_block){.dst = dst,
                                          .src = src,
                                          .rows = p->s->width,
                                          .cols = words,
                                          .src_row = (ptrdiff_t)p->pitch,
                                          .src_col = (ptrdiff_t)w->together,
                                          .dst_row = w->together,
                                          .dst_col = WORD_BYTES,
                                          .run_bytes = w->together};
}

typedef struct places {
    uint8_t *words, *planes; /* in a thread's stage */
    size_t bytes, padded;    /* elements' */
} places;

static void to_planes(const shuffle_piece *p, const parts *w, const places *at, const uint8_t *elements,
                      uint8_t *planes) {
    const size_t plane = shuffle_plane_bytes(p->s);
    memcpy(at->words, elements, at->bytes);
    memset(at->words + at->bytes, 0, at->padded - at->bytes);
    p->loops->separate(at->words, at->padded, w->times);
    const tile_block block = block_of(p, w, at->planes, at->words, at->padded / WORD_BYTES);
    p->tiles->separate[tile_word(w->together)](&block);
    for (size_t k = 0; k < p->s->width; k++) {
        uint8_t *const row = at->planes + k * p->pitch;
        p->loops->turn(row, at->padded / p->s->width, w->change);
        if (p->first + p->run == plane) clear_rest(row + p->run - 1, (unsigned)(p->s->n % 8), p->s->is_big);
        memcpy(planes + k * plane, row, p->run);
    }
}

static void to_elements(const shuffle_piece *p, const parts *w, const places *at, uint8_t *elements,
                        const uint8_t *planes) {
    const size_t plane = shuffle_plane_bytes(p->s);
    for (size_t k = 0; k < p->s->width; k++) {
        uint8_t *const row = at->planes + k * p->pitch;
        memcpy(row, planes + k * plane, p->run);
        memset(row + p->run, 0, at->padded / p->s->width - p->run);
        if (p->first + p->run == plane) clear_rest(row + p->run - 1, (unsigned)(p->s->n % 8), p->s->is_big);
        p->loops->turn(row, at->padded / p->s->width, w->change);
    }
    const tile_block block = block_of(p, w, at->words, at->planes, at->padded / WORD_BYTES);
    p->tiles->interleave[tile_word(w->together)](&block);
    p->loops->interleave(at->words, at->padded, w->times);
    memcpy(elements, at->words, at->bytes);
}

void shuffle_parts(const shuffle_piece *p) {
    _Alignas(64) uint8_t words[4 * SHUFFLE_MOST_RUN], planes[4 * (SHUFFLE_MOST_RUN + SHUFFLE_GAP_BYTES)];
    const bit_shuffle *const s = p->s;
    const parts w = parts_of(s);
    const size_t before = p->first * s->width, all = shuffle_element_bytes(s),
                 bytes = min(p->run * s->width, all - before);
    const places at = {words, planes, bytes, round_up(bytes, (size_t)64)};
    const size_t elements = p->array * all + before,
                 first = p->array * s->width * shuffle_plane_bytes(s) + p->first;
    if (s->to_planes)
        to_planes(p, &w, &at, (const uint8_t *)s->src + elements, (uint8_t *)s->dst + first);
    else
        to_elements(p, &w, &at, (uint8_t *)s->dst + elements, (const uint8_t *)s->src + first);
}
