/* SPDX-License-Identifier: Apache-2.0 */
#include "subjects/rows_back.h"

const char *const *rows_sum_words(void) {
    static const char *words[RIFFLE_UNGROUP_SUM_BF16 + 2];
    for (int k = RIFFLE_UNGROUP_SUM_NONE; k <= RIFFLE_UNGROUP_SUM_BF16; k++)
        words[k] = riffle_ungroup_sum_string((riffle_ungroup_sum)k);
    return words;
}

bool option_rows_sum(const command_option *option, const char *text, void *field) {
    const int found = read_word(option, "sum", text, rows_sum_words());
    if (found >= 0) *(int *)field = found + 1;
    return found >= 0;
}

riffle_ungroup_task rows_back_task(const rows_back *asked, uint64_t n, uint64_t places, uint64_t row_bytes,
                                   size_t index_bytes) {
    const riffle_ungroup_sum usual =
        places > 1 || asked->weights ? RIFFLE_UNGROUP_SUM_F32 : RIFFLE_UNGROUP_SUM_NONE;
    return (riffle_ungroup_task){.n = n,
                                 .keys_per_row = places,
                                 .rows = asked->rows,
                                 .row_bytes = (size_t)row_bytes,
                                 .index_bytes = index_bytes,
                                 .sum = asked->sum > 0 ? (riffle_ungroup_sum)(asked->sum - 1) : usual};
}
