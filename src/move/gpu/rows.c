/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows go by units where these have 16 bytes, or rows are short; else by words, which are fewer moves of more
 * instructions each.
 */
#include "move/gpu/rows.h"

#include "base/arithmetic.h"
#include "base/reciprocal.h"

enum {
    LONG_ROW_BYTES = 128, /* from here on a thread moves two units, and rows are always worth words */
    WORD_COSTS_UNITS = 2,
};

bool launch_moves_rows(const indexed_schedule *s) {
    return s->map->table.entry_bytes != sizeof(uint32_t) || (s->elem_bytes != 4 && s->elem_bytes != 8);
}

size_t launch_unit_bytes(size_t elem_bytes) {
    const size_t unit = elem_bytes & (~elem_bytes + 1);
    return unit < ROWS_WORD_BYTES ? unit : ROWS_WORD_BYTES;
}

/* Words that a row touches at most: its begin is `unit` bytes or more from the end of one. */
static uint64_t words_of(size_t elem_bytes) {
    return ceil_div(elem_bytes + ROWS_WORD_BYTES - launch_unit_bytes(elem_bytes), ROWS_WORD_BYTES);
}

static bool goes_by_words(size_t elem_bytes) {
    const size_t unit = launch_unit_bytes(elem_bytes);
    if (unit == ROWS_WORD_BYTES || elem_bytes < ROWS_WORD_BYTES) return false;
    return elem_bytes >= LONG_ROW_BYTES || elem_bytes / unit > WORD_COSTS_UNITS * words_of(elem_bytes);
}

static uint64_t parts_of(size_t elem_bytes) {
    return goes_by_words(elem_bytes) ? words_of(elem_bytes) : elem_bytes / launch_unit_bytes(elem_bytes);
}

static unsigned moves_of(size_t elem_bytes) {
    return elem_bytes >= LONG_ROW_BYTES && !goes_by_words(elem_bytes) ? ROWS_MOVES : 1;
}

static unsigned threads_of(const launch_limits *limits) {
    return limits->block_threads < ROWS_THREADS ? limits->block_threads : ROWS_THREADS;
}

uint64_t launch_rows_move_blocks(const rows_move *move, const launch_limits *limits) {
    const uint64_t parts = move->rows * parts_of(move->row_bytes);
    return ceil_div(parts, (uint64_t)threads_of(limits) * moves_of(move->row_bytes));
}

static const rows_kernel *kernel_of(const rows_move *move) {
    const bool by_words = goes_by_words(move->row_bytes);
    if (move->scatters) return by_words ? &KERNEL_scatter_row_words : &KERNEL_scatter_rows;
    return by_words ? &KERNEL_gather_row_words : &KERNEL_gather_rows;
}

launch *launch_rows_move(const rows_move *move, const launch_limits *limits, const void *map,
                         launch_list *out) {
    const uint64_t row_parts = parts_of(move->row_bytes);
    struct rows_arguments arguments = {.map = map,
                                       .table = {.parts = move->rows * row_parts,
                                                 .row_parts = row_parts,
                                                 .row_bytes = move->row_bytes,
                                                 .array_bytes = move->rows_read * move->row_bytes,
                                                 .entry_bytes = (uint32_t)move->entry_bytes,
                                                 .moves = moves_of(move->row_bytes),
                                                 .limit = move->limit,
                                                 .out_of_range = move->out_of_range}};
    arguments.table.reciprocal = reciprocal_of(row_parts, &arguments.table.shift);
    launch *const work = append_rows(out, kernel_of(move), launch_unit_bytes(move->row_bytes), &arguments);
    work->grid = (unsigned)launch_rows_move_blocks(move, limits);
    work->block_x = threads_of(limits);
    return work;
}

/* ------------------------------------------------------------------- of a plan */

static rows_move move_of(const indexed_schedule *s) {
    return (rows_move){.rows = s->map->n,
                       .rows_read = s->map->n,
                       .row_bytes = s->elem_bytes,
                       .entry_bytes = s->map->table.entry_bytes};
}

uint64_t launch_rows_blocks(const indexed_schedule *s, const launch_limits *limits) {
    const rows_move move = move_of(s);
    return launch_rows_move_blocks(&move, limits);
}

void launch_rows(const pass *p, const launch_limits *limits, const void *map, launch_list *out) {
    rows_move move = move_of(&p->indexed);
    move.scatters = p->kind == &PASS_SCATTER;
    launch_rows_move(&move, limits, map, out);
}
