/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels for AVX-512. Edges need no code of their own: a masked load or store touches only the
 * bytes under its mask, and costs what a whole one costs.
 *
 * Words of 4, 8 and 16 bytes are transposed 16 x 16, 8 x 8 and 4 x 4 in registers: first pairs of rows are
 * zipped until each 128-bit lane holds one column of four rows, then lanes are transposed 4 x 4:
 *
 *     rows  a0 a1 a2 a3 | a4 ...        zip    a0 b0 c0 d0 | a4 b4 c4 d4 | a8 ... | a12 ...
 *           b0 b1 b2 b3 | b4 ...        --->   e0 f0 g0 h0 | e4 f4 g4 h4 | ...
 *           c0 ...                             i0 ...                             columns 4L + j
 *
 * Words of 1 and 2 bytes are zipped until 4 bytes of a column lie together, and go on as words of 4.
 */
#include "move/cpu/passes/tile_kernels/tile_kernels.h"
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define INLINE static inline __attribute__((always_inline)) TARGET

/** Rows of src between the one in hand and the one that is being fetched; more do not fit the ways of a cache
 *  where rows are a power of two apart. */
enum { ROWS_AHEAD = 32 };

/** A mask of the lowest `count` bytes, all 64 from 64 on. */
INLINE __mmask64 first_bytes(size_t count) { return count >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << count) - 1; }

INLINE __m512i load(const uint8_t *at, __mmask64 bytes) { return _mm512_maskz_loadu_epi8(bytes, at); }
INLINE void store(uint8_t *at, __mmask64 bytes, __m512i x) { _mm512_mask_storeu_epi8(at, bytes, x); }
INLINE void stream(uint8_t *at, __m512i line) { _mm512_stream_si512((__m512i *)(void *)at, line); }

/** Transposes 4 x 4 lanes: y[j] has lane j of x0, x1, x2, x3. */
INLINE void transpose_lanes(__m512i x0, __m512i x1, __m512i x2, __m512i x3, __m512i y[4]) {
    const __m512i even_01 = _mm512_shuffle_i32x4(x0, x1, 0x88);
    const __m512i even_23 = _mm512_shuffle_i32x4(x2, x3, 0x88);
    const __m512i odd_01 = _mm512_shuffle_i32x4(x0, x1, 0xdd);
    const __m512i odd_23 = _mm512_shuffle_i32x4(x2, x3, 0xdd);
    y[0] = _mm512_shuffle_i32x4(even_01, even_23, 0x88);
    y[1] = _mm512_shuffle_i32x4(odd_01, odd_23, 0x88);
    y[2] = _mm512_shuffle_i32x4(even_01, even_23, 0xdd);
    y[3] = _mm512_shuffle_i32x4(odd_01, odd_23, 0xdd);
}

/** Zips four rows of 4-byte words: x[j] becomes columns 4L + j of the rows in lane L. */
INLINE void zip_four(__m512i x[4]) {
    const __m512i low_01 = _mm512_unpacklo_epi32(x[0], x[1]);
    const __m512i high_01 = _mm512_unpackhi_epi32(x[0], x[1]);
    const __m512i low_23 = _mm512_unpacklo_epi32(x[2], x[3]);
    const __m512i high_23 = _mm512_unpackhi_epi32(x[2], x[3]);
    x[0] = _mm512_unpacklo_epi64(low_01, low_23);
    x[1] = _mm512_unpackhi_epi64(low_01, low_23);
    x[2] = _mm512_unpacklo_epi64(high_01, high_23);
    x[3] = _mm512_unpackhi_epi64(high_01, high_23);
}

/** Row r of a block, and nothing where it has fewer. */
INLINE __m512i load_row(const tile_block *b, size_t r, __mmask64 bytes) {
    return r < b->rows ? load(tile_src(b, r, 0), bytes) : _mm512_setzero_si512();
}

/** Stores y[L] as column `column + L * step` of the block, for those columns there are. */
INLINE void store_columns(const tile_block *b, size_t column, size_t step, __mmask64 bytes,
                          const __m512i y[4]) {
    for (size_t lane = 0; lane < 4; lane++) {
        const size_t c = column + lane * step;
        if (c >= b->cols) continue;
        if (b->stream)
            stream(b->dst + c * b->dst_col, y[lane]);
        else
            store(b->dst + c * b->dst_col, bytes, y[lane]);
    }
}

/** 16 rows of 16 words of 4 bytes, in registers, to dst; word 4L + j of a row is column first + L * step + j.
 */
INLINE void transpose_16x16(const tile_block *b, __m512i x[16], __mmask64 bytes, size_t first, size_t step) {
    for (size_t i = 0; i < 16; i += 4) zip_four(x + i);
    for (size_t j = 0; j < 4; j++) {
        __m512i y[4];
        transpose_lanes(x[j], x[4 + j], x[8 + j], x[12 + j], y);
        store_columns(b, first + j, step, bytes, y);
    }
}

/** One block of up to 16 x 16 words of 4 bytes. */
INLINE void block_4(const tile_block *b) {
    __m512i x[16];
    const __mmask64 mask = first_bytes(b->cols * 4);
    for (size_t r = 0; r < 16; r++) x[r] = load_row(b, r, mask);
    transpose_16x16(b, x, first_bytes(b->rows * 4), 0, 4);
}

/** ... 8 x 8 words of 8 bytes. */
INLINE void block_8(const tile_block *b) {
    __m512i x[8];
    __m512i y[4];
    const __mmask64 mask = first_bytes(b->cols * 8);
    for (size_t r = 0; r < 8; r++) x[r] = load_row(b, r, mask);
    for (size_t r = 0; r < 8; r += 2) {
        const __m512i even = _mm512_unpacklo_epi64(x[r], x[r + 1]);
        x[r + 1] = _mm512_unpackhi_epi64(x[r], x[r + 1]);
        x[r] = even;
    }
    transpose_lanes(x[0], x[2], x[4], x[6], y);
    store_columns(b, 0, 2, first_bytes(b->rows * 8), y);
    transpose_lanes(x[1], x[3], x[5], x[7], y);
    store_columns(b, 1, 2, first_bytes(b->rows * 8), y);
}

/** ... 4 x 4 words of 16 bytes. */
INLINE void block_16(const tile_block *b) {
    __m512i x[4];
    __m512i y[4];
    const __mmask64 mask = first_bytes(b->cols * 16);
    for (size_t r = 0; r < 4; r++) x[r] = load_row(b, r, mask);
    transpose_lanes(x[0], x[1], x[2], x[3], y);
    store_columns(b, 0, 1, first_bytes(b->rows * 16), y);
}

/** ... 32 x 32 words of 2 bytes: pairs of rows zipped, then as words of 4, half of the columns at a time. */
INLINE void block_2(const tile_block *b) {
    __m512i pairs[2][16];
    const __mmask64 mask = first_bytes(b->cols * 2);
    for (size_t r = 0; r < 32; r += 2) {
        const __m512i x = load_row(b, r, mask), y = load_row(b, r + 1, mask);
        pairs[0][r / 2] = _mm512_unpacklo_epi16(x, y);
        pairs[1][r / 2] = _mm512_unpackhi_epi16(x, y);
    }
    for (size_t half = 0; half < 2; half++)
        transpose_16x16(b, pairs[half], first_bytes(b->rows * 2), 4 * half, 8);
}

/** ... 64 x 64 bytes: four rows zipped, then as words of 4, a quarter of the columns at a time. */
INLINE void block_1(const tile_block *b) {
    __m512i fours[4][16];
    const __mmask64 mask = first_bytes(b->cols);
    for (size_t r = 0; r < 64; r += 4) {
        __m512i x[4];
        for (size_t i = 0; i < 4; i++) x[i] = load_row(b, r + i, mask);
        const __m512i low_01 = _mm512_unpacklo_epi8(x[0], x[1]);
        const __m512i high_01 = _mm512_unpackhi_epi8(x[0], x[1]);
        const __m512i low_23 = _mm512_unpacklo_epi8(x[2], x[3]);
        const __m512i high_23 = _mm512_unpackhi_epi8(x[2], x[3]);
        fours[0][r / 4] = _mm512_unpacklo_epi16(low_01, low_23);
        fours[1][r / 4] = _mm512_unpackhi_epi16(low_01, low_23);
        fours[2][r / 4] = _mm512_unpacklo_epi16(high_01, high_23);
        fours[3][r / 4] = _mm512_unpackhi_epi16(high_01, high_23);
    }
    for (size_t quarter = 0; quarter < 4; quarter++)
        transpose_16x16(b, fours[quarter], first_bytes(b->rows), 4 * quarter, 16);
}

/** Turns the block of up to 64 / word rows and columns from (r, c) on; whole ones with constant counts, so that they are unrolled. */
INLINE void turn(const tile_block *b, size_t word, size_t r, size_t c, bool stream, tile_block_kernel *kernel) {
    const size_t side = 64 / word, rows = b->rows - r, cols = b->cols - c;
    tile_block block = {.dst = b->dst + c * b->dst_col + r * word,
                        .src = tile_src(b, r, 0) + c * word,
                        .rows = side,
                        .cols = side,
                        .src_row = b->src_row,
                        .dst_col = b->dst_col,
                        .stream = stream};
    if (rows >= side && cols >= side) {
        kernel(&block);
    } else {
        block.rows = rows < side ? rows : side;
        block.cols = cols < side ? cols : side;
        kernel(&block);
    }
}

/** Transposes by strips of 64 / word rows. */
INLINE void store_turned(const tile_block *b, size_t word, tile_block_kernel *kernel) {
    const size_t side = 64 / word;
    for (size_t r = 0; r < b->rows; r += side) {
        tile_prefetch_ahead(b, r, side, ROWS_AHEAD);
        for (size_t c = 0; c < b->cols; c += side) turn(b, word, r, c, false, kernel);
    }
}

/** Fetches rows first..end-1 of the next block, of each the line from column c on. */
INLINE void fetch_next(const tile_block *b, size_t word, size_t first, size_t end, size_t c) {
    if (b->next == NULL) return;
    const uint8_t *row = b->next + (ptrdiff_t)first * b->src_row;
    const bool is_last = c + 64 / word >= b->cols;
    for (size_t r = first; r < end; r++, row += b->src_row) {
        __builtin_prefetch(row + c * word, 0, 2);
        if (is_last) __builtin_prefetch(row + b->cols * word - 1, 0, 2);
    }
}

/** Rows first..end-1, which share lines of dst with others. */
INLINE void store_rows(const tile_block *b, size_t word, size_t first, size_t end, tile_block_kernel *kernel) {
    tile_block rows = *b;
    rows.src = tile_src(b, first, 0), rows.dst += first * word, rows.rows = end - first, rows.next = NULL;
    for (size_t c = 0; c < b->cols; c += 64 / word) fetch_next(b, word, first, end, c);
    store_turned(&rows, word, kernel);
}

/** Transposes by strips of rows that fill a line of each column, which goes past the caches from registers; words of 4 and 8 bytes by pairs
 *  of strips, so that two lines of a column follow each other. */
INLINE void stream_turned(const tile_block *b, size_t word, tile_block_kernel *kernel) {
    const size_t side = 64 / word, strips = (word == 4 || word == 8 ? 2 : 1) * side;
    const size_t to_line = -(uintptr_t)b->dst % 64 / word;
    const size_t head = to_line < b->rows ? to_line : b->rows, tail = head + (b->rows - head) / side * side;
    store_rows(b, word, 0, head, kernel);
    for (size_t first = head; first < tail; first += strips)
        for (size_t c = 0; c < b->cols; c += side)
            for (size_t r = first; r < first + strips && r < tail; r += side) {
                fetch_next(b, word, r, r + side, c);
                turn(b, word, r, c, true, kernel);
            }
    store_rows(b, word, tail, b->rows, kernel);
}

/* Both ways are functions of their own, as with smaller vectors: each has the registers for itself. */
#define TRANSPOSE(word)                                                                                        \
    static TARGET __attribute__((noinline)) void stream_##word(const tile_block *b) {                          \
        stream_turned(b, word, block_##word);                                                                  \
    }                                                                                                          \
    static TARGET __attribute__((noinline)) void store_##word(const tile_block *b) {                           \
        store_turned(b, word, block_##word);                                                                   \
    }                                                                                                          \
    static void transpose_##word(const tile_block *b) { (b->stream ? stream_##word : store_##word)(b); }

TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)
TRANSPOSE(16)

/** One run, exactly. */
INLINE void move_exactly(uint8_t *dst, const uint8_t *src, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64)
        store(dst + i, first_bytes(bytes - i), load(src + i, first_bytes(bytes - i)));
}

/** One run in moves of `step` bytes, the last of which goes too far. */
INLINE void move_beyond(uint8_t *dst, const uint8_t *src, size_t bytes, size_t step) {
    if (step < 64)
        memcpy(dst, src, step);
    else
        for (size_t i = 0; i < bytes; i += 64) _mm512_storeu_si512(dst + i, _mm512_loadu_si512(src + i));
}

/** Runs that `step` bytes (or multiples of 64) exceed by less than their length. The bytes that a move takes too much
 *  of src are still before the next row's end, and where it leaves too much in dst the next row goes, later;
 *  so the last row alone is moved exactly. */
INLINE void runs_by(const tile_block *b, size_t step) {
    const size_t last = b->rows - 1;
    for (size_t r = 0; r < last; r += TILE_STRIP_OF_RUNS) {
        const size_t rows = last - r < TILE_STRIP_OF_RUNS ? last - r : TILE_STRIP_OF_RUNS;
        tile_prefetch_ahead(b, r, TILE_STRIP_OF_RUNS, TILE_RUN_ROWS_AHEAD);
        for (size_t c = 0; c < b->cols; c++) {
            const uint8_t *src = tile_src(b, r, c);
            uint8_t *dst = b->dst + r * b->dst_row + c * b->dst_col;
            for (size_t i = 0; i < rows; i++)
                move_beyond(dst + i * b->dst_row, src + (ptrdiff_t)i * b->src_row, b->run_bytes, step);
        }
    }
    for (size_t c = 0; c < b->cols; c++)
        move_exactly(b->dst + last * b->dst_row + c * b->dst_col, tile_src(b, last, c), b->run_bytes);
}

/** Runs of whole lines, past the caches, column by column: dst's order. */
static TARGET void stream_runs(const tile_block *b) {
    for (size_t c = 0; c < b->cols; c++)
        for (size_t r = 0; r < b->rows; r++) {
            const ptrdiff_t place = (ptrdiff_t)r * b->src_row + (ptrdiff_t)c * b->src_col;
            uint8_t *const to = b->dst + r * b->dst_row + c * b->dst_col;
            for (size_t i = 0; i < b->run_bytes; i += 64) {
                if (b->next != NULL) __builtin_prefetch(b->next + place + i, 0, 2);
                stream(to + i, _mm512_loadu_si512(b->src + place + i));
            }
        }
}

static TARGET void runs(const tile_block *b) {
    if (b->stream)
        stream_runs(b);
    else if (b->run_bytes <= 4)
        runs_by(b, 4);
    else if (b->run_bytes <= 8)
        runs_by(b, 8);
    else if (b->run_bytes <= 16)
        runs_by(b, 16);
    else if (b->run_bytes <= 32)
        runs_by(b, 32);
    else
        runs_by(b, 64);
}

static TARGET void gather_4(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    size_t i = 0;
    for (; i + 16 <= words; i += 16)
        _mm512_storeu_si512(dst + i * 4, _mm512_i32gather_epi32(_mm512_loadu_si512(offsets + i), src, 1));
    tile_gather_4(dst + i * 4, src, offsets + i, words - i);
}

static TARGET void gather_8(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    size_t i = 0;
    for (; i + 8 <= words; i += 8) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(offsets + i));
        _mm512_storeu_si512(dst + i * 8, _mm512_i32gather_epi64(at, src, 1));
    }
    tile_gather_8(dst + i * 8, src, offsets + i, words - i);
}

static TARGET void copy(uint8_t *dst, const uint8_t *src, size_t bytes, bool stream) {
    const size_t to_line = -(uintptr_t)dst % 64;
    size_t i = to_line < bytes ? to_line : bytes;
    if (i > 0) store(dst, first_bytes(i), load(src, first_bytes(i)));
    if (stream)
        for (; i + 64 <= bytes; i += 64)
            _mm512_stream_si512((__m512i *)(void *)(dst + i), _mm512_loadu_si512(src + i));
    else
        for (; i + 64 <= bytes; i += 64) _mm512_storeu_si512(dst + i, _mm512_loadu_si512(src + i));
    if (i < bytes) store(dst + i, first_bytes(bytes - i), load(src + i, first_bytes(bytes - i)));
}

const tile_kernels tile_kernels_avx512 = {
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .interleave = {tile_transpose_1, tile_interleave_2, tile_interleave_4, tile_interleave_8},
    .separate = {tile_transpose_1, tile_separate_2, tile_separate_4, tile_separate_8},
    .gather = {tile_gather_1, tile_gather_2, gather_4, gather_8, tile_gather_16},
    .runs = runs,
    .copy = copy,
    .streams_turned = true,
    .streams_runs = true,
};

const tile_kernels tile_kernels_avx512vbmi = {
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .interleave = {tile_interleave_1, tile_interleave_2, tile_interleave_4, tile_interleave_8},
    .separate = {tile_separate_1, tile_separate_2, tile_separate_4, tile_separate_8},
    .gather = {tile_gather_1, tile_gather_2, gather_4, gather_8, tile_gather_16},
    .runs = runs,
    .copy = copy,
    .streams_turned = true,
    .streams_runs = true,
    .streams_woven = true,
};
#endif
