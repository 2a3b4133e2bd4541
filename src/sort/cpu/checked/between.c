/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/checked/between.h"

#include <stdlib.h>

#include "check/check.h"
#include "check/kernels/codes.h"

/* Loops of one width each, which the compiler makes vectors of. */
#define ADD(word, add)                                                                                         \
    for (uint64_t i = 0; i < count; i++) add(&sums, ((const word *)codes)[i])
#define LOOK(word)                                                                                             \
    for (uint64_t i = 1; i < count; i++) faults += ((const word *)codes)[i - 1] > ((const word *)codes)[i]

static check_sums sums_of(size_t word_bytes, const void *codes, uint64_t count) {
    check_sums sums = {0, 0};
    if (word_bytes == 4)
        ADD(uint32_t, check_add_code_4);
    else
        ADD(uint64_t, check_add_code);
    return sums;
}

static uint64_t faults_of(size_t word_bytes, const void *codes, uint64_t count) {
    uint64_t faults = 0;
    if (word_bytes == 4)
        LOOK(uint32_t);
    else
        LOOK(uint64_t);
    return faults;
}

static uint64_t code_at(size_t word_bytes, const void *codes, uint64_t i) {
    return word_bytes == 4 ? ((const uint32_t *)codes)[i] : ((const uint64_t *)codes)[i];
}

static void add(between *b, check_sums sums) {
    __atomic_fetch_add(&b->sums.first, sums.first, __ATOMIC_RELAXED);
    __atomic_fetch_add(&b->sums.second, sums.second, __ATOMIC_RELAXED);
}

void between_begin(between *b, size_t word_bytes) {
    b->word_bytes = word_bytes;
    b->sums = (check_sums){0, 0};
    b->faults = 0;
    b->stretches = 0;
}

void between_made(between *b, const void *codes, uint64_t count) {
    add(b, sums_of(b->word_bytes, codes, count));
}

void between_sorted(between *b, const void *codes, uint64_t first, uint64_t count) {
    if (count == 0) return;
    add(b, check_times(sums_of(b->word_bytes, codes, count), UINT64_MAX));
    __atomic_fetch_add(&b->faults, faults_of(b->word_bytes, codes, count), __ATOMIC_RELAXED);
    b->stretch[__atomic_fetch_add(&b->stretches, 1, __ATOMIC_RELAXED)] = (between_stretch){
        first, count, code_at(b->word_bytes, codes, 0), code_at(b->word_bytes, codes, count - 1)};
}

static int compare_stretches(const void *a, const void *b) {
    const between_stretch *const x = a, *const y = b;
    return (x->first > y->first) - (x->first < y->first);
}

void between_end(between *b, between_found *found) {
    qsort(b->stretch, b->stretches, sizeof *b->stretch, compare_stretches);
    for (unsigned k = 1; k < b->stretches; k++) b->faults += b->stretch[k - 1].most > b->stretch[k].least;
    const bool is_changed = (b->sums.first | b->sums.second) != 0;
    if (is_changed) __atomic_fetch_add(&found->changed, 1, __ATOMIC_RELAXED);
    if (b->faults > 0) __atomic_fetch_add(&found->faults, b->faults, __ATOMIC_RELAXED);
}

static const void *row_of(const between_rows *rows, const void *codes, uint64_t k) {
    return (const char *)codes + k * rows->length * rows->word_bytes;
}

void between_made_rows(const between_rows *rows, const void *codes, check_sums *each) {
    for (uint64_t k = 0; k < rows->count; k++)
        each[k] = sums_of(rows->word_bytes, row_of(rows, codes, k), rows->length);
}

void between_sorted_rows(const between_rows *rows, const void *codes, const check_sums *each,
                         between_found *found) {
    between row;
    for (uint64_t k = 0; k < rows->count; k++) {
        between_begin(&row, rows->word_bytes);
        row.sums = each[k];
        between_sorted(&row, row_of(rows, codes, k), 0, rows->length);
        between_end(&row, found);
    }
}

riffle_status between_result(const between_found *found) {
    return check_result("the sort", (check_sums){found->changed, 0}, (check_sums){0, 0}, found->faults);
}
