/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include <stdio.h>

#include "bench/data.h"
#include "riffle/cuda.h"

static const char *separator; /* what stands before the next row */

void document_begin(const char *version) {
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) return; /* main has asked before */
    printf("{\"engine\": \"cuda\", \"device\": \"%s\", \"cuda\": \"%u.%u\"%s,\n \"results\": [", gpu.name,
           gpu.runtime / 1000, gpu.runtime % 1000 / 10, version);
    separator = "\n  ";
}

void document_end(void) { printf("\n ]}\n"); }

bool document_print(const char *suite, const bench_row *row, const char *algorithm, const char *how,
                    riffle_status status, const bench_result *result) {
    const bool right = status == RIFFLE_OK && result->right;
    printf("%s{\"suite\": \"%s\", ", separator, suite);
    if (row->group != NULL) printf("\"group\": \"%s\", ", row->group);
    printf("\"by\": \"%s\", \"n\": %llu, \"elem_bytes\": %zu, \"algorithm\": \"%s\", \"how\": \"%s\"", row->by,
           (unsigned long long)row->n, row->elem_bytes, algorithm, how);
    if (row->kind == BENCH_SORT)
        printf(", \"type\": \"%s\", \"arrays\": %llu, \"indices\": %zu", riffle_type_string(row->type),
               (unsigned long long)bench_row_arrays(row), row->entry_bytes);
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
    separator = ",\n  ";
    return right || status == RIFFLE_ERROR_UNSUPPORTED;
}
