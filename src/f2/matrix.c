/* SPDX-License-Identifier: Apache-2.0 */
#include "f2/matrix.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

size_t riffle_f2_stride(uint64_t columns) { return f2_words(columns); }

static bool has_entries(const riffle_f2_matrix *a) { return a->rows > 0 && a->columns > 0; }

/* Bytes from the first word to behind the last; a checked matrix has no more than its stride allows. */
static size_t span_bytes(const riffle_f2_matrix *a) {
    return ((a->rows - 1) * a->stride + f2_words(a->columns)) * sizeof *a->words;
}

riffle_status f2_check(const char *name, const riffle_f2_matrix *a) {
    size_t bytes;
    if (a == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL", name);
    if (a->rows > RIFFLE_F2_MAX || a->columns > RIFFLE_F2_MAX)
        return fail(RIFFLE_ERROR_LENGTH, "%s: %llu x %llu; a matrix over F2 has at most %llu rows and columns",
                    name, (unsigned long long)a->rows, (unsigned long long)a->columns,
                    (unsigned long long)RIFFLE_F2_MAX);
    if (!has_entries(a)) return RIFFLE_OK;
    if (a->words == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: its words are NULL", name);
    if (a->stride < f2_words(a->columns) && a->rows > 1)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: a stride of %zu words, and %llu columns take %zu; pass riffle_f2_stride(columns)",
                    name, a->stride, (unsigned long long)a->columns, f2_words(a->columns));
    if (!multiply_sizes(a->rows, a->stride, sizeof *a->words, &bytes) || bytes > SIZE_MAX / 2)
        return fail(RIFFLE_ERROR_LENGTH, "%s: %llu rows with a stride of %zu words are longer than memory",
                    name, (unsigned long long)a->rows, a->stride);
    return RIFFLE_OK;
}

riffle_status f2_check_pair(const char *to_name, const riffle_f2_matrix *to, const char *name,
                            const riffle_f2_matrix *a) {
    riffle_status status = f2_check(to_name, to);
    if (status == RIFFLE_OK) status = f2_check(name, a);
    if (status != RIFFLE_OK || !has_entries(to) || !has_entries(a)) return status;
    const uintptr_t first = (uintptr_t)to->words, other = (uintptr_t)a->words;
    if (first < other + span_bytes(a) && other < first + span_bytes(to))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s and %s overlap; write to memory of its own", to_name,
                    name);
    return RIFFLE_OK;
}

riffle_status f2_check_size(const char *name, const riffle_f2_matrix *a, uint64_t rows, uint64_t columns,
                            const char *why) {
    if (a->rows == rows && a->columns == columns) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH, "%s: %llu x %llu; it is %llu x %llu, %s", name,
                (unsigned long long)a->rows, (unsigned long long)a->columns, (unsigned long long)rows,
                (unsigned long long)columns, why);
}

riffle_status f2_create(const char *what, uint64_t rows, uint64_t columns, riffle_f2_matrix *out) {
    size_t bytes;
    void *words;
    const size_t stride = f2_words(columns);
    if (!multiply_sizes(rows, stride, sizeof *out->words, &bytes)) return fail_memory(what, SIZE_MAX);
    const riffle_status status = buffer_create(what, bytes, &words);
    if (status == RIFFLE_OK) *out = (riffle_f2_matrix){rows, columns, stride, words};
    return status;
}

void f2_free(riffle_f2_matrix *a) {
    riffle_buffer_free(a->words, a->rows * a->stride * sizeof *a->words);
    a->words = NULL;
}

void f2_copy(const riffle_f2_matrix *to, const riffle_f2_matrix *a) {
    const size_t words = f2_words(a->columns);
    if (words == 0) return;
    const uint64_t mask = f2_last_mask(a->columns);
    for (uint64_t i = 0; i < a->rows; i++) {
        uint64_t *const row = f2_row(to, i);
        memcpy(row, f2_row(a, i), words * sizeof *row);
        row[words - 1] &= mask;
    }
}

void f2_clear(const riffle_f2_matrix *a) {
    const size_t bytes = f2_words(a->columns) * sizeof *a->words;
    for (uint64_t i = 0; i < a->rows && bytes > 0; i++) memset(f2_row(a, i), 0, bytes);
}
