/* SPDX-License-Identifier: Apache-2.0
 *
 * Array programs on the GPU against plain recursion: every type, sizes on both sides of a warp's tile and of the
 * largest, batches, in place and not, from host memory and in a captured graph.
 */
#include "test_programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"

typedef struct program_case {
    const char *text;
    riffle_type type;
    unsigned n;
    uint64_t batch;
    riffle_program_algorithm algorithm;
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
    if (check(riffle_cuda_program_execute(plan, a->dst, a->src, NULL) == RIFFLE_OK, "%s: %s", c->text,
              riffle_error_detail()))
        check_result(c, a, a->dst, "to another array");
    if (riffle_program_plan_in_place(plan) &&
        check(riffle_cuda_program_execute(plan, a->src, a->src, NULL) == RIFFLE_OK, "%s: %s", c->text,
              riffle_error_detail()))
        check_result(c, a, a->src, "in place");
    memset(a->got, 0xee, a->bytes);
    check(riffle_program_execute(plan, a->got, a->given) == RIFFLE_OK && worst_difference(c, a) <= 1e-5,
          "%s of 2^%u %s from the host's memory", c->text, c->n, riffle_type_string(c->type));
}

static void run_case(const program_case *c) {
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    program_arrays a;
    const riffle_program_options options = {.batch = c->batch, .algorithm = c->algorithm};
    if (!check(riffle_program_parse(c->text, NULL, c->n, &program) == RIFFLE_OK, "%s: %s", c->text,
               riffle_error_detail()))
        return;
    if (create(c, program, &a) &&
        check(riffle_program_plan_create(program, c->type, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
              "%s: %s", c->text, riffle_error_detail()))
        run_ways(c, plan, &a);
    destroy(&a);
    riffle_program_plan_free(plan);
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
    const program_case c = {"hadamard n | hadamard n | map (scale 2^(-n))", RIFFLE_TYPE_F32, N, 1,
                            RIFFLE_PROGRAM_FUSED};
    program_arrays a;
    check(riffle_program_parse(c.text, NULL, N, &program) == RIFFLE_OK, "parsed");
    if (!create(&c, program, &a)) return;
    check(riffle_program_plan_create(program, c.type, RIFFLE_ENGINE_CUDA, NULL, &plan) == RIFFLE_OK, "planned");
    check_cuda(cudaMemcpy(a.src, a.given, a.bytes, cudaMemcpyHostToDevice), "copying");
    check_cuda(cudaStreamCreate(&stream), "a stream");
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing");
    check(riffle_cuda_program_execute(plan, a.src, a.src, stream) == RIFFLE_OK, "captured");
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
    check_refused(riffle_cuda_program_execute(cpu, array, array + 8192, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "the plan is for the cpu engine; create it with RIFFLE_ENGINE_CUDA", "a plan for the host");
    check_refused(riffle_cuda_program_execute(plan, array, array, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "this plan moves elements", "in place");
    check_refused(riffle_cuda_program_execute(plan, array, array + 64, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "overlap", "overlapping arrays");
    check_refused(riffle_cuda_program_execute(plan, array, array + 8194, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "src is not aligned to", "an odd address");
    cudaFree(array);
    riffle_program_plan_free(cpu);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
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
            program_case c = {all[k].text, all[k].type, sizes[s], batch, RIFFLE_PROGRAM_FUSED};
            run_case(&c);
            c.algorithm = RIFFLE_PROGRAM_PAPER;
            run_case(&c);
        }
    }
    capture();
    refusals();
}
