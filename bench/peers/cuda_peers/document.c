/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include <stdio.h>

#include "bench/data.h"
#include "riffle/cuda.h"
#include "sorts/sorts.h"

static size_t rows;

void document_begin(const char *version) {
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) return; /* main has asked before */
    printf("{\"engine\": \"cuda\", \"device\": \"%s\", \"cuda\": \"%u.%u\"%s,\n \"results\": [", gpu.name,
           gpu.runtime / 1000, gpu.runtime % 1000 / 10, version);
}

void document_end(void) { printf("\n ]}\n"); }

size_t document_rows(void) { return rows; }

static void print_head(const char *suite, const bench_row *row, const char *algorithm, const char *how) {
    printf("%s{\"suite\": \"%s\", ", rows++ > 0 ? ",\n  " : "\n  ", suite);
    if (row->group != NULL) printf("\"group\": \"%s\", ", row->group);
    printf("\"by\": \"%s\", \"n\": %llu, \"elem_bytes\": %zu, \"algorithm\": \"%s\", \"how\": \"%s\"", row->by,
           (unsigned long long)row->n, row->elem_bytes, algorithm, how);
    if (row->kind == &bench_sort)
        printf(", \"type\": \"%s\", \"arrays\": %llu, \"indices\": %zu", riffle_type_string(row->type),
               (unsigned long long)bench_row_arrays(row), bench_sort_indices(row));
}

void document_skip(const char *suite, const bench_row *row, const char *algorithm, const char *how) {
    print_head(suite, row, algorithm, how);
    printf(", \"skipped\": \"%s\"}", BENCH_TOO_LATE);
}

bool document_print(const char *suite, const bench_row *row, const char *algorithm, const char *how,
                    riffle_status status, const bench_result *result) {
    const bool right = status == RIFFLE_OK && result->right;
    print_head(suite, row, algorithm, how);
    if (status != RIFFLE_OK) printf(", \"error\": \"%s\"}", result->problem);
    if (status == RIFFLE_OK && !result->right) printf(", \"wrong\": true}");
    if (right) {
        printf(", \"seconds\": %.12f, \"copy_seconds\": %.12f, \"ratio\": %.4f, \"graph\": %s, ",
               result->seconds, result->copy_seconds, result->seconds / result->copy_seconds,
               result->moves_timed > 1 ? "true" : "false");
        if (result->plan_seconds > 0) printf("\"plan_seconds\": %.9f, ", result->plan_seconds);
        printf("\"plan_bytes\": %zu, \"workspace_bytes\": %zu}", result->plan_bytes, result->workspace_bytes);
    }
    fflush(stdout);
    return right || status == RIFFLE_ERROR_UNSUPPORTED;
}
