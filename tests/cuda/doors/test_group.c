/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of rows on a GPU, compared with the CPU's: random cases of every type and way, of memory of the device and of the host, between
 * guards, in a poisoned workspace, the plan's or the caller's, and by graphs; of tables of columns; many rows by few keys and many; the way back and
 * sums; refusals.
 */
#include "test_group.h"

#include <string.h>

#include "../../support/random_numbers.h"
#include "../guarded.h"
#include "riffle/cuda.h"
#include "riffle/group.h"

typedef struct group_case {
    uint64_t n, groups, distinct; /* keys are below this */
    size_t row_bytes;
    riffle_type key_type;
    riffle_group_options options;
    bool by_graph;
} group_case;

enum { COLUMNS = 3 }; /* most, besides the first */
enum { ROWS, OFFSETS, COUNTS, PLACES, LEFT_OUT, COLUMN, RESULTS = COLUMN + COLUMNS };
static const char *const result_names[RESULTS] = {"rows",     "offsets",  "counts",   "places",
                                                  "left_out", "column 1", "column 2", "column 3"};

/* Bytes of columns' rows, of which a case has neighbours. */
static const size_t column_bytes[] = {8, 4, 2, 16, 16, 3, 8, 0, 1, 32, 12, 16, 100, 4};

/* Arrays of a case, here and on the device; results of both begin poisoned. */
typedef struct group_copies {
    size_t rows_bytes, keys_bytes, bytes[RESULTS];
    char *rows, *keys, *want[RESULTS], *got[RESULTS];
    char *device_rows, *device_keys, *device_result[RESULTS], *workspace;
    char *column[COLUMNS], *device_column[COLUMNS];
} group_copies;

/* The arrays of an execution, here or there. */
typedef struct group_listed {
    riffle_group_column columns[COLUMNS];
    riffle_group_arrays arrays;
} group_listed;

static cudaStream_t stream;

static uint64_t entries_of(const group_case *c) {
    return c->n * (c->options.keys_per_row > 0 ? c->options.keys_per_row : 1);
}

static riffle_group_plan *plan_of(const group_case *c, riffle_engine engine) {
    riffle_group_options options = c->options;
    riffle_group_plan *plan = NULL;
    options.callers_workspace = c->options.callers_workspace && engine == RIFFLE_ENGINE_CUDA;
    if (options.check == RIFFLE_CHECK_PASSES && engine == RIFFLE_ENGINE_CPU) options.check = RIFFLE_CHECK_NONE;
    const riffle_status status =
        riffle_group_plan_create(c->n, c->row_bytes, c->key_type, c->groups, engine, &options, &plan);
    if (!check(status == RIFFLE_OK, "a plan of groups: %s", riffle_error_detail())) abort();
    return plan;
}

static size_t column_bytes_of(const group_case *c, unsigned k) {
    return k < c->options.columns ? c->options.column_bytes[k] : 0;
}

static void fill(rng *r, char *to, size_t bytes) {
    for (size_t k = 0; k < bytes; k += 8) memcpy(to + k, &(uint64_t){rng_next(r)}, 8);
}

static void create_columns(const group_case *c, rng *r, group_copies *a) {
    for (unsigned k = 0; k < c->options.columns; k++) {
        const size_t bytes = c->n * column_bytes_of(c, k);
        fill(r, a->column[k] = host(bytes + 8), bytes);
        a->device_column[k] = device(bytes);
        cudaMemcpy(a->device_column[k], a->column[k], bytes, cudaMemcpyHostToDevice);
    }
}

static void create(const group_case *c, const riffle_group_plan *plan, rng *r, group_copies *a) {
    const size_t key_bytes = riffle_type_bytes(c->key_type),
                 bytes[RESULTS] = {[ROWS] = riffle_group_plan_room(plan) * c->row_bytes,
                                   [OFFSETS] = (c->groups + 1) * 8,
                                   [COUNTS] = c->groups * 8,
                                   [PLACES] = entries_of(c) * c->options.index_bytes,
                                   [LEFT_OUT] = 16,
                                   [COLUMN] = riffle_group_plan_room(plan) * column_bytes_of(c, 0),
                                   [COLUMN + 1] = riffle_group_plan_room(plan) * column_bytes_of(c, 1),
                                   [COLUMN + 2] = riffle_group_plan_room(plan) * column_bytes_of(c, 2)};
    a->rows_bytes = c->n * c->row_bytes;
    a->keys_bytes = entries_of(c) * key_bytes;
    a->rows = host(a->rows_bytes + 8);
    a->keys = host(a->keys_bytes);
    fill(r, a->rows, a->rows_bytes);
    create_columns(c, r, a);
    for (uint64_t e = 0; e < entries_of(c); e++)
        memcpy(a->keys + e * key_bytes, &(uint64_t){rng_below(r, c->distinct)}, key_bytes);
    a->device_rows = device(a->rows_bytes);
    a->device_keys = device(a->keys_bytes);
    cudaMemcpy(a->device_rows, a->rows, a->rows_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(a->device_keys, a->keys, a->keys_bytes, cudaMemcpyHostToDevice);
    for (unsigned k = 0; k < RESULTS; k++) {
        a->bytes[k] = bytes[k];
        memset(a->want[k] = host(bytes[k]), POISON, bytes[k]);
        memset(a->got[k] = host(bytes[k]), POISON, bytes[k]);
        a->device_result[k] = device(bytes[k]);
    }
    cudaDeviceSynchronize();
}

static void destroy(group_copies *a) {
    free(a->rows), free(a->keys);
    device_free(a->device_rows), device_free(a->device_keys), device_free(a->workspace);
    for (unsigned k = 0; k < RESULTS; k++) free(a->want[k]), free(a->got[k]), device_free(a->device_result[k]);
    for (unsigned k = 0; k < COLUMNS; k++) free(a->column[k]), device_free(a->device_column[k]);
}

static void list(const group_case *c, const char *rows, const char *keys, char *const column[COLUMNS],
                 char *const result[RESULTS], group_listed *out) {
    for (unsigned k = 0; k < c->options.columns; k++)
        out->columns[k] = column_bytes_of(c, k) > 0 ? (riffle_group_column){result[COLUMN + k], column[k]}
                                                    : (riffle_group_column){NULL, NULL};
    out->arrays = (riffle_group_arrays){.rows = c->row_bytes > 0 ? result[ROWS] : NULL,
                                        .from_rows = c->row_bytes > 0 ? rows : NULL,
                                        .keys = keys,
                                        .offsets = (uint64_t *)(void *)result[OFFSETS],
                                        .counts = (uint64_t *)(void *)result[COUNTS],
                                        .places = c->options.index_bytes > 0 ? result[PLACES] : NULL,
                                        .left_out = (uint64_t *)(void *)result[LEFT_OUT],
                                        .columns = c->options.columns > 0 ? out->columns : NULL};
}

static riffle_status queue(const group_case *c, const riffle_group_plan *plan, const group_copies *a) {
    group_listed there;
    list(c, a->device_rows, a->device_keys, a->device_column, a->device_result, &there);
    return riffle_cuda_group_execute(plan, &there.arrays, a->workspace,
                                     a->workspace != NULL ? riffle_group_plan_workspace_bytes(plan) : 0,
                                     stream);
}

/* Twice by a graph. */
static riffle_status execute(const group_case *c, const riffle_group_plan *plan, const group_copies *a) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    if (!c->by_graph) return queue(c, plan, a);
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing");
    const riffle_status status = queue(c, plan, a);
    check_cuda(cudaStreamEndCapture(stream, &graph), "capturing groups");
    check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph of groups");
    for (unsigned k = 0; k < 2; k++) check_cuda(cudaGraphLaunch(ready, stream), "a graph of groups");
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return status;
}

static void compare(const group_case *c, const group_copies *a, const char *where) {
    for (unsigned k = 0; k < RESULTS; k++)
        check(memcmp(a->want[k], a->got[k], a->bytes[k]) == 0,
              "%s of %llu rows of %zu bytes, %u columns besides, %llu keys each of %s below %llu, %llu groups "
              "by %s, multiple "
              "%llu, capacity %llu, places "
              "of %zu bytes, %s",
              result_names[k], (unsigned long long)c->n, c->row_bytes, c->options.columns,
              (unsigned long long)c->options.keys_per_row, riffle_type_string(c->key_type),
              (unsigned long long)c->distinct, (unsigned long long)c->groups,
              riffle_group_by_string(c->options.by), (unsigned long long)c->options.multiple,
              (unsigned long long)c->options.capacity, c->options.index_bytes, where);
}

static void run_case(const group_case *c, rng *r) {
    group_copies a = {0};
    riffle_group_plan *const here = plan_of(c, RIFFLE_ENGINE_CPU), *const plan = plan_of(c, RIFFLE_ENGINE_CUDA);
    create(c, plan, r, &a);
    if (c->options.callers_workspace) a.workspace = device(riffle_group_plan_workspace_bytes(plan));
    group_listed want, got;
    list(c, a.rows, a.keys, a.column, a.want, &want);
    list(c, a.rows, a.keys, a.column, a.got, &got);
    check(riffle_group_execute(here, &want.arrays) == RIFFLE_OK, "groups on the CPU: %s",
          riffle_error_detail());
    check(execute(c, plan, &a) == RIFFLE_OK, "groups: %s", riffle_error_detail());
    check_cuda(cudaStreamSynchronize(stream), "groups");
    if (c->options.check != RIFFLE_CHECK_NONE)
        check(riffle_cuda_group_check(plan, a.workspace, stream) == RIFFLE_OK, "groups: %s",
              riffle_error_detail());
    for (unsigned k = 0; k < RESULTS; k++) {
        cudaMemcpy(a.got[k], a.device_result[k], a.bytes[k], cudaMemcpyDeviceToHost);
        check(are_guards_intact(a.device_result[k], a.bytes[k]), "guards of %s", result_names[k]);
    }
    compare(c, &a, "on the device");
    if (a.workspace != NULL)
        check(are_guards_intact(a.workspace, riffle_group_plan_workspace_bytes(plan)),
              "guards of the workspace");
    for (unsigned k = 0; k < RESULTS; k++) memset(a.got[k], POISON, a.bytes[k]);
    check(riffle_group_execute(plan, &got.arrays) == RIFFLE_OK, "groups of host memory: %s",
          riffle_error_detail());
    compare(c, &a, "of host memory");
    riffle_group_plan_free(here);
    riffle_group_plan_free(plan);
    destroy(&a);
}

static const size_t *any_columns(rng *r) {
    return column_bytes + rng_below(r, sizeof column_bytes / sizeof *column_bytes - COLUMNS);
}

static void run_random(rng *r, uint64_t n, uint64_t groups) {
    static const size_t row_bytes[] = {0, 1, 2, 3, 4, 8, 12, 16, 32, 100, 256, 1040};
    run_case(
        &(group_case){.n = n,
                      .groups = groups,
                      .distinct = rng_below(r, 3) == 0 ? 1 + rng_below(r, 4) : groups + rng_below(r, 3),
                      .row_bytes = row_bytes[rng_below(r, sizeof row_bytes / sizeof *row_bytes)],
                      .key_type = (riffle_type)rng_below(r, RIFFLE_TYPE_U64 + 1),
                      .options = {.by = (riffle_group_by)rng_below(r, RIFFLE_GROUP_BY_TOP + 1),
                                  .keys_per_row = rng_below(r, 5),
                                  .multiple = rng_below(r, 3) == 0 ? 1 + rng_below(r, 200) : 0,
                                  .capacity = rng_below(r, 3) == 0 ? 1 + rng_below(r, 2 * n / groups + 2) : 0,
                                  .index_bytes = 4 * rng_below(r, 3),
                                  .check = (riffle_check)rng_below(r, 2),
                                  .columns = rng_below(r, 2) == 0 ? (unsigned)rng_below(r, COLUMNS + 1) : 0,
                                  .column_bytes = any_columns(r),
                                  .callers_workspace = rng_below(r, 2) == 0},
                      .by_graph = rng_below(r, 3) == 0},
        r);
}

/* Chunks of several tiles on every multiprocessor, with and without places. */
static void run_large(rng *r, size_t row_bytes, uint64_t groups, bool has_places) {
    run_case(&(group_case){.n = 12345678,
                           .groups = groups,
                           .distinct = groups,
                           .row_bytes = row_bytes,
                           .key_type = RIFFLE_TYPE_U16,
                           .options = {.index_bytes = has_places ? 4 : 0}},
             r);
}

/* A table of many rows: three columns in tiles, and one along the places that the first of these gives. */
static void run_table(rng *r, uint64_t groups) {
    static const size_t bytes[] = {4, 16, 2};
    run_case(&(group_case){.n = 5345678,
                           .groups = groups,
                           .distinct = groups,
                           .row_bytes = 8,
                           .key_type = RIFFLE_TYPE_U16,
                           .options = {.columns = 3, .column_bytes = bytes},
                           .by_graph = true},
             r);
}

/* Many groups, and nothing asked for but rows: they are moved twice. */
static void run_dense(rng *r, uint64_t n) {
    const uint64_t groups = 1025 + rng_below(r, 64512);
    run_case(&(group_case){.n = n,
                           .groups = groups,
                           .distinct = rng_below(r, 3) == 0 ? 3 : groups + rng_below(r, 3),
                           .row_bytes = (size_t)1 << rng_below(r, 5),
                           .key_type = (riffle_type)rng_below(r, RIFFLE_TYPE_U64 + 1),
                           .options = {.by = (riffle_group_by)rng_below(r, RIFFLE_GROUP_BY_TOP + 1),
                                       .keys_per_row = rng_below(r, 4),
                                       .check = rng_below(r, 2) == 0 ? RIFFLE_CHECK_PASSES : RIFFLE_CHECK_NONE,
                                       .callers_workspace = rng_below(r, 2) == 0},
                           .by_graph = rng_below(r, 3) == 0},
             r);
}

/* ------------------------------------------------------------------ the way back */

/* Numbers between -2 and 2, so that no sum is infinite; the bits of a short one are its upper half. */
static void fill_numbers(rng *r, riffle_ungroup_sum sum, size_t bytes, char *to) {
    for (size_t k = 0; k < bytes; k += 4) {
        const float single = (float)(int64_t)rng_next(r) * 0x1p-62f;
        const double wide = (double)(int64_t)rng_next(r) * 0x1p-62;
        const uint32_t halves = (uint32_t)rng_next(r) & 0xbfffbfff; /* IEEE's and the others', below 2 */
        if (sum == RIFFLE_UNGROUP_SUM_F64) {
            memcpy(to + k, &wide, sizeof wide);
            k += 4;
        } else {
            memcpy(to + k, sum == RIFFLE_UNGROUP_SUM_F32 ? (const void *)&single : (const void *)&halves, 4);
        }
    }
}

static void run_back(rng *r, riffle_ungroup_sum sum, uint64_t n, uint64_t keys, size_t row_bytes,
                     bool is_weighted) {
    const riffle_ungroup_task task = {.n = n,
                                      .keys_per_row = keys,
                                      .rows = n * keys + 1,
                                      .row_bytes = row_bytes,
                                      .index_bytes = 4,
                                      .sum = sum};
    const size_t rows_bytes = task.rows * row_bytes, places_bytes = n * keys * 4, to_bytes = n * row_bytes,
                 weights_bytes = n * keys * (sum == RIFFLE_UNGROUP_SUM_F64 ? 8 : 4);
    char *const rows = host(rows_bytes + 8), *const places = host(places_bytes),
                *const weights = host(weights_bytes), *const want = host(to_bytes), *const got = host(to_bytes);
    char *const there[] = {device(to_bytes), device(rows_bytes), device(places_bytes), device(weights_bytes)};
    fill_numbers(r, sum, rows_bytes, rows);
    fill_numbers(r, sum == RIFFLE_UNGROUP_SUM_F64 ? sum : RIFFLE_UNGROUP_SUM_F32, weights_bytes, weights);
    for (uint64_t e = 0; e < n * keys; e++)
        memcpy(places + 4 * e,
               &(uint32_t){rng_below(r, 5) == 0 ? UINT32_MAX : (uint32_t)rng_below(r, task.rows)}, 4);
    cudaMemcpy(there[1], rows, rows_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(there[2], places, places_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(there[3], weights, weights_bytes, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    check(riffle_ungroup(&task, &(riffle_ungroup_arrays){want, rows, places, is_weighted ? weights : NULL},
                         NULL) == RIFFLE_OK,
          "rows back on the CPU: %s", riffle_error_detail());
    check(riffle_cuda_ungroup(
              &task, &(riffle_ungroup_arrays){there[0], there[1], there[2], is_weighted ? there[3] : NULL},
              stream) == RIFFLE_OK,
          "rows back: %s", riffle_error_detail());
    check_cuda(cudaStreamSynchronize(stream), "rows back");
    cudaMemcpy(got, there[0], to_bytes, cudaMemcpyDeviceToHost);
    check(memcmp(want, got, to_bytes) == 0,
          "%llu rows of %zu bytes back, %llu places each, sums %s, weighted %d", (unsigned long long)n,
          row_bytes, (unsigned long long)keys, riffle_ungroup_sum_string(sum), is_weighted);
    check(are_guards_intact(there[0], to_bytes), "guards of rows back");
    for (unsigned k = 0; k < 4; k++) device_free(there[k]);
    free(rows), free(places), free(weights), free(want), free(got);
}

static void test_back(rng *r) {
    static const size_t lengths[] = {8, 24, 80, 4096};
    for (int sum = 0; sum <= RIFFLE_UNGROUP_SUM_BF16; sum++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (uint64_t n = 1; n < 5000; n = n * 13 + 1) {
                const bool is_copy = sum == RIFFLE_UNGROUP_SUM_NONE;
                run_back(r, (riffle_ungroup_sum)sum, n, is_copy ? 1 : 1 + rng_below(r, 9), lengths[l],
                         !is_copy && rng_below(r, 2) == 0);
            }
}

static void test_refusals(void) {
    const group_case c = {.n = 100,
                          .groups = 5,
                          .distinct = 5,
                          .row_bytes = 8,
                          .key_type = RIFFLE_TYPE_U32,
                          .options = {.callers_workspace = true}};
    rng r = {4};
    group_copies a = {0};
    riffle_group_plan *const here = plan_of(&c, RIFFLE_ENGINE_CPU), *const plan =
                                                                        plan_of(&c, RIFFLE_ENGINE_CUDA);
    create(&c, plan, &r, &a);
    group_listed there;
    list(&c, a.device_rows, a.device_keys, a.device_column, a.device_result, &there);
    riffle_group_arrays arrays = there.arrays;
    const riffle_status wanted = RIFFLE_ERROR_INVALID_ARGUMENT;
    check_refused(riffle_cuda_group_execute(here, &arrays, NULL, 0, stream), wanted,
                  "the plan is for the cpu engine", "a plan of another engine");
    check_refused(riffle_cuda_group_execute(plan, &arrays, NULL, 0, stream), wanted,
                  "the plan has no workspace of its own; bring one of", "no workspace");
    arrays.keys = a.device_keys + 1;
    check_refused(riffle_cuda_group_execute(plan, &arrays, NULL, 0, stream), wanted,
                  "keys are not aligned to 4 bytes", "keys that are not aligned");
    riffle_group_plan_free(here);
    riffle_group_plan_free(plan);
    destroy(&a);
}

static void run_many(rng *r, uint64_t cases) {
    for (uint64_t k = 0; k < cases; k++)
        run_random(r, rng_below(r, k % 16 == 0 ? 20000 : 2000), (uint64_t)1 << rng_below(r, 11));
    if (cases > 0) printf("%llu random groupings more\n", (unsigned long long)cases);
}

void test_group(bool small) {
    static const uint64_t lengths[] = {0, 1, 31, 256, 1000, 8192, 8193, 100003},
                          groups[] = {1, 2, 16, 255, 256, 1000, 1024, 1025, 65536};
    rng r = {check_random() | 1};
    if (!check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream")) return;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (unsigned k = 0; k < (small ? 1 : 4); k++) run_random(&r, lengths[l], groups[g]);
    for (size_t bytes = 1; !small && bytes <= 16; bytes *= 2) {
        run_large(&r, bytes, 1024, bytes == 8);
        run_large(&r, bytes, 16, bytes == 4);
    }
    for (size_t bytes = 2; !small && bytes <= 32; bytes *= 4) run_large(&r, bytes, 65536, false);
    for (uint64_t many = 10; !small && many <= 10000; many *= 10) run_table(&r, many);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) run_dense(&r, lengths[l]);
    test_back(&r);
    test_refusals();
    run_many(&r, check_cases());
    cudaStreamDestroy(stream);
}
