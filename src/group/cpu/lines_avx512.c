/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows into lines, 16 at a time: places come from how many of the lanes before have the same group. A row's way has no branch then, and the
 * next 16 lines are on their way to the nearest cache while these rows are put.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "group/cpu/lines.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd")))
#define INLINE TARGET __attribute__((always_inline)) static inline

enum {
    LANES = 16,
    NEAR_GROUPS = 512, /* so many lines, one of the cache's of each, stay in the nearest cache */
    AHEAD = 512,       /* bytes of rows */
};

typedef struct ranked {
    uint32_t at[LANES]; /* bytes from the first line */
    uint32_t place[LANES];
    uint32_t full;    /* a bit for each row that fills its line */
    uint32_t wrapped; /* and for each whose line another of these rows fills first */
} ranked;

INLINE __m512i every(uint32_t word) { return _mm512_set1_epi32((int)word); }

/* Bits of each of 16 words, whose upper 16 are 0. */
INLINE __m512i count_bits(__m512i words) {
    const __m512i counts =
                      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)),
                  low = _mm512_set1_epi8(15),
                  bytes = _mm512_add_epi8(
                      _mm512_shuffle_epi8(counts, _mm512_and_si512(words, low)),
                      _mm512_shuffle_epi8(counts, _mm512_and_si512(_mm512_srli_epi32(words, 4), low)));
    return _mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1));
}

INLINE void write_places(uint64_t *to, __m512i places, __mmask16 left_out) {
    const __m512i none = _mm512_set1_epi64(-1);
    const __m512i lower = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(places)),
                  upper = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(places, 1));
    _mm512_storeu_si512(to, _mm512_mask_mov_epi64(lower, (__mmask8)left_out, none));
    _mm512_storeu_si512(to + LANES / 2, _mm512_mask_mov_epi64(upper, (__mmask8)(left_out >> 8), none));
}

/* The later of two lanes of one group is the one that is stored. */
INLINE void rank_rows(const group_lines *l, const uint32_t *groups, uint64_t *places, size_t row_bytes,
                      ranked *out) {
    const unsigned row_bits = (unsigned)__builtin_ctzll(row_bytes);
    const uint32_t line_bytes = (uint32_t)1 << l->bits;
    const __m512i group = _mm512_loadu_si512(groups), before = count_bits(_mm512_conflict_epi32(group)),
                  place = _mm512_add_epi32(_mm512_i32gather_epi32(group, l->next_row, 8), before);
    _mm512_i32scatter_epi32(l->next_row, group, _mm512_add_epi32(place, every(1)), 8);
    const __m512i address =
                      _mm512_add_epi32(_mm512_slli_epi32(place, row_bits), every((uint32_t)(uintptr_t)l->rows)),
                  in_line = _mm512_and_si512(address, every(line_bytes - 1));
    _mm512_storeu_si512(out->at, _mm512_or_si512(_mm512_slli_epi32(group, l->bits), in_line));
    _mm512_storeu_si512(out->place, place);
    out->full = _mm512_cmpeq_epi32_mask(in_line, every(line_bytes - (uint32_t)row_bytes));
    out->wrapped = _mm512_cmplt_epu32_mask(in_line, _mm512_slli_epi32(before, row_bits));
    if (places != NULL) write_places(places, place, _mm512_cmpeq_epi32_mask(group, every(l->groups)));
    if (l->groups <= NEAR_GROUPS) return;
    _Pragma("GCC unroll 16") for (unsigned k = 0; k < LANES; k++) __builtin_prefetch(l->lines + out->at[k], 1);
}

/* Full lines, by the longest stores. */
INLINE void send(const group_lines *l, const ranked *r, unsigned k, size_t row_bytes) {
    const uint32_t group = r->at[k] >> l->bits;
    const size_t line_bytes = (size_t)1 << l->bits;
    const uintptr_t end = (uintptr_t)l->rows + ((uint64_t)r->place[k] + 1) * row_bytes;
    char *const to = (char *)(end - line_bytes), *const held = l->lines + ((size_t)group << l->bits);
    if (group == l->groups || (uintptr_t)to < l->first[group]) {
        group_line_send(l, group, end);
        return;
    }
    for (size_t at = 0; at < line_bytes; at += sizeof(__m512i))
        _mm512_stream_si512((__m512i *)(void *)(to + at), _mm512_loadu_si512(held + at));
}

INLINE void put_rows(const group_lines *l, const ranked *r, const char *from, size_t row_bytes) {
    if (__builtin_expect(r->wrapped != 0, 0)) {
        for (unsigned k = 0; k < LANES; k++) {
            memcpy(l->lines + r->at[k], from + k * row_bytes, row_bytes);
            if ((r->full >> k & 1) != 0) send(l, r, k, row_bytes);
        }
        return;
    }
    for (size_t at = 0; at < LANES * row_bytes; at += 64) __builtin_prefetch(from + AHEAD + at);
    _Pragma("GCC unroll 16") for (unsigned k = 0; k < LANES; k++)
        memcpy(l->lines + r->at[k], from + k * row_bytes, row_bytes);
    for (uint32_t full = r->full; full != 0; full &= full - 1)
        send(l, r, (unsigned)__builtin_ctz(full), row_bytes);
}

INLINE void put_row(const group_lines *l, uint32_t group, uint64_t *place, const char *from, size_t row_bytes) {
    const uint64_t row = l->next_row[group]++;
    const uintptr_t at = (uintptr_t)l->rows + row * row_bytes, in_line = ((uintptr_t)1 << l->bits) - 1;
    memcpy(l->lines + ((size_t)group << l->bits) + (at & in_line), from, row_bytes);
    if (((at + row_bytes) & in_line) == 0) group_line_send(l, group, at + row_bytes);
    if (place != NULL) *place = group < l->groups ? row : UINT64_MAX;
}

INLINE void collect(const group_lines *l, const uint32_t *groups, size_t count, const char *from,
                    uint64_t *places, size_t row_bytes) {
    ranked two[2];
    size_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        rank_rows(l, groups + k, places != NULL ? places + k : NULL, row_bytes, &two[k / LANES % 2]);
        if (k > 0) put_rows(l, &two[(k / LANES + 1) % 2], from + (k - LANES) * row_bytes, row_bytes);
    }
    if (k > 0) put_rows(l, &two[(k / LANES + 1) % 2], from + (k - LANES) * row_bytes, row_bytes);
    for (; k < count; k++)
        put_row(l, groups[k], places != NULL ? places + k : NULL, from + k * row_bytes, row_bytes);
}

/* No store to a line changes where lines are. */
TARGET void group_collect_avx512(const group_lines *lines, const uint32_t *groups, size_t count,
                                 const char *from, uint64_t *places) {
    const group_lines l = *lines;
    switch (l.row_bytes) {
    case 1: collect(&l, groups, count, from, places, 1); break;
    case 2: collect(&l, groups, count, from, places, 2); break;
    case 4: collect(&l, groups, count, from, places, 4); break;
    case 8: collect(&l, groups, count, from, places, 8); break;
    default: collect(&l, groups, count, from, places, 16); break;
    }
}
#endif
