/* SPDX-License-Identifier: Apache-2.0
 *
 * test_cuda [--small] [SUITE]...: the cuda engine on the GPU that is current. Exits with 77 where there is none. --small
 * leaves out the long arrays, for tools that slow everything down. SUITE is one of those that test_cuda --list names, or what stands before a
 * _ in some.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "doors/test_bits.h"
#include "doors/test_blocks.h"
#include "doors/test_capture.h"
#include "doors/test_group.h"
#include "doors/test_hull.h"
#include "doors/test_measured.h"
#include "doors/test_multigpu.h"
#include "doors/test_plan_table.h"
#include "doors/test_programs.h"
#include "doors/test_sort.h"
#include "doors/test_workspace.h"
#include "moves/test_addresses.h"
#include "moves/test_affine.h"
#include "moves/test_arbitrary.h"
#include "moves/test_axes.h"
#include "moves/test_moves.h"
#include "moves/test_once.h"
#include "moves/test_rows.h"
#include "moves/test_views.h"
#include "riffle/cuda.h"
#include "riffle/papers.h"

enum { SKIPPED = 77 };

/* A permutation and its plan for the GPU. */
typedef struct planned {
    riffle_perm *perm;
    riffle_plan *plan;
} planned;

static bool plan_for(const char *by, uint64_t n, size_t elem_bytes, riffle_engine engine,
                     riffle_algorithm algorithm, planned *out) {
    const riffle_plan_options options = {.algorithm = algorithm};
    *out = (planned){NULL, NULL};
    return check(riffle_perm_parse(by, n, &out->perm) == RIFFLE_OK, "%s: not parsed", by) &&
           check(riffle_plan_create(out->perm, elem_bytes, engine, &options, &out->plan) == RIFFLE_OK,
                 "%s: not planned", by);
}

static void planned_free(planned *p) {
    riffle_plan_free(p->plan);
    riffle_perm_free(p->perm);
}

static void test_describe(void) {
    riffle_cuda_device gpu;
    check(riffle_cuda_describe(&gpu) == RIFFLE_OK, "describing the GPU");
    check(gpu.name[0] != '\0' && gpu.multiprocessors > 0 && gpu.block_threads >= 1024, "the GPU's description");
    check(gpu.shared_bytes >= 48 << 10 && gpu.l2_bytes > 0 && gpu.memory_bytes > 0, "the GPU's memories");
}

/* Work on a stream that does not wait for the default one: copy in, move, copy out, all queued at once. */
static void test_stream(void) {
    enum { N = 40000, BYTES = N * 4 };
    planned p;
    check_arrays arrays = {0};
    cudaStream_t stream = NULL;
    unsigned char *fetched = malloc(BYTES);
    if (plan_for("random:5", N, 4, RIFFLE_ENGINE_CUDA, RIFFLE_ALGORITHM_SCHEDULED, &p) &&
        arrays_create(BYTES, &arrays) && fetched != NULL &&
        check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream")) {
        cudaMemcpyAsync(arrays.device_src, arrays.src, BYTES, cudaMemcpyHostToDevice, stream);
        check(riffle_cuda_execute(p.plan, arrays.device_dst, arrays.device_src, NULL, 0, stream) == RIFFLE_OK,
              "on a stream");
        cudaMemcpyAsync(fetched, arrays.device_dst, BYTES, cudaMemcpyDeviceToHost, stream);
        check_cuda(cudaStreamSynchronize(stream), "a stream");
        check(is_moved(p.perm, 4, fetched, arrays.src), "on a stream: elements in the wrong place");
    }
    if (stream != NULL) cudaStreamDestroy(stream);
    free(fetched);
    arrays_free(&arrays);
    planned_free(&p);
}

static cudaGraphExec_t capture(const riffle_plan *plan, check_arrays *arrays, cudaStream_t stream) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    if (!check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "a capture")) return NULL;
    check(riffle_cuda_execute(plan, arrays->device_dst, arrays->device_src, NULL, 0, stream) == RIFFLE_OK,
          "in a capture");
    if (check_cuda(cudaStreamEndCapture(stream, &graph), "the end of a capture"))
        check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph");
    if (graph != NULL) cudaGraphDestroy(graph);
    return ready;
}

/* A plan that was never executed is captured, and the graph moves whatever src holds when it is launched. */
static void test_graph(const char *by, riffle_algorithm algorithm) {
    enum { N = 1 << 16, BYTES = N * 8 };
    planned p;
    check_arrays arrays = {0};
    cudaStream_t stream = NULL;
    cudaGraphExec_t graph = NULL;
    if (plan_for(by, N, 8, RIFFLE_ENGINE_CUDA, algorithm, &p) && arrays_create(BYTES, &arrays) &&
        check_cuda(cudaStreamCreate(&stream), "a stream"))
        graph = capture(p.plan, &arrays, stream);
    for (unsigned k = 0; graph != NULL && k < 3; k++) {
        if (!arrays_renew(&arrays)) break;
        check_cuda(cudaGraphLaunch(graph, stream), "launching a graph");
        check_cuda(cudaStreamSynchronize(stream), "a graph");
        arrays_moved(&arrays, p.perm, 8, by);
    }
    if (graph != NULL) cudaGraphExecDestroy(graph);
    if (stream != NULL) cudaStreamDestroy(stream);
    arrays_free(&arrays);
    planned_free(&p);
}

static void test_graphs(void) {
    test_graph("random:9", RIFFLE_ALGORITHM_SCHEDULED);
    test_graph("random:9", RIFFLE_ALGORITHM_SCATTER);
    test_graph("random:9", RIFFLE_ALGORITHM_GATHER);
    test_graph("random:9", RIFFLE_ALGORITHM_BUCKET);
    test_graph("random:9", RIFFLE_ALGORITHM_ONCE);
    test_graph("transpose:512x128", RIFFLE_ALGORITHM_TRANSPOSE);
    test_graph("rotate:777", RIFFLE_ALGORITHM_COPY);
    test_graph("reverse", RIFFLE_ALGORITHM_COPY);
    test_graph("bit-reversal", RIFFLE_ALGORITHM_AFFINE);
    test_graph("random-affine:9", RIFFLE_ALGORITHM_AFFINE);
    test_graph("random-affine:9", RIFFLE_ALGORITHM_BMMC_TILE_BANKS);
}

static void test_refusals(void) {
    enum { N = 1024, BYTES = N * 8 };
    planned gpu = {NULL, NULL}, cpu = {NULL, NULL};
    check_arrays arrays = {0};
    if (plan_for("reverse", N, 8, RIFFLE_ENGINE_CUDA, RIFFLE_ALGORITHM_GATHER, &gpu) &&
        plan_for("reverse", N, 8, RIFFLE_ENGINE_CPU, RIFFLE_ALGORITHM_AUTO, &cpu) &&
        arrays_create(2 * BYTES, &arrays)) {
        unsigned char *dst = arrays.device_dst, *src = arrays.device_src;
        check_refused(riffle_cuda_execute(cpu.plan, dst, src, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "cpu engine", "a plan of the cpu engine");
        check_refused(riffle_cuda_execute(gpu.plan, dst, dst + 8, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "overlap", "dst and src that overlap");
        check_refused(riffle_cuda_execute(gpu.plan, dst + 4, src, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "dst is not aligned", "dst off its elements' alignment");
        check_refused(riffle_cuda_execute(gpu.plan, dst, src + 1, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "src is not aligned", "src off its elements' alignment");
        check_refused(riffle_cuda_execute(gpu.plan, NULL, src, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "dst is NULL", "no dst");
        check_refused(riffle_cuda_execute(gpu.plan, dst, NULL, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "src is NULL", "no src");
    }
    arrays_free(&arrays);
    planned_free(&cpu);
    planned_free(&gpu);
}

static void test_empty(void) {
    planned p;
    if (plan_for("identity", 0, 4, RIFFLE_ENGINE_CUDA, RIFFLE_ALGORITHM_AUTO, &p)) {
        check(riffle_cuda_execute(p.plan, NULL, NULL, NULL, 0, NULL) == RIFFLE_OK, "nothing, on the GPU");
        check(riffle_execute(p.plan, NULL, NULL) == RIFFLE_OK, "nothing, by way of the GPU");
    }
    planned_free(&p);
}

/* riffle_execute carries host memory there and back. */
static void test_host(const char *by, uint64_t n, size_t elem_bytes, riffle_algorithm algorithm) {
    planned p;
    unsigned char *src = malloc(n * elem_bytes), *dst = malloc(n * elem_bytes);
    if (plan_for(by, n, elem_bytes, RIFFLE_ENGINE_CUDA, algorithm, &p) && src != NULL && dst != NULL) {
        for (size_t k = 0; k < n * elem_bytes; k++) src[k] = (unsigned char)check_random();
        memset(dst, 0xa5, n * elem_bytes);
        check(riffle_execute(p.plan, dst, src) == RIFFLE_OK, "%s from host memory", by);
        check(is_moved(p.perm, elem_bytes, dst, src), "%s from host memory: elements in the wrong place", by);
    }
    free(dst);
    free(src);
    planned_free(&p);
}

/* Takes the device's memory in ever smaller pieces until less than `left` bytes are free. */
enum { MOST_PIECES = 256 };

static unsigned take_memory(size_t left, void *pieces[MOST_PIECES]) {
    unsigned count = 0;
    size_t free_bytes = 0, all = 0;
    cudaMemGetInfo(&free_bytes, &all);
    for (size_t piece = free_bytes; piece > left && count < MOST_PIECES;) {
        if (cudaMalloc(&pieces[count], piece) == cudaSuccess) {
            count++;
        } else {
            piece -= piece / 4;
        }
    }
    cudaGetLastError(); /* the last piece was refused */
    return count;
}

/* With the memory gone plans and host arrays are refused; with it back the same calls succeed. */
static void test_out_of_memory(void) {
    enum { N = 1 << 26 };
    planned held = {NULL, NULL}, p = {NULL, NULL};
    void *pieces[MOST_PIECES], *host = calloc(2, (size_t)N * 8);
    const riffle_plan_options gather = {.algorithm = RIFFLE_ALGORITHM_GATHER};
    if (host != NULL && plan_for("identity", N, 8, RIFFLE_ENGINE_CUDA, RIFFLE_ALGORITHM_COPY, &held) &&
        check(riffle_perm_parse("bit-reversal", N, &p.perm) == RIFFLE_OK, "bit-reversal")) {
        unsigned char *dst = host, *src = dst + (size_t)N * 8;
        const unsigned count = take_memory((size_t)64 << 20, pieces);
        check_refused(riffle_plan_create(p.perm, 8, RIFFLE_ENGINE_CUDA, &gather, &p.plan),
                      RIFFLE_ERROR_OUT_OF_MEMORY, "GPU", "a plan without memory");
        check_refused(riffle_execute(held.plan, dst, src), RIFFLE_ERROR_OUT_OF_MEMORY, "GPU",
                      "host arrays without memory");
        check_cuda(cudaGetLastError(), "what a refusal leaves behind");
        for (unsigned k = 0; k < count; k++) cudaFree(pieces[k]);
        check(riffle_plan_create(p.perm, 8, RIFFLE_ENGINE_CUDA, &gather, &p.plan) == RIFFLE_OK,
              "with memory again");
        check(riffle_execute(held.plan, dst, src) == RIFFLE_OK, "host arrays with memory again");
    }
    free(host);
    planned_free(&p);
    planned_free(&held);
}

/* The doors of plans, whatever they move. */
static void test_doors(bool small) {
    test_describe();
    test_blocks();
    test_workspace();
    test_stream();
    test_graphs();
    test_capture();
    test_refusals();
    test_empty();
    test_host("random:7", 100000, 4, RIFFLE_ALGORITHM_AUTO);
    test_host("random:7", 5000, 8, RIFFLE_ALGORITHM_SCHEDULED);
    test_host("transpose:100x77", 7700, 8, RIFFLE_ALGORITHM_AUTO);
    if (!small) test_out_of_memory();
}

/* The suites: those that the command line names are run, or all. */
static const struct {
    const char *name;
    void (*run)(bool small);
} suites[] = {
    {"views", test_views},
    {"moves", test_moves},
    {"programs", test_programs},
    {"affine", test_affine},
    {"addresses", test_addresses},
    {"axes", test_axes},
    {"rows", test_rows},
    {"arbitrary", test_arbitrary},
    {"plan_table", test_plan_table},
    {"once", test_once},
    {"bits", test_bits},
    {"group", test_group},
    {"hull_sets", test_hull_sets},
    {"hull_large", test_hull_large},
    {"hull_paper", test_hull_paper},
    {"hull_refused", test_hull_refused},
    {"measured", test_measured},
    {"multigpu", test_multigpu},
    {"sort", test_sort},
    {"doors", test_doors},
};
enum { SUITES = sizeof suites / sizeof *suites };

/* "hull_sets" of "hull_sets" and of "hull". */
static bool is_of(const char *name, const char *given) {
    const size_t length = strlen(given);
    return strncmp(name, given, length) == 0 && (name[length] == '\0' || name[length] == '_');
}

static bool is_named(const char *name, int argc, char **argv) {
    for (int k = 0; k < argc; k++)
        if (is_of(name, argv[k])) return true;
    return argc == 0;
}

static int list_suites(void) {
    for (size_t k = 0; k < SUITES; k++) printf("%s\n", suites[k].name);
    return 0;
}

static bool are_suites(int argc, char **argv) {
    for (int k = 0; k < argc; k++) {
        size_t found = 0;
        while (found < SUITES && !is_of(suites[found].name, argv[k])) found++;
        if (check(found < SUITES, "'%s' is no suite of tests", argv[k])) continue;
        return false;
    }
    return true;
}

/* [--small] [SUITE]..., or --list */
int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list_suites();
    const bool small = argc > 1 && strcmp(argv[1], "--small") == 0;
    argc -= 1 + small;
    argv += 1 + small;
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) == RIFFLE_ERROR_UNSUPPORTED) {
        printf("skipped: %s\n", riffle_error_detail());
        return SKIPPED;
    }
    check_seed();
    for (size_t k = 0; are_suites(argc, argv) && k < SUITES; k++)
        if (is_named(suites[k].name, argc, argv)) suites[k].run(small);
    return check_summary();
}
