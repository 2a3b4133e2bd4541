/* SPDX-License-Identifier: Apache-2.0
 *
 * Every algorithm on the GPU, by every kind of permutation, at lengths on and around the edges of warps, tiles
 * and blocks, against the definition.
 */
#include "test_moves.h"

#include <stdio.h>
#include <stdlib.h>

#include "../check.h"
#include "riffle/cuda.h"

/* Which algorithms a permutation must be planned for; by the others it may be refused. */
typedef struct move {
    char by[64];
    riffle_algorithm also; /* COPY or TRANSPOSE; AUTO for none */
} move;

static const riffle_algorithm algorithms[] = {
    RIFFLE_ALGORITHM_AUTO,        RIFFLE_ALGORITHM_COPY,          RIFFLE_ALGORITHM_SCATTER,
    RIFFLE_ALGORITHM_GATHER,      RIFFLE_ALGORITHM_TRANSPOSE,     RIFFLE_ALGORITHM_ROW_WISE,
    RIFFLE_ALGORITHM_COLUMN_WISE, RIFFLE_ALGORITHM_CONFLICT_FREE, RIFFLE_ALGORITHM_SCHEDULED,
};
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

static bool is_owed(riffle_algorithm algorithm, const move *m, uint64_t n) {
    const uint64_t one_block = 1024;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_AUTO:
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER: return true;
    case RIFFLE_ALGORITHM_SCHEDULED: return n > 0;
    case RIFFLE_ALGORITHM_CONFLICT_FREE: return n > 0 && n <= one_block;
    default: return algorithm == m->also && n > 1;
    }
}

static void run_plan(const riffle_perm *perm, size_t elem_bytes, const riffle_plan *plan, riffle_check checked,
                     check_arrays *arrays, const char *what) {
    if (!arrays_renew(arrays)) return;
    const riffle_status status =
        riffle_cuda_execute(plan, arrays->device_dst, arrays->device_src, NULL, 0, NULL);
    if (checked != RIFFLE_CHECK_NONE)
        check(riffle_cuda_check(plan, NULL, NULL) == RIFFLE_OK, "%s: %s", what, riffle_error_detail());
    if (check(status == RIFFLE_OK, "%s: not executed", what)) arrays_moved(arrays, perm, elem_bytes, what);
}

/* Plans and runs; `owed` says that a refusal is a failure. Twice, because the second finds a used workspace. */
static void run_algorithm(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options,
                          bool owed, check_arrays *arrays, const char *by) {
    char what[160];
    snprintf(what, sizeof what, "%s of %llu x %zu bytes by %s, row length %llu", by,
             (unsigned long long)riffle_perm_length(perm), elem_bytes,
             riffle_algorithm_string(options->algorithm), (unsigned long long)options->row_length);
    riffle_plan *plan;
    const riffle_status status = riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, options, &plan);
    if (status == RIFFLE_ERROR_UNSUPPORTED && !owed) return;
    if (!check(status == RIFFLE_OK, "%s: not planned", what)) return;
    for (unsigned k = 0; k < 2; k++) run_plan(perm, elem_bytes, plan, options->check, arrays, what);
    riffle_plan_free(plan);
}

/* Passes compare what is between them, where there are several. */
static void run_between(const riffle_perm *perm, size_t elem_bytes, check_arrays *arrays, const char *by) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET, .check = RIFFLE_CHECK_PASSES};
    run_algorithm(perm, elem_bytes, &options, false, arrays, by);
}

static void run_move(const move *m, uint64_t n, size_t elem_bytes, check_arrays *arrays) {
    riffle_perm *perm;
    const riffle_status status = riffle_perm_parse(m->by, n, &perm);
    if (status == RIFFLE_ERROR_LENGTH) return; /* bit permutations of lengths that are no powers of two */
    if (!check(status == RIFFLE_OK, "%s of %llu: not parsed", m->by, (unsigned long long)n)) return;
    for (unsigned k = 0; k < ALGORITHMS; k++) {
        const riffle_plan_options options = {.algorithm = algorithms[k],
                                             .check = (n + k) % 3 == 0 ? RIFFLE_CHECK_FULL : RIFFLE_CHECK_NONE};
        if (algorithms[k] == RIFFLE_ALGORITHM_BUCKET && n % 2 == 0)
            run_between(perm, elem_bytes, arrays, m->by);
        run_algorithm(perm, elem_bytes, &options, is_owed(algorithms[k], m, n), arrays, m->by);
    }
    riffle_perm_free(perm);
}

static uint64_t divisor_near_root(uint64_t n) {
    uint64_t best = 1;
    for (uint64_t k = 1; k * k <= n; k++)
        if (n % k == 0) best = k;
    return best;
}

enum { MOVES = 10 };

static void make_moves(uint64_t n, move out[MOVES]) {
    const unsigned long long rows = n > 0 ? divisor_near_root(n) : 0, cols = n > 0 ? n / rows : 0;
    const unsigned long long turn = n > 0 ? check_random() % n : 0, seed = check_random() % 1000000;
    static const char *const fixed[] = {"identity", "reverse", "shuffle", "unshuffle", "bit-reversal"};
    for (unsigned k = 0; k < 5; k++) {
        snprintf(out[k].by, sizeof out[k].by, "%s", fixed[k]);
        out[k].also = k < 2 ? RIFFLE_ALGORITHM_COPY : RIFFLE_ALGORITHM_AUTO;
    }
    out[5].also = RIFFLE_ALGORITHM_COPY;
    snprintf(out[5].by, sizeof out[5].by, "rotate:%llu", turn);
    const riffle_algorithm transpose = rows > 1 ? RIFFLE_ALGORITHM_TRANSPOSE : RIFFLE_ALGORITHM_AUTO;
    out[6].also = transpose;
    snprintf(out[6].by, sizeof out[6].by, "transpose:%llux%llu", rows, cols);
    out[7].also = transpose;
    snprintf(out[7].by, sizeof out[7].by, "transpose:%llux%llu", cols, rows);
    out[8].also = RIFFLE_ALGORITHM_AUTO;
    snprintf(out[8].by, sizeof out[8].by, "random:%llu", seed);
    out[9].also = RIFFLE_ALGORITHM_AUTO;
    snprintf(out[9].by, sizeof out[9].by, "rotate:%llu|reverse", turn);
}

static void test_length(uint64_t n, size_t elem_bytes) {
    move moves[MOVES];
    make_moves(n, moves);
    check_arrays arrays;
    if (arrays_create(n * elem_bytes, &arrays))
        for (unsigned k = 0; k < MOVES; k++) run_move(&moves[k], n, elem_bytes, &arrays);
    arrays_free(&arrays);
}

/* Fisher and Yates. */
static void shuffle(uint32_t *values, uint64_t count) {
    for (uint64_t k = count; k > 1; k--) {
        const uint64_t other = check_random() % k;
        const uint32_t held = values[k - 1];
        values[k - 1] = values[other];
        values[other] = held;
    }
}

/* Every row, or every column, of a matrix in an order of its own. */
static riffle_status make_lines(uint64_t rows, uint64_t cols, bool columns, riffle_perm **out) {
    const uint64_t lines = columns ? cols : rows, length = columns ? rows : cols;
    uint32_t *order = malloc(length * sizeof *order), *table = malloc(rows * cols * sizeof *table);
    riffle_status status = RIFFLE_ERROR_OUT_OF_MEMORY;
    if (order != NULL && table != NULL) {
        for (uint64_t line = 0; line < lines; line++) {
            for (uint64_t k = 0; k < length; k++) order[k] = (uint32_t)k;
            shuffle(order, length);
            for (uint64_t k = 0; k < length; k++) {
                const uint64_t from = columns ? k * cols + line : line * cols + k;
                table[from] = (uint32_t)(columns ? order[k] * cols + line : line * cols + order[k]);
            }
        }
        status = riffle_perm_table_u32(rows * cols, table, out);
    }
    free(table);
    free(order);
    return status;
}

static void test_lines(uint64_t rows, uint64_t cols, bool columns, size_t elem_bytes) {
    riffle_perm *perm;
    if (!check(make_lines(rows, cols, columns, &perm) == RIFFLE_OK, "a table of lines")) return;
    check_arrays arrays;
    const riffle_plan_options options = {
        .algorithm = columns ? RIFFLE_ALGORITHM_COLUMN_WISE : RIFFLE_ALGORITHM_ROW_WISE, .row_length = cols};
    if (arrays_create(rows * cols * elem_bytes, &arrays))
        run_algorithm(perm, elem_bytes, &options, true, &arrays, "lines in any order");
    arrays_free(&arrays);
    riffle_perm_free(perm);
}

/* A table of any order, by rows that are far longer or shorter than columns. */
static void test_table(uint64_t n, uint64_t row_length, size_t elem_bytes) {
    riffle_perm *perm;
    if (!check(make_lines(1, n, false, &perm) == RIFFLE_OK, "a table")) return;
    check_arrays arrays;
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED, .row_length = row_length};
    if (arrays_create(n * elem_bytes, &arrays))
        run_algorithm(perm, elem_bytes, &options, true, &arrays, "a table");
    arrays_free(&arrays);
    riffle_perm_free(perm);
}

/* Elements that no kernel takes are copied or refused, never moved wrongly. */
static void test_other_sizes(void) {
    static const size_t sizes[] = {1, 2, 3, 12, 16};
    static const char *const specs[] = {"identity", "rotate:5", "reverse", "random:1"};
    for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (unsigned s = 0; s < sizeof specs / sizeof specs[0]; s++) {
            riffle_perm *perm;
            if (!check(riffle_perm_parse(specs[s], 1000, &perm) == RIFFLE_OK, "%s", specs[s])) continue;
            check_arrays arrays;
            const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_AUTO};
            if (arrays_create(1000 * sizes[k], &arrays))
                run_algorithm(perm, sizes[k], &options, false, &arrays, specs[s]);
            arrays_free(&arrays);
            riffle_perm_free(perm);
        }
    }
}

static void test_in_place(const char *spec, uint64_t n, size_t elem_bytes, riffle_algorithm algorithm) {
    const riffle_plan_options options = {.in_place = true, .algorithm = algorithm};
    riffle_perm *perm;
    riffle_plan *plan;
    check_arrays arrays;
    if (!check(riffle_perm_parse(spec, n, &perm) == RIFFLE_OK, "%s", spec)) return;
    riffle_status status = riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan);
    const bool is_planned = check(status == RIFFLE_OK, "%s of %llu x %zu bytes in place: not planned", spec,
                                  (unsigned long long)n, elem_bytes);
    if (arrays_create(n * elem_bytes, &arrays) && is_planned && arrays_renew(&arrays) &&
        check_cuda(cudaMemcpy(arrays.device_dst, arrays.device_src, arrays.bytes, cudaMemcpyDeviceToDevice),
                   "the array")) {
        status = riffle_cuda_execute(plan, arrays.device_dst, arrays.device_dst, NULL, 0, NULL);
        check(status == RIFFLE_OK, "%s in place: not executed", spec);
        arrays_moved(&arrays, perm, elem_bytes, spec);
    }
    arrays_free(&arrays);
    if (is_planned) riffle_plan_free(plan);
    riffle_perm_free(perm);
}

/* Also of what is rotated after it: two runs, each reversed. */
static void test_reversal_in_place(uint64_t n, size_t elem_bytes) {
    test_in_place("reverse", n, elem_bytes, RIFFLE_ALGORITHM_AUTO);
    test_in_place("reverse|rotate:300", n, elem_bytes, RIFFLE_ALGORITHM_AUTO);
}

/* Matrices of every shape up to 40 x 40, with and without a common divisor, and longer ones. */
static void test_transposes_in_place(bool small) {
    static const unsigned longer[][2] = {{401, 409}, {1000, 1500}, {3, 14000},
                                         {14000, 3}, {7001, 29},   {2048, 1024}};
    char spec[64];
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        for (unsigned k = 0; k < (small ? 40 : 400); k++) {
            const unsigned rows = 2 + (unsigned)(check_random() % 39),
                           cols = 2 + (unsigned)(check_random() % 39);
            snprintf(spec, sizeof spec, "transpose:%ux%u", rows, cols);
            test_in_place(spec, (uint64_t)rows * cols, elem_bytes, RIFFLE_ALGORITHM_TRANSPOSE);
        }
        for (unsigned k = 0; !small && k < sizeof longer / sizeof *longer; k++) {
            snprintf(spec, sizeof spec, "transpose:%ux%u", longer[k][0], longer[k][1]);
            test_in_place(spec, (uint64_t)longer[k][0] * longer[k][1], elem_bytes, RIFFLE_ALGORITHM_TRANSPOSE);
        }
    }
}

static void test_reversals_in_place(bool small) {
    static const uint64_t lengths[] = {2, 3, 31, 255, 257, 1000, 1024, 10007, 1000003};
    for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0] - small; k++)
        for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2)
            test_reversal_in_place(lengths[k], elem_bytes);
    riffle_perm *perm;
    riffle_plan *plan;
    const riffle_plan_options options = {.in_place = true};
    if (!check(riffle_perm_reverse(1000, &perm) == RIFFLE_OK, "a reversal")) return;
    check_refused(riffle_plan_create(perm, 12, RIFFLE_ENGINE_CUDA, &options, &plan), RIFFLE_ERROR_UNSUPPORTED,
                  "its elements must be of 1, 2, 4, 8 or 16 bytes", "a reversal of 12-byte elements in place");
    riffle_perm_free(perm);
}

void test_moves(bool small) {
    static const uint64_t lengths[] = {0,    1,    2,    31,   32,    33,    97,    1000,
                                       1023, 1024, 1025, 4096, 10007, 65537, 65536, 1 << 20};
    const uint64_t longest = small ? 4096 : 1 << 20;
    for (size_t elem_bytes = 4; elem_bytes <= 8; elem_bytes += 4) {
        for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
            if (lengths[k] <= longest) test_length(lengths[k], elem_bytes);
        for (unsigned columns = 0; columns < 2; columns++) {
            test_lines(32, 32, columns, elem_bytes);
            test_lines(32, 64, columns, elem_bytes);
            test_lines(96, 32, columns, elem_bytes);
            test_lines(64, 96, columns, elem_bytes);
            if (!small) test_lines(96, 4096, columns, elem_bytes);
            if (!small) test_lines(1056, 1120, columns, elem_bytes);
        }
        if (!small) test_lines(32, 8192, false, elem_bytes);
        test_table(5000, 64, elem_bytes);
        if (!small) test_table(1 << 18, 8192, elem_bytes);
    }
    if (!small) test_lines(32, 16384, false, 4);
    test_other_sizes();
    test_reversals_in_place(small);
    test_transposes_in_place(small);
}
