/* SPDX-License-Identifier: Apache-2.0
 *
 * Array programs on the GPU against plain recursion: every type, sizes on both sides of a warp's tile and of the
 * largest, batches, in place and not, from host memory and in a captured graph; users' operations against built-in ones
 * that do the same; the sorting network by the zero-one principle and on long arrays.
 */
#include "test_programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"
#include "riffle/program.h"

typedef struct program_case {
    const char *text;
    riffle_type type;
    unsigned n;
    uint64_t batch;
    riffle_program_algorithm algorithm;
    const char *same; /* a program of built-in operations that does the same; NULL: the text */
} program_case;

/* An array on both sides, and what it should become. */
typedef struct program_arrays {
    size_t bytes;
    char *given, *wanted, *got;
    void *src, *dst;
} program_arrays;

static size_t bytes_of(const program_case *c) {
    return (size_t)(c->batch << c->n) * riffle_type_bytes(c->type);
}

/* Small numbers, so that sums are exact: halves of them in halves. */
static void fill(const program_case *c, char *data) {
    const size_t elements = (size_t)c->batch << c->n;
    for (size_t k = 0; k < elements * (c->type >= RIFFLE_TYPE_C64 ? 2 : 1); k++) {
        static const uint16_t halves[] = {0, 0x3c00, 0xbc00, 0x4000};
        const uint64_t random = check_random();
        const int value = (int)(random % 9) - 4;
        switch (c->type) {
        case RIFFLE_TYPE_F16: ((uint16_t *)data)[k] = halves[random % 4]; break;
        case RIFFLE_TYPE_F32:
        case RIFFLE_TYPE_C64: ((float *)data)[k] = (float)value; break;
        case RIFFLE_TYPE_F64:
        case RIFFLE_TYPE_C128: ((double *)data)[k] = value; break;
        default: memcpy(data + k * riffle_type_bytes(c->type), &random, riffle_type_bytes(c->type));
        }
    }
}

/* Complex numbers are rotated, so they differ by roundings; sums of halves too. */
static double worst_difference(const program_case *c, const program_arrays *a) {
    double worst = 0, most = 1;
    if (c->type < RIFFLE_TYPE_C64) return memcmp(a->got, a->wanted, a->bytes) == 0 ? 0 : 1;
    for (size_t k = 0; k < 2 * (size_t)c->batch << c->n; k++) {
        const bool is_double = c->type == RIFFLE_TYPE_C128;
        const double got = is_double ? ((double *)a->got)[k] : (double)((float *)a->got)[k];
        const double wanted = is_double ? ((double *)a->wanted)[k] : (double)((float *)a->wanted)[k];
        worst = fmax(worst, isnan(got) ? HUGE_VAL : fabs(got - wanted));
        most = fmax(most, fabs(wanted));
    }
    return worst / most;
}

static bool create(const program_case *c, const riffle_program *program, program_arrays *a) {
    *a = (program_arrays){.bytes = bytes_of(c)};
    a->given = malloc(a->bytes);
    a->wanted = malloc(a->bytes);
    a->got = malloc(a->bytes);
    if (!check(a->given != NULL && a->wanted != NULL && a->got != NULL, "memory for %zu bytes", a->bytes) ||
        !check_cuda(cudaMalloc(&a->src, a->bytes), "cudaMalloc") ||
        !check_cuda(cudaMalloc(&a->dst, a->bytes), "cudaMalloc"))
        return false;
    fill(c, a->given);
    memcpy(a->wanted, a->given, a->bytes);
    for (uint64_t k = 0; k < c->batch; k++)
        riffle_program_evaluate(program, c->type, a->wanted + k * (a->bytes / c->batch));
    return true;
}

static void destroy(program_arrays *a) {
    cudaFree(a->dst);
    cudaFree(a->src);
    free(a->got);
    free(a->wanted);
    free(a->given);
}

static void check_result(const program_case *c, program_arrays *a, const void *device, const char *how) {
    memset(a->got, 0xee, a->bytes);
    if (!check_cuda(cudaMemcpy(a->got, device, a->bytes, cudaMemcpyDeviceToHost), "copying back")) return;
    check(worst_difference(c, a) <= 1e-5, "%s of %llu arrays of 2^%u %s, %s, %s: differs", c->text,
          (unsigned long long)c->batch, c->n, riffle_type_string(c->type),
          riffle_program_algorithm_string(c->algorithm), how);
}

static void run_ways(const program_case *c, const riffle_program_plan *plan, program_arrays *a) {
    cudaMemcpy(a->src, a->given, a->bytes, cudaMemcpyHostToDevice);
    cudaMemset(a->dst, 0xee, a->bytes);
    if (check(riffle_cuda_program_execute(plan, a->dst, a->src, NULL, 0, NULL) == RIFFLE_OK, "%s: %s", c->text,
              riffle_error_detail()))
        check_result(c, a, a->dst, "to another array");
    if (riffle_program_plan_in_place(plan) &&
        check(riffle_cuda_program_execute(plan, a->src, a->src, NULL, 0, NULL) == RIFFLE_OK, "%s: %s", c->text,
              riffle_error_detail()))
        check_result(c, a, a->src, "in place");
    memset(a->got, 0xee, a->bytes);
    check(riffle_program_execute(plan, a->got, a->given) == RIFFLE_OK && worst_difference(c, a) <= 1e-5,
          "%s of 2^%u %s from the host's memory", c->text, c->n, riffle_type_string(c->type));
}

/* The library's network and transform, of users' operations. */
static const char definitions[] = "column 0 = id\n"
                                  "column 1 = pair {b < a ? b : a, b < a ? a : b}\n"
                                  "column n = parm 3 (column (n-1))\n"
                                  "merge 0 = id\n"
                                  "merge n = column n | parm 2^(n-1) (merge (n-1))\n"
                                  "own-sort 0 = id\n"
                                  "own-sort n = parm 1 (own-sort (n-1)) | merge n\n"
                                  "own-hadamard 0 = id\n"
                                  "own-hadamard n = pair {a + b, a - b} | parm 1 (own-hadamard (n-1))\n"
                                  "swaps 0 = id\n"
                                  "swaps k = pair swap | parm 1 (swaps (k-1))\n"
                                  "butterflies 0 = id\n"
                                  "butterflies k = pair butterfly | parm 1 (butterflies (k-1))\n";

static void run_case(const program_case *c) {
    riffle_program *program = NULL, *same = NULL;
    riffle_program_plan *plan = NULL;
    program_arrays a;
    const riffle_program_options options = {.batch = c->batch, .algorithm = c->algorithm};
    const char *const built_in = c->same != NULL ? c->same : c->text;
    if (!check(riffle_program_parse(c->text, definitions, c->n, &program) == RIFFLE_OK, "%s: %s", c->text,
               riffle_error_detail()) ||
        !check(riffle_program_parse(built_in, definitions, c->n, &same) == RIFFLE_OK, "%s: %s", built_in,
               riffle_error_detail()))
        return;
    if (create(c, same, &a) &&
        check(riffle_program_plan_create(program, c->type, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
              "%s: %s", c->text, riffle_error_detail()))
        run_ways(c, plan, &a);
    destroy(&a);
    riffle_program_plan_free(plan);
    riffle_program_free(same);
    riffle_program_free(program);
}

/* Twice from one graph: the second transform is the first one's inverse times 2^n. */
static void capture(void) {
    enum { N = 15 };
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    const program_case c = {
        .text = "hadamard n | hadamard n | map (scale 2^(-n))", .type = RIFFLE_TYPE_F32, .n = N, .batch = 1};
    program_arrays a;
    check(riffle_program_parse(c.text, NULL, N, &program) == RIFFLE_OK, "parsed");
    if (!create(&c, program, &a)) return;
    check(riffle_program_plan_create(program, c.type, RIFFLE_ENGINE_CUDA, NULL, &plan) == RIFFLE_OK, "planned");
    check_cuda(cudaMemcpy(a.src, a.given, a.bytes, cudaMemcpyHostToDevice), "copying");
    check_cuda(cudaStreamCreate(&stream), "a stream");
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing");
    check(riffle_cuda_program_execute(plan, a.src, a.src, NULL, 0, stream) == RIFFLE_OK, "captured");
    check_cuda(cudaStreamEndCapture(stream, &graph), "the end of the capture");
    check_cuda(cudaGraphInstantiate(&ready, graph, 0), "the graph");
    for (unsigned k = 0; k < 2; k++) check_cuda(cudaGraphLaunch(ready, stream), "the graph's launch");
    check_cuda(cudaStreamSynchronize(stream), "the graph");
    memcpy(a.wanted, a.given, a.bytes);
    check_result(&c, &a, a.src, "in a graph");
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    destroy(&a);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static bool all_ones(const float *got, size_t count) {
    size_t k = 0;
    while (k < count && got[k] == 1) k++;
    return k == count;
}

/* Executions of one plan on two streams, each with a workspace of its own: they do not wait for each other, and turn about with
 * other numbers. The plan does nothing in the end: a transform and its inverse, each element moved before and after. */
static void two_streams(void) {
    enum { N = 20, TIMES = 20 };
    const size_t count = (size_t)1 << N;
    const char text[] = "hadamard n | bit-reversal | hadamard n | bit-reversal | map (scale 2^(-n))";
    const riffle_program_options options = {.algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER};
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    float *const ones = malloc(count * sizeof *ones);
    void *src[2], *dst[2], *workspace[2];
    cudaStream_t stream[2];
    unsigned wrong = 0;
    check(riffle_program_parse(text, NULL, N, &program) == RIFFLE_OK &&
              riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CUDA, &options, &plan) ==
                  RIFFLE_OK,
          "planned: %s", riffle_error_detail());
    const size_t bytes = riffle_program_plan_workspace_bytes(plan);
    check(bytes == count * sizeof *ones, "a third array has %zu bytes", bytes);
    for (size_t k = 0; k < count; k++) ones[k] = 1;
    for (unsigned s = 0; s < 2; s++) {
        check_cuda(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking), "a stream");
        check_cuda(cudaMalloc(&src[s], bytes), "src");
        check_cuda(cudaMalloc(&dst[s], bytes), "dst");
        check_cuda(cudaMalloc(&workspace[s], bytes), "a workspace");
        check_cuda(cudaMemset(src[s], 0, bytes), "zeros");
    }
    check_cuda(cudaMemcpy(src[1], ones, bytes, cudaMemcpyHostToDevice), "ones");
    for (unsigned k = 0; k < 2 * TIMES; k++)
        check(riffle_cuda_program_execute(plan, dst[k % 2], src[k % 2], workspace[k % 2],
                                          riffle_program_plan_workspace_bytes(plan),
                                          stream[k % 2]) == RIFFLE_OK,
              "two streams: %s", riffle_error_detail());
    check_cuda(cudaDeviceSynchronize(), "two streams");
    check_cuda(cudaMemcpy(ones, dst[1], bytes, cudaMemcpyDeviceToHost), "copying back");
    check(all_ones(ones, count), "the second stream's array differs");
    check_cuda(cudaMemcpy(ones, dst[0], bytes, cudaMemcpyDeviceToHost), "copying back");
    for (size_t k = 0; k < count; k++) wrong += ones[k] != 0;
    check(wrong == 0, "the first stream's array differs");
    check_refused(riffle_cuda_program_execute(plan, dst[0], src[0], (char *)workspace[0] + 16,
                                              riffle_program_plan_workspace_bytes(plan), NULL),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace is not aligned to 256 bytes",
                  "an odd workspace");
    check_refused(riffle_cuda_program_execute(plan, dst[0], src[0], dst[0],
                                              riffle_program_plan_workspace_bytes(plan), NULL),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "bytes overlaps dst; bring one apart",
                  "a workspace that is dst");
    for (unsigned s = 0; s < 2; s++) {
        cudaFree(workspace[s]);
        cudaFree(dst[s]);
        cudaFree(src[s]);
        cudaStreamDestroy(stream[s]);
    }
    free(ones);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static void refusals(void) {
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL, *cpu = NULL;
    char *array;
    check(riffle_program_parse("reverse", NULL, 10, &program) == RIFFLE_OK, "parsed");
    check(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CUDA, NULL, &plan) == RIFFLE_OK,
          "planned");
    check(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, &cpu) == RIFFLE_OK,
          "planned");
    if (!check_cuda(cudaMalloc((void **)&array, 16384), "cudaMalloc")) return;
    check_refused(riffle_cuda_program_execute(cpu, array, array + 8192, NULL, 0, NULL),
                  RIFFLE_ERROR_INVALID_ARGUMENT,
                  "the plan is for the cpu engine; create it with RIFFLE_ENGINE_CUDA", "a plan for the host");
    check_refused(riffle_cuda_program_execute(plan, array, array, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "this plan moves elements", "in place");
    check_refused(riffle_cuda_program_execute(plan, array, array + 64, NULL, 0, NULL),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "overlap", "overlapping arrays");
    check_refused(riffle_cuda_program_execute(plan, array, array + 8194, NULL, 0, NULL),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "src is not aligned to", "an odd address");
    cudaFree(array);
    riffle_program_plan_free(cpu);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

/* The zero-one principle: a network that sorts all inputs of zeros and ones sorts all. */
static void all_zero_one_inputs(void) {
    enum { INPUTS = 1 << 16 };
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    const riffle_program_options options = {.batch = INPUTS};
    uint8_t *const data = malloc(16 * INPUTS);
    unsigned wrong = 0;
    for (unsigned i = 0; i < 16 * INPUTS; i++) data[i] = (uint8_t)(i / 16 >> i % 16 & 1);
    check(riffle_program_parse("sort n", NULL, 4, &program) == RIFFLE_OK &&
              riffle_program_plan_create(program, RIFFLE_TYPE_U8, RIFFLE_ENGINE_CUDA, &options, &plan) ==
                  RIFFLE_OK &&
              riffle_program_execute(plan, data, data) == RIFFLE_OK,
          "zeros and ones: %s", riffle_error_detail());
    for (unsigned i = 0; i < 16 * INPUTS; i++)
        wrong += data[i] != (i % 16 >= 16 - (unsigned)__builtin_popcount(i / 16));
    check(wrong == 0, "zeros and ones: %u in the wrong place", wrong);
    free(data);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static uint64_t mixed(uint32_t x) {
    uint64_t z = x + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 31;
}

/* Ascending, and the same elements by the sum of what they are mixed to. */
static void long_array(unsigned n) {
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    const size_t count = (size_t)1 << n;
    uint32_t *const data = malloc(count * sizeof *data);
    uint64_t before = 0, after = 0, descents = 0;
    for (size_t k = 0; k < count; k++) before += mixed(data[k] = (uint32_t)check_random());
    check(riffle_program_parse("sort n", NULL, n, &program) == RIFFLE_OK &&
              riffle_program_plan_create(program, RIFFLE_TYPE_U32, RIFFLE_ENGINE_CUDA, NULL, &plan) ==
                  RIFFLE_OK &&
              riffle_program_execute(plan, data, data) == RIFFLE_OK,
          "sorting 2^%u: %s", n, riffle_error_detail());
    for (size_t k = 0; k < count; k++) {
        after += mixed(data[k]);
        descents += k > 0 && data[k] < data[k - 1];
    }
    check(descents == 0 && before == after, "sort n of 2^%u: %llu descents, %s elements", n,
          (unsigned long long)descents, before == after ? "the same" : "other");
    free(data);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

/* The host's arrays are as they were where the GPU has no room for them. */
static void memory_that_is_short(void) {
    enum { N = 24 };
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    size_t left = 0, all = 0;
    void *held = NULL;
    const size_t bytes = sizeof(float) << N;
    float *const src = calloc(bytes, 1), *const dst = calloc(bytes, 1);
    src[0] = 1;
    check(riffle_program_parse("hadamard n", NULL, N, &program) == RIFFLE_OK &&
              riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CUDA, NULL, &plan) ==
                  RIFFLE_OK,
          "planned");
    check_cuda(cudaMemGetInfo(&left, &all), "free memory");
    if (check_cuda(cudaMalloc(&held, left - bytes / 2), "nearly all memory"))
        check_refused(riffle_program_execute(plan, dst, src), RIFFLE_ERROR_OUT_OF_MEMORY,
                      "the GPU has no 67108864 bytes left for src", "short memory");
    check(dst[0] == 0 && dst[1] == 0 && src[0] == 1, "short memory: arrays were written");
    cudaFree(held);
    check(riffle_program_execute(plan, dst, src) == RIFFLE_OK && dst[1] == 1, "memory is there again");
    free(dst);
    free(src);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static bool has_nvrtc(void) {
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    riffle_program_parse("map {a}", NULL, 0, &program);
    const riffle_status status =
        riffle_program_plan_create(program, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CUDA, NULL, &plan);
    if (status == RIFFLE_ERROR_UNSUPPORTED)
        printf("users' operations are left out: %s\n", riffle_error_detail());
    riffle_program_plan_free(plan);
    riffle_program_free(program);
    return status != RIFFLE_ERROR_UNSUPPORTED;
}

/* Each index and each number of groups: 1000 times the first and the second sub-index. */
static void sub_indices(void) {
    enum { N = 14 };
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    static int64_t data[1 << N];
    unsigned wrong = 0;
    if (!has_nvrtc()) return;
    for (int k = 0; k < 1 << N; k++) data[k] = k;
    check(riffle_program_parse("map {a + 1000 * i} | parm 1 (pair {a, b + i}) id", NULL, N, &program) ==
                  RIFFLE_OK &&
              riffle_program_plan_create(program, RIFFLE_TYPE_I64, RIFFLE_ENGINE_CUDA, NULL, &plan) ==
                  RIFFLE_OK &&
              riffle_program_execute(plan, data, data) == RIFFLE_OK,
          "sub-indices: %s", riffle_error_detail());
    for (int k = 0; k < 1 << N; k++) wrong += data[k] != 1001 * k + (k % 4 == 2 ? k / 4 : 0);
    check(wrong == 0, "sub-indices: %u elements differ", wrong);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static void users_refusals(void) {
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    check(riffle_program_parse("parm 1 (pair {a, c}) | sort n", NULL, 10, &program) == RIFFLE_OK, "parsed");
    check_refused(riffle_program_plan_create(program, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CUDA, NULL, &plan),
                  RIFFLE_ERROR_SYNTAX,
                  "program, line 1, character 14: NVRTC refuses this operation: identifier \"c\" is undefined",
                  "an operation that does not compile");
    check_refused(riffle_program_plan_create(program, RIFFLE_TYPE_C64, RIFFLE_ENGINE_CUDA, NULL, &plan),
                  RIFFLE_ERROR_UNSUPPORTED, "a user's operation takes integers, f32 and f64, not c64",
                  "a type that users' operations lack");
    check(plan == NULL, "no plan");
    riffle_program_free(program);
}

static void users_operations(void) {
    static const struct {
        const char *text, *same;
        riffle_type type;
    } all[] = {
        {"own-sort n", "sort n", RIFFLE_TYPE_U32},
        {"own-sort n", "sort n", RIFFLE_TYPE_I8},
        {"own-sort n", "sort n", RIFFLE_TYPE_F64},
        {"own-hadamard n", "hadamard n", RIFFLE_TYPE_F32},
        {"own-hadamard n | bit-reversal", "hadamard n | bit-reversal", RIFFLE_TYPE_U64},
        {"parm 1 (pair {a + b, a - b} | pair minmax) id", "parm 1 (pair butterfly | pair minmax) id",
         RIFFLE_TYPE_I16},
        {"parm 6 (group 2 {a0 + a1 + a2 + a3, a0 - a1 + a2 - a3, a0 + a1 - a2 - a3, a0 - a1 - a2 + a3}) (map "
         "{-a})",
         "parm 6 (butterflies 2) (map negate)", RIFFLE_TYPE_I32},
        {"group 3 {a7, a6, a5, a4, a3, a2, a1, a0} | own-hadamard n", "swaps 3 | hadamard n", RIFFLE_TYPE_U8},
        {"bit-reversal | group 4 {a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2, a1, a0}",
         "bit-reversal | swaps 4", RIFFLE_TYPE_U16},
        {"group 4 {a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2, a1, a0} | parm 1 (pair {b, "
         "a})",
         "swaps 4 | parm 1 (pair swap)", RIFFLE_TYPE_I64},
    };
    static const unsigned sizes[] = {5, 9, 14, 17};
    if (!has_nvrtc()) return;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const program_case c = {
                all[k].text, all[k].type, sizes[s], 1 + check_random() % 3, RIFFLE_PROGRAM_ALGORITHM_FUSED,
                all[k].same};
            run_case(&c);
        }
    }
    users_refusals();
}

void test_programs(bool small) {
    static const struct {
        const char *text;
        riffle_type type;
    } all[] = {
        {"sort n", RIFFLE_TYPE_U32},
        {"sort n", RIFFLE_TYPE_F64},
        {"bitonic n", RIFFLE_TYPE_I16},
        {"hadamard n", RIFFLE_TYPE_F32},
        {"hadamard n", RIFFLE_TYPE_F16},
        {"sequency n", RIFFLE_TYPE_F64},
        {"zeta n", RIFFLE_TYPE_I64},
        {"moebius n", RIFFLE_TYPE_U8},
        {"reed-muller n", RIFFLE_TYPE_U16},
        {"fft n", RIFFLE_TYPE_C64},
        {"inverse-fft n", RIFFLE_TYPE_C128},
        {"reverse", RIFFLE_TYPE_I32},
        {"gray n", RIFFLE_TYPE_U64},
        {"map negate", RIFFLE_TYPE_I8},
        {"id", RIFFLE_TYPE_F32},
    };
    static const unsigned sizes[] = {0, 1, 3, 5, 9, 10, 11, 13, 14, 15, 16, 18};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes - (small ? 4 : 0); s++) {
            if (all[k].type == RIFFLE_TYPE_F16 && sizes[s] > 15) continue; /* sums are no longer exact */
            const uint64_t batch = sizes[s] < 12 ? 1 + check_random() % 40 : 1 + check_random() % 3;
            program_case c = {all[k].text, all[k].type, sizes[s], batch, RIFFLE_PROGRAM_ALGORITHM_FUSED, NULL};
            run_case(&c);
            c.algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER;
            run_case(&c);
        }
    }
    capture();
    two_streams();
    refusals();
    memory_that_is_short();
    all_zero_one_inputs();
    long_array(small ? 17 : 24);
    users_operations();
    sub_indices();
}
