/* SPDX-License-Identifier: Apache-2.0 */
#include "base/threads/threads.h"
#include "f2/multiply.h"

/* The rest of each row, to which products have added. */
static void clear_rest(const riffle_f2_matrix *a) {
    const size_t words = f2_words(a->columns);
    for (uint64_t i = 0; i < a->rows && words > 0; i++) f2_row(a, i)[words - 1] &= f2_last_mask(a->columns);
}

riffle_status riffle_f2_product(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                const riffle_f2_matrix *b, const riffle_call_options *options) {
    riffle_status status = f2_check_pair("to", to, "a", a);
    if (status == RIFFLE_OK) status = f2_check_pair("to", to, "b", b);
    if (status == RIFFLE_OK) status = f2_check_size("b", b, a->columns, b->columns, "as a has columns");
    if (status == RIFFLE_OK) status = f2_check_size("to", to, a->rows, b->columns, "for a b");
    if (status != RIFFLE_OK) return status;
    f2_work work;
    status = f2_work_create(a->rows, a->columns, b->columns, threads_most_of_call(options), &work);
    if (status != RIFFLE_OK) return status;
    f2_clear(to);
    f2_multiply_add(&work, to, a, b);
    clear_rest(to);
    f2_work_free(&work);
    return RIFFLE_OK;
}
