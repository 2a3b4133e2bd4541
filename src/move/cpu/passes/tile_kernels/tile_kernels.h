/* SPDX-License-Identifier: Apache-2.0
 *
 * The moves of the axes_tile pass within the caches, one table of functions for each instruction set.
 *
 * A block is `rows` x `cols` runs of `run_bytes` bytes; run (r, c) goes
 *
 *     from src + r * src_row + c * src_col   to   dst + r * dst_row + c * dst_col
 *
 * and for words (run_bytes 1, 2, 4, 8 or 16) src_col and dst_row are run_bytes: a transpose. No kernel writes
 * a byte outside the block or reads one before its first or behind its last. Only tile_apart takes rows and columns as
 * they come; the others want dst's without gaps, and src's runs one behind the other along a row, or along a column
 * none before the end of the one above.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_TILE_KERNELS_TILE_KERNELS_H
#define RIFFLE_MOVE_CPU_PASSES_TILE_KERNELS_TILE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/processor/vectors.h"

typedef struct tile_block {
    uint8_t *dst;
    const uint8_t *src;
    size_t rows;
    size_t cols;
    ptrdiff_t src_row;
    ptrdiff_t src_col;
    size_t dst_row;
    size_t dst_col;
    size_t run_bytes;
    bool
        stream; /**< whole lines of dst go around the caches: heeded by interleave, where dst begins at a line, by transpose,
                      where dst_col is whole lines and a line of dst begins at one of the rows, and by runs of whole lines, where dst and
                      its columns begin at lines */
    const uint8_t *
        next; /**< the src of a block that comes soon: worth prefetching, never read; NULL: nothing is worth it */
} tile_block;

typedef void tile_block_kernel(const tile_block *block);

/** Rows that go together where runs are copied, so that lines of dst are filled while those of src are kept:
 *  few enough for the ways of the first-level cache where rows are nearly a power of two apart. */
enum { TILE_STRIP_OF_RUNS = 8, TILE_RUN_ROWS_AHEAD = 2 * TILE_STRIP_OF_RUNS };

/** The run of row r and column c. */
static inline const uint8_t *tile_src(const tile_block *b, size_t r, size_t c) {
    return b->src + (ptrdiff_t)r * b->src_row + (ptrdiff_t)c * b->src_col;
}

/** Fetches into the second-level cache the strip of rows that will be read when the block is `distance` rows on
 *  from row r: of this block, or of the next one, which has as many. */
static inline void tile_prefetch_ahead(const tile_block *b, size_t r, size_t strip, size_t distance) {
    if (b->next == NULL) return;
    const size_t whole = (b->rows + strip - 1) / strip * strip;
    const size_t further = strip > distance ? strip : distance, ahead = r + (further < whole ? further : whole);
    const uint8_t *row = ahead < whole ? b->src : b->next;
    const size_t bytes = b->cols * b->run_bytes; /* a row's, whose columns lie side by side */
    if (strip > b->rows) strip = b->rows;
    row += (ptrdiff_t)(ahead < whole ? ahead : ahead - whole) * b->src_row;
    for (size_t k = 0; k < strip; k++, row += b->src_row) {
        for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(row + i, 0, 2);
        __builtin_prefetch(row + bytes - 1, 0, 2);
    }
}

/** dst[i] = the word at src + offsets[i]. */
typedef void tile_gather_kernel(uint8_t *dst, const uint8_t *src, const int32_t *offsets, size_t words);

/** Copies; with `stream`, whole lines of dst go around the caches. */
typedef void tile_copy_kernel(uint8_t *dst, const uint8_t *src, size_t bytes, bool stream);

/** By word: index 0..4 for words of 1, 2, 4, 8, 16 bytes. */
typedef struct tile_kernels {
    tile_block_kernel *transpose[5];
    tile_block_kernel *interleave[4]; /**< rows <= 8, dst_col == rows * run_bytes */
    tile_block_kernel *separate[4];   /**< cols <= 8, src_row == cols * run_bytes */
    tile_gather_kernel *gather[5];
    tile_block_kernel *runs; /**< any run_bytes */
    tile_copy_kernel *copy;
    bool streams_woven;  /**< interleave heeds a block's `stream` */
    bool streams_turned; /**< ... and transpose */
    bool streams_runs;   /**< ... and runs */
} tile_kernels;

/** The index of a word in the table. */
static inline unsigned tile_word(size_t bytes) { return (unsigned)__builtin_ctzll(bytes); }

/** The best kernels that this processor has. */
const tile_kernels *tile_kernels_best(void);

/** By set of instructions; NULL where there are none. */
extern const tile_kernels *const tile_kernels_of[VECTOR_SETS];
extern const tile_kernels tile_kernels_portable;
#if defined(__x86_64__)
extern const tile_kernels tile_kernels_ssse3, tile_kernels_avx2, tile_kernels_avx512, tile_kernels_avx512vbmi;
#elif defined(__aarch64__)
extern const tile_kernels tile_kernels_neon;
#endif

/** Gathers in plain C, for the tables that have nothing better. */
tile_gather_kernel tile_gather_1, tile_gather_2, tile_gather_4, tile_gather_8, tile_gather_16;

/** Runs of any length in plain C. */
tile_block_kernel tile_runs;

/** Copies by memcpy, and streams as stream.h does. */
tile_copy_kernel tile_copy;

/** The kernel that moves runs of so many bytes between any places. */
tile_block_kernel *tile_apart(size_t run_bytes);

/** As `separate` and `interleave`, but pixels lie the other way round in src: src_row of the one, src_col of the other are below 0. */
tile_block_kernel tile_separate_turned, tile_interleave_turned;

/** Transposes bytes in plain C: also what interleaves and separates them. */
tile_block_kernel tile_transpose_1;

#endif
