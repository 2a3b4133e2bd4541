/* SPDX-License-Identifier: Apache-2.0
 *
 * multigpu GPUS LOG2 [COMMIT]: moves arrays of GPUS times 2^LOG2 bytes between the memories of the first GPUs of this host, beside copies
 * that carry the same bytes between the same GPUs and permute nothing. Prints one JSON document; COMMIT is named in it. Each result is looked at in
 * some places first. Times are of one of several moves that follow each other, medians. The first case has no access between GPUs, and
 * nor have the copies beside it.
 *
 *     multigpu 2 32 abc123 > results.json
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "riffle/cuda.h"
#include "riffle/multigpu.h"

enum { MOST = RIFFLE_MULTIGPU_MAX, TIMES = 7, MOVES = 4, SAMPLES = 2000, SPEC_BYTES = 96 };

/* GPUs with both parts of an array. */
typedef struct gpus {
    unsigned count;
    unsigned device[MOST];
    size_t bytes; /* each part has */
    char *src[MOST], *dst[MOST];
    cudaStream_t stream[MOST], links[MOST][MOST];
} gpus;

/* A move, and the messages that it consists of. */
typedef struct job {
    riffle_perm *perm;
    size_t elem_bytes;
    riffle_multigpu_options options;
    riffle_multigpu_cost cost;
    riffle_multigpu_plan *plan;
    size_t sends[MOST][MOST]; /* bytes */
} job;

static _Noreturn void stop(const char *what, const char *why) {
    fprintf(stderr, "multigpu: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void cuda(cudaError_t error, const char *what) {
    if (error != cudaSuccess) stop(what, cudaGetErrorString(error));
}

static void riffle(riffle_status status, const char *what) {
    if (status != RIFFLE_OK) stop(what, riffle_error_detail());
}

static void use(const gpus *g, unsigned p) { cuda(cudaSetDevice((int)g->device[p]), "a GPU"); }

static void wait_for_all(const gpus *g) {
    for (unsigned p = 0; p < g->count; p++) {
        use(g, p);
        cuda(cudaDeviceSynchronize(), "waiting");
    }
}

static void *memory_of(const gpus *g, unsigned p) {
    void *out = NULL;
    use(g, p);
    cuda(cudaMalloc(&out, g->bytes), "memory");
    return out;
}

static gpus find_gpus(unsigned count, size_t bytes) {
    gpus g = {.count = count, .bytes = bytes};
    int there = 0;
    cuda(cudaGetDeviceCount(&there), "counting GPUs");
    for (unsigned p = 0; p < count; p++) g.device[p] = p % (unsigned)there;
    for (unsigned p = 0; p < count; p++) {
        g.src[p] = memory_of(&g, p);
        g.dst[p] = memory_of(&g, p);
        cuda(cudaStreamCreateWithFlags(&g.stream[p], cudaStreamNonBlocking), "a stream");
        for (unsigned q = 0; q < count; q++)
            cuda(cudaStreamCreateWithFlags(&g.links[p][q], cudaStreamNonBlocking), "a stream");
    }
    return g;
}

/* -------------------------------------------------------------- moves and copies */

static void find_sends(const gpus *g, job *j) {
    for (unsigned p = 0; p < g->count; p++) {
        riffle_exchange *part;
        size_t count;
        riffle(riffle_exchange_create(j->perm, g->count, p, NULL, &part), "an exchange");
        const riffle_exchange_message *const list = riffle_exchange_sends(part, &count);
        for (size_t k = 0; k < count; k++) j->sends[p][list[k].rank] = (size_t)list[k].count * j->elem_bytes;
        riffle_exchange_free(part);
    }
}

static void move(const gpus *g, const job *j) {
    const void *const *src = (const void *const *)g->src;
    void *const *dst = (void *const *)(j->options.in_place ? g->src : g->dst);
    riffle(riffle_multigpu_execute(j->plan, dst, src, NULL, 0, g->stream), "a move");
}

static void copy(const gpus *g, const job *j) {
    for (unsigned p = 0; p < g->count; p++)
        for (unsigned q = 0; q < g->count; q++)
            if (p != q && j->sends[p][q] > 0)
                cuda(cudaMemcpyPeerAsync(g->dst[q], (int)g->device[q], g->src[p], (int)g->device[p],
                                         j->sends[p][q], g->links[p][q]),
                     "a copy between GPUs");
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds_of(const gpus *g, const job *j, void (*act)(const gpus *, const job *)) {
    double taken[TIMES];
    for (int k = -1; k < TIMES; k++) {
        wait_for_all(g);
        const double start = now();
        for (unsigned i = 0; i < MOVES; i++) act(g, j);
        wait_for_all(g);
        if (k >= 0) taken[k] = (now() - start) / MOVES;
    }
    qsort(taken, TIMES, sizeof *taken, by_size);
    return taken[TIMES / 2];
}

/* -------------------------------------------------------------- right first */

static uint64_t random_state = 1;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The first bytes of an element; samples have other ones than what was there before. */
static void put(const gpus *g, const job *j, uint64_t i, uint64_t value, size_t bytes) {
    const uint64_t part = g->bytes / j->elem_bytes;
    cuda(cudaMemcpy(g->src[i / part] + i % part * j->elem_bytes, &value, bytes, cudaMemcpyHostToDevice),
         "a sample");
}

static uint64_t get(const gpus *g, const job *j, uint64_t i, size_t bytes) {
    const uint64_t part = g->bytes / j->elem_bytes;
    char *const *const parts = j->options.in_place ? g->src : g->dst;
    uint64_t value = 0;
    cuda(cudaMemcpy(&value, parts[i / part] + i % part * j->elem_bytes, bytes, cudaMemcpyDeviceToHost),
         "a sample");
    return value;
}

static void check_samples(const gpus *g, const job *j) {
    static uint64_t index[SAMPLES];
    const uint64_t n = riffle_perm_length(j->perm);
    const size_t bytes = j->elem_bytes < 4 ? j->elem_bytes : 4;
    for (unsigned p = 0; p < g->count; p++) {
        use(g, p);
        cuda(cudaMemset(g->src[p], 0, g->bytes), "zeros");
        cuda(cudaMemset(g->dst[p], 0xa5, g->bytes), "poison");
    }
    for (unsigned k = 0; k < SAMPLES; k++) index[k] = next_random() % n;
    for (unsigned k = 0; k < SAMPLES; k++) put(g, j, index[k], index[k] & UINT32_MAX, bytes);
    wait_for_all(g);
    move(g, j);
    wait_for_all(g);
    for (unsigned k = 0; k < SAMPLES; k++)
        if (get(g, j, riffle_perm_at(j->perm, index[k]), bytes) != (index[k] & UINT32_MAX))
            stop("a move", "an element is in the wrong place");
}

/* -------------------------------------------------------------- cases */

static bool is_first = true;

static void measure(const gpus *g, const char *name, const char *by, size_t elem_bytes,
                    const riffle_multigpu_options *options) {
    job j = {.elem_bytes = elem_bytes, .options = *options};
    riffle(riffle_perm_parse(by, g->bytes / elem_bytes * g->count, &j.perm), by);
    riffle(riffle_multigpu_cost_of(j.perm, elem_bytes, g->count, &j.options, &j.cost), by);
    riffle(riffle_multigpu_plan_create(j.perm, elem_bytes, g->count, g->device, &j.options, &j.plan), by);
    find_sends(g, &j);
    check_samples(g, &j);
    const double seconds = seconds_of(g, &j, move), link = seconds_of(g, &j, copy);
    printf(
        "%s\n  {\"case\": \"%s\", \"by\": \"%s\", \"elem_bytes\": %zu, \"transport\": \"%s\", \"in_place\": "
        "%s, "
        "\"part_bytes\": %zu, "
        "\"passes\": %u, \"run_bytes\": %zu, \"volume_bytes\": %.0f, \"sent_bytes\": %.0f, \"seconds\": %.9f, "
        "\"link_seconds\": %.9f, \"ratio\": %.4f}",
        is_first ? "" : ",", name, by, elem_bytes,
        j.cost.transport == RIFFLE_MULTIGPU_TRANSPORT_COPIES ? "copies" : "peers",
        options->in_place ? "true" : "false", g->bytes, j.cost.passes, j.cost.run_bytes,
        (double)j.cost.exchange.volume * (double)elem_bytes,
        (double)j.cost.exchange.most_sent * (double)elem_bytes, seconds, link, seconds / link);
    is_first = false;
    fflush(stdout);
    riffle_multigpu_plan_free(j.plan);
    riffle_perm_free(j.perm);
}

/* Rank bits change places with those below, so that messages are as long as can be. */
static void name_exchange(const gpus *g, size_t elem_bytes, char out[SPEC_BYTES]) {
    const uint64_t each = g->bytes / elem_bytes / g->count;
    snprintf(out, SPEC_BYTES, "axes:%ux%ux%llu:1,0,2", g->count, g->count, (unsigned long long)each);
}

static void measure_all(const gpus *g) {
    static const riffle_multigpu_options copies = {.transport = RIFFLE_MULTIGPU_TRANSPORT_COPIES},
                                         peers = {.transport = RIFFLE_MULTIGPU_TRANSPORT_PEERS},
                                         in_place = {.in_place = true,
                                                     .transport = RIFFLE_MULTIGPU_TRANSPORT_PEERS};
    char exchange[SPEC_BYTES];
    name_exchange(g, 4, exchange);
    measure(g, "bit reversal of 4 bytes", "bit-reversal", 4, &copies); /* before any access is opened */
    measure(g, "blocks change places", exchange, 4, &peers);
    measure(g, "any affine map of 256 bytes", "random-affine:1", 256, &peers);
    measure(g, "any affine map of 128 bytes", "random-affine:1", 128, &peers);
    measure(g, "any affine map of 64 bytes", "random-affine:1", 64, &peers);
    measure(g, "bit reversal of 128 bytes", "bit-reversal", 128, &peers);
    measure(g, "bit reversal of 4 bytes", "bit-reversal", 4, &peers);
    measure(g, "any affine map of 4 bytes", "random-affine:1", 4, &peers);
    measure(g, "any affine map of 128 bytes", "random-affine:1", 128, &in_place);
    measure(g, "any affine map of 4 bytes", "random-affine:1", 4, &in_place);
}

int main(int argc, char **argv) {
    riffle_cuda_device gpu;
    const unsigned long count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0,
                        log2 = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (count < 1 || count > MOST || log2 < 16 || log2 > 40) stop("usage", "multigpu GPUS LOG2 [COMMIT]");
    riffle(riffle_cuda_describe(&gpu), "the GPU");
    const gpus g = find_gpus((unsigned)count, (size_t)1 << log2);
    printf("{\"engine\": \"cuda\", \"device\": \"%lu %s\", \"driver\": \"CUDA %u.%u\", \"version\": \"%s\", "
           "\"commit\": "
           "\"%s\", \"gpus\": %lu,\n \"results\": [",
           count, gpu.name, gpu.driver / 1000, gpu.driver / 10 % 100, riffle_version(),
           argc > 3 ? argv[3] : "unknown", count);
    measure_all(&g);
    printf("\n ]}\n");
    return EXIT_SUCCESS;
}
