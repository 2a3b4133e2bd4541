/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/reciprocal.h"
#include "check/check.h"
#include "check/kernels/block.h"
#include "check/kernels/kernel.h"
#include "device/arrays.h"
#include "device/kernels/lanes.h"

enum { MANY_ITEMS = 1 << 20 }; /* from so many parts or vectors on a thread has several rounds of them */

_Static_assert(sizeof(check_record) <= CHECK_RECORD_BYTES, "a record lies in its place");
_Static_assert(CHECK_THREADS / WARP_LANES <= CHECK_BLOCK_WARPS, "a block's sums lie in its shared memory");
_Static_assert(RIFFLE_MAX_BITS <= CHECK_COLUMNS, "an affine map lies in its table");

void check_append_begin(void *record, launch_list *out) {
    launch_append_fill(out, record, 0, sizeof(check_record));
}

/* One side on its way to a launch. */
typedef struct one_side {
    const check_there *of;
    size_t word_bytes;
    uint64_t row_words;
    check_record *record;
    bool is_taken;
} one_side;

/* `items` parts or vectors of an array for a block's threads. Rounds are a power of two. */
static check_cut cut_of(const one_side *s, uint64_t items, uint64_t step) {
    const uint64_t most_places = s->of->n * s->of->arrays; /* a table of places may have more */
    uint32_t rounds_log = 0;
    while (rounds_log < CHECK_ROUNDS_LOG && items >> rounds_log > MANY_ITEMS) rounds_log++;
    const uint64_t blocks_each = ceil_div(items, (uint64_t)CHECK_ROUND << rounds_log);
    return (check_cut){
        .record = s->record,
        .step = step,
        .blocks = blocks_each * s->of->arrays,
        .blocks_each = (uint32_t)blocks_each,
        .rounds_log = rounds_log,
        .is_taken = s->is_taken,
        .is_narrow = max(most_places, s->of->most_places) <= ((uint64_t)1 << 32) / s->row_words,
    };
}

static void set(launch *work, const check_cut *cut, const void *rows) {
    launch_set(work, (unsigned)min(cut->blocks, (uint64_t)INT32_MAX), CHECK_THREADS, sizeof(check_block), NULL,
               rows);
}

static void append_run(const one_side *s, launch_list *out) {
    const check_there *const of = s->of;
    const uint64_t words = of->n * s->row_words;
    const struct check_run_arguments arguments = {
        {.cut = cut_of(s, words / (ROWS_WORD_BYTES / s->word_bytes) + 2, of->stride * s->row_words),
         .words = words,
         .row_words = s->row_words,
         .count = of->count}};
    launch *const work = append_check_run(out, &KERNEL_check_run, s->word_bytes, &arguments);
    set(work, &arguments.table.cut, of->rows);
}

static void append_affine(const one_side *s, launch_list *out) {
    const check_there *const of = s->of;
    struct check_affine_arguments arguments = {
        {.cut = cut_of(s, ceil_div(of->n * of->row_bytes, (uint64_t)ROWS_WORD_BYTES), of->stride),
         .n = of->n,
         .words = of->n * s->row_words,
         .offset = of->affine->offset * s->row_words}};
    for (unsigned k = 0; k < of->affine->bits; k++)
        arguments.table.column[k] = of->affine->column[k] * s->row_words;
    launch *const work = append_check_affine(out, &KERNEL_check_affine, of->row_bytes, &arguments);
    set(work, &arguments.table.cut, of->rows);
}

static void append_rows(const one_side *s, launch_list *out) {
    const check_there *const of = s->of;
    const size_t unit = array_alignment(of->row_bytes);
    const uint64_t units = of->row_bytes / unit, parts = of->n * units;
    struct check_rows_arguments arguments = {{.cut = cut_of(s, parts, of->stride * units),
                                              .rows = {.parts = parts,
                                                       .row_parts = units,
                                                       .row_bytes = of->row_bytes,
                                                       .entry_bytes = (uint32_t)of->index_bytes},
                                              .places = of->places,
                                              .keys_per_row = of->keys_per_row,
                                              .may_be_nowhere = of->may_be_nowhere}};
    rows_table *const rows = &arguments.table.rows;
    rows->reciprocal = reciprocal_of(units, &rows->shift);
    launch *const work = append_check_rows(out, &KERNEL_check_rows, unit, &arguments);
    set(work, &arguments.table.cut, of->rows);
}

static void append(const check_there *of, bool is_taken, void *record, launch_list *out) {
    if (of->n == 0 || of->row_bytes == 0 || of->arrays == 0) return;
    const size_t word_bytes = check_word_bytes(of->row_bytes);
    const one_side s = {of, word_bytes, of->row_bytes / word_bytes, record, is_taken};
    if (of->affine != NULL)
        append_affine(&s, out);
    else if (of->places != NULL)
        append_rows(&s, out);
    else
        append_run(&s, out);
}

void check_append_read(const check_there *side, void *record, launch_list *out) {
    append(side, false, record, out);
}

void check_append_written(const check_there *side, void *record, launch_list *out) {
    append(side, true, record, out);
}

riffle_status check_ask(const device *d, const void *record, const char *what, struct CUstream_st *stream) {
    check_record found;
    const riffle_status status = d->ops->download(d, "asking a check", &found, record, sizeof found, stream);
    if (status != RIFFLE_OK) return status;
    check_sums difference = {0, 0};
    for (unsigned k = 0; k < CHECK_SUMS; k++)
        check_add_sums(&difference, (check_sums){found.first[k], found.second[k]});
    return check_result(what, difference, (check_sums){0, 0}, found.faults);
}
