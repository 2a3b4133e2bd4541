/* SPDX-License-Identifier: Apache-2.0
 *
 * Planes taken apart or woven while pixels change to the opposite order: piece by piece through a buffer in the nearest cache, between
 * which and the array whole rows of words are turned.
 *
 *     src  ... c b a  --kernel-->  buffer, a row for each plane  --turned-->  a b c ...  dst     (separate)
 *     src  ... c b a  --turned-->  buffer, a row for each plane  --kernel-->  a b c ...  dst     (interleave)
 */
#include "move/cpu/passes/reverse_run/reverse_run.h"
#include "move/cpu/passes/tile_kernels/tile_kernels.h"

enum { BUFFER_BYTES = 16 << 10, LINE = 64 };

/* Pixels of a piece: whole lines of each plane. */
static size_t piece_of(const tile_block *b, size_t planes) {
    return BUFFER_BYTES / (planes * b->run_bytes) / LINE * LINE;
}

void tile_separate_turned(const tile_block *b) {
    _Alignas(LINE) uint8_t buffer[BUFFER_BYTES];
    tile_block_kernel *const separate = tile_kernels_best()->separate[tile_word(b->run_bytes)];
    reverse_run *const reverse = reverse_runs[vectors_for(LOOPS_REVERSALS)];
    const size_t piece = piece_of(b, b->cols);
    tile_block forward = *b;
    forward.dst = buffer;
    forward.dst_col = piece * b->run_bytes;
    forward.src_row = -b->src_row;
    forward.next = NULL;
    forward.stream = false;
    for (size_t first = 0; first < b->rows; first += forward.rows) {
        forward.rows = b->rows - first < piece ? b->rows - first : piece;
        forward.src = tile_src(b, first + forward.rows - 1, 0);
        separate(&forward);
        for (size_t c = 0; c < b->cols; c++)
            reverse((char *)b->dst + c * b->dst_col + first * b->run_bytes,
                    (const char *)buffer + c * forward.dst_col + forward.rows * b->run_bytes, forward.rows,
                    b->run_bytes, false);
    }
}

void tile_interleave_turned(const tile_block *b) {
    _Alignas(LINE) uint8_t buffer[BUFFER_BYTES];
    tile_block_kernel *const interleave = tile_kernels_best()->interleave[tile_word(b->run_bytes)];
    reverse_run *const reverse = reverse_runs[vectors_for(LOOPS_REVERSALS)];
    const size_t piece = piece_of(b, b->rows);
    tile_block forward = *b;
    forward.src = buffer;
    forward.src_row = (ptrdiff_t)(piece * b->run_bytes);
    forward.src_col = (ptrdiff_t)b->run_bytes;
    forward.next = NULL;
    for (size_t first = 0; first < b->cols; first += forward.cols) {
        forward.cols = b->cols - first < piece ? b->cols - first : piece;
        for (size_t r = 0; r < b->rows; r++)
            reverse((char *)buffer + r * piece * b->run_bytes,
                    (const char *)tile_src(b, r, first) + b->run_bytes, forward.cols, b->run_bytes, false);
        forward.dst = b->dst + first * b->dst_col;
        interleave(&forward);
    }
}
