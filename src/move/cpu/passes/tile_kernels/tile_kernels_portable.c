/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels in plain C.
 *
 * The words of a transpose go strip by strip: eight rows of src at a time, so that what is read of a line
 * is used up and every store is followed by its seven neighbours.
 *
 *     src rows r0..r0+7   [c][ ][ ][ ] ...        dst row c   [r0 r0+1 ... r0+7]
 */
#include "move/cpu/passes/tile_kernels/tile_kernels.h"

#include <string.h>

#include "base/simd/copy.h"
#include "base/simd/stream.h"

/** As inline functions with a constant `word`, copies become single moves. */
#define CONSTANT_WORD static inline __attribute__((always_inline))

CONSTANT_WORD void words(const tile_block *b, size_t word, ptrdiff_t src_col, size_t dst_row) {
    enum { STRIP = 8 };
    for (size_t r0 = 0; r0 < b->rows; r0 += STRIP) {
        const size_t rows = b->rows - r0 < STRIP ? b->rows - r0 : STRIP;
        const uint8_t *from = tile_src(b, r0, 0);
        uint8_t *to = b->dst + r0 * dst_row;
        for (size_t c = 0; c < b->cols; c++, from += src_col, to += b->dst_col) {
            if (rows == STRIP)
                for (size_t r = 0; r < STRIP; r++)
                    memcpy(to + r * dst_row, from + (ptrdiff_t)r * b->src_row, word);
            else
                for (size_t r = 0; r < rows; r++)
                    memcpy(to + r * dst_row, from + (ptrdiff_t)r * b->src_row, word);
        }
    }
}

CONSTANT_WORD void transpose(const tile_block *b, size_t word) { words(b, word, (ptrdiff_t)word, word); }

/** A single column goes as a row. */
CONSTANT_WORD void apart(const tile_block *b, size_t word) {
    tile_block turned = *b;
    if (b->cols == 1) {
        turned.rows = 1, turned.src_col = b->src_row, turned.dst_col = b->dst_row;
        turned.cols = b->rows;
    }
    words(&turned, word, turned.src_col, turned.dst_row);
}

CONSTANT_WORD void gather(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words, size_t word) {
    for (size_t i = 0; i < words; i++) memcpy(dst + i * word, src + offsets[i], word);
}

void tile_transpose_1(const tile_block *block) { transpose(block, 1); }
static void transpose_2(const tile_block *block) { transpose(block, 2); }
static void transpose_4(const tile_block *block) { transpose(block, 4); }
static void transpose_8(const tile_block *block) { transpose(block, 8); }
static void transpose_16(const tile_block *block) { transpose(block, 16); }

static void apart_1(const tile_block *block) { apart(block, 1); }
static void apart_2(const tile_block *block) { apart(block, 2); }
static void apart_4(const tile_block *block) { apart(block, 4); }
static void apart_8(const tile_block *block) { apart(block, 8); }
static void apart_16(const tile_block *block) { apart(block, 16); }

tile_block_kernel *tile_apart(size_t run_bytes) {
    switch (run_bytes) {
    case 1: return apart_1;
    case 2: return apart_2;
    case 4: return apart_4;
    case 8: return apart_8;
    case 16: return apart_16;
    default: return tile_runs;
    }
}

void tile_gather_1(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    gather(dst, src, offsets, words, 1);
}
void tile_gather_2(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    gather(dst, src, offsets, words, 2);
}
void tile_gather_4(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    gather(dst, src, offsets, words, 4);
}
void tile_gather_8(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    gather(dst, src, offsets, words, 8);
}
void tile_gather_16(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words) {
    gather(dst, src, offsets, words, 16);
}

/** A run of any length in moves of `step` bytes, the last one overlapping; run_bytes >= step. */
CONSTANT_WORD void runs_by(const tile_block *b, size_t step) {
    for (size_t r = 0; r < b->rows; r++) {
        if (r % TILE_STRIP_OF_RUNS == 0) tile_prefetch_ahead(b, r, TILE_STRIP_OF_RUNS, TILE_RUN_ROWS_AHEAD);
        for (size_t c = 0; c < b->cols; c++) {
            const uint8_t *src = tile_src(b, r, c);
            uint8_t *dst = b->dst + r * b->dst_row + c * b->dst_col;
            for (size_t i = 0; i + step < b->run_bytes; i += step) memcpy(dst + i, src + i, step);
            memcpy(dst + b->run_bytes - step, src + b->run_bytes - step, step);
        }
    }
}

void tile_runs(const tile_block *block) {
    if (block->run_bytes >= 16)
        runs_by(block, 16);
    else if (block->run_bytes >= 8)
        runs_by(block, 8);
    else if (block->run_bytes >= 4)
        runs_by(block, 4);
    else
        runs_by(block, 1);
}

void tile_copy(uint8_t *dst, const uint8_t *src, size_t bytes, bool stream) {
    const size_t head = -(uintptr_t)dst % 64;
    if (!stream || bytes < head + 64) {
        copy_run(dst, src, bytes);
        return;
    }
    const size_t whole = (bytes - head) / 64 * 64;
    memcpy(dst, src, head);
    stream_copy((char *)dst + head, (const char *)src + head, whole);
    memcpy(dst + head + whole, src + head + whole, bytes - head - whole);
}

const tile_kernels tile_kernels_portable = {
    .transpose = {tile_transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .interleave = {tile_transpose_1, transpose_2, transpose_4, transpose_8},
    .separate = {tile_transpose_1, transpose_2, transpose_4, transpose_8},
    .gather = {tile_gather_1, tile_gather_2, tile_gather_4, tile_gather_8, tile_gather_16},
    .runs = tile_runs,
    .copy = tile_copy,
};
