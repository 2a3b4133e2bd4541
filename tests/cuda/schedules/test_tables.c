/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables in device memory against the same permutations on the host, and refusals against the host's words.
 */
#include "test_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "move/cuda/table/table.h"
#include "move/cuda/tables.h"
#include "perm/kind.h"

/* True if entries first..first+count-1 are the permutation's values. */
static bool window_is(const cuda_table *table, const riffle_perm *perm, uint64_t first, size_t count) {
    uint64_t *wanted = malloc(count * sizeof *wanted), *found = malloc(count * sizeof *found);
    const bool same = wanted != NULL && found != NULL &&
                      riffle_perm_map(perm, first, count, wanted) == RIFFLE_OK &&
                      cuda_table_fetch(table, first, count, found) == RIFFLE_OK &&
                      memcmp(wanted, found, count * sizeof *found) == 0;
    free(wanted);
    free(found);
    return same;
}

static bool table_is(const cuda_table *table, const riffle_perm *perm, const char *what) {
    const uint64_t n = riffle_perm_length(perm);
    check(table->n == n && table->entry_bytes == table_entry_bytes(n), "%s: the table's size", what);
    return check(n == 0 || window_is(table, perm, 0, (size_t)n), "%s: entries differ, n = %" PRIu64, what, n);
}

/* The values of a permutation in host memory, in entries of 4 or 8 bytes; free() them. */
static void *values_of(const riffle_perm *perm, size_t entry_bytes) {
    const size_t n = (size_t)riffle_perm_length(perm);
    uint64_t *values = malloc((n + 1) * sizeof *values);
    if (!check(values != NULL && riffle_perm_map(perm, 0, n, values) == RIFFLE_OK, "values")) abort();
    if (entry_bytes == 8) return values;
    uint32_t *short_values = malloc((n + 1) * sizeof *short_values);
    if (!check(short_values != NULL, "values")) abort();
    for (size_t k = 0; k < n; k++) short_values[k] = (uint32_t)values[k];
    free(values);
    return short_values;
}

static riffle_status take(uint64_t n, const void *values, size_t entry_bytes, cuda_table *out) {
    void *there = NULL;
    const size_t bytes = (size_t)n * entry_bytes;
    if (!check_cuda(cudaMalloc(&there, bytes + 1), "a table") ||
        !check_cuda(cudaMemcpy(there, values, bytes, cudaMemcpyHostToDevice), "a table"))
        abort();
    const riffle_status status = cuda_table_take(n, there, entry_bytes, NULL, out);
    cudaFree(there);
    return status;
}

/* ----------------------------------------------------------------- taking */

/* The GPU must refuse these values as the host does, in the same words. */
static void check_refusal(uint64_t n, const void *values, size_t entry_bytes) {
    char words[256];
    riffle_perm *perm = NULL;
    cuda_table table = {0};
    const riffle_status wanted =
        entry_bytes == 4 ? riffle_perm_table_u32(n, values, &perm) : riffle_perm_table_u64(n, values, &perm);
    snprintf(words, sizeof words, "%s", riffle_error_detail());
    if (!check(wanted == RIFFLE_ERROR_NOT_A_PERMUTATION, "the host takes what is no permutation")) return;
    if (check(take(n, values, entry_bytes, &table) == wanted, "a bad table is taken; the host said: %s", words))
        check(strcmp(riffle_error_detail(), words) == 0, "the host said: %s", words);
    else
        cuda_table_free(&table);
}

static void set_value(void *values, size_t entry_bytes, uint64_t i, uint64_t value) {
    if (entry_bytes == 4)
        ((uint32_t *)values)[i] = (uint32_t)value;
    else
        ((uint64_t *)values)[i] = value;
}

static uint64_t get_value(const void *values, size_t entry_bytes, uint64_t i) {
    return entry_bytes == 4 ? ((const uint32_t *)values)[i] : ((const uint64_t *)values)[i];
}

/* Entry j repeats entry i; now and then another pair does too. */
static void check_clash(const riffle_perm *perm, size_t entry_bytes, uint64_t i, uint64_t j) {
    const uint64_t n = riffle_perm_length(perm);
    void *values = values_of(perm, entry_bytes);
    set_value(values, entry_bytes, j, get_value(values, entry_bytes, i));
    if (check_random() % 2 == 0)
        set_value(values, entry_bytes, check_random() % n, get_value(values, entry_bytes, check_random() % n));
    set_value(values, entry_bytes, j, get_value(values, entry_bytes, i));
    check_refusal(n, values, entry_bytes);
    free(values);
}

static void check_range(const riffle_perm *perm, size_t entry_bytes, uint64_t i) {
    const uint64_t n = riffle_perm_length(perm);
    const uint64_t beyond[] = {n, n + 1, UINT32_MAX, UINT64_MAX, ((uint64_t)1 << 32) + i, (uint64_t)1 << 63};
    for (size_t k = 0; k < (entry_bytes == 4 ? 3 : 6); k++) {
        void *values = values_of(perm, entry_bytes);
        set_value(values, entry_bytes, i, beyond[k]);
        if (k % 2 == 1) set_value(values, entry_bytes, i + check_random() % (n - i), beyond[k]);
        check_refusal(n, values, entry_bytes);
        free(values);
    }
}

static void test_take(uint64_t n, size_t entry_bytes) {
    riffle_perm *perm = NULL;
    cuda_table table;
    if (!check(riffle_perm_random(n, check_random(), &perm) == RIFFLE_OK, "a permutation")) return;
    void *values = values_of(perm, entry_bytes);
    if (check(take(n, values, entry_bytes, &table) == RIFFLE_OK, "a table is refused")) {
        table_is(&table, perm, "taken");
        cuda_table_free(&table);
    }
    free(values);
    for (unsigned k = 0; n > 1 && k < 4; k++) {
        const uint64_t i = k == 0 ? 0 : check_random() % (n - 1);
        const uint64_t j = k < 2 ? n - 1 : i + 1 + check_random() % (n - 1 - i);
        check_clash(perm, entry_bytes, i, j);
    }
    if (n > 1) check_clash(perm, entry_bytes, 0, 1);
    for (unsigned k = 0; n > 0 && k < 3; k++)
        check_range(perm, entry_bytes, k == 0 ? 0 : k == 1 ? n - 1 : check_random() % n);
    riffle_perm_free(perm);
}

/* ---------------------------------------------------------------- writing */

static void check_written(const riffle_perm *perm, const char *what) {
    cuda_table table, copy, back;
    riffle_perm *inverse = NULL;
    if (!check(riffle_perm_invert(perm, &inverse) == RIFFLE_OK, "%s: not inverted", what)) return;
    if (check(cuda_table_write(perm, true, NULL, &table) == RIFFLE_OK, "%s: no inverse written", what)) {
        table_is(&table, inverse, what);
        if (check(cuda_table_invert(&table, NULL, &back) == RIFFLE_OK, "%s: not inverted there", what)) {
            table_is(&back, perm, what);
            cuda_table_free(&back);
        }
        cuda_table_free(&table);
    }
    if (check(cuda_table_write(perm, false, NULL, &table) == RIFFLE_OK, "%s: not written", what)) {
        table_is(&table, perm, what);
        if (check(cuda_table_copy(&table, NULL, &copy) == RIFFLE_OK, "%s: not copied", what)) {
            table_is(&copy, perm, what);
            cuda_table_free(&copy);
        }
        cuda_table_free(&table);
    }
    riffle_perm_free(inverse);
}

static void test_write(const char *by, uint64_t n) {
    riffle_perm *perm = NULL;
    if (!check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s: not parsed", by)) return;
    check_written(perm, by);
    riffle_perm_free(perm);
}

/* A random table, and a sequence with it. */
static void test_write_tables(uint64_t n) {
    riffle_perm *random = NULL, *table = NULL, *reverse = NULL, *both = NULL;
    if (!check(riffle_perm_random(n, check_random(), &random) == RIFFLE_OK, "a permutation")) return;
    uint64_t *values = values_of(random, 8);
    if (check(riffle_perm_table_u64(n, values, &table) == RIFFLE_OK, "a table") &&
        check(riffle_perm_reverse(n, &reverse) == RIFFLE_OK, "reverse") &&
        check(riffle_perm_compose(reverse, table, &both) == RIFFLE_OK, "reverse|table")) {
        check_written(table, "a table");
        check_written(both, "reverse|table");
    }
    free(values);
    riffle_perm_free(both);
    riffle_perm_free(reverse);
    riffle_perm_free(table);
    riffle_perm_free(random);
}

/* --------------------------------------------------------- recognizing */

/* Checks what the GPU recognizes in these values; `wanted` NULL: nothing. */
static void check_recognized(uint64_t n, const uint64_t *values, const riffle_perm *wanted, const char *what) {
    cuda_table table;
    riffle_perm *found = NULL;
    if (!check(take(n, values, 8, &table) == RIFFLE_OK, "%s: refused", what)) return;
    if (check(cuda_table_recognize(&table, NULL, &found) == RIFFLE_OK, "%s: not looked at", what) &&
        check((found != NULL) == (wanted != NULL), "%s: %s, n = %" PRIu64, what,
              found != NULL ? "recognized as something" : "not recognized", n) &&
        found != NULL) {
        check(found->kind == PERM_ROTATION || found->kind == PERM_AFFINE, "%s: kind", what);
        table_is(&table, found, what);
    }
    riffle_perm_free(found);
    cuda_table_free(&table);
}

/* With two entries exchanged, anywhere, it is nothing any more; only rotations of 8 may become affine. */
static void test_recognize(const char *by, uint64_t n) {
    riffle_perm *perm = NULL;
    if (!check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s: not parsed", by)) return;
    uint64_t *values = values_of(perm, 8);
    check_recognized(n, values, perm, by);
    for (unsigned k = 0; n > 8 && k < 4; k++) {
        const uint64_t i = k == 0 ? n - 2 : check_random() % n, held = values[i];
        const uint64_t j = (i + 1 + check_random() % (n - 1)) % n;
        values[i] = values[j], values[j] = held;
        check_recognized(n, values, NULL, by);
        values[j] = values[i], values[i] = held;
    }
    free(values);
    riffle_perm_free(perm);
}

static void test_recognize_nothing(uint64_t n) {
    riffle_perm *perm = NULL;
    if (!check(riffle_perm_random(n, 5, &perm) == RIFFLE_OK, "a permutation")) return;
    uint64_t *values = values_of(perm, 8);
    check_recognized(n, values, NULL, "random:5");
    free(values);
    riffle_perm_free(perm);
}

/* ----------------------------------------------------------------- sampling */

static void check_sample(const cuda_table *table, bool inverse, const riffle_perm *perm, size_t elem_bytes) {
    const line_sample sample = line_sample_of(table->n, elem_bytes);
    const line_reader reader = line_reader_of_perm(perm);
    const size_t count = (size_t)sample.lines * sample.elements, bytes = count * sizeof(uint64_t);
    uint64_t *wanted = malloc(bytes + 1), *found = malloc(bytes + 1);
    check(wanted != NULL && found != NULL && reader.read(perm, &sample, wanted) == RIFFLE_OK &&
              cuda_table_sample(table, inverse, &sample, NULL, found) == RIFFLE_OK &&
              memcmp(wanted, found, bytes) == 0,
          "a sample of %u lines of %u elements, n = %" PRIu64 "%s", sample.lines, sample.elements, table->n,
          inverse ? ", of the inverse" : "");
    free(found);
    free(wanted);
}

/* Samples a table and its inverse, which is not made, as the host samples both. */
static void test_sample(const char *by, uint64_t n) {
    riffle_perm *perm = NULL, *inverse = NULL;
    cuda_table table;
    if (check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s", by) &&
        check(riffle_perm_invert(perm, &inverse) == RIFFLE_OK, "its inverse") &&
        check(cuda_table_write(perm, false, NULL, &table) == RIFFLE_OK, "a table")) {
        for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
            check_sample(&table, false, perm, elem_bytes);
            check_sample(&table, true, inverse, elem_bytes);
        }
        cuda_table_free(&table);
    }
    riffle_perm_free(inverse);
    riffle_perm_free(perm);
}

/* --------------------------------------------------------------------- long */

static bool windows_are(const cuda_table *table, const riffle_perm *perm, const char *what) {
    enum { WINDOW = 5000, WINDOWS = 200 };
    for (unsigned k = 0; k < WINDOWS; k++) {
        const uint64_t last = table->n - WINDOW, first = k == 0 ? last : check_random() % last;
        if (!check(window_is(table, perm, first, WINDOW), "%s: entries from %" PRIu64 " on differ", what,
                   first))
            return false;
    }
    return true;
}

/* Beyond 2^32 entries have 8 bytes. */
static void test_long(uint64_t n) {
    const size_t table_bytes = (size_t)n * table_entry_bytes(n);
    size_t left = 0, all = 0;
    riffle_perm *perm = NULL, *inverse = NULL;
    cuda_table table, copy;
    cudaMemGetInfo(&left, &all);
    if (table_bytes + cuda_table_take_bytes(n) > left) {
        printf("left out: tables of %" PRIu64 " entries, for which the GPU has too little memory\n", n);
        return;
    }
    if (check(riffle_perm_random(n, 77, &perm) == RIFFLE_OK, "a permutation") &&
        check(riffle_perm_invert(perm, &inverse) == RIFFLE_OK, "its inverse") &&
        check(cuda_table_write(perm, false, NULL, &table) == RIFFLE_OK, "a long table")) {
        windows_are(&table, perm, "a long table");
        check_sample(&table, false, perm, 4);
        check_sample(&table, true, inverse, 4);
        if (check(cuda_table_take(n, table.entries, table.entry_bytes, NULL, &copy) == RIFFLE_OK, "taken")) {
            windows_are(&copy, perm, "a long table, taken");
            cuda_table_free(&copy);
        }
        if (check(cuda_table_invert(&table, NULL, &copy) == RIFFLE_OK, "inverted")) {
            windows_are(&copy, inverse, "a long table, inverted");
            cuda_table_free(&copy);
        }
        cuda_table_free(&table);
    }
    riffle_perm_free(inverse);
    riffle_perm_free(perm);
}

void test_tables(bool small) {
    static const uint64_t lengths[] = {0,    1,    2,    3,     4,      5,       31,     32,
                                       33,   63,   64,   65,    255,    256,     257,    1000,
                                       4095, 4096, 4097, 65536, 100003, 1 << 20, 3000017};
    const size_t count = sizeof lengths / sizeof lengths[0] - (small ? 3 : 0);
    for (size_t k = 0; k < count; k++) {
        const uint64_t n = lengths[k];
        char by[64];
        snprintf(by, sizeof by, "random:%" PRIu64, check_random());
        test_take(n, 4);
        test_take(n, 8);
        test_write(by, n);
        test_write("reverse", n);
        test_sample(by, n);
        test_write_tables(n);
        test_recognize("identity", n);
        test_recognize("reverse", n);
        test_recognize("rotate:1", n);
        test_recognize("rotate:-3", n);
        if (n > 8) test_recognize_nothing(n);
        if (n == 0 || (n & (n - 1)) != 0) continue;
        test_write("bit-reversal", n);
        test_recognize("bit-reversal", n);
        test_recognize("shuffle", n);
        test_recognize("random-affine:3", n);
        test_recognize("random-affine:4|reverse", n);
    }
    test_write("transpose:100x77", 7700);
    test_write("random:3|transpose:100x77", 7700);
    if (small) return;
    test_long((uint64_t)1 << 32);
    test_long(((uint64_t)1 << 32) + 12345);
}
