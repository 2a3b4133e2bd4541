/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile in registers: 2^k lines come in, each is permuted by bytes so that lane bit j holds a_j, k exchanges
 * swap bit j of the register's number with bit j of the lane, a last permutation by bytes puts each line in the
 * order that dst wants, and 2^k whole lines go out past the cache.
 *
 *      src lines  --permute bytes-->  R[beta][alpha, i]  --exchange k bits-->  R[alpha][beta, i]  --> dst lines
 */
#if defined(__x86_64__)

#include <immintrin.h>

#include "base/simd/stream.h"
#include "base/simd/unrolled.h"
#include "move/cpu/passes/affine_lines/affine_lines.h"
#include "move/cpu/passes/affine_lines/affine_lines_walk.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define AVX512_INLINE AVX512 __attribute__((always_inline)) static inline

/* Tables that are the same for every tile, expanded from the schedule once a call. */
typedef struct tile_tables {
    __m512i read_order[AFFINE_MAX_LINES];   /* byte order that R[beta] takes from src's line beta */
    __m512i write_order[AFFINE_MAX_LINES];  /* byte order that dst's line alpha takes from R[alpha] */
    uint64_t read_offset[AFFINE_MAX_LINES]; /* line beta of src from x0, in bytes */
    uint64_t write_offset[AFFINE_MAX_LINES];
    uint8_t write_shift[AFFINE_LINE_BYTES]; /* lane z of dst as a XOR on write_order */
} tile_tables;

static void build_tables(const affine_lines_schedule *s, tile_tables *t) {
    uint8_t read_lane[AFFINE_LINE_BYTES];
    for (unsigned q = 0; q < AFFINE_LINE_BYTES; q++) {
        uint8_t in = 0, out = 0;
        for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) {
            in ^= (q >> j & 1) != 0 ? s->read_lane[j] : 0;
            out ^= (q >> j & 1) != 0 ? s->write_lane[j] : 0;
        }
        read_lane[q] = in;
        t->write_shift[out] = (uint8_t)q;
    }
    for (unsigned line = 0; line < 1u << s->width; line++) {
        uint64_t read = affine_combine(s->read_line, s->width, line),
                 write = affine_combine(s->write_line, s->width, line);
        uint8_t *read_order = (uint8_t *)&t->read_order[line], *write_order = (uint8_t *)&t->write_order[line];
        for (unsigned q = 0; q < AFFINE_LINE_BYTES; q++) {
            read_order[q] = (uint8_t)(read_lane[q] ^ (read & AFFINE_LANE_MASK));
            write_order[q] = t->write_shift[q ^ (write & AFFINE_LANE_MASK)];
        }
        t->read_offset[line] = read & ~AFFINE_LANE_MASK;
        t->write_offset[line] = write & ~AFFINE_LANE_MASK;
    }
}

/* The bytes whose lane bit j is set. */
static const uint64_t BIT_SET[AFFINE_LINE_BITS] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                   0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

/* Swaps bit j of the register's number with bit j of the lane, in all 2^k registers. */
AVX512_INLINE void exchange(__m512i *r, unsigned k, unsigned j, __m512i identity) {
    const __m512i other = _mm512_xor_si512(identity, _mm512_set1_epi8((char)(1u << j)));
    for (unsigned low = 0; low < 1u << k; low++) {
        if ((low >> j & 1) != 0) continue;
        __m512i x = r[low], y = r[low | 1u << j];
        r[low] = _mm512_mask_permutexvar_epi8(x, BIT_SET[j], other, y);
        r[low | 1u << j] = _mm512_mask_permutexvar_epi8(y, ~BIT_SET[j], other, x);
    }
}

AVX512_INLINE void move_tile(const tile_tables *t, unsigned k, char *dst, const char *src, uint64_t x,
                             uint64_t y, __m512i identity, bool stream) {
    const unsigned lines = 1u << k;
    __m512i r[AFFINE_MAX_LINES];
#pragma GCC unroll UNROLLED_16
    for (unsigned line = 0; line < lines; line++) {
        __m512i bytes = _mm512_loadu_si512(src + (x ^ t->read_offset[line]));
        r[line] = _mm512_permutexvar_epi8(t->read_order[line], bytes);
    }
#pragma GCC unroll UNROLLED_6
    for (unsigned j = 0; j < k; j++) exchange(r, k, j, identity);
    const __m512i shift = _mm512_set1_epi8((char)t->write_shift[y & AFFINE_LANE_MASK]);
    y &= ~AFFINE_LANE_MASK;
#pragma GCC unroll UNROLLED_16
    for (unsigned line = 0; line < lines; line++) {
        __m512i order = _mm512_xor_si512(t->write_order[line], shift);
        __m512i bytes = _mm512_permutexvar_epi8(order, r[line]);
        void *to = dst + (y ^ t->write_offset[line]);
        if (stream) {
            _mm512_stream_si512(to, bytes);
        } else {
            _mm512_storeu_si512(to, bytes);
        }
    }
}

AVX512_INLINE void move_range(const affine_lines_schedule *s, unsigned k, char *dst, const char *src,
                              uint64_t first, uint64_t count, bool stream) {
    tile_tables tables;
    build_tables(s, &tables);
    __m512i identity;
    for (unsigned q = 0; q < AFFINE_LINE_BYTES; q++) ((uint8_t *)&identity)[q] = (uint8_t)q;
    affine_lines_walk here = affine_lines_walk_from(s, first),
                      ahead = affine_lines_walk_from(s, first + AFFINE_TILES_AHEAD);
    for (uint64_t i = 0; i < count; i++) {
        for (unsigned line = 0; line < 1u << k; line++) {
            _mm_prefetch(src + (ahead.x ^ tables.read_offset[line]), _MM_HINT_T0);
        }
        move_tile(&tables, k, dst, src, here.x, here.y, identity, stream);
        affine_lines_walk_next(&here);
        affine_lines_walk_next(&ahead);
    }
    stream_finish();
}

#define RANGE_OF_WIDTH(k)                                                                                      \
    AVX512 static void range_##k(const affine_lines_schedule *s, void *dst, const void *src, uint64_t first,   \
                                 uint64_t count) {                                                             \
        if (s->stream && (uintptr_t)dst % AFFINE_LINE_BYTES == 0) {                                            \
            move_range(s, k, dst, src, first, count, true);                                                    \
        } else {                                                                                               \
            move_range(s, k, dst, src, first, count, false);                                                   \
        }                                                                                                      \
    }
RANGE_OF_WIDTH(0)
RANGE_OF_WIDTH(1)
RANGE_OF_WIDTH(2)
RANGE_OF_WIDTH(3)
RANGE_OF_WIDTH(4)
RANGE_OF_WIDTH(5)
RANGE_OF_WIDTH(6)

void affine_lines_range_avx512(const affine_lines_schedule *s, void *dst, const void *src, uint64_t first,
                               uint64_t count) {
    static affine_lines_range *const by_width[] = {range_0, range_1, range_2, range_3,
                                                   range_4, range_5, range_6};
    by_width[s->width](s, dst, src, first, count);
}

#endif
