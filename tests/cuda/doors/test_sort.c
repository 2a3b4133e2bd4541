/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a GPU, compared with the CPU's, which are compared with the definition: keys of every kind and shape, values and
 * indices, of memory of the device and of the host, in place and not, between guards and in a poisoned workspace; graphs; what is
 * refused.
 */
#include "test_sort.h"

#include <stdlib.h>

#include "../../sort_support.h"
#include "../check.h"
#include "../guarded.h"
#include "riffle/cuda.h"

typedef struct sort_case {
    riffle_sort_key key;
    sort_shape shape;
    uint64_t n;
    size_t value_bytes, index_bytes;
    bool in_place, with_keys, by_graph, callers_workspace;
} sort_case;

/* An array on the host as given, as wanted and as got, and on the device between guards. */
typedef struct sort_array {
    size_t bytes;
    char *from, *want, *got;
    char *device_from, *device;
} sort_array;

static cudaStream_t stream;

static riffle_sort_plan *plan_of(const sort_case *c, riffle_engine engine) {
    const riffle_sort_options options = {.value_bytes = c->value_bytes,
                                         .index_bytes = c->index_bytes,
                                         .callers_workspace = c->callers_workspace};
    riffle_sort_plan *plan = NULL;
    const riffle_status status = riffle_sort_plan_create(c->n, &c->key, engine, &options, &plan);
    if (!check(status == RIFFLE_OK, "a plan of a sort: %s", riffle_error_detail())) abort();
    return plan;
}

static sort_array array_of(size_t bytes, bool is_given, bool in_place) {
    sort_array a = {.bytes = bytes, .from = host(bytes), .want = host(bytes), .got = host(bytes)};
    a.device = device(bytes);
    if (is_given) a.device_from = in_place ? a.device : device(bytes);
    return a;
}

static void bring(const sort_array *a) {
    if (a->device_from != NULL) cudaMemcpy(a->device_from, a->from, a->bytes, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
}

static void array_free(sort_array *a) {
    if (a->device_from != a->device) device_free(a->device_from);
    device_free(a->device);
    free(a->from), free(a->want), free(a->got);
}

typedef struct sort_run {
    const sort_case *c;
    sort_array keys, values, indices;
    char *workspace;
} sort_run;

static riffle_sort_arrays on_device(const sort_run *run) {
    const sort_case *const c = run->c;
    return (riffle_sort_arrays){.keys = c->with_keys ? run->keys.device : NULL,
                                .from_keys = run->keys.device_from,
                                .values = c->value_bytes > 0 ? run->values.device : NULL,
                                .from_values = c->value_bytes > 0 ? run->values.device_from : NULL,
                                .indices = c->index_bytes > 0 ? run->indices.device : NULL};
}

static riffle_sort_arrays on_host(const sort_run *run, bool wanted) {
    const sort_case *const c = run->c;
    return (riffle_sort_arrays){.keys = !c->with_keys ? NULL
                                        : wanted      ? run->keys.want
                                                      : run->keys.got,
                                .from_keys = run->keys.from,
                                .values = c->value_bytes == 0 ? NULL
                                          : wanted            ? run->values.want
                                                              : run->values.got,
                                .from_values = c->value_bytes == 0 ? NULL : run->values.from,
                                .indices = c->index_bytes == 0 ? NULL
                                           : wanted            ? run->indices.want
                                                               : run->indices.got};
}

static riffle_status queue(const sort_run *run, const riffle_sort_plan *plan) {
    const riffle_sort_arrays arrays = on_device(run);
    return riffle_cuda_sort_execute(plan, &arrays, run->workspace, stream);
}

/* By a graph twice, if not in place, where the second time would sort what is sorted. */
static riffle_status execute(const sort_run *run, const riffle_sort_plan *plan) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    if (!run->c->by_graph) return queue(run, plan);
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing");
    const riffle_status status = queue(run, plan);
    check_cuda(cudaStreamEndCapture(stream, &graph), "capturing a sort");
    check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph of a sort");
    for (unsigned k = 0; k < (run->c->in_place ? 1 : 2); k++)
        check_cuda(cudaGraphLaunch(ready, stream), "a graph of a sort");
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return status;
}

static bool is_same(const sort_array *a, bool is_wanted) {
    return !is_wanted || memcmp(a->want, a->got, a->bytes) == 0;
}

static bool are_same(const sort_run *run) {
    return is_same(&run->keys, run->c->with_keys) && is_same(&run->values, run->c->value_bytes > 0) &&
           is_same(&run->indices, run->c->index_bytes > 0);
}

static void fetch(sort_array *a) {
    cudaMemcpy(a->got, a->device, a->bytes, cudaMemcpyDeviceToHost);
    check(are_guards_intact(a->device, a->bytes), "guards of a sort");
}

static void poison(sort_array *a) { memset(a->got, POISON, a->bytes); }

static void compare(sort_run *run, const riffle_sort_plan *plan, uint64_t seed) {
    const sort_case *const c = run->c;
    const riffle_sort_arrays got = on_host(run, false);
    check(execute(run, plan) == RIFFLE_OK, "a sort: %s", riffle_error_detail());
    check_cuda(cudaStreamSynchronize(stream), "a sort");
    fetch(&run->keys), fetch(&run->values), fetch(&run->indices);
    check(are_same(run),
          "sort of %llu elements of %zu bytes, %u fields, the first %d of %zu, shape %d, values %zu, indices "
          "%zu, in place %d, keys %d, graph %d (rng %llu)",
          (unsigned long long)c->n, c->key.elem_bytes, c->key.fields, (int)c->key.field[0].kind,
          c->key.field[0].bytes, (int)c->shape, c->value_bytes, c->index_bytes, c->in_place, c->with_keys,
          c->by_graph, (unsigned long long)seed);
    poison(&run->keys), poison(&run->values), poison(&run->indices);
    check(riffle_sort_execute(plan, &got) == RIFFLE_OK, "a sort of host memory: %s", riffle_error_detail());
    check(are_same(run), "a sort of host memory");
}

static void run_case(const sort_case *c, rng *r) {
    const uint64_t seed = r->state;
    sort_run run = {.c = c};
    run.keys = array_of(c->n * c->key.elem_bytes, true, c->in_place && c->with_keys);
    run.values = array_of(c->n * c->value_bytes, true, c->in_place);
    run.indices = array_of(c->n * c->index_bytes, false, false);
    riffle_sort_plan *const here = plan_of(c, RIFFLE_ENGINE_CPU), *const plan = plan_of(c, RIFFLE_ENGINE_CUDA);
    const size_t workspace_bytes = riffle_sort_plan_workspace_bytes(plan);
    if (c->callers_workspace) run.workspace = device(workspace_bytes);
    sort_fill(r, &c->key, c->shape, run.keys.from, c->n);
    for (size_t k = 0; k < run.values.bytes; k++) run.values.from[k] = (char)(rng_next(r) >> 56);
    bring(&run.keys), bring(&run.values);
    const riffle_sort_arrays want = on_host(&run, true);
    check(riffle_sort_execute(here, &want) == RIFFLE_OK, "a sort on the CPU: %s", riffle_error_detail());
    compare(&run, plan, seed);
    if (c->callers_workspace)
        check(are_guards_intact(run.workspace, workspace_bytes), "guards of a sort's workspace");
    device_free(run.workspace);
    riffle_sort_plan_free(here);
    riffle_sort_plan_free(plan);
    array_free(&run.keys), array_free(&run.values), array_free(&run.indices);
}

static sort_case random_case(rng *r, uint64_t n) {
    sort_case c = {.n = n, .shape = (sort_shape)rng_below(r, SORT_SHAPES)};
    c.key = rng_below(r, 2) ? sort_random_number(r) : sort_random_row(r);
    const uint64_t extra = rng_below(r, 6);
    if (extra < 2) c.value_bytes = 4 + 4 * extra;
    if (extra == 2 || extra == 3) c.index_bytes = 4 * (extra - 1);
    c.in_place = rng_below(r, 3) == 0;
    c.with_keys = c.value_bytes + c.index_bytes == 0 || rng_below(r, 2);
    c.by_graph = rng_below(r, 4) == 0;
    c.callers_workspace = c.by_graph || rng_below(r, 2);
    return c;
}

static void run_random(rng *r, unsigned count, uint64_t most) {
    for (unsigned k = 0; k < count; k++) {
        const sort_case c = random_case(r, rng_below(r, most + 1));
        run_case(&c, r);
    }
}

/* Numbers of every type and shape; and with indices. */
static void run_types(rng *r, uint64_t n, unsigned step) {
    for (unsigned k = 0; k < 2 * SORT_SHAPES * (RIFFLE_TYPE_F64 + 1); k += step) {
        sort_case c = {.n = n, .shape = (sort_shape)(k / 2 % SORT_SHAPES), .with_keys = true};
        const riffle_type type = (riffle_type)(k / (2 * SORT_SHAPES));
        if (riffle_sort_key_of_type(type, (int)rng_below(r, 2), &c.key) != RIFFLE_OK) continue;
        if (k % 2 == 1) c.index_bytes = 4;
        run_case(&c, r);
    }
}

/* ------------------------------------------------------------------ refusals */

static void expect_no_plan(const riffle_sort_key *key, const riffle_sort_options *options, uint64_t n,
                           const char *words) {
    riffle_sort_plan *plan = NULL;
    check_refused(riffle_sort_plan_create(n, key, RIFFLE_ENGINE_CUDA, options, &plan), RIFFLE_ERROR_UNSUPPORTED,
                  words, "a plan that a GPU has not");
}

static void test_refusals(void) {
    enum { N = 10000 };
    sort_case c = {.n = N, .with_keys = true, .callers_workspace = true};
    const riffle_status wanted = RIFFLE_ERROR_INVALID_ARGUMENT;
    riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &c.key);
    expect_no_plan(&c.key, &(riffle_sort_options){.segments = 2}, N, "one array at a time");
    expect_no_plan(&c.key, &(riffle_sort_options){.task = RIFFLE_SORT_TOP, .count = 5}, N,
                   "no GPU sorts the first");
    expect_no_plan(&c.key, &(riffle_sort_options){.algorithm = RIFFLE_SORT_QUICKSORT}, N, "not by quicksort");
    expect_no_plan(&c.key, NULL, (uint64_t)1 << 32, "fewer than 2^32 elements");
    riffle_sort_key own = c.key;
    own.before = "a < b";
    expect_no_plan(&own, NULL, N, "a comparison of your own");
    riffle_sort_plan *const here = plan_of(&c, RIFFLE_ENGINE_CPU), *const plan =
                                                                       plan_of(&c, RIFFLE_ENGINE_CUDA);
    char *const from = device(4 * N), *const to = device(4 * N),
                *const workspace = device(riffle_sort_plan_workspace_bytes(plan));
    const riffle_sort_arrays arrays = {.keys = to, .from_keys = from};
    riffle_sort_arrays other = arrays;
    check_refused(riffle_cuda_sort_execute(here, &arrays, workspace, stream), wanted,
                  "the plan is for the cpu engine", "a plan of another engine");
    check_refused(riffle_cuda_sort_execute(plan, &arrays, NULL, stream), wanted, "no workspace of its own",
                  "no workspace");
    check_refused(riffle_cuda_sort_execute(plan, &arrays, workspace + 4, stream), wanted, "not aligned to 256",
                  "a workspace that is not aligned");
    check_refused(riffle_cuda_sort_execute(plan, &(riffle_sort_arrays){.keys = workspace, .from_keys = from},
                                           workspace, stream),
                  wanted, "overlaps keys", "a workspace that overlaps");
    other.keys = from + 4;
    check_refused(riffle_cuda_sort_execute(plan, &other, workspace, stream), wanted, "overlap",
                  "keys that overlap");
    other = arrays;
    other.first = (const uint64_t *)(const void *)workspace;
    check_refused(riffle_cuda_sort_execute(plan, &other, workspace, stream), RIFFLE_ERROR_UNSUPPORTED,
                  "first has to be NULL", "segments");
    device_free(from), device_free(to), device_free(workspace);
    riffle_sort_plan_free(here);
    riffle_sort_plan_free(plan);
}

void test_sort(bool small) {
    rng r = {check_random() | 1};
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    for (uint64_t n = 0; n <= 70; n += n < 4 ? 1 : 13) run_types(&r, n, 7);
    run_types(&r, 8191, small ? 31 : 3);
    run_types(&r, 8193, small ? 17 : 3);
    run_random(&r, small ? 10 : 60, 3000);
    run_random(&r, small ? 4 : 60, 60000);
    test_refusals();
    if (!small) {
        run_types(&r, 300007, 5);
        run_random(&r, 20, 3000000);
        run_types(&r, (1 << 24) - 3, 67);
        run_types(&r, 1 << 24, 61);
    }
    cudaStreamDestroy(stream);
}
