/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/reciprocal.h"
#include "check/check.h"
#include "check/kernels/kernel.h"
#include "device/arrays.h"

enum { MANY_PARTS = 1 << 20 }; /* from so many parts on a thread has several rounds of them */

_Static_assert(sizeof(check_record) <= CHECK_RECORD_BYTES, "a record lies in its place");

void check_append_begin(void *record, launch_list *out) {
    launch_append_fill(out, record, 0, sizeof(check_record));
}

uint64_t *check_faults(void *record) { return &((check_record *)record)->faults; }

static void append(const check_there *side, bool is_taken, void *record, launch_list *out) {
    if (side->n == 0 || side->row_bytes == 0 || side->arrays == 0) return;
    const size_t unit = array_alignment(side->row_bytes);
    const uint64_t units = side->row_bytes / unit, parts = side->n * units;
    struct check_rows_arguments arguments = {.table = {.rows = {.parts = parts,
                                                                .row_parts = units,
                                                                .row_bytes = side->row_bytes,
                                                                .entry_bytes = (uint32_t)side->index_bytes},
                                                       .step = side->stride * units,
                                                       .count = side->count,
                                                       .places = side->places,
                                                       .sums = ((check_record *)record)->sum,
                                                       .keys_per_row = side->keys_per_row,
                                                       .is_taken = is_taken,
                                                       .may_be_nowhere = side->may_be_nowhere}};
    check_table *const t = &arguments.table;
    t->rows.reciprocal = reciprocal_of(units, &t->rows.shift);
    t->rounds = (uint32_t)min(max(parts / MANY_PARTS, (uint64_t)1), (uint64_t)CHECK_MOST_ROUNDS);
    t->blocks_each = (uint32_t)ceil_div(parts, (uint64_t)t->rounds * CHECK_ROUND);
    t->blocks = t->blocks_each * side->arrays;
    launch *const work = append_check_rows(out, &KERNEL_check_rows, unit, &arguments);
    launch_set(work, (unsigned)min(t->blocks, (uint64_t)INT32_MAX), CHECK_THREADS, 0, NULL, side->rows);
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
    uint64_t difference = 0;
    for (unsigned k = 0; k < CHECK_SUMS; k++) difference += found.sum[k];
    return check_result(what, difference, found.faults);
}
