/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_plan_table and riffle_cuda_plan_indices: entries of either size by every algorithm, gone as soon
 * as the plan is there; what is recognized; what is refused, in which words; and that memory is as
 * riffle_cuda_plan_needs says.
 */
#include "test_plan_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../check.h"
#include "../orders.h"
#include "riffle/cuda.h"
#include "riffle/papers.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static cudaStream_t stream; /* one that does not wait for the default one */

/* A table on the GPU, with some bytes behind it. */
static void *device_table(const void *entries, size_t bytes) {
    void *table = NULL;
    if (!check_cuda(cudaMalloc(&table, bytes + 16), "a table") ||
        !check_cuda(cudaMemcpy(table, entries, bytes, cudaMemcpyHostToDevice), "a table") ||
        !check_cuda(cudaDeviceSynchronize(), "a table"))
        abort();
    return table;
}

static void *table_of(const riffle_perm *perm, size_t entry_bytes) {
    void *entries = order_entries(perm, entry_bytes);
    void *table = device_table(entries, (size_t)riffle_perm_length(perm) * entry_bytes);
    free(entries);
    return table;
}

static riffle_perm *parse(const char *spec, uint64_t n) {
    riffle_perm *perm = NULL;
    if (!check(riffle_perm_parse(spec, n, &perm) == RIFFLE_OK, "%s: not parsed", spec)) abort();
    return perm;
}

/* ----------------------------------------------------------------- any table */

typedef struct table_case {
    const riffle_perm *perm;
    const char *by;
    size_t entry_bytes, elem_bytes;
    riffle_plan_options options;
    bool as_indices; /* the table of the inverse, for riffle_cuda_plan_indices */
} table_case;

static void *table_for(const table_case *c) {
    riffle_perm *inverse = NULL;
    if (!c->as_indices) return table_of(c->perm, c->entry_bytes);
    if (!check(riffle_perm_invert(c->perm, &inverse) == RIFFLE_OK, "%s: not inverted", c->by)) abort();
    void *table = table_of(inverse, c->entry_bytes);
    riffle_perm_free(inverse);
    return table;
}

/* The table is overwritten as soon as the plan is there. NULL after a failed check. */
static riffle_plan *plan_case(const table_case *c, const char *what) {
    const uint64_t n = riffle_perm_length(c->perm);
    void *table = table_for(c);
    riffle_plan *plan = NULL;
    const riffle_status status = (c->as_indices ? riffle_cuda_plan_indices : riffle_cuda_plan_table)(
        n, table, c->entry_bytes, c->elem_bytes, &c->options, stream, &plan);
    check(status == RIFFLE_OK, "%s: not planned", what);
    check_cuda(cudaMemset(table, 0xff, (size_t)n * c->entry_bytes), "overwriting a table");
    check_cuda(cudaDeviceSynchronize(), "overwriting a table");
    cudaFree(table);
    return plan;
}

static void move_twice(const table_case *c, const riffle_plan *plan, const char *what) {
    const uint64_t n = riffle_perm_length(c->perm);
    check_arrays arrays;
    if (!arrays_create((size_t)n * c->elem_bytes, &arrays)) abort();
    for (unsigned k = 0; k < 2 && arrays_renew(&arrays); k++) {
        const riffle_status status =
            riffle_cuda_execute(plan, arrays.device_dst, arrays.device_src, NULL, 0, stream);
        if (check(status == RIFFLE_OK, "%s: not executed", what))
            arrays_moved(&arrays, c->perm, c->elem_bytes, what);
    }
    arrays_free(&arrays);
}

/* Plans, moves and says by which algorithm; AUTO after a failed check. */
static riffle_algorithm run_case(const table_case *c) {
    char what[160];
    snprintf(what, sizeof what, "%s of %zu-byte entries, %s of %llu x %zu bytes by %s",
             c->as_indices ? "indices" : "table", c->entry_bytes, c->by,
             (unsigned long long)riffle_perm_length(c->perm), c->elem_bytes,
             riffle_algorithm_string(c->options.algorithm));
    riffle_plan *plan = plan_case(c, what);
    if (plan == NULL) return RIFFLE_ALGORITHM_AUTO;
    const riffle_algorithm algorithm = riffle_plan_algorithm(plan);
    check(c->options.algorithm == RIFFLE_ALGORITHM_AUTO || c->options.algorithm == algorithm,
          "%s: planned otherwise", what);
    move_twice(c, plan, what);
    riffle_plan_free(plan);
    return algorithm;
}

/* True if the algorithm moves elements of such a size. */
static bool takes_size(riffle_algorithm algorithm, size_t elem_bytes) {
    if (algorithm == RIFFLE_ALGORITHM_BUCKET || algorithm == RIFFLE_ALGORITHM_ONCE) return 16 % elem_bytes == 0;
    if (algorithm == RIFFLE_ALGORITHM_SCHEDULED) return elem_bytes == 4 || elem_bytes == 8;
    return true;
}

static void test_order(order kind, uint64_t n, size_t entry_bytes, size_t elem_bytes) {
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_AUTO,      RIFFLE_ALGORITHM_BUCKET,
                                                  RIFFLE_ALGORITHM_GATHER,    RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_SCHEDULED, RIFFLE_ALGORITHM_ONCE};
    char by[ORDER_NAME_BYTES];
    riffle_perm *perm = order_create(kind, n, by);
    for (size_t k = 0; k < COUNT(algorithms); k++)
        if (takes_size(algorithms[k], elem_bytes))
            run_case(&(table_case){
                perm, by, entry_bytes, elem_bytes, {.algorithm = algorithms[k]}, check_random() % 2});
    riffle_perm_free(perm);
}

static void test_orders(bool small) {
    static const size_t sizes[] = {1, 2, 4, 8, 16, 24};
    static const uint64_t lengths[] = {1, 2, 3, 17, 1000, 4096, 70001, 140000};
    for (unsigned round = 0; round < (small ? 1 : 4); round++)
        for (size_t entry_bytes = 4; entry_bytes <= 8; entry_bytes += 4)
            for (size_t k = 0; k < COUNT(sizes); k++) {
                const order kind = (order)(check_random() % ORDERS);
                test_order(kind, lengths[check_random() % (COUNT(lengths) - (small ? 2 : 0))], entry_bytes,
                           sizes[k]);
            }
    for (unsigned kind = 0; !small && kind < ORDERS; kind++)
        for (size_t entry_bytes = 4; entry_bytes <= 8; entry_bytes += 4)
            test_order((order)kind, 70001 + kind, entry_bytes, (size_t)1 << check_random() % 5);
    if (!small) test_order(ORDER_RANDOM, (1 << 20) + 1, 8, 4);
}

/* For one execution: sorted as they go, or few of them gathered. */
static void test_one_execution(uint64_t n, size_t elem_bytes, riffle_algorithm wanted) {
    riffle_perm *perm = parse("random:7", n);
    for (unsigned k = 0; k < 4; k += 3) {
        const riffle_algorithm algorithm = run_case(
            &(table_case){perm, "random:7 once", k % 2 ? 4 : 8, elem_bytes, {.executions = 1}, k >= 2});
        check(algorithm == wanted, "for one execution %llu x %zu bytes are moved by %s", (unsigned long long)n,
              elem_bytes, riffle_algorithm_string(algorithm));
    }
    riffle_perm_free(perm);
}

/* Every algorithm by name, each with a permutation that it moves. */
static void test_names(void) {
    static const struct {
        const char *by;
        uint64_t n;
        riffle_algorithm algorithm;
    } named[] = {
        {"identity", 5000, RIFFLE_ALGORITHM_COPY},
        {"rotate:77", 5000, RIFFLE_ALGORITHM_COPY},
        {"reverse", 5000, RIFFLE_ALGORITHM_COPY},
        {"bit-reversal", 4096, RIFFLE_ALGORITHM_AFFINE},
        {"random-affine:3", 4096, RIFFLE_ALGORITHM_AFFINE},
        {"transpose:64x96", 6144, RIFFLE_ALGORITHM_TRANSPOSE},
        {"random:3", 70001, RIFFLE_ALGORITHM_SCHEDULED},
        {"random:4", 1000, RIFFLE_ALGORITHM_CONFLICT_FREE},
        {"bit-reversal", 4096, RIFFLE_ALGORITHM_BMMC_NAIVE},
        {"random-affine:5", 4096, RIFFLE_ALGORITHM_BMMC_TILE},
        {"random-affine:6", 4096, RIFFLE_ALGORITHM_BMMC_TILE_BANKS},
        {"bit-reversal", 4096, RIFFLE_ALGORITHM_BMMC_TILE_ITERS},
        {"bit-reversal", 4096, RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS},
    };
    for (size_t k = 0; k < COUNT(named); k++) {
        riffle_perm *perm = parse(named[k].by, named[k].n);
        for (size_t elem_bytes = 4; elem_bytes <= 8; elem_bytes += 4)
            for (unsigned side = 0; side < 2; side++)
                run_case(&(table_case){perm,
                                       named[k].by,
                                       12 - elem_bytes,
                                       elem_bytes,
                                       {.algorithm = named[k].algorithm},
                                       side == 1});
        riffle_perm_free(perm);
    }
}

/* Each row of a matrix turned by a number of its own, or each column. */
static void test_lines(bool columns) {
    enum { ROWS = 64, COLS = 96 };
    uint32_t values[ROWS * COLS];
    riffle_perm *perm = NULL;
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t c = 0; c < COLS; c++)
            values[r * COLS + c] =
                columns ? (r * 5 + c * c) % ROWS * COLS + c : r * COLS + (c * 5 + r * r) % COLS;
    if (!check(riffle_perm_table_u32(ROWS * COLS, values, &perm) == RIFFLE_OK, "a table of lines")) return;
    const riffle_algorithm algorithm = columns ? RIFFLE_ALGORITHM_COLUMN_WISE : RIFFLE_ALGORITHM_ROW_WISE;
    run_case(&(table_case){perm, "lines", 4, 8, {.algorithm = algorithm, .row_length = COLS}, columns});
    riffle_perm_free(perm);
}

/* ------------------------------------------------------------ not yet written */

static void CUDART_CB doze(void *unused) {
    const struct timespec while_planning = {.tv_nsec = 20000000};
    (void)unused;
    nanosleep(&while_planning, NULL);
}

/* The table holds no permutation at first, but will hold one when the stream has come so far. */
static void test_late(size_t entry_bytes, riffle_algorithm algorithm) {
    const uint64_t n = 50021;
    const size_t bytes = (size_t)n * entry_bytes;
    const riffle_plan_options options = {.algorithm = algorithm};
    riffle_perm *perm = parse("random:8", n);
    const table_case c = {perm, "a table yet to be written", entry_bytes, 4, options, false};
    riffle_plan *plan = NULL;
    void *ready = table_of(perm, entry_bytes), *table = table_of(perm, entry_bytes);
    check_cuda(cudaMemset(table, 0xff, bytes), "a table");
    check_cuda(cudaDeviceSynchronize(), "a table");
    check_cuda(cudaLaunchHostFunc(stream, doze, NULL), "waiting on a stream");
    check_cuda(cudaMemcpyAsync(table, ready, bytes, cudaMemcpyDeviceToDevice, stream), "a table");
    if (check(riffle_cuda_plan_table(n, table, entry_bytes, 4, &options, stream, &plan) == RIFFLE_OK,
              "%s: refused", c.by)) {
        move_twice(&c, plan, c.by);
        riffle_plan_free(plan);
    }
    check_cuda(cudaStreamSynchronize(stream), "a stream");
    cudaFree(table);
    cudaFree(ready);
    riffle_perm_free(perm);
}

/* ---------------------------------------------------------------- recognizing */

static void test_recognized(const char *by, uint64_t n, size_t elem_bytes, riffle_algorithm wanted) {
    riffle_perm *perm = parse(by, n);
    for (unsigned k = 0; k < 4; k++) {
        const table_case c = {perm, by, k % 2 ? 4 : 8, elem_bytes, {0}, k >= 2};
        const riffle_algorithm algorithm = run_case(&c);
        check(algorithm == wanted, "%s of %llu x %zu bytes as a table is moved by %s", by,
              (unsigned long long)n, elem_bytes, riffle_algorithm_string(algorithm));
    }
    riffle_perm_free(perm);
}

/* With two entries exchanged it is none of these any more, and not moved as if it were. */
static void test_spoilt(const char *by, uint64_t n) {
    riffle_perm *perm = parse(by, n), *spoilt = NULL;
    uint64_t *values = order_entries(perm, 8);
    const uint64_t i = check_random() % n, j = (i + 1 + check_random() % (n - 1)) % n, held = values[i];
    values[i] = values[j];
    values[j] = held;
    if (check(riffle_perm_table_u64(n, values, &spoilt) == RIFFLE_OK, "a table")) {
        const riffle_algorithm algorithm = run_case(&(table_case){spoilt, by, 4, 8, {0}, check_random() % 2});
        check(algorithm == RIFFLE_ALGORITHM_GATHER || algorithm == RIFFLE_ALGORITHM_BUCKET,
              "%s with two entries exchanged is moved by %s", by, riffle_algorithm_string(algorithm));
    }
    free(values);
    riffle_perm_free(spoilt);
    riffle_perm_free(perm);
}

static void test_recognition(void) {
    test_recognized("identity", 1, 4, RIFFLE_ALGORITHM_COPY);
    test_recognized("identity", 5000, 3, RIFFLE_ALGORITHM_COPY);
    test_recognized("identity", 8192, 16, RIFFLE_ALGORITHM_COPY);
    test_recognized("rotate:-77", 5000, 1, RIFFLE_ALGORITHM_COPY);
    test_recognized("rotate:1", 8192, 8, RIFFLE_ALGORITHM_COPY);
    test_recognized("reverse", 5001, 4, RIFFLE_ALGORITHM_COPY);
    test_recognized("reverse", 8192, 4, RIFFLE_ALGORITHM_AFFINE);
    test_recognized("bit-reversal", 8192, 2, RIFFLE_ALGORITHM_AFFINE);
    test_recognized("bit-reversal", 1 << 16, 16, RIFFLE_ALGORITHM_AFFINE);
    test_recognized("random-affine:7", 1 << 13, 4, RIFFLE_ALGORITHM_AFFINE);
    test_recognized("random-affine:8", 1 << 16, 8, RIFFLE_ALGORITHM_AFFINE);
    test_spoilt("identity", 5000);
    test_spoilt("rotate:99", 5000);
    test_spoilt("reverse", 5001);
    test_spoilt("bit-reversal", 8192);
    test_spoilt("random-affine:9", 8192);
}

/* ------------------------------------------------------------------- refusals */

/* A failing call changes no output, so that a plan must still be this. */
static riffle_plan *const untouched = (riffle_plan *)&stream;

static void refuse(uint64_t n, const void *table, size_t entry_bytes, size_t elem_bytes,
                   const riffle_plan_options *options, riffle_status wanted, const char *words) {
    riffle_plan *plan = untouched;
    check_refused(riffle_cuda_plan_table(n, table, entry_bytes, elem_bytes, options, stream, &plan), wanted,
                  words, words);
    check(plan == untouched, "a refusal (%s) leaves a plan behind", words);
}

static void set_value(void *values, size_t entry_bytes, uint64_t i, uint64_t value) {
    if (entry_bytes == 4) {
        ((uint32_t *)values)[i] = (uint32_t)value;
    } else {
        ((uint64_t *)values)[i] = value;
    }
}

/* `i` repeated at the later `j`. */
static void test_clash(const riffle_perm *perm, size_t entry_bytes, uint64_t i, uint64_t j) {
    char words[160];
    const uint64_t n = riffle_perm_length(perm), value = riffle_perm_at(perm, i);
    const riffle_plan_options bucket = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    void *values = order_entries(perm, entry_bytes);
    set_value(values, entry_bytes, j, value);
    void *table = device_table(values, (size_t)n * entry_bytes);
    snprintf(words, sizeof words, "table: index %llu and index %llu both map to %llu", (unsigned long long)i,
             (unsigned long long)j, (unsigned long long)value);
    refuse(n, table, entry_bytes, 4, check_random() % 2 ? NULL : &bucket, RIFFLE_ERROR_NOT_A_PERMUTATION,
           words);
    cudaFree(table);
    free(values);
}

static void test_range(const riffle_perm *perm, size_t entry_bytes, uint64_t i, uint64_t value) {
    char words[160];
    const uint64_t n = riffle_perm_length(perm);
    void *values = order_entries(perm, entry_bytes);
    set_value(values, entry_bytes, i, value);
    if (check_random() % 2) set_value(values, entry_bytes, n - 1, n); /* only the first is named */
    void *table = device_table(values, (size_t)n * entry_bytes);
    snprintf(words, sizeof words, "table: index %llu maps to %llu, which is not below n = %llu",
             (unsigned long long)i, (unsigned long long)value, (unsigned long long)n);
    refuse(n, table, entry_bytes, 4, NULL, RIFFLE_ERROR_NOT_A_PERMUTATION, words);
    cudaFree(table);
    free(values);
}

static void test_no_permutations(uint64_t n, size_t entry_bytes) {
    riffle_perm *perm = parse("random:6", n);
    const uint64_t i = check_random() % (n - 1), j = i + 1 + check_random() % (n - 1 - i);
    test_clash(perm, entry_bytes, i, j);
    test_clash(perm, entry_bytes, 0, n - 1);
    test_clash(perm, entry_bytes, n - 2, n - 1);
    test_range(perm, entry_bytes, i, n);
    test_range(perm, entry_bytes, 0, UINT32_MAX);
    if (entry_bytes == 8) test_range(perm, entry_bytes, i, ((uint64_t)1 << 32) + 1);
    if (entry_bytes == 8) test_range(perm, entry_bytes, i, UINT64_MAX);
    riffle_perm_free(perm);
}

static void test_arguments(void) {
    const uint64_t n = 1000;
    const riffle_plan_options bucket = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    const riffle_plan_options axes = {.algorithm = RIFFLE_ALGORITHM_AXES};
    const riffle_plan_options copy = {.algorithm = RIFFLE_ALGORITHM_COPY};
    const riffle_plan_options odd = {.algorithm = (riffle_algorithm)99};
    const riffle_plan_options dense = {.batch = 2, .stride = n - 1};
    const riffle_plan_options in_place = {.algorithm = RIFFLE_ALGORITHM_BUCKET, .in_place = true};
    riffle_perm *perm = parse("random:2", n);
    char *table = table_of(perm, 8);
    const riffle_status invalid = RIFFLE_ERROR_INVALID_ARGUMENT, unsupported = RIFFLE_ERROR_UNSUPPORTED;
    refuse(n, NULL, 8, 4, NULL, invalid, "table is NULL");
    refuse(n, table, 0, 4, NULL, invalid, "4 or 8 bytes, not 0");
    refuse(n, table, 2, 4, NULL, invalid, "4 or 8 bytes, not 2");
    refuse(n, table, 16, 4, NULL, invalid, "4 or 8 bytes, not 16");
    refuse(n, table + 4, 8, 4, NULL, invalid, "not aligned to its entries' 8 bytes");
    refuse(n, table + 2, 4, 4, NULL, invalid, "not aligned to its entries' 4 bytes");
    refuse(n, table, 8, 0, NULL, invalid, "at least 1 byte");
    refuse(RIFFLE_MAX_LENGTH + 1, table, 8, 1, NULL, RIFFLE_ERROR_LENGTH, "above the largest length");
    refuse(n, table, 8, 3, &bucket, unsupported, "1, 2, 4, 8 or 16 bytes");
    refuse(n, table, 8, 4, &axes, unsupported, "it moves only axes permutations");
    refuse(n, table, 8, 4, &copy, unsupported, "it moves only the identity");
    refuse(n, table, 8, 4, &odd, invalid, "no algorithm with number 99");
    refuse(n, table, 8, 4, &dense, invalid, "a stride of 999 elements");
    refuse(n, table, 8, 4, &in_place, unsupported, "in place: only affine");
    cudaFree(table);
    riffle_perm_free(perm);
}

static void test_nothing(void) {
    for (size_t entry_bytes = 4; entry_bytes <= 8; entry_bytes += 4) {
        riffle_plan *plan = NULL;
        riffle_cuda_needs needs = {1, 1, 1};
        check(riffle_cuda_plan_needs(0, 4, NULL, &needs) == RIFFLE_OK, "needs for nothing");
        check(needs.plan_bytes + needs.planning_bytes + needs.workspace_bytes == 0, "nothing needs memory");
        if (!check(riffle_cuda_plan_table(0, NULL, entry_bytes, 4, NULL, NULL, &plan) == RIFFLE_OK,
                   "a table of nothing"))
            continue;
        check(riffle_cuda_execute(plan, NULL, NULL, NULL, 0, NULL) == RIFFLE_OK, "nothing, from a table");
        riffle_plan_free(plan);
    }
}

/* --------------------------------------------------------------------- memory */

enum { MIB = 1 << 20, SLACK = 32 * MIB /* CUDA hands out memory in larger portions than it is asked for */ };

static size_t free_bytes(void) {
    size_t left = 0, all = 0;
    check_cuda(cudaDeviceSynchronize(), "waiting");
    check_cuda(cudaMemGetInfo(&left, &all), "free memory");
    return left;
}

static bool is_near(size_t a, size_t b) { return (a > b ? a - b : b - a) <= SLACK; }

static size_t sum(const riffle_cuda_needs *needs) {
    return needs->plan_bytes + needs->planning_bytes + needs->workspace_bytes;
}

static riffle_cuda_needs needs_of(uint64_t n, size_t elem_bytes, riffle_algorithm algorithm) {
    const riffle_plan_options options = {.algorithm = algorithm};
    riffle_cuda_needs needs = {0, 0, 0};
    check(riffle_cuda_plan_needs(n, elem_bytes, &options, &needs) == RIFFLE_OK, "needs of %s",
          riffle_algorithm_string(algorithm));
    return needs;
}

static void test_needs_refused(void) {
    const riffle_plan_options bucket = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    const riffle_plan_options scheduled = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED};
    riffle_cuda_needs needs = {7, 8, 9};
    check_refused(riffle_cuda_plan_needs(10, 0, NULL, &needs), RIFFLE_ERROR_INVALID_ARGUMENT, "at least 1 byte",
                  "elements of no bytes");
    check_refused(riffle_cuda_plan_needs(10, 3, &bucket, &needs), RIFFLE_ERROR_UNSUPPORTED,
                  "1, 2, 4, 8 or 16 bytes", "elements of 3 bytes");
    check_refused(riffle_cuda_plan_needs(10, 4, &scheduled, &needs), RIFFLE_ERROR_UNSUPPORTED,
                  "planned on the host", "what the host plans");
    check_refused(riffle_cuda_plan_needs(RIFFLE_MAX_LENGTH + 1, 1, NULL, &needs), RIFFLE_ERROR_LENGTH,
                  "above the largest length", "too many elements");
    check(needs.plan_bytes == 7 && needs.planning_bytes == 8 && needs.workspace_bytes == 9,
          "needs of a refusal");
}

/* Checks that refusals, and plans that are freed, leave no memory behind; some portions are CUDA's own to keep. */
static void test_leaks(void) {
    const uint64_t n = 1 << 21;
    const riffle_plan_options bucket = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    size_t before = 0;
    riffle_perm *perm = parse("random:2", n);
    uint64_t *values = order_entries(perm, 8);
    void *right = device_table(values, n * sizeof *values);
    values[n - 1] = values[5];
    void *clashing = device_table(values, n * sizeof *values);
    values[7] = n;
    void *beyond = device_table(values, n * sizeof *values);
    for (unsigned round = 0; round < 12; round++) {
        riffle_plan *plan = NULL;
        refuse(n, clashing, 8, 4, NULL, RIFFLE_ERROR_NOT_A_PERMUTATION, "index 5 and index 2097151");
        refuse(n, beyond, 8, 4, NULL, RIFFLE_ERROR_NOT_A_PERMUTATION, "index 7 maps to 2097152");
        check(riffle_cuda_plan_table(n, right, 8, 4, &bucket, stream, &plan) == RIFFLE_OK, "a plan");
        riffle_plan_free(plan);
        plan = NULL;
        check(riffle_cuda_plan_indices(n, right, 8, 4, &bucket, stream, &plan) == RIFFLE_OK, "a plan");
        riffle_plan_free(plan);
        if (round == 1) before = free_bytes();
    }
    check(is_near(free_bytes(), before), "%zu bytes were free, and %zu are after ten rounds", before,
          free_bytes());
    cudaFree(beyond);
    cudaFree(clashing);
    cudaFree(right);
    free(values);
    riffle_perm_free(perm);
}

/* A plan takes no more memory than was said. */
static void test_kept(uint64_t n, const void *table, size_t elem_bytes, riffle_algorithm algorithm) {
    enum { HOST_BYTES = 16 << 10 };
    const riffle_plan_options options = {.algorithm = algorithm};
    const riffle_cuda_needs needs = needs_of(n, elem_bytes, algorithm);
    const char *const by = riffle_algorithm_string(algorithm);
    riffle_plan *plan = NULL;
    const size_t before = free_bytes();
    if (!check(riffle_cuda_plan_table(n, table, 4, elem_bytes, &options, stream, &plan) == RIFFLE_OK,
               "%zu-byte elements by %s", elem_bytes, by))
        return;
    const size_t after = free_bytes(), gone = before > after ? before - after : 0;
    check(gone <= needs.plan_bytes + needs.workspace_bytes + SLACK,
          "%zu-byte elements by %s: %zu and %zu bytes were announced, and %zu are gone", elem_bytes, by,
          needs.plan_bytes, needs.workspace_bytes, gone);
    check(riffle_plan_bytes(plan) <= needs.plan_bytes + HOST_BYTES,
          "%zu-byte elements by %s: a plan of %zu bytes", elem_bytes, by, riffle_plan_bytes(plan));
    check(riffle_plan_workspace_bytes(plan) <= needs.workspace_bytes,
          "%zu-byte elements by %s: a workspace of %zu bytes", elem_bytes, by,
          riffle_plan_workspace_bytes(plan));
    riffle_plan_free(plan);
}

/* ---------------------------------------------------------- too little memory */

enum { MOST_PIECES = 256 };

/* Takes all of the device's memory but about `left` bytes. */
static unsigned hold_all_but(size_t left, void *pieces[MOST_PIECES]) {
    unsigned count = 0;
    size_t now = free_bytes(), piece = now > left ? now - left : 0;
    while (piece >= 2 * MIB && count < MOST_PIECES) {
        if (cudaMalloc(&pieces[count], piece) != cudaSuccess) {
            cudaGetLastError();
            piece /= 2;
            continue;
        }
        count++;
        now = free_bytes();
        piece = now > left ? now - left : 0;
    }
    check(is_near(free_bytes(), left), "holding all memory but %zu bytes: %zu are free", left, free_bytes());
    return count;
}

static void let_go(unsigned count, void *pieces[MOST_PIECES]) {
    for (unsigned k = 0; k < count; k++) cudaFree(pieces[k]);
}

static void expect_plan(uint64_t n, const void *table, riffle_algorithm asked, riffle_algorithm wanted) {
    const riffle_plan_options options = {.algorithm = asked};
    riffle_plan *plan = NULL;
    if (!check(riffle_cuda_plan_table(n, table, 4, 4, &options, stream, &plan) == RIFFLE_OK,
               "with just enough memory: %s", riffle_algorithm_string(asked)))
        return;
    check(riffle_plan_algorithm(plan) == wanted, "with little memory %s is planned",
          riffle_algorithm_string(riffle_plan_algorithm(plan)));
    riffle_plan_free(plan);
}

/* The table is not even looked at: what it holds would be refused for other reasons. */
static void expect_too_little(uint64_t n, const void *bad_table, riffle_algorithm asked) {
    const riffle_plan_options options = {.algorithm = asked};
    const size_t before = free_bytes();
    refuse(n, bad_table, 4, 4, &options, RIFFLE_ERROR_OUT_OF_MEMORY, "are free");
    check(is_near(free_bytes(), before), "a refusal takes memory");
}

/* riffle_plan_create does the same without a table on the device. */
static void expect_gather(uint64_t n) {
    const riffle_plan_options bucket = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    riffle_perm *perm = parse("random:2", n);
    riffle_plan *plan = NULL;
    check_refused(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CUDA, &bucket, &plan), RIFFLE_ERROR_OUT_OF_MEMORY,
                  "are free", "buckets without memory");
    if (check(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CUDA, NULL, &plan) == RIFFLE_OK,
              "auto with little memory")) {
        check(riffle_plan_algorithm(plan) == RIFFLE_ALGORITHM_GATHER, "auto takes %s with little memory",
              riffle_algorithm_string(riffle_plan_algorithm(plan)));
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
}

static void test_tight(uint64_t n, const void *table) {
    const riffle_cuda_needs bucket = needs_of(n, 4, RIFFLE_ALGORITHM_BUCKET);
    const riffle_cuda_needs gather = needs_of(n, 4, RIFFLE_ALGORITHM_GATHER);
    const size_t more = sum(&bucket), less = sum(&gather);
    void *pieces[MOST_PIECES], *bad_table = NULL;
    if (!check(more > less + 4 * (size_t)SLACK && less > 2 * (size_t)SLACK,
               "buckets need %zu bytes, a gather %zu", more, less) ||
        !check_cuda(cudaMalloc(&bad_table, n * 4), "a table") ||
        !check_cuda(cudaMemset(bad_table, 0xff, n * 4), "a table"))
        return;
    unsigned count = hold_all_but(more + 2 * (size_t)SLACK, pieces);
    expect_plan(n, table, RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_BUCKET);
    expect_plan(n, table, RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_BUCKET);
    let_go(count, pieces);
    count = hold_all_but((more + less) / 2, pieces);
    expect_too_little(n, bad_table, RIFFLE_ALGORITHM_BUCKET);
    expect_plan(n, table, RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_GATHER);
    expect_gather(n);
    let_go(count, pieces);
    count = hold_all_but(less / 2, pieces);
    expect_too_little(n, bad_table, RIFFLE_ALGORITHM_BUCKET);
    expect_too_little(n, bad_table, RIFFLE_ALGORITHM_GATHER);
    expect_too_little(n, bad_table, RIFFLE_ALGORITHM_AUTO);
    let_go(count, pieces);
    expect_plan(n, table, RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_BUCKET);
    cudaFree(bad_table);
}

static void test_memory(void) {
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_AUTO,
                                                  RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_ONCE};
    const uint64_t n = (1 << 25) + 3;
    riffle_perm *perm = parse("random:1", n);
    void *table = table_of(perm, 4);
    test_leaks();
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 4)
        for (size_t k = 0; k < COUNT(algorithms); k++) test_kept(n, table, elem_bytes, algorithms[k]);
    test_tight(n, table);
    cudaFree(table);
    riffle_perm_free(perm);
}

void test_plan_table(bool small) {
    if (!check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream")) return;
    test_orders(small);
    test_names();
    test_lines(false);
    test_lines(true);
    test_late(4, RIFFLE_ALGORITHM_AUTO);
    test_late(8, RIFFLE_ALGORITHM_BUCKET);
    test_late(8, RIFFLE_ALGORITHM_SCHEDULED);
    test_one_execution(5000, 4, RIFFLE_ALGORITHM_GATHER);
    if (!small) test_one_execution((1 << 25) + 3, 4, RIFFLE_ALGORITHM_ONCE);
    test_late(8, RIFFLE_ALGORITHM_ONCE);
    test_recognition();
    test_no_permutations(2, 4);
    test_no_permutations(777, 8);
    test_no_permutations(small ? 5000 : 300000, 4);
    test_arguments();
    test_nothing();
    test_needs_refused();
    if (!small) test_memory();
    cudaStreamDestroy(stream);
}
