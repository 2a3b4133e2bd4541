/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/lines.h"

uint64_t lines_length(uint64_t n) {
    uint64_t length = 1;
    while (length * length < n) length *= 2;
    return length;
}

/* Each row's (or column's) element goes where `line` sends it within that row (or column). */
static uint64_t moved(const riffle_perm *line, uint64_t i, uint64_t cols, bool columns) {
    const uint64_t row = i / cols, col = i % cols;
    return columns ? riffle_perm_at(line, row) * cols + col : row * cols + riffle_perm_at(line, col);
}

riffle_status lines_repeat(const riffle_perm *line, uint64_t n, uint64_t cols, bool columns,
                           riffle_perm **out) {
    void *table;
    riffle_status status = riffle_buffer_create((size_t)n * sizeof(uint64_t), &table);
    if (status != RIFFLE_OK) return status;
    for (uint64_t i = 0; i < n; ++i) ((uint64_t *)table)[i] = moved(line, i, cols, columns);
    status = riffle_perm_table_u64(n, table, out);
    riffle_buffer_free(table, (size_t)n * sizeof(uint64_t));
    return status;
}
