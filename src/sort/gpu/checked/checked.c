/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/checked/checked.h"

#include "base/arithmetic.h"
#include "check/check.h"
#include "check/kernels/block.h"
#include "device/arrays.h"
#include "device/kernels/lanes.h"
#include "sort/gpu/codes/coding.h"
#include "sort/kernels/kernel.h"

_Static_assert((int)SORT_ROW_THREADS / WARP_LANES <= (int)CHECK_BLOCK_WARPS,
               "a block has room for the sums of its warps");

enum { MANY_TILES = 1 << 10 }; /* from so many on a block has several */

static sort_check_table table_of(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *record) {
    const uint64_t tiles = ceil_div(plan->n, (uint64_t)SORT_ROW_TILE);
    const uint64_t rounds = min(max(tiles / MANY_TILES, (uint64_t)1), (uint64_t)SORT_CHECK_MOST_ROUNDS);
    const bool is_one = plan->task == RIFFLE_SORT_TASK_MERGE;
    return (sort_check_table){
        .rows = {.elem_bytes = plan->layout.elem_bytes, .pieces = key_pieces_of(&plan->layout)},
        .first = arrays->first,
        .record = record,
        .n = (uint32_t)plan->n,
        .segments = (uint32_t)plan->segments,
        .length = (uint32_t)(plan->n / plan->segments),
        .is_one = is_one,
        .rounds = (uint32_t)rounds};
}

/* Numbers by themselves, all in one order. */
static bool are_numbers(const riffle_sort_plan *plan, const sort_check_table *t) {
    const key_piece *const piece = t->rows.pieces.piece;
    return sort_layout_is_number(&plan->layout) && t->rows.pieces.count == 1 &&
           piece->kind != RIFFLE_SORT_KEY_BYTES && array_alignment(piece->bytes) == piece->bytes &&
           t->rows.elements != NULL && t->are_through == 0 && t->are_places == 0 && t->tags == NULL &&
           (t->segments == 1 || t->is_one != 0) && t->first == NULL;
}

static void append_numbers(const riffle_sort_plan *plan, const sort_check_table *table, launch_list *out) {
    const sort_coding coding = sort_coding_of(&plan->layout.field[0]);
    const size_t bytes = plan->layout.elem_bytes;
    const uint64_t vectors = plan->n / (ROWS_WORD_BYTES / bytes) + 2, rounds = ceil_div(vectors, CHECK_ROUND);
    const struct sort_check_numbers_arguments arguments = {
        {.record = table->record,
         .n = plan->n,
         .number = table->rows.pieces.piece[0],
         .coding = coding,
         .is_coded = sort_is_coded(&coding),
         .rounds = (uint32_t)min(max(rounds / MANY_TILES, (uint64_t)1), (uint64_t)CHECK_MOST_ROUNDS),
         .has_order = table->has_order,
         .is_taken = table->is_taken}};
    launch *const work = append_sort_check_numbers(out, &KERNEL_sort_check_numbers, bytes, &arguments);
    launch_set(work, (unsigned)ceil_div(rounds, (uint64_t)arguments.table.rounds), CHECK_THREADS,
               sizeof(check_block), NULL, table->rows.elements);
}

static void append(const riffle_sort_plan *plan, const sort_check_table *table, launch_list *out) {
    if (are_numbers(plan, table)) {
        append_numbers(plan, table, out);
        return;
    }
    const struct sort_check_arguments arguments = {*table};
    launch *const work =
        append_sort_check(out, &KERNEL_sort_check, array_alignment(plan->layout.elem_bytes), &arguments);
    const uint64_t blocks = ceil_div(plan->n, (uint64_t)table->rounds * SORT_ROW_TILE);
    launch_set(work, (unsigned)blocks, SORT_ROW_THREADS, sizeof(check_block), NULL, NULL);
}

void sort_check_append_read(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *record,
                            launch_list *out) {
    sort_check_table t = table_of(plan, arrays, record);
    t.rows.elements = arrays->keys != NULL ? arrays->from_keys : NULL;
    t.tags = arrays->values != NULL ? arrays->from_values : NULL;
    t.tag_bytes = (uint32_t)plan->value_bytes;
    t.are_places = arrays->indices != NULL;
    check_append_begin(record, out);
    append(plan, &t, out);
}

void sort_check_append_written(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *record,
                               launch_list *out) {
    sort_check_table t = table_of(plan, arrays, record);
    t.are_through = arrays->keys == NULL && arrays->indices != NULL;
    t.rows.elements = t.are_through != 0 ? arrays->from_keys : arrays->keys;
    t.tags = arrays->indices != NULL ? arrays->indices : arrays->values;
    t.tag_bytes = (uint32_t)(plan->index_bytes > 0 ? plan->index_bytes : plan->value_bytes);
    t.has_order = t.rows.elements != NULL;
    t.by_tags = arrays->indices != NULL;
    t.is_taken = true;
    append(plan, &t, out);
}
