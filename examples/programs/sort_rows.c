/* SPDX-License-Identifier: Apache-2.0
 *
 * sort_rows [LOG2_COLUMNS [ROWS]]: sorts each row of a matrix by the BMMC paper's network (Bouverot-Dupuis, Sheeran 2023, section
 * 7.1), as they write it; and in their own way, a permutation before each column of comparators. Both must be
 * what qsort makes of a row.
 */
#include <string.h>

#include "support.h"

/* Even and odd indices are sorted by themselves, then merged by a balanced periodic merger (Figure 13). */
static const char network[] = "vcolumn 0 = id\n"
                              "vcolumn 1 = pair minmax\n"
                              "vcolumn n = parm 3 (vcolumn (n-1))\n"
                              "merge 0 = id\n"
                              "merge n = vcolumn n | parm 2^(n-1) (merge (n-1))\n"
                              "network 0 = id\n"
                              "network n = parm 1 (network (n-1)) | merge n\n";

static int by_value(const void *a, const void *b) {
    const int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

static double run(riffle_program_algorithm way, unsigned bits, uint64_t rows, int *out, const int *in,
                  unsigned *passes) {
    riffle_program *program;
    riffle_program_plan *sort;
    const riffle_program_options options = {.batch = rows, .algorithm = way};
    check(riffle_program_parse("network n", network, bits, &program));
    check(riffle_program_plan_create(program, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CPU, &options, &sort));
    const double begin = now();
    check(riffle_program_execute(sort, out, in));
    const double seconds = now() - begin;
    *passes = riffle_program_plan_passes(sort);
    riffle_program_plan_free(sort);
    riffle_program_free(program);
    return seconds;
}

int main(int argc, char **argv) {
    static const char usage[] =
        "sort_rows [LOG2_COLUMNS [ROWS]]   with 0 <= LOG2_COLUMNS <= 24, 1 <= ROWS <= 2^20";
    const unsigned bits = (unsigned)argument(argc, argv, 1, 10, 0, 24, usage);
    const size_t rows = (size_t)argument(argc, argv, 2, 1000, 1, 1 << 20, usage);
    const size_t columns = (size_t)1 << bits, bytes = rows * columns * sizeof(int);
    int *const matrix = buffer(bytes), *const fused = buffer(bytes), *const paper = buffer(bytes);
    for (size_t k = 0; k < rows * columns; k++) matrix[k] = rand() - RAND_MAX / 2;

    unsigned passes, paper_passes;
    const double seconds = run(RIFFLE_PROGRAM_ALGORITHM_FUSED, bits, rows, fused, matrix, &passes);
    const double paper_seconds = run(RIFFLE_PROGRAM_ALGORITHM_PAPER, bits, rows, paper, matrix, &paper_passes);
    for (size_t row = 0; row < rows; row++) qsort(matrix + row * columns, columns, sizeof(int), by_value);
    const int right = memcmp(fused, matrix, bytes) == 0 && memcmp(paper, matrix, bytes) == 0;
    printf("%zu rows of %zu: %s; %u passes in %.2f ms; the paper's way %u in %.2f ms\n", rows, columns,
           right ? "sorted" : "NOT SORTED", passes, 1e3 * seconds, paper_passes, 1e3 * paper_seconds);
    riffle_buffer_free(paper, bytes);
    riffle_buffer_free(fused, bytes);
    riffle_buffer_free(matrix, bytes);
    return right ? 0 : 1;
}
