/* SPDX-License-Identifier: Apache-2.0
 *
 * reshard [ROWS COLUMNS]: a matrix that is cut by rows over all ranks is cut by columns, and then transposed as a distributed FFT of two
 * dimensions does it between its two directions: each rank then has whole columns, one behind the other. Any size, any number of ranks.
 */
#include <stdlib.h>

#include "riffle/mpi.h"

typedef struct part {
    uint64_t count;
    float *of;
} part;

static int fail_here(const char *what) {
    fprintf(stderr, "%s: %s\n", what, riffle_error_detail());
    return 1;
}

/* Moves src along perm between two layouts into a new part; 0 for success. */
static int move(const riffle_perm *perm, const riffle_exchange_options *exchange, const part *src, part *dst) {
    const riffle_mpi_options options = {.exchange = *exchange};
    riffle_mpi_plan *plan = NULL;
    if (riffle_mpi_plan_create(perm, sizeof(float), MPI_COMM_WORLD, &options, &plan) != RIFFLE_OK)
        return fail_here("plan");
    riffle_mpi_plan_elements(plan, NULL, &dst->count);
    dst->of = malloc((dst->count + 1) * sizeof *dst->of);
    const int failed = dst->of == NULL || riffle_mpi_execute(plan, dst->of, src->of) != RIFFLE_OK;
    riffle_mpi_plan_free(plan);
    return failed ? fail_here("move") : 0;
}

/* The rows of this rank: element (r, c) is r * columns + c. */
static part cut_by_rows(uint64_t rows, uint64_t columns, uint64_t rank, uint64_t ranks) {
    const uint64_t each = (rows + ranks - 1) / ranks, first = rank * each < rows ? rank * each : rows;
    part out = {.count = (first + each < rows ? each : rows - first) * columns};
    out.of = malloc((out.count + 1) * sizeof *out.of);
    for (uint64_t i = 0; i < out.count && out.of != NULL; i++) out.of[i] = (float)(first * columns + i);
    return out;
}

/* This rank's columns [first, first + own): row by row in `cut`, column by column in `turned`. */
static uint64_t count_wrong(uint64_t rows, uint64_t columns, uint64_t rank, uint64_t ranks, const part *cut,
                            const part *turned) {
    const uint64_t each = (columns + ranks - 1) / ranks, first = rank * each < columns ? rank * each : columns;
    const uint64_t own = first + each < columns ? each : columns - first;
    uint64_t wrong = cut->count != rows * own || turned->count != rows * own;
    for (uint64_t r = 0; r < rows && wrong == 0; r++)
        for (uint64_t c = 0; c < own; c++) {
            const float wanted = (float)(r * columns + first + c);
            wrong += cut->of[r * own + c] != wanted || turned->of[c * rows + r] != wanted;
        }
    return wrong;
}

static int run(uint64_t rows, uint64_t columns, uint64_t rank, uint64_t ranks) {
    const uint64_t shape[] = {rows, columns}, turned_shape[] = {columns, rows};
    const riffle_exchange_layout by_rows = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, shape, 0, 0, NULL},
                                 by_columns = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, shape, 1, 0, NULL},
                                 by_turned_rows = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, turned_shape, 0, 0, NULL};
    riffle_perm *same = NULL, *transpose = NULL;
    part src = cut_by_rows(rows, columns, rank, ranks), cut = {0}, turned = {0};
    int failed = src.of == NULL || riffle_perm_identity(rows * columns, &same) != RIFFLE_OK ||
                 riffle_perm_transpose(rows, columns, &transpose) != RIFFLE_OK;
    if (!failed) failed = move(same, &(riffle_exchange_options){.src = by_rows, .dst = by_columns}, &src, &cut);
    if (!failed)
        failed =
            move(transpose, &(riffle_exchange_options){.src = by_rows, .dst = by_turned_rows}, &src, &turned);
    if (!failed) failed = count_wrong(rows, columns, rank, ranks, &cut, &turned) != 0;
    if (rank == 0)
        printf("%llu x %llu over %llu ranks: %s\n", (unsigned long long)rows, (unsigned long long)columns,
               (unsigned long long)ranks, failed ? "WRONG" : "cut by columns, and transposed");
    riffle_perm_free(same);
    riffle_perm_free(transpose);
    free(src.of);
    free(cut.of);
    free(turned.of);
    return failed;
}

int main(int argc, char **argv) {
    int rank, ranks;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const uint64_t rows = argc > 2 ? strtoull(argv[1], NULL, 10) : 1000;
    const uint64_t columns = argc > 2 ? strtoull(argv[2], NULL, 10) : 777;
    const int failed = run(rows, columns, (uint64_t)rank, (uint64_t)ranks);
    MPI_Finalize();
    return failed;
}
