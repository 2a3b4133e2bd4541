/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging on a GPU, and sorting by it, against a stable merge of (key, place) on the host: streams of many kinds, keys
 * alone and with places, at addresses off a line's begin, in place, in graphs; streams in no order stay within their
 * arrays.
 *
 *     test_merge [--small]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "riffle/cuda.h"
#include "sort/gpu/plan.h"

enum { SKIPPED = 77, POISON = 0xa5, GUARD = 64 /* keys on both sides */ };

typedef unsigned __int128 wide;

typedef enum kind { UNIFORM, FEW, EQUAL, EXTREMES, IN_TURN, ONE_AFTER_THE_OTHER, BACKWARDS, KINDS } kind;

/* A case on the host: what is merged, and what it becomes. */
typedef struct example {
    merge_job job;
    kind what;
    uint64_t offset; /* keys from a line's begin to the arrays */
    uint64_t *first;
    wide *keys;
    uint32_t *places;
} example;

/* The same on the device, with guards. */
typedef struct example_arrays {
    unsigned char *keys, *from_keys;
    uint32_t *places;
    uint64_t *first;
    void *workspace;
    merge_arrays arrays;
} example_arrays;

static wide key_of(kind what, uint64_t stream, uint64_t i, uint64_t streams) {
    const wide random = (wide)check_random() << 64 | check_random();
    switch (what) {
    case UNIFORM: return random;
    case FEW: return (random % 5) << 60 | random % 5;
    case EQUAL: return 7;
    case EXTREMES: return random % 2 ? (wide)-1 : 0;
    case IN_TURN: return i * streams + stream;
    case ONE_AFTER_THE_OTHER: return stream << 20 | i;
    default: return (streams - stream) << 20 | i;
    }
}

static int compare(const void *a, const void *b) {
    const wide x = *(const wide *)a, y = *(const wide *)b;
    return x < y ? -1 : x > y;
}

static const wide *compared; /* keys that compare_places looks at */

static int compare_places(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (compared[x] != compared[y]) return compared[x] < compared[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool example_create(example *e, uint64_t longest) {
    const uint64_t streams = e->job.is_sort ? 1 : e->job.streams;
    const wide mask = e->job.key_bytes == 16 ? (wide)-1 : ((wide)1 << 8 * e->job.key_bytes) - 1;
    e->first = calloc(streams + 1, sizeof *e->first);
    if (e->first == NULL) return false;
    for (uint64_t s = 0; s < streams; s++)
        e->first[s + 1] = e->first[s] + (longest > 1000 ? longest : check_random() % (longest + 1));
    e->job.n = e->first[streams];
    e->keys = calloc(e->job.n + 1, sizeof *e->keys);
    e->places = calloc(e->job.n + 1, sizeof *e->places);
    if (e->keys == NULL || e->places == NULL) return false;
    for (uint64_t s = 0; s < streams; s++) {
        const uint64_t begin = e->first[s], end = e->first[s + 1];
        for (uint64_t i = begin; i < end; i++) e->keys[i] = key_of(e->what, s, i - begin, streams) & mask;
        if (!e->job.is_sort) qsort(e->keys + begin, end - begin, sizeof *e->keys, compare);
    }
    for (uint64_t i = 0; i < e->job.n; i++) e->places[i] = (uint32_t)i;
    compared = e->keys;
    qsort(e->places, e->job.n, sizeof *e->places, compare_places);
    return true;
}

static void example_free(example *e) {
    free(e->first);
    free(e->keys);
    free(e->places);
}

static void device_free(example_arrays *d) {
    cudaFree(d->keys);
    if (d->from_keys != d->keys) cudaFree(d->from_keys);
    cudaFree(d->places);
    cudaFree(d->first);
    cudaFree(d->workspace);
}

static size_t guarded(const example *e) { return (size_t)(e->job.n + e->offset + 2 * GUARD); }

static bool upload_keys(const example *e, example_arrays *d) {
    const size_t unit = e->job.key_bytes;
    unsigned char *const narrow = malloc((size_t)e->job.n * unit + 1);
    if (narrow == NULL) return false;
    for (uint64_t i = 0; i < e->job.n; i++) memcpy(narrow + i * unit, &e->keys[i], unit);
    const cudaError_t error = cudaMemcpy(d->from_keys + (GUARD + e->offset) * unit, narrow,
                                         (size_t)e->job.n * unit, cudaMemcpyHostToDevice);
    free(narrow);
    return check_cuda(error, "keys to the device");
}

static bool device_create(const example *e, example_arrays *d) {
    const size_t unit = e->job.key_bytes, streams = e->job.is_sort ? 1 : (size_t)e->job.streams;
    const size_t bytes = merge_workspace_bytes(&e->job);
    bool works = check_cuda(cudaMalloc((void **)&d->keys, guarded(e) * unit), "keys") &&
                 check_cuda(cudaMalloc((void **)&d->places, guarded(e) * sizeof *d->places), "places") &&
                 check_cuda(cudaMalloc((void **)&d->first, (streams + 1) * sizeof *d->first), "first") &&
                 check_cuda(cudaMalloc(&d->workspace, bytes + 1), "a workspace");
    d->from_keys = d->keys;
    if (works && !e->job.is_in_place)
        works = check_cuda(cudaMalloc((void **)&d->from_keys, guarded(e) * unit), "keys to merge");
    if (!works) return false;
    cudaMemset(d->keys, POISON, guarded(e) * unit);
    cudaMemset(d->places, POISON, guarded(e) * sizeof *d->places);
    cudaMemset(d->workspace, POISON, bytes);
    cudaMemcpy(d->first, e->first, (streams + 1) * sizeof *d->first, cudaMemcpyHostToDevice);
    d->arrays = (merge_arrays){.keys = d->keys + (GUARD + e->offset) * unit,
                               .places = e->job.is_placed ? d->places + GUARD + e->offset : NULL,
                               .from_keys = d->from_keys + (GUARD + e->offset) * unit,
                               .first = e->job.is_sort ? NULL : d->first,
                               .workspace = d->workspace};
    return upload_keys(e, d) && check_cuda(cudaDeviceSynchronize(), "arrays made ready");
}

static bool all_poison(const unsigned char *at, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        if (at[k] != POISON) return false;
    return true;
}

static const char *described(const example *e) {
    static char text[160];
    snprintf(text, sizeof text, "%s of %llu streams, %llu keys of %u bytes, kind %d%s%s%s",
             e->job.is_sort ? "sort" : "merge", (unsigned long long)e->job.streams,
             (unsigned long long)e->job.n, (unsigned)e->job.key_bytes, (int)e->what,
             e->job.is_placed ? ", placed" : "", e->job.is_pairwise ? ", two by two" : "",
             e->job.is_in_place ? ", in place" : "");
    return text;
}

/* Everything fetched: guards, and, unless streams are in no order, what keys and places are. */
static void check_result(const example *e, const example_arrays *d, bool has_order) {
    const size_t unit = e->job.key_bytes, before = (size_t)(GUARD + e->offset);
    unsigned char *const keys = malloc(guarded(e) * unit);
    uint32_t *const places = malloc(guarded(e) * sizeof *places);
    if (check(keys != NULL && places != NULL, "memory") &&
        check_cuda(cudaMemcpy(keys, d->keys, guarded(e) * unit, cudaMemcpyDeviceToHost), described(e)) &&
        check_cuda(cudaMemcpy(places, d->places, guarded(e) * sizeof *places, cudaMemcpyDeviceToHost),
                   "places")) {
        const size_t n = (size_t)e->job.n;
        check(all_poison(keys, before * unit) && all_poison(keys + (before + n) * unit, GUARD * unit),
              "%s: it wrote beyond the keys", described(e));
        check(all_poison((unsigned char *)places, before * 4) &&
                  all_poison((unsigned char *)(places + before + n), GUARD * 4),
              "%s: it wrote beyond the places", described(e));
        size_t wrong = n;
        for (size_t i = 0; has_order && wrong == n && i < n; i++)
            if (memcmp(keys + (before + i) * unit, &e->keys[e->places[i]], unit) != 0 ||
                (e->job.is_placed && places[before + i] != e->places[i]))
                wrong = i;
        check(wrong == n, "%s: key %zu is wrong", described(e), wrong);
    }
    free(keys);
    free(places);
}

static riffle_status load(const merge_job *job) {
    device gpu;
    const riffle_status status = device_of_cuda(&gpu);
    return status == RIFFLE_OK ? merge_load(job, &gpu) : status;
}

static riffle_status queue(const merge_job *job, const merge_arrays *arrays, cudaStream_t stream) {
    device gpu;
    launch_list list;
    const riffle_status status = device_of_cuda(&gpu);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    launch_merge(job, arrays, &list);
    return device_run(&gpu, "a step of a merge", &list, stream);
}

static void run_example(const example *e, bool has_order) {
    example_arrays d = {0};
    if (check(load(&e->job) == RIFFLE_OK, "%s: %s", described(e), riffle_error_detail()) &&
        device_create(e, &d)) {
        check(queue(&e->job, &d.arrays, NULL) == RIFFLE_OK, "%s: %s", described(e), riffle_error_detail());
        check_result(e, &d, has_order);
    }
    device_free(&d);
}

static void test_one(merge_job job, kind what, uint64_t longest) {
    example e = {.job = job, .what = what, .offset = check_random() % 20};
    if (check(example_create(&e, longest), "memory")) run_example(&e, true);
    example_free(&e);
}

/* Each kind of streams, by each size of key. */
static void test_streams(uint64_t streams, uint64_t longest) {
    for (unsigned k = 0; k < KINDS * 3; k++) {
        const merge_job job = {.streams = streams, .key_bytes = 4U << k % 3};
        merge_job placed = job, pairwise = job, in_place = job;
        placed.is_placed = pairwise.is_pairwise = in_place.is_in_place = true;
        test_one(job, (kind)(k / 3), longest);
        test_one(placed, (kind)(k / 3), longest);
        test_one(in_place, (kind)(k / 3), longest);
        if (job.key_bytes < 16) test_one(pairwise, (kind)(k / 3), longest);
    }
}

static void test_sorts(uint64_t n) {
    for (unsigned k = 0; k < KINDS * 3; k++) {
        const merge_job job = {.key_bytes = 4U << k % 3, .is_sort = true};
        merge_job placed = job, in_place = job;
        placed.is_placed = in_place.is_in_place = true;
        test_one(job, (kind)(k / 3), n);
        test_one(placed, (kind)(k / 3), n);
        test_one(in_place, (kind)(k / 3), n);
    }
}

/* Keys are random, whatever `first` says of streams. */
static void test_no_order(void) {
    for (unsigned k = 0; k < 6; k++) {
        example e = {.job = {.streams = 32, .key_bytes = 4U << k % 3, .is_placed = k >= 3}, .what = UNIFORM};
        if (check(example_create(&e, 3001), "memory")) {
            for (uint64_t i = 0; i < e.job.n; i++) e.keys[i] = key_of(UNIFORM, 0, i, 1);
            run_example(&e, false);
        }
        example_free(&e);
    }
}

static void test_graph(void) {
    example e = {.job = {.streams = 20, .key_bytes = 4}, .what = UNIFORM};
    example_arrays d = {0};
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    if (check(example_create(&e, 3001), "memory") && check(load(&e.job) == RIFFLE_OK, "kernels") &&
        device_create(&e, &d) && check_cuda(cudaStreamCreate(&stream), "a stream")) {
        check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
        check(queue(&e.job, &d.arrays, stream) == RIFFLE_OK, "captured: %s", riffle_error_detail());
        if (check_cuda(cudaStreamEndCapture(stream, &graph), "end of capture") &&
            check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph")) {
            for (int k = 0; k < 2; k++) check_cuda(cudaGraphLaunch(ready, stream), "a launch");
            check_cuda(cudaStreamSynchronize(stream), "graph");
            check_result(&e, &d, true);
            cudaGraphExecDestroy(ready);
            cudaGraphDestroy(graph);
        }
        cudaStreamDestroy(stream);
    }
    device_free(&d);
    example_free(&e);
}

/* ------------------------------------------------------------------ the door */

static riffle_sort_plan *plan_of(uint64_t n, riffle_type type, const riffle_sort_options *options) {
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    const bool works = riffle_sort_key_of_type(type, 0, &key) == RIFFLE_OK &&
                       riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CUDA, options, &plan) == RIFFLE_OK;
    check(works, "the plan of a merge: %s", riffle_error_detail());
    return works ? plan : NULL;
}

/* Merges in the host's memory and in the device's: streams with keys of none before and behind. */
static void test_plan(bool has_indices, bool has_first) {
    enum { N = 30000, STREAMS = 40, BEFORE = 40, BEHIND = 80 };
    const riffle_sort_options options = {
        .task = RIFFLE_SORT_TASK_MERGE, .segments = STREAMS, .index_bytes = has_indices ? 4 : 0};
    riffle_sort_plan *const plan = plan_of(N, RIFFLE_TYPE_U64, &options);
    static uint64_t keys[N], got[N], first[STREAMS + 1];
    static uint32_t indices[N], wanted[N];
    static wide wides[N];
    const uint64_t begin = has_first ? BEFORE : 0, count = has_first ? N - BEFORE - BEHIND : N;
    for (uint64_t s = 0; s <= STREAMS; s++) first[s] = begin + count * s / STREAMS;
    for (uint64_t i = 0; i < N; i++) wides[i] = check_random() % 9999;
    for (uint64_t s = 0; s < STREAMS; s++)
        qsort(wides + first[s], first[s + 1] - first[s], sizeof *wides, compare);
    for (uint64_t i = 0; i < N; i++) {
        keys[i] = (uint64_t)wides[i];
        wanted[i] = (uint32_t)i;
    }
    compared = wides;
    qsort(wanted + begin, count, sizeof *wanted, compare_places);
    memset(got, POISON, sizeof got);
    const riffle_sort_arrays arrays = {.keys = got,
                                       .indices = has_indices ? indices : NULL,
                                       .from_keys = keys,
                                       .first = has_first ? first : NULL};
    if (plan != NULL && check(riffle_sort_execute(plan, &arrays) == RIFFLE_OK, "%s", riffle_error_detail())) {
        uint64_t wrong = N;
        for (uint64_t i = 0; i < N && wrong == N; i++) {
            const bool is_in = i >= begin && i < begin + count;
            const uint64_t poison = UINT64_C(0xa5a5a5a5a5a5a5a5);
            if (got[i] != (is_in ? keys[wanted[i]] : poison) ||
                (is_in && has_indices && indices[i] != wanted[i]))
                wrong = i;
        }
        check(wrong == N, "a merge by a plan: element %llu is wrong", (unsigned long long)wrong);
    }
    riffle_sort_plan_free(plan);
}

/* A sort by merging, asked for by its algorithm: of the host's memory, and of the device's in its own place. */
static void test_sort_plan(riffle_sort_algorithm algorithm, uint64_t n) {
    const size_t bytes = (size_t)n * sizeof(uint64_t);
    riffle_sort_plan *const plan = plan_of(n, RIFFLE_TYPE_U64, &(riffle_sort_options){.algorithm = algorithm});
    uint64_t *const keys = malloc(bytes + 1), *const got = malloc(bytes + 1), *there = NULL;
    uint64_t wrong[2] = {0, 0};
    if (check(keys != NULL && got != NULL, "memory") && plan != NULL &&
        check_cuda(cudaMalloc((void **)&there, bytes), "keys")) {
        for (uint64_t i = 0; i < n; i++) keys[i] = (n - i) * UINT64_C(0x9e3779b97f4a7c15);
        check(riffle_sort_plan_algorithm(plan) == algorithm, "a sort by merging has another algorithm");
        check(riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = got, .from_keys = keys}) == RIFFLE_OK,
              "%s", riffle_error_detail());
        for (uint64_t i = 1; i < n; i++) wrong[0] += got[i - 1] >= got[i];
        check_cuda(cudaMemcpy(there, keys, bytes, cudaMemcpyHostToDevice), "keys");
        check(riffle_cuda_sort_execute(plan, &(riffle_sort_arrays){.keys = there, .from_keys = there}, NULL, 0,
                                       NULL) == RIFFLE_OK,
              "%s", riffle_error_detail());
        check_cuda(cudaMemcpy(keys, there, bytes, cudaMemcpyDeviceToHost), "sorted keys");
        for (uint64_t i = 0; i < n; i++) wrong[1] += keys[i] != got[i];
        check(wrong[0] == 0 && wrong[1] == 0, "%llu keys by %s: wrong", (unsigned long long)n,
              riffle_sort_algorithm_string(algorithm));
    }
    cudaFree(there);
    free(keys);
    free(got);
    riffle_sort_plan_free(plan);
}

static void expect_no_plan(riffle_type type, int descending, const riffle_sort_options *options,
                           const char *words) {
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    riffle_sort_key_of_type(type, descending, &key);
    check_refused(riffle_sort_plan_create(100, &key, RIFFLE_ENGINE_CUDA, options, &plan),
                  RIFFLE_ERROR_UNSUPPORTED, words, "a merge that a GPU has not");
}

static void test_refusals(void) {
    riffle_sort_options options = {.task = RIFFLE_SORT_TASK_MERGE, .segments = 3};
    uint32_t *keys = NULL;
    expect_no_plan(RIFFLE_TYPE_F32, 0, &options, "a GPU merges unsigned numbers");
    expect_no_plan(RIFFLE_TYPE_U32, 1, &options, "ascending");
    expect_no_plan(RIFFLE_TYPE_U16, 0, &options, "of 4, 8 and 16 bytes");
    options.value_bytes = 4;
    expect_no_plan(RIFFLE_TYPE_U32, 0, &options, "numbers alone, or with indices of 4 bytes");
    options.value_bytes = 0;
    options.algorithm = RIFFLE_SORT_ALGORITHM_K_PARTITION;
    expect_no_plan(RIFFLE_TYPE_U32, 0, &options, "by two-phase or pairwise, and not by k-partition");
    options.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE;
    options.index_bytes = 4;
    expect_no_plan(RIFFLE_TYPE_U32, 0, &options, "pairwise merging is for numbers of 4 and 8 bytes");
    options.index_bytes = 0;
    expect_no_plan(RIFFLE_TYPE_F64, 0, &options, "a GPU merges unsigned numbers");
    options.algorithm = RIFFLE_SORT_ALGORITHM_AUTO;
    riffle_sort_plan *const plan = plan_of(100, RIFFLE_TYPE_U32, &options);
    if (plan != NULL && check_cuda(cudaMalloc((void **)&keys, 100 * sizeof *keys), "keys")) {
        check_refused(riffle_cuda_sort_execute(plan, &(riffle_sort_arrays){.keys = keys, .from_keys = keys},
                                               NULL, 0, NULL),
                      RIFFLE_ERROR_UNSUPPORTED, "keys and from_keys are the same", "a merge in place");
        uint32_t *other = NULL;
        check_cuda(cudaMalloc((void **)&other, 100 * sizeof *other), "other keys");
        check_refused(riffle_cuda_sort_execute(plan, &(riffle_sort_arrays){.keys = other, .from_keys = keys},
                                               NULL, 0, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "100 elements are no 3 segments", "streams of 33 1/3");
        cudaFree(other);
    }
    cudaFree(keys);
    riffle_sort_plan_free(plan);
}

int main(int argc, char **argv) {
    static const uint64_t shapes[][2] = {{1, 100},   {2, 700},    {3, 1},    {5, 300},  {31, 40},
                                         {32, 150},  {33, 50},    {100, 20}, {1000, 9}, {32, 1001},
                                         {2, 30001}, {16, 20011}, {70, 3001}};
    const bool small = argc > 1 && strcmp(argv[1], "--small") == 0;
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) == RIFFLE_ERROR_UNSUPPORTED) {
        printf("skipped: %s\n", riffle_error_detail());
        return SKIPPED;
    }
    check_seed();
    for (unsigned k = 0; k < (small ? 9 : 13); k++) test_streams(shapes[k][0], shapes[k][1]);
    test_sorts(0);
    test_sorts(1001);
    test_sorts(small ? 2100 : 70001);
    if (!small) test_sorts(1200007);
    test_no_order();
    test_graph();
    for (int k = 0; k < 4; k++) test_plan(k % 2 == 1, k / 2 == 1);
    for (uint64_t n = 1; n < 200000; n = 7 * n + 1) {
        test_sort_plan(RIFFLE_SORT_ALGORITHM_TWO_PHASE, n);
        test_sort_plan(RIFFLE_SORT_ALGORITHM_PAIRWISE, n);
    }
    test_refusals();
    return check_summary();
}
