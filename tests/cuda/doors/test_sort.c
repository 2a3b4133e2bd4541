/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a GPU, compared with the CPU's, which are compared with the definition: keys of every kind and shape, values and
 * indices, of memory of the device and of the host, in place and not, between guards and in a poisoned workspace; segments and
 * all tasks; graphs; what is refused.
 */
#include "test_sort.h"

#include <stdlib.h>

#include "../../support/sort_support.h"
#include "../check.h"
#include "../guarded.h"
#include "riffle/cuda.h"

/* The fields of rows before the last, which has any bits. */
typedef enum sort_ties {
    AS_SHAPED = 0,
    FEW_BITS, /* ten bits that differ: elements tie in none of the first 64 */
    DEEP,     /* two values that differ in all bits: elements tie up to any field */
    IN_PAIRS, /* the first is the same in two elements that are apart */
    ONE_RUN,  /* it is the same in most */
} sort_ties;

typedef struct sort_case {
    riffle_sort_key key;
    sort_shape shape;
    uint64_t n;
    size_t value_bytes, index_bytes;
    bool in_place, with_keys, by_graph, callers_workspace;
    riffle_sort_task task;
    uint64_t segments, count; /* 0 segments: one */
    bool is_uneven;           /* segments begin where an array says */
    sort_ties ties;
} sort_case;

static uint64_t segments_of(const sort_case *c) { return c->segments > 0 ? c->segments : 1; }

/* An array on the host as given, as wanted and as got, and on the device between guards. */
typedef struct sort_array {
    size_t bytes;
    char *from, *want, *got;
    char *device_from, *device;
} sort_array;

static cudaStream_t stream;

static bool is_checked(const sort_case *c) {
    return c->n % 3 != 0 && c->key.before == NULL &&
           (c->task == RIFFLE_SORT_TASK_SORT || c->task == RIFFLE_SORT_TASK_MERGE);
}

static riffle_sort_plan *plan_of(const sort_case *c, riffle_engine engine) {
    const riffle_sort_options options = {.task = c->task,
                                         .segments = c->segments,
                                         .count = c->count,
                                         .value_bytes = c->value_bytes,
                                         .index_bytes = c->index_bytes,
                                         .check = is_checked(c) ? RIFFLE_CHECK_FULL : RIFFLE_CHECK_NONE,
                                         .callers_workspace =
                                             c->callers_workspace && engine == RIFFLE_ENGINE_CUDA};
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
    sort_array keys, values, indices, lengths, first;
    char *workspace;
} sort_run;

static riffle_sort_arrays on_device(const sort_run *run) {
    const sort_case *const c = run->c;
    return (riffle_sort_arrays){
        .keys = c->with_keys ? run->keys.device : NULL,
        .from_keys = run->keys.device_from,
        .values = c->value_bytes > 0 ? run->values.device : NULL,
        .from_values = c->value_bytes > 0 ? run->values.device_from : NULL,
        .indices = c->index_bytes > 0 ? run->indices.device : NULL,
        .first = c->is_uneven ? (const uint64_t *)(const void *)run->first.device_from : NULL,
        .lengths = c->task == RIFFLE_SORT_TASK_UNIQUE ? (uint64_t *)(void *)run->lengths.device : NULL};
}

/* In place the array has been given what is sorted (prepare). */
static riffle_sort_arrays on_host(const sort_run *run, bool wanted) {
    const sort_case *const c = run->c;
    void *const keys = wanted ? run->keys.want : run->keys.got;
    void *const values = wanted ? run->values.want : run->values.got;
    void *const lengths = wanted ? run->lengths.want : run->lengths.got;
    return (riffle_sort_arrays){.keys = c->with_keys ? keys : NULL,
                                .from_keys = c->in_place && c->with_keys ? keys : run->keys.from,
                                .values = c->value_bytes > 0 ? values : NULL,
                                .from_values = c->value_bytes == 0 ? NULL
                                               : c->in_place       ? values
                                                                   : run->values.from,
                                .indices = c->index_bytes == 0 ? NULL
                                           : wanted            ? run->indices.want
                                                               : run->indices.got,
                                .first = c->is_uneven ? (const uint64_t *)(const void *)run->first.from : NULL,
                                .lengths = c->task == RIFFLE_SORT_TASK_UNIQUE ? lengths : NULL};
}

static riffle_status queue(const sort_run *run, const riffle_sort_plan *plan) {
    const riffle_sort_arrays arrays = on_device(run);
    return riffle_cuda_sort_execute(plan, &arrays, run->workspace, riffle_sort_plan_workspace_bytes(plan),
                                    stream);
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

static uint64_t begin_of(const sort_run *run, uint64_t s) {
    return run->c->is_uneven ? ((const uint64_t *)(const void *)run->first.from)[s]
                             : s * (run->c->n / segments_of(run->c));
}

/* UNIQUE leaves anything behind a segment's results. */
static bool is_same(const sort_run *run, const sort_array *a, size_t item_bytes) {
    if (run->c->task != RIFFLE_SORT_TASK_UNIQUE) return memcmp(a->want, a->got, a->bytes) == 0;
    const uint64_t *const lengths = (const uint64_t *)(const void *)run->lengths.want;
    for (uint64_t s = 0; s < segments_of(run->c); s++)
        if (memcmp(a->want + begin_of(run, s) * item_bytes, a->got + begin_of(run, s) * item_bytes,
                   lengths[s] * item_bytes) != 0)
            return false;
    return true;
}

static bool are_same(const sort_run *run) {
    const sort_case *const c = run->c;
    return (c->task != RIFFLE_SORT_TASK_UNIQUE ||
            memcmp(run->lengths.want, run->lengths.got, run->lengths.bytes) == 0) &&
           (!c->with_keys || is_same(run, &run->keys, c->key.elem_bytes)) &&
           is_same(run, &run->values, c->value_bytes) && is_same(run, &run->indices, c->index_bytes);
}

static void fetch(sort_array *a) {
    cudaMemcpy(a->got, a->device, a->bytes, cudaMemcpyDeviceToHost);
    check(are_guards_intact(a->device, a->bytes), "guards of a sort");
}

static void prepare_array(const sort_array *a, char *host_array, bool in_place) {
    if (in_place)
        memcpy(host_array, a->from, a->bytes);
    else
        memset(host_array, POISON, a->bytes);
}

/* Arrays of the host as those of the device are: poisoned, or, in place, with what is sorted. */
static void prepare(sort_run *run, bool wanted) {
    const sort_case *const c = run->c;
    prepare_array(&run->keys, wanted ? run->keys.want : run->keys.got, c->in_place && c->with_keys);
    prepare_array(&run->values, wanted ? run->values.want : run->values.got, c->in_place);
    prepare_array(&run->indices, wanted ? run->indices.want : run->indices.got, false);
}

static void compare(sort_run *run, const riffle_sort_plan *plan, uint64_t seed) {
    const sort_case *const c = run->c;
    const riffle_sort_arrays got = on_host(run, false);
    check(execute(run, plan) == RIFFLE_OK, "a sort: %s", riffle_error_detail());
    check_cuda(cudaStreamSynchronize(stream), "a sort");
    if (is_checked(c))
        check(riffle_cuda_sort_check(plan, run->workspace, stream) == RIFFLE_OK, "a sort: %s",
              riffle_error_detail());
    fetch(&run->keys), fetch(&run->values), fetch(&run->indices), fetch(&run->lengths);
    check(are_same(run),
          "sort of %llu elements of %zu bytes, %u fields, the first %d of %zu, shape %d, values %zu, indices "
          "%zu, in place %d, keys %d, graph %d, task %d, %llu segments, count %llu, uneven %d (rng %llu)",
          (unsigned long long)c->n, c->key.elem_bytes, c->key.fields, (int)c->key.field[0].kind,
          c->key.field[0].bytes, (int)c->shape, c->value_bytes, c->index_bytes, c->in_place, c->with_keys,
          c->by_graph, (int)c->task, (unsigned long long)segments_of(c), (unsigned long long)c->count,
          c->is_uneven, (unsigned long long)seed);
    prepare(run, false);
    check(riffle_sort_execute(plan, &got) == RIFFLE_OK, "a sort of host memory: %s", riffle_error_detail());
    check(are_same(run), "a sort of host memory");
}

/* Some segments are empty; what is before the first and behind the last is not sorted. */
static void fill_first(sort_run *run, rng *r) {
    uint64_t *const first = (uint64_t *)(void *)run->first.from;
    if (!run->c->is_uneven) return;
    for (uint64_t s = 0; s <= segments_of(run->c); s++) first[s] = rng_below(r, run->c->n + 1);
    qsort(first, segments_of(run->c) + 1, sizeof *first, sort_compare_places);
    bring(&run->first);
}

/* Fields of 8 bytes. */
static void fill_ties(const sort_case *c, rng *r, char *elements) {
    const uint64_t step = 0x9e3779b97f4a7c15;
    for (uint64_t i = 0; c->ties != AS_SHAPED && i < c->n; i++)
        for (unsigned k = 0; k + 1 < c->key.fields; k++) {
            const uint64_t all[] = {[FEW_BITS] = rng_below(r, 1024),
                                    [DEEP] = rng_below(r, 2) ? step : ~step,
                                    [IN_PAIRS] = i % (c->n / 2 + 1) * step,
                                    [ONE_RUN] = i % 9 == 0 ? rng_next(r) : step};
            memcpy(elements + i * c->key.elem_bytes + c->key.field[k].offset, &all[c->ties], sizeof *all);
        }
}

static void run_case(const sort_case *c, rng *r) {
    const uint64_t seed = r->state;
    sort_run run = {.c = c};
    run.keys = array_of(c->n * c->key.elem_bytes, true, c->in_place && c->with_keys);
    run.values = array_of(c->n * c->value_bytes, true, c->in_place);
    run.indices = array_of(c->n * c->index_bytes, false, false);
    run.lengths =
        array_of(c->task == RIFFLE_SORT_TASK_UNIQUE ? segments_of(c) * sizeof(uint64_t) : 0, false, false);
    run.first = array_of(c->is_uneven ? (segments_of(c) + 1) * sizeof(uint64_t) : 0, true, false);
    riffle_sort_plan *const here = plan_of(c, RIFFLE_ENGINE_CPU), *const plan = plan_of(c, RIFFLE_ENGINE_CUDA);
    const size_t workspace_bytes = riffle_sort_plan_workspace_bytes(plan);
    if (c->callers_workspace) run.workspace = device(workspace_bytes);
    sort_fill(r, &c->key, c->shape, run.keys.from, c->n);
    fill_ties(c, r, run.keys.from);
    for (size_t k = 0; k < run.values.bytes; k++) run.values.from[k] = (char)(rng_next(r) >> 56);
    fill_first(&run, r);
    bring(&run.keys), bring(&run.values);
    prepare(&run, true);
    const riffle_sort_arrays want = on_host(&run, true);
    check(riffle_sort_execute(here, &want) == RIFFLE_OK, "a sort on the CPU: %s", riffle_error_detail());
    compare(&run, plan, seed);
    if (c->callers_workspace)
        check(are_guards_intact(run.workspace, workspace_bytes), "guards of a sort's workspace");
    device_free(run.workspace);
    riffle_sort_plan_free(here);
    riffle_sort_plan_free(plan);
    array_free(&run.keys), array_free(&run.values), array_free(&run.indices);
    array_free(&run.lengths), array_free(&run.first);
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

/* Any task but a merge, of segments or of one. */
static void make_task(rng *r, sort_case *c) {
    static const riffle_sort_task tasks[] = {RIFFLE_SORT_TASK_SORT, RIFFLE_SORT_TASK_TOP,
                                             RIFFLE_SORT_TASK_PARTITION, RIFFLE_SORT_TASK_UNIQUE};
    c->task = tasks[rng_below(r, 4)];
    if (c->n > 0 && rng_below(r, 4) > 0) c->segments = 2 + rng_below(r, rng_below(r, 2) ? 8 : c->n);
    c->is_uneven = c->n % segments_of(c) != 0 || rng_below(r, 2);
    if (c->task == RIFFLE_SORT_TASK_TOP || c->task == RIFFLE_SORT_TASK_PARTITION)
        c->count = rng_below(r, c->n / segments_of(c) + 1);
}

static void run_tasks(rng *r, unsigned count, uint64_t most) {
    for (unsigned k = 0; k < count; k++) {
        sort_case c = random_case(r, rng_below(r, most + 1));
        make_task(r, &c);
        if (c.task == RIFFLE_SORT_TASK_UNIQUE) c.by_graph = false; /* a second one is of what the first left */
        run_case(&c, r);
    }
}

/* Segments of each length that has a way of its own. */
static void run_segments(rng *r, uint64_t n) {
    static const uint64_t lengths[] = {1, 32, 500, 2000, 9000, 40000, 600000};
    for (unsigned k = 0; k < 4 * (sizeof lengths / sizeof *lengths); k++) {
        sort_case c = {.n = n, .with_keys = true, .segments = n / lengths[k / 4] + 1, .is_uneven = true};
        riffle_sort_key_of_type(k % 2 ? RIFFLE_TYPE_F32 : RIFFLE_TYPE_U64, 0, &c.key);
        if (k / 2 % 2) c.index_bytes = 4;
        run_case(&c, r);
    }
}

/* Segments of one length, sorted and parted: those that a lane holds, a warp, several, a block, and longer ones, and one more or less. */
static void run_even_segments(rng *r, uint64_t n) {
    static const uint64_t lengths[] = {1,   2,    31,   32,   33,   64,   100,  255,  256,  257,  512,
                                       513, 1000, 2048, 2049, 4000, 4096, 4097, 8192, 8193, 10000};
    static const riffle_sort_field numbers[] = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4},
                                                {.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 8},
                                                {.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 16},
                                                {.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 4}};
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (unsigned kind = 0; kind < 8; kind++) {
            const uint64_t segments = 2 + n / lengths[k];
            sort_case c = {.n = segments * lengths[k], .with_keys = true, .segments = segments};
            c.key = (riffle_sort_key){
                .elem_bytes = numbers[kind % 4].bytes, .fields = 1, .field = {numbers[kind % 4]}};
            c.key.field[0].descending = k % 2;
            c.shape = kind % 3 == 0 ? SORT_SHAPE_ZEROS : kind % 3 == 1 ? SORT_SHAPE_FEW : SORT_SHAPE_UNIFORM;
            if (kind >= 4) *(k % 3 == 0 ? &c.index_bytes : &c.value_bytes) = 4;
            run_case(&c, r);
            c.task = RIFFLE_SORT_TASK_PARTITION;
            c.count = rng_below(r, lengths[k] + 1);
            run_case(&c, r);
        }
}

/* Rows of 2 to 8 integers of 8 bytes that tie, for every task. */
static void run_rows(rng *r, unsigned count, uint64_t most) {
    for (unsigned k = 0; k < count; k++) {
        sort_case c = random_case(r, rng_below(r, most + 1));
        c.shape = SORT_SHAPE_UNIFORM;
        c.ties = (sort_ties)(1 + k % 4);
        c.key = (riffle_sort_key){.fields = 2 + (unsigned)rng_below(r, 7)};
        c.key.elem_bytes = 8 * c.key.fields;
        for (unsigned f = 0; f < c.key.fields; f++)
            c.key.field[f] =
                (riffle_sort_field){.kind = rng_below(r, 2) ? RIFFLE_SORT_KEY_SIGNED : RIFFLE_SORT_KEY_UNSIGNED,
                                    .bytes = 8,
                                    .offset = 8 * f,
                                    .descending = (int)rng_below(r, 2)};
        if (k % 2) make_task(r, &c);
        if (c.task == RIFFLE_SORT_TASK_UNIQUE) c.by_graph = false;
        run_case(&c, r);
    }
}

/* The first of one array, and a place of it, where there are two levels. */
static void run_windows(rng *r, unsigned count, uint64_t most) {
    for (unsigned k = 0; k < count; k++) {
        sort_case c = random_case(r, 1 + rng_below(r, most));
        c.task = k % 2 ? RIFFLE_SORT_TASK_TOP : RIFFLE_SORT_TASK_PARTITION;
        c.count = rng_below(r, k % 4 < 2 ? 1000 % c.n + 1 : c.n + 1);
        run_case(&c, r);
    }
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

/* -------------------------------------------------------------- comparisons */

static sort_case own_case(const char *before, uint64_t n) {
    sort_case c = {.n = n,
                   .with_keys = true,
                   .key = {.elem_bytes = 24,
                           .fields = 3,
                           .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 8, .name = "x"},
                                     {.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 4, .offset = 8, .name = "y"},
                                     {.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 8, .offset = 16, .name = "z"}},
                           .before = before}};
    return c;
}

/* Orders, of numbers and of rows, for every task. Shapes are those without NaN. */
static void run_comparisons(rng *r, unsigned count, uint64_t most) {
    static const char *const all[] = {"a.y % 100 < b.y % 100", "a.z > b.z",
                                      "a.x < b.x || (a.x == b.x && abs(a.y) < abs(b.y))"};
    for (unsigned k = 0; k < count; k++) {
        sort_case c = own_case(all[k % 3], rng_below(r, most + 1)), extra = random_case(r, c.n);
        c.shape = k % 2 ? SORT_SHAPE_FEW : SORT_SHAPE_EQUAL;
        if (k % 3 != 2) c.shape = extra.shape;
        c.value_bytes = extra.value_bytes, c.index_bytes = extra.index_bytes;
        c.in_place = extra.in_place, c.with_keys = extra.with_keys;
        c.by_graph = extra.by_graph, c.callers_workspace = extra.callers_workspace;
        make_task(r, &c);
        if (c.task == RIFFLE_SORT_TASK_UNIQUE) c.by_graph = false;
        run_case(&c, r);
    }
}

/* A comparison that is no order, or says something else each time, gives some permutation. */
static void run_contradictions(rng *r, uint64_t n) {
    static const char *const all[] = {"(a.z * 2654435761u ^ b.z * 40503u) >> 9 & 1", "1", "clock() >> 3 & 1"};
    for (unsigned k = 0; k < 3; k++) {
        sort_case c = own_case(all[k], n);
        riffle_sort_plan *plan = NULL;
        const riffle_sort_options options = {.index_bytes = 4};
        if (!check(riffle_sort_plan_create(n, &c.key, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
                   "a plan by what is no order: %s", riffle_error_detail()))
            continue;
        const size_t bytes = n * c.key.elem_bytes;
        char *const from = host(bytes), *const to = host(bytes), *const found = calloc(n, 1);
        uint32_t *const indices = (uint32_t *)(void *)host(n * sizeof *indices);
        sort_fill(r, &c.key, SORT_SHAPE_UNIFORM, from, n);
        const riffle_sort_arrays arrays = {.keys = to, .from_keys = from, .indices = indices};
        check(riffle_sort_execute(plan, &arrays) == RIFFLE_OK, "a sort by no order: %s", riffle_error_detail());
        bool is_permutation = true;
        for (uint64_t i = 0; is_permutation && i < n; i++) {
            is_permutation =
                indices[i] < n && !found[indices[i]] &&
                memcmp(to + i * c.key.elem_bytes, from + indices[i] * c.key.elem_bytes, c.key.elem_bytes) == 0;
            if (is_permutation) found[indices[i]] = 1;
        }
        check(is_permutation, "by '%s' %llu elements are no permutation", all[k], (unsigned long long)n);
        free(from), free(to), free(found), free(indices);
        riffle_sort_plan_free(plan);
    }
}

static void test_comparisons(rng *r, bool small) {
    riffle_sort_plan *plan = NULL;
    const sort_case wrong = own_case("a.x < b.w", 10), right = own_case("a.x < b.x", 10);
    const riffle_status status = riffle_sort_plan_create(10, &right.key, RIFFLE_ENGINE_CUDA, NULL, &plan);
    if (status == RIFFLE_ERROR_UNSUPPORTED) { /* without NVRTC */
        check_refused(status, status, "what users write for a GPU needs NVRTC", "a comparison");
        return;
    }
    check(status == RIFFLE_OK, "a plan by a comparison: %s", riffle_error_detail());
    riffle_sort_plan_free(plan);
    check_refused(riffle_sort_plan_create(10, &wrong.key, RIFFLE_ENGINE_CUDA, NULL, &plan), RIFFLE_ERROR_SYNTAX,
                  "NVRTC refuses this comparison: ", "a comparison that does not compile");
    run_comparisons(r, small ? 6 : 24, 200);
    run_comparisons(r, small ? 3 : 24, 9000);
    run_comparisons(r, small ? 1 : 12, 1000000);
    run_contradictions(r, small ? 10000 : 1000000);
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
    expect_no_plan(&c.key, &(riffle_sort_options){.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE, .segments = 2},
                   N, "a GPU sorts one array, and all of it, by pairwise");
    expect_no_plan(&c.key, NULL, (uint64_t)1 << 32, "fewer than 2^32 elements");
    riffle_sort_key own = c.key;
    own.before = "a < b";
    expect_no_plan(&own, &(riffle_sort_options){.task = RIFFLE_SORT_TASK_MERGE}, N,
                   "a GPU merges unsigned numbers");
    expect_no_plan(&own, &(riffle_sort_options){.algorithm = RIFFLE_SORT_ALGORITHM_K_PARTITION}, N,
                   "with a comparison of yours by pairwise, and not by k-partition");
    riffle_sort_plan *const here = plan_of(&c, RIFFLE_ENGINE_CPU), *const plan =
                                                                       plan_of(&c, RIFFLE_ENGINE_CUDA);
    char *const from = device(4 * N), *const to = device(4 * N),
                *const workspace = device(riffle_sort_plan_workspace_bytes(plan));
    const riffle_sort_arrays arrays = {.keys = to, .from_keys = from};
    riffle_sort_arrays other = arrays;
    check_refused(
        riffle_cuda_sort_execute(here, &arrays, workspace, riffle_sort_plan_workspace_bytes(here), stream),
        wanted, "the plan is for the cpu engine", "a plan of another engine");
    check_refused(riffle_cuda_sort_execute(plan, &arrays, NULL, 0, stream), wanted, "no workspace of its own",
                  "no workspace");
    check_refused(
        riffle_cuda_sort_execute(plan, &arrays, workspace + 4, riffle_sort_plan_workspace_bytes(plan), stream),
        wanted, "not aligned to 256", "a workspace that is not aligned");
    check_refused(riffle_cuda_sort_execute(plan, &(riffle_sort_arrays){.keys = workspace, .from_keys = from},
                                           workspace, riffle_sort_plan_workspace_bytes(plan), stream),
                  wanted, "overlaps keys", "a workspace that overlaps");
    other.keys = from + 4;
    check_refused(
        riffle_cuda_sort_execute(plan, &other, workspace, riffle_sort_plan_workspace_bytes(plan), stream),
        wanted, "overlap", "keys that overlap");
    device_free(from), device_free(to), device_free(workspace);
    riffle_sort_plan_free(here);
    riffle_sort_plan_free(plan);
}

/* Sorts, and selections: the first of many, parts, each once; of short arrays mostly. */
static void run_many(rng *r, uint64_t cases) {
    uint64_t sorts = 0, selects = 0;
    for (; sorts < cases; sorts++) {
        const sort_case c = random_case(r, rng_below(r, sorts % 16 == 0 ? 60000 : 3000));
        run_case(&c, r);
    }
    while (selects < cases) {
        sort_case c = random_case(r, rng_below(r, selects % 16 == 0 ? 60000 : 3000));
        do make_task(r, &c);
        while (c.task == RIFFLE_SORT_TASK_SORT);
        if (c.task == RIFFLE_SORT_TASK_UNIQUE) c.by_graph = false;
        run_case(&c, r);
        selects++;
    }
    if (cases > 0)
        printf("%llu random sorts and %llu random selections more\n", (unsigned long long)sorts,
               (unsigned long long)selects);
}

void test_sort(bool small) {
    rng r = {check_random() | 1};
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    for (uint64_t n = 0; n <= 70; n += n < 4 ? 1 : 13) run_types(&r, n, 7);
    run_types(&r, 8191, small ? 31 : 3);
    run_types(&r, 8193, small ? 17 : 3);
    run_random(&r, small ? 10 : 60, 3000);
    run_random(&r, small ? 4 : 60, 60000);
    run_tasks(&r, small ? 20 : 200, 200);
    run_tasks(&r, small ? 4 : 60, 60000);
    run_rows(&r, small ? 12 : 100, 500);
    run_rows(&r, small ? 4 : 60, 60000);
    run_segments(&r, small ? 3000 : 2000000);
    run_segments(&r, small ? 30000 : 3000000);
    run_even_segments(&r, small ? 3000 : 300000);
    test_comparisons(&r, small);
    test_refusals();
    if (!small) {
        run_types(&r, 300007, 5);
        run_random(&r, 20, 3000000);
        run_rows(&r, 24, 3000000);
        run_windows(&r, 30, 2000000);
        run_types(&r, (1 << 24) - 3, 67);
        run_types(&r, 1 << 24, 61);
    }
    run_many(&r, check_cases());
    cudaStreamDestroy(stream);
}
