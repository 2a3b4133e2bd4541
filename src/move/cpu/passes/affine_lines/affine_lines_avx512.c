/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile in registers: 2^k lines come in; line beta is permuted by bytes so that lane alpha ^ beta holds a byte of dst's line alpha; k rounds
 * swap the lanes that have bit j set between the registers whose numbers differ in bit j; then register alpha holds in lane alpha ^ beta what
 * line beta had for it, a last permutation by bytes puts it in the order that dst wants, and 2^k whole lines go out past the cache.
 *
 *      src lines  --permute bytes-->  R[beta][alpha ^ beta, i]  --k rounds of blends-->  R[alpha][alpha ^ beta, i]  --> dst lines
 *
 * The XORs are why rounds need no more than blends, which two units of a processor do, where one permutes.
 */
#if defined(__x86_64__)

#include <immintrin.h>

#include "base/arithmetic.h"
#include "base/simd/stream.h"
#include "base/simd/unrolled.h"
#include "move/cpu/passes/affine_lines/affine_lines.h"
#include "move/cpu/passes/affine_lines/affine_lines_walk.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define AVX512_INLINE AVX512 __attribute__((always_inline)) static inline

enum {
    HELD_BITS =
        4, /* registers are blended 2^4 at a time: 32 or 64, of wider tiles, would go to memory and back in each round */
    HELD = 1 << HELD_BITS,
    CACHED_BITS =
        19, /* src and dst of 2^19 bytes are in the second-level cache, from which lines come in time */
    WIDE_TOGETHER = 2, /* wider tiles in the caches that are moved in turn */
};

/* Tables that are the same for every tile, expanded from the schedule once a call. */
typedef struct tile_tables {
    const affine_lines_schedule *s;
    __m512i read_order[AFFINE_MAX_LINES];   /* byte order that R[beta] takes from src's line beta */
    __m512i write_order[AFFINE_MAX_LINES];  /* byte order that dst's line alpha takes from R[alpha] */
    uint8_t write_shift[AFFINE_LINE_BYTES]; /* lane z of dst as a XOR on write_order */
} tile_tables;

/* The bytes whose lane bit j is set. */
static const uint64_t BIT_SET[AFFINE_LINE_BITS] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                   0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

/* Lane q holds the sum of the images of q's bits. */
AVX512_INLINE __m512i of_lanes(const uint8_t *images) {
    __m512i all = _mm512_setzero_si512();
#pragma GCC unroll UNROLLED_6
    for (unsigned j = 0; j < AFFINE_LINE_BITS; j++)
        all = _mm512_xor_si512(all, _mm512_maskz_set1_epi8(BIT_SET[j], (char)images[j]));
    return all;
}

/* Orders are linear in the lane and in the line: a line's is another's and a XOR. */
AVX512_INLINE void build_tables(const affine_lines_schedule *s, unsigned k, tile_tables *t) {
    t->s = s;
    t->read_order[0] = of_lanes(s->read_lane);
    t->write_order[0] = of_lanes(s->written_lane);
    _mm512_storeu_si512(t->write_shift, t->write_order[0]);
    for (unsigned j = 0; j < k; j++) {
        const __m512i read = _mm512_set1_epi8((char)(s->read_lane[j] ^ (s->read_line[j] & AFFINE_LANE_MASK))),
                      write = _mm512_set1_epi8(
                          (char)(1u << j ^ t->write_shift[s->write_line[j] & AFFINE_LANE_MASK]));
        for (unsigned line = 0; line < 1u << j; line++) {
            t->read_order[line | 1u << j] = _mm512_xor_si512(t->read_order[line], read);
            t->write_order[line | 1u << j] = _mm512_xor_si512(t->write_order[line], write);
        }
    }
}

/* Line `line` of src in the order of R. */
AVX512_INLINE __m512i read_line(const tile_tables *t, const char *src, uint64_t x, unsigned line) {
    return _mm512_permutexvar_epi8(t->read_order[line],
                                   _mm512_loadu_si512(src + (x ^ t->s->read_offset[line])));
}

/* Rounds first .. first + count - 1 of the blends, between 2^count registers. A bound that a sanitizer checks in each turn takes no pragma. */
AVX512_INLINE void blend(__m512i *r, unsigned first, unsigned count) {
    const unsigned registers = 1u << count;
#pragma GCC unroll UNROLLED_6
    for (unsigned j = 0; j < count; j++) {
        const __mmask64 set = BIT_SET[first + j];
#pragma GCC unroll UNROLLED_16
        for (unsigned low = 0; low < registers; low++) {
            if ((low >> j & 1) != 0) continue;
            const __m512i x = r[low], y = r[low | 1u << j];
            r[low] = _mm512_mask_blend_epi8(set, x, y);
            r[low | 1u << j] = _mm512_mask_blend_epi8(set, y, x);
        }
    }
}

/* Where a tile lies and goes. */
typedef struct tile_target {
    uint64_t x;
    char *dst;
    uint64_t y;
    __m512i shift;
    bool stream;
} tile_target;

AVX512_INLINE void write_line(const tile_tables *t, const tile_target *to, unsigned line, __m512i r) {
    const __m512i bytes = _mm512_permutexvar_epi8(_mm512_xor_si512(t->write_order[line], to->shift), r);
    void *const place = to->dst + (to->y ^ t->s->write_offset[line]);
    if (to->stream)
        _mm512_stream_si512(place, bytes);
    else
        _mm512_storeu_si512(place, bytes);
}

/* A tile of up to 2^HELD_BITS lines. */
AVX512_INLINE void move_held(const tile_tables *t, unsigned k, const tile_target *to, const char *src) {
    __m512i r[HELD];
    const unsigned lines = 1u << k;
#pragma GCC unroll UNROLLED_16
    for (unsigned line = 0; line < lines; line++) r[line] = read_line(t, src, to->x, line);
    blend(r, 0, k);
#pragma GCC unroll UNROLLED_16
    for (unsigned line = 0; line < lines; line++) write_line(t, to, line, r[line]);
}

/* The first HELD_BITS rounds of a wider tile, to memory, which is in the cache. */
AVX512_INLINE void read_wide(const tile_tables *t, unsigned k, const tile_target *to, const char *src,
                             __m512i *between) {
    for (unsigned part = 0; part < 1u << (k - HELD_BITS); part++) {
        __m512i r[HELD];
#pragma GCC unroll UNROLLED_16
        for (unsigned low = 0; low < HELD; low++) r[low] = read_line(t, src, to->x, part << HELD_BITS | low);
        blend(r, 0, HELD_BITS);
#pragma GCC unroll UNROLLED_16
        for (unsigned low = 0; low < HELD; low++) between[part << HELD_BITS | low] = r[low];
    }
}

/* The others, of the lines whose numbers end in `low`, on the way to dst. */
AVX512_INLINE void write_wide(const tile_tables *t, unsigned k, const tile_target *to, const __m512i *between,
                              unsigned low) {
    __m512i r[AFFINE_MAX_LINES / HELD];
    const unsigned parts = 1u << (k - HELD_BITS);
#pragma GCC unroll UNROLLED_4
    for (unsigned part = 0; part < parts; part++) r[part] = between[part << HELD_BITS | low];
    blend(r, HELD_BITS, k - HELD_BITS);
#pragma GCC unroll UNROLLED_4
    for (unsigned part = 0; part < parts; part++) write_line(t, to, part << HELD_BITS | low, r[part]);
}

/* Lines of one tile often share a set of the nearest cache, and wait for each other to leave it: those of two tiles are written in turn. */
AVX512_INLINE void move_wide(const tile_tables *t, unsigned k, const tile_target *to, unsigned tiles,
                             const char *src) {
    __m512i between[WIDE_TOGETHER][AFFINE_MAX_LINES];
    for (unsigned tile = 0; tile < tiles; tile++) read_wide(t, k, &to[tile], src, between[tile]);
    for (unsigned low = 0; low < HELD; low++)
        for (unsigned tile = 0; tile < tiles; tile++) write_wide(t, k, &to[tile], between[tile], low);
}

/* A line that comes from memory waits in the second cache: those of a tile are often a power of two apart, and share a set of the nearest one.
 * Wider tiles, which take longer to move than to fetch, want theirs there. */
AVX512_INLINE void fetch_line(const char *line, bool to_second_cache) {
    if (to_second_cache)
        _mm_prefetch(line, _MM_HINT_T1);
    else
        _mm_prefetch(line, _MM_HINT_T0);
}

/* Lines that a store meets where dst does not begin at a line, and cannot go around the caches: both are fetched to be written. */
AVX512_INLINE void fetch_written(const char *place) {
    __builtin_prefetch(place, 1);
    __builtin_prefetch(place + AFFINE_LINE_BYTES - 1, 1);
}

/* Fetches the lines of a tile that comes later. */
AVX512_INLINE void fetch_tile(const affine_lines_walk *ahead, unsigned k, char *dst, const char *src,
                              bool stream) {
    const affine_lines_schedule *const s = ahead->s;
    const bool fetches = s->tile_bits + k + AFFINE_LINE_BITS > CACHED_BITS, waits = s->stream && !stream;
    for (unsigned line = 0; fetches && line < 1u << k; line++)
        fetch_line(src + (ahead->x ^ s->read_offset[line]), stream && k <= HELD_BITS);
    for (unsigned line = 0; waits && line < 1u << k; line++)
        fetch_written(dst + ((ahead->y & ~AFFINE_LANE_MASK) ^ s->write_offset[line]));
}

AVX512_INLINE tile_target target_of(const tile_tables *t, const affine_lines_walk *at, char *dst, bool stream) {
    return (tile_target){at->x, dst, at->y & ~AFFINE_LANE_MASK,
                         _mm512_set1_epi8((char)t->write_shift[at->y & AFFINE_LANE_MASK]), stream};
}

AVX512_INLINE void move_range(const affine_lines_schedule *s, unsigned k, char *dst, const char *src,
                              uint64_t first, uint64_t count, bool stream) {
    tile_tables tables;
    build_tables(s, k, &tables);
    const unsigned together = k > HELD_BITS && !stream ? WIDE_TOGETHER : 1;
    affine_lines_walk here = affine_lines_walk_from(s, first),
                      ahead = affine_lines_walk_from(s, first + AFFINE_TILES_AHEAD);
    for (uint64_t left = count; left > 0;) {
        tile_target to[WIDE_TOGETHER];
        const unsigned tiles = (unsigned)min((uint64_t)together, left);
        for (unsigned tile = 0; tile < tiles; tile++) {
            fetch_tile(&ahead, k, dst, src, stream);
            to[tile] = target_of(&tables, &here, dst, stream);
            affine_lines_walk_next(&here);
            affine_lines_walk_next(&ahead);
        }
        if (k <= HELD_BITS)
            move_held(&tables, k, to, src);
        else
            move_wide(&tables, k, to, tiles, src);
        left -= tiles;
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
