/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves between the memories of GPUs: by those that there are, in turn, and by one GPU alone, as several parts of its memory.
 */
#include "test_multigpu.h"

#include <stdio.h>
#include <string.h>

#include "../guarded.h"
#include "riffle/multigpu.h"

enum { MOST = 8, REPETITIONS = 2 };

/* Arrays in parts, and streams, of GPUs devices[0], devices[1], ... */
typedef struct parts {
    unsigned gpus;
    unsigned devices[MOST];
    size_t elem_bytes, bytes; /* an element has, and a part */
    bool in_place, callers_workspace;
    riffle_multigpu_transport transport;
    riffle_perm *perm;
    riffle_multigpu_plan *plan;
    unsigned char *before, *after; /* all parts, on the host */
    void *src[MOST], *dst[MOST];
    void *workspaces[MOST]; /* or the plan's own */
    size_t workspace_bytes;
    cudaStream_t streams[MOST];
    bool has_streams;
} parts;

static unsigned count_gpus(void) {
    int count = 0;
    check_cuda(cudaGetDeviceCount(&count), "counting GPUs");
    return count > 0 ? (unsigned)count : 1;
}

static void use(const parts *p, unsigned k) { check_cuda(cudaSetDevice((int)p->devices[k]), "a GPU"); }

static bool parts_create(const char *by, uint64_t n, parts *p) {
    const riffle_multigpu_options options = {
        .in_place = p->in_place, .callers_workspace = p->callers_workspace, .transport = p->transport};
    p->bytes = (size_t)n / p->gpus * p->elem_bytes;
    p->before = host(p->bytes * p->gpus);
    p->after = host(p->bytes * p->gpus);
    for (unsigned k = 0; k < p->gpus; k++) {
        use(p, k);
        p->src[k] = device(p->bytes);
        p->dst[k] = p->in_place ? p->src[k] : device(p->bytes);
        if (p->has_streams)
            check_cuda(cudaStreamCreateWithFlags(&p->streams[k], cudaStreamNonBlocking), "a stream");
    }
    cudaSetDevice(0);
    if (!check(riffle_perm_parse(by, n, &p->perm) == RIFFLE_OK, "%s: not parsed", by) ||
        !check(riffle_multigpu_plan_create(p->perm, p->elem_bytes, p->gpus, p->devices, &options, &p->plan) ==
                   RIFFLE_OK,
               "%s: not planned", by))
        return false;
    p->workspace_bytes = riffle_multigpu_plan_workspace_bytes(p->plan);
    for (unsigned k = 0; p->callers_workspace && k < p->gpus; k++) {
        use(p, k);
        p->workspaces[k] = device(p->workspace_bytes);
    }
    cudaSetDevice(0);
    return true;
}

static void parts_free(parts *p) {
    for (unsigned k = 0; k < p->gpus; k++) {
        use(p, k);
        if (p->dst[k] != p->src[k]) device_free(p->dst[k]);
        device_free(p->src[k]);
        device_free(p->workspaces[k]);
        if (p->streams[k] != NULL) cudaStreamDestroy(p->streams[k]);
    }
    cudaSetDevice(0);
    riffle_multigpu_plan_free(p->plan);
    riffle_perm_free(p->perm);
    free(p->before);
    free(p->after);
}

/* All on the parts' own streams: fresh elements in, and poison where they go. */
static void fill(parts *p) {
    for (size_t k = 0; k < p->bytes * p->gpus; k++) p->before[k] = (unsigned char)(check_random() >> 32);
    for (unsigned k = 0; k < p->gpus; k++) {
        use(p, k);
        cudaMemsetAsync(p->dst[k], POISON, p->bytes, p->streams[k]);
        check_cuda(cudaMemcpyAsync(p->src[k], p->before + k * p->bytes, p->bytes, cudaMemcpyHostToDevice,
                                   p->streams[k]),
                   "filling a part");
    }
    cudaSetDevice(0);
}

static bool fetch(parts *p) {
    bool is_intact = true;
    for (unsigned k = 0; k < p->gpus; k++) {
        use(p, k);
        check_cuda(cudaMemcpyAsync(p->after + k * p->bytes, p->dst[k], p->bytes, cudaMemcpyDeviceToHost,
                                   p->streams[k]),
                   "fetching a part");
    }
    for (unsigned k = 0; k < p->gpus; k++) {
        use(p, k);
        check_cuda(cudaStreamSynchronize(p->streams[k]), "a part's stream");
        is_intact = is_intact && are_guards_intact(p->dst[k], p->bytes);
        if (p->callers_workspace)
            is_intact = is_intact && are_guards_intact(p->workspaces[k], p->workspace_bytes);
    }
    cudaSetDevice(0);
    return is_intact;
}

static riffle_status execute(const parts *p) {
    return riffle_multigpu_execute(p->plan, p->dst, (const void *const *)p->src,
                                   p->callers_workspace ? p->workspaces : NULL, p->workspace_bytes,
                                   p->has_streams ? p->streams : NULL);
}

static void test_move(const char *by, uint64_t n, parts p) {
    if (parts_create(by, n, &p))
        for (unsigned k = 0; k < REPETITIONS; k++) {
            int current = -1;
            fill(&p);
            if (!check(execute(&p) == RIFFLE_OK, "%s by %u GPUs", by, p.gpus)) break;
            cudaGetDevice(&current);
            check(current == 0, "%s by %u GPUs: another GPU is current", by, p.gpus);
            const bool is_intact = fetch(&p);
            check(is_intact, "%s by %u GPUs: something beside a part was written", by, p.gpus);
            check(is_moved(p.perm, p.elem_bytes, p.after, p.before),
                  "%s by %u GPUs, elements of %zu bytes%s: elements in the wrong place", by, p.gpus,
                  p.elem_bytes, p.in_place ? ", in place" : "");
        }
    parts_free(&p);
}

/* GPUs in turn, or the first alone. */
static parts parts_of(unsigned gpus, bool spread, size_t elem_bytes) {
    const unsigned there = spread ? count_gpus() : 1;
    parts p = {.gpus = gpus, .elem_bytes = elem_bytes};
    for (unsigned k = 0; k < gpus; k++) p.devices[k] = k % there;
    return p;
}

static void test_moves_of(unsigned gpus, bool spread) {
    static const char *const all[] = {"identity", "reverse",           "bit-reversal",
                                      "shuffle",  "transpose:16x4096", "axes:2x2x16384:1,0,2"};
    char by[32];
    for (unsigned k = 0; k < 4 * sizeof all / sizeof all[0]; k++) {
        parts p = parts_of(gpus, spread, (size_t)1 << check_random() % 7);
        p.in_place = check_random() % 3 == 0;
        p.has_streams = check_random() % 2 == 0;
        p.callers_workspace = check_random() % 2 == 0;
        if (check_random() % 3 == 0) p.transport = RIFFLE_MULTIGPU_TRANSPORT_COPIES;
        test_move(all[k / 4], 1 << 16, p);
        snprintf(by, sizeof by, "random-affine:%llu", (unsigned long long)(check_random() % 1000000));
        test_move(by, (uint64_t)gpus << check_random() % 15, p);
    }
}

/* Streams of one capture: the others are behind what the first has, and it waits for them in the end. */
static bool order(const parts *p, cudaEvent_t event, unsigned before, unsigned after) {
    use(p, before);
    return check_cuda(cudaEventRecord(event, p->streams[before]), "an event of a capture") &&
           check_cuda(cudaStreamWaitEvent(p->streams[after], event, 0), "a stream of a capture");
}

static cudaGraphExec_t capture(const parts *p, cudaEvent_t *events) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    if (!check_cuda(cudaStreamBeginCapture(p->streams[0], cudaStreamCaptureModeGlobal), "a capture"))
        return NULL;
    for (unsigned k = 1; k < p->gpus; k++) order(p, events[0], 0, k);
    check(execute(p) == RIFFLE_OK, "several GPUs in a capture");
    for (unsigned k = 1; k < p->gpus; k++) order(p, events[k], k, 0);
    if (check_cuda(cudaStreamEndCapture(p->streams[0], &graph), "the end of a capture"))
        check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph");
    if (graph != NULL) cudaGraphDestroy(graph);
    return ready;
}

static void test_graph(uint64_t n, parts p) {
    cudaEvent_t events[MOST] = {NULL};
    p.has_streams = true;
    if (parts_create("bit-reversal", n, &p)) {
        for (unsigned k = 0; k < p.gpus; k++) {
            use(&p, k);
            cudaEventCreateWithFlags(&events[k], cudaEventDisableTiming);
        }
        const cudaGraphExec_t graph = capture(&p, events);
        for (unsigned k = 0; graph != NULL && k < REPETITIONS; k++) {
            fill(&p);
            fetch(&p);
            use(&p, 0);
            check_cuda(cudaGraphLaunch(graph, p.streams[0]), "launching a graph");
            check_cuda(cudaStreamSynchronize(p.streams[0]), "a graph");
            fetch(&p);
            check(is_moved(p.perm, p.elem_bytes, p.after, p.before), "a graph of several GPUs");
        }
        if (graph != NULL) cudaGraphExecDestroy(graph);
        for (unsigned k = 0; k < p.gpus; k++)
            if (events[k] != NULL) cudaEventDestroy(events[k]);
    }
    parts_free(&p);
}

static void test_graphs(uint64_t n) {
    for (unsigned k = 0; k < 4; k++) {
        parts p = parts_of(2, k % 2 != 0, 4);
        p.in_place = k / 2 != 0;
        test_graph(n, p);
    }
}

/* Before anything opens access between GPUs, where the host has the messages in between; else from GPU to GPU. */
static void test_copies(void) {
    for (unsigned k = 0; k < 8; k++) {
        parts p = parts_of(k / 4 == 0 ? 2 : 4, k % 2 != 0, 4);
        p.in_place = k / 2 % 2 != 0;
        p.has_streams = true;
        p.transport = RIFFLE_MULTIGPU_TRANSPORT_COPIES;
        test_move("bit-reversal", 1 << 20, p);
        if (k < 4) test_graph(1 << 16, p);
    }
}

static void check_transport(parts p, riffle_multigpu_transport wanted) {
    if (parts_create("bit-reversal", 1 << 12, &p))
        check(riffle_multigpu_plan_transport(p.plan) == wanted, "transport %d, not %d",
              (int)riffle_multigpu_plan_transport(p.plan), (int)wanted);
    parts_free(&p);
}

/* AUTO takes peers where there are some; all parts of one GPU are. */
static void test_transports(void) {
    parts p = parts_of(2, false, 4);
    check_transport(p, RIFFLE_MULTIGPU_TRANSPORT_PEERS);
    p.transport = RIFFLE_MULTIGPU_TRANSPORT_COPIES;
    check_transport(p, RIFFLE_MULTIGPU_TRANSPORT_COPIES);
    p = parts_of(2, true, 4);
    int can = 1;
    if (p.devices[1] != p.devices[0]) check_cuda(cudaDeviceCanAccessPeer(&can, 0, 1), "access");
    check_transport(p, can != 0 ? RIFFLE_MULTIGPU_TRANSPORT_PEERS : RIFFLE_MULTIGPU_TRANSPORT_COPIES);
}

static void check_part_refused(parts *p, void **part, void *wrong, const char *words) {
    void *const right = *part;
    *part = wrong;
    check_refused(execute(p), RIFFLE_ERROR_INVALID_ARGUMENT, words, words);
    *part = right;
}

static void test_refusals(void) {
    static const unsigned nowhere[] = {0, 1000};
    parts p = parts_of(2, false, 4);
    riffle_multigpu_plan *plan = NULL;
    if (parts_create("bit-reversal", 1 << 12, &p)) {
        check_refused(riffle_multigpu_plan_create(p.perm, 4, 2, nowhere, NULL, &plan),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "no GPU 1000", "a GPU that is not there");
        check_part_refused(&p, &p.dst[1], NULL, "dst[1] is NULL");
        check_part_refused(&p, &p.src[0], (char *)p.src[0] + 4, "src[0] does not begin on a multiple of 16");
        check_part_refused(&p, &p.dst[0], p.before, "not in a GPU's memory");
        check_part_refused(&p, &p.dst[1], (char *)p.dst[0] + 16, "dst[0] and dst[1] overlap");
        check_part_refused(&p, &p.src[1], p.dst[0], "dst[0] and src[1] overlap");
        if (count_gpus() > 1) {
            void *other = NULL;
            cudaSetDevice(1);
            check_cuda(cudaMalloc(&other, p.bytes), "memory of GPU 1");
            cudaSetDevice(0);
            check_part_refused(&p, &p.dst[0], other, "in the memory of GPU 1");
            cudaFree(other);
        }
    }
    check_cuda(cudaGetLastError(), "what refusals leave behind");
    parts_free(&p);
    p = parts_of(2, false, 4);
    p.in_place = true;
    if (parts_create("reverse", 1 << 12, &p)) {
        void *const other = device(p.bytes);
        check_part_refused(&p, &p.dst[1], other, "dst[1] is not src[1]");
        device_free(other);
    }
    parts_free(&p);
    p = parts_of(2, false, 4);
    p.callers_workspace = true;
    if (parts_create("bit-reversal", 1 << 12, &p)) {
        check_part_refused(&p, &p.workspaces[0], NULL, "the workspace has 0 bytes, and 8192 are needed");
        check_part_refused(&p, &p.workspaces[1], (char *)p.workspaces[1] + 16, "not aligned to 256");
        check_part_refused(&p, &p.workspaces[1], p.dst[0], "overlaps a part of dst");
        check_part_refused(&p, &p.workspaces[1], p.workspaces[0], "workspaces[0] and workspaces[1] overlap");
        p.callers_workspace = false;
        check_refused(execute(&p), RIFFLE_ERROR_INVALID_ARGUMENT, "bring one of 8192 bytes", "no workspaces");
        p.callers_workspace = true;
    }
    parts_free(&p);
    p = parts_of(2, false, 4);
    p.callers_workspace = true;
    p.transport = RIFFLE_MULTIGPU_TRANSPORT_COPIES;
    if (parts_create("bit-reversal", 1 << 12, &p)) {
        p.workspace_bytes /= 2;
        check_refused(execute(&p), RIFFLE_ERROR_INVALID_ARGUMENT, "has 8192 bytes, and 16384 are needed",
                      "workspaces without room for messages");
        p.workspace_bytes *= 2;
    }
    parts_free(&p);
    p = parts_of(2, false, 4);
    if (parts_create("identity", 0, &p)) check(execute(&p) == RIFFLE_OK, "nothing, by several GPUs");
    parts_free(&p);
}

/* Long enough for chunks: on the streams of the plan, and on those that others wait for. */
static void test_long_moves(void) {
    static const char *const all[] = {"random-affine:11", "bit-reversal", "axes:2x64x131072:1,0,2"};
    const uint64_t n = (uint64_t)1 << 24;
    for (unsigned k = 0; k < 4 * sizeof all / sizeof all[0]; k++) {
        parts p = parts_of(k / 2 % 2 == 0 ? 2 : 4, k % 2 == 0, 4);
        p.in_place = k % 4 == 1;
        p.has_streams = k % 4 != 2;
        test_move(all[k / 4], n, p);
    }
    test_graphs(n);
}

void test_multigpu(bool small) {
    test_copies();
    test_transports();
    for (unsigned gpus = 1; gpus <= MOST; gpus *= 2)
        for (unsigned spread = 0; spread < (count_gpus() > 1 ? 2 : 1); spread++)
            test_moves_of(gpus, spread != 0);
    test_graphs(1 << 16);
    test_refusals();
    if (!small) test_long_moves();
}
