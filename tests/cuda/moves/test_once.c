/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes, puts and shuffles of indices used once: lengths on both sides of where they are sorted, rows of all lengths,
 * orders with repeats and without, addresses of any alignment, graphs; what is wrong with indices is named, and what
 * is wrong with arguments refused.
 */
#include "test_once.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { GUARD = 512, POISON = 0xa5 };

typedef enum once_order { RANDOM, EQUAL, SORTED, FEW, REVERSED, STRIDED, ORDERS } once_order;

typedef struct once_case {
    bool puts;
    uint64_t n, m;
    size_t row_bytes, entry_bytes;
    once_order kind;
    size_t shift; /* shift of dst, src and indices, in units of each */
} once_case;

/* A case's arrays on both sides; the device's have guards around them. */
typedef struct once_arrays {
    uint64_t *index;
    unsigned char *entries, *src, *want, *got;
    char *device_entries, *device_src, *device_dst, *workspace;
    size_t entries_bytes, src_bytes, dst_bytes, workspace_bytes;
    size_t shift; /* shift of dst and src, in bytes */
    riffle_indices indices;
} once_arrays;

static cudaStream_t stream;

static void *host(size_t bytes) {
    void *out = malloc(bytes + 1);
    if (!check(out != NULL, "memory of the host")) abort();
    return out;
}

static char *device(size_t bytes) {
    void *out = NULL;
    if (!check_cuda(cudaMalloc(&out, bytes + 2 * GUARD), "memory of the device")) abort();
    cudaMemset(out, POISON, bytes + 2 * GUARD);
    cudaDeviceSynchronize(); /* `stream` does not wait for the default one's work */
    return out;
}

static uint64_t below(uint64_t n) { return check_random() % n; }

static uint64_t index_of(const once_case *c, uint64_t i) {
    switch (c->kind) {
    case EQUAL: return c->n / 3;
    case SORTED: return i * c->n / c->m;
    case REVERSED: return c->n - 1 - i * c->n / c->m;
    case FEW: return below(5) * (c->n / 5);
    case STRIDED: return i * 37 % c->n;
    default: return below(c->n);
    }
}

static void fill_indices(const once_case *c, uint64_t *index) {
    if (!c->puts) {
        for (uint64_t i = 0; i < c->m; i++) index[i] = index_of(c, i);
        return;
    }
    uint64_t *all = host(c->n * sizeof *all);
    for (uint64_t k = 0; k < c->n; k++) all[k] = c->kind == REVERSED ? c->n - 1 - k : k;
    for (uint64_t k = 0; c->kind != SORTED && c->kind != REVERSED && k < c->m; k++) {
        const uint64_t j = k + below(c->n - k), held = all[k];
        all[k] = all[j];
        all[j] = held;
    }
    memcpy(index, all, c->m * sizeof *index);
    free(all);
}

static size_t unit_of(size_t row_bytes) {
    const size_t unit = row_bytes & (~row_bytes + 1);
    return unit < 16 ? unit : 16;
}

static void send_indices(const once_case *c, once_arrays *a) {
    for (uint64_t i = 0; i < c->m; i++) {
        const uint32_t low = (uint32_t)a->index[i];
        memcpy(a->entries + i * c->entry_bytes, c->entry_bytes == 4 ? (const void *)&low : &a->index[i],
               c->entry_bytes);
    }
    cudaMemcpy(a->device_entries + GUARD + c->shift * c->entry_bytes, a->entries, a->entries_bytes,
               cudaMemcpyHostToDevice);
}

static void write_wanted(const once_case *c, once_arrays *a) {
    memset(a->want, POISON, a->dst_bytes);
    for (uint64_t i = 0; i < c->m; i++) {
        const uint64_t to = c->puts ? a->index[i] : i, from = c->puts ? i : a->index[i];
        memcpy(a->want + to * c->row_bytes, a->src + from * c->row_bytes, c->row_bytes);
    }
}

static void ask_workspace(const once_case *c, once_arrays *a) {
    const riffle_indices asked = {NULL, c->entry_bytes, c->m, c->n};
    check((c->puts ? riffle_cuda_put_workspace_bytes
                   : riffle_cuda_take_workspace_bytes)(&asked, c->row_bytes, &a->workspace_bytes) == RIFFLE_OK,
          "asking for a workspace");
}

static once_arrays create(const once_case *c) {
    const uint64_t src_rows = c->puts ? c->m : c->n, dst_rows = c->puts ? c->n : c->m;
    once_arrays a = {.entries_bytes = c->m * c->entry_bytes,
                     .src_bytes = src_rows * c->row_bytes,
                     .dst_bytes = dst_rows * c->row_bytes,
                     .shift = c->shift * unit_of(c->row_bytes)};
    a.index = host(c->m * sizeof *a.index);
    a.entries = host(a.entries_bytes);
    a.src = host(a.src_bytes);
    a.want = host(a.dst_bytes);
    a.got = host(a.dst_bytes + 2 * GUARD);
    fill_indices(c, a.index);
    for (size_t k = 0; k < a.src_bytes; k++) a.src[k] = (unsigned char)(check_random() >> 24);
    ask_workspace(c, &a);
    a.device_entries = device(a.entries_bytes + 16);
    a.device_src = device(a.src_bytes + 64);
    a.device_dst = device(a.dst_bytes + 64);
    a.workspace = device(a.workspace_bytes);
    a.indices =
        (riffle_indices){a.device_entries + GUARD + c->shift * c->entry_bytes, c->entry_bytes, c->m, c->n};
    cudaMemcpy(a.device_src + GUARD + a.shift, a.src, a.src_bytes, cudaMemcpyHostToDevice);
    send_indices(c, &a);
    write_wanted(c, &a);
    cudaDeviceSynchronize();
    return a;
}

static void drop(once_arrays *a) {
    free(a->index), free(a->entries), free(a->src), free(a->want), free(a->got);
    cudaFree(a->device_entries), cudaFree(a->device_src), cudaFree(a->device_dst), cudaFree(a->workspace);
}

static riffle_status move(const once_case *c, const once_arrays *a) {
    return (c->puts ? riffle_cuda_put : riffle_cuda_take)(
        &a->indices, c->row_bytes, a->device_dst + GUARD + a->shift, a->device_src + GUARD + a->shift,
        a->workspace + GUARD, a->workspace_bytes, stream);
}

static bool is_poison(const unsigned char *at, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        if (at[k] != POISON) return false;
    return true;
}

static void fetch(once_arrays *a) {
    check_cuda(cudaStreamSynchronize(stream), "a move along indices");
    cudaMemcpy(a->got, a->device_dst + a->shift, a->dst_bytes + 2 * GUARD, cudaMemcpyDeviceToHost);
}

static bool are_guards_intact(const once_arrays *a) {
    unsigned char guards[2 * GUARD];
    cudaMemcpy(guards, a->workspace, GUARD, cudaMemcpyDeviceToHost);
    cudaMemcpy(guards + GUARD, a->workspace + GUARD + a->workspace_bytes, GUARD, cudaMemcpyDeviceToHost);
    return is_poison(a->got, GUARD) && is_poison(a->got + GUARD + a->dst_bytes, GUARD) &&
           is_poison(guards, 2 * GUARD);
}

static void describe(const once_case *c, char what[160]) {
    snprintf(what, 160, "%s of %llu from %llu rows of %zu bytes, indices of %zu, order %d, shift %zu",
             c->puts ? "put" : "take", (unsigned long long)c->m, (unsigned long long)c->n, c->row_bytes,
             c->entry_bytes, (int)c->kind, c->shift);
}

static void run_case(const once_case *c) {
    char what[160];
    once_arrays a = create(c);
    describe(c, what);
    check(move(c, &a) == RIFFLE_OK, "%s: %s", what, riffle_error_detail());
    fetch(&a);
    check(memcmp(a.want, a.got + GUARD, a.dst_bytes) == 0, "%s: wrong", what);
    check(are_guards_intact(&a), "%s: a guard is gone", what);
    check(riffle_cuda_indices_check(&a.indices, a.workspace + GUARD, stream) == RIFFLE_OK, "%s: not right",
          what);
    drop(&a);
}

static void test_cases(unsigned rounds, uint64_t longest) {
    static const size_t rows[] = {1, 2, 4, 8, 16, 4, 3, 12, 32, 33, 100};
    for (unsigned k = 0; k < rounds; k++) {
        const uint64_t most = (uint64_t)1 << (1 + below((uint64_t)(64 - __builtin_clzll(longest))));
        once_case c = {.puts = k % 2,
                       .n = 1 + below(most),
                       .m = 1 + below(most),
                       .row_bytes = rows[below(COUNT(rows))],
                       .entry_bytes = below(2) ? 8 : 4,
                       .kind = (once_order)below(ORDERS),
                       .shift = below(3)};
        if (c.puts && c.m > c.n) c.m = c.n;
        run_case(&c);
    }
}

/* ------------------------------------------------------------------ shuffles */

static void test_shuffle(uint64_t n, uint64_t seed, size_t row_bytes) {
    riffle_perm *perm = NULL;
    check_arrays arrays = {0};
    size_t bytes = 0;
    char what[80];
    snprintf(what, sizeof what, "shuffle of %llu rows of %zu bytes", (unsigned long long)n, row_bytes);
    if (!check(riffle_perm_random(n, seed, &perm) == RIFFLE_OK, "%s", what) ||
        !arrays_create(n * row_bytes, &arrays))
        return;
    check(riffle_cuda_shuffle_workspace_bytes(n, row_bytes, &bytes) == RIFFLE_OK, "%s: bytes", what);
    char *const workspace = device(bytes);
    check(riffle_cuda_shuffle(n, seed, row_bytes, arrays.device_dst, arrays.device_src, workspace, bytes,
                              stream) == RIFFLE_OK,
          "%s: %s", what, riffle_error_detail());
    check_cuda(cudaStreamSynchronize(stream), what);
    arrays_moved(&arrays, perm, row_bytes, what);
    cudaFree(workspace);
    arrays_free(&arrays);
    riffle_perm_free(perm);
}

static void test_shuffles(bool small) {
    static const size_t rows[] = {1, 2, 4, 8, 16, 12, 64};
    for (unsigned k = 0; k < (small ? 7 : 40); k++)
        test_shuffle(1 + below((uint64_t)1 << (small ? 12 : 4 + below(19))), check_random(),
                     rows[k % COUNT(rows)]);
    if (!small) test_shuffle((1 << 24) + 77, 5, 4);
}

/* -------------------------------------------------------------------- errors */

static void test_wrong_indices(uint64_t n, uint64_t m, bool puts, size_t entry_bytes) {
    const once_case c = {puts, n, m, 4, entry_bytes, RANDOM, 0};
    once_arrays a = create(&c);
    const uint64_t first = below(m / 2), second = m / 2 + below(m / 2);
    char words[160];
    a.index[first] = n + 5;
    a.index[second] = UINT32_MAX;
    send_indices(&c, &a);
    snprintf(words, sizeof words, "indices: number %llu is %llu, which is not below n = %llu",
             (unsigned long long)first, (unsigned long long)n + 5, (unsigned long long)n);
    check(move(&c, &a) == RIFFLE_OK, "wrong indices: %s", riffle_error_detail());
    check_refused(riffle_cuda_indices_check(&a.indices, a.workspace + GUARD, stream),
                  RIFFLE_ERROR_INVALID_ARGUMENT, words, "an index out of range");
    fetch(&a);
    check(are_guards_intact(&a), "wrong indices: a guard is gone");
    drop(&a);
}

static void test_clash(uint64_t n, uint64_t m) {
    const once_case c = {true, n, m, 4, 4, RANDOM, 0};
    once_arrays a = create(&c);
    char words[80];
    a.index[below(m / 2)] = a.index[m - 1];
    send_indices(&c, &a);
    snprintf(words, sizeof words, "indices: two of them are %llu", (unsigned long long)a.index[m - 1]);
    check(move(&c, &a) == RIFFLE_OK, "a clash: %s", riffle_error_detail());
    check_refused(riffle_cuda_indices_check(&a.indices, a.workspace + GUARD, stream),
                  RIFFLE_ERROR_NOT_A_PERMUTATION, words, "a clash");
    fetch(&a);
    check(are_guards_intact(&a), "a clash: a guard is gone");
    drop(&a);
}

static void test_refusals(void) {
    const once_case c = {false, 5000, 4000, 4, 4, RANDOM, 0};
    once_arrays a = create(&c);
    char *const dst = a.device_dst + GUARD, *const src = a.device_src + GUARD, *const own = a.workspace + GUARD;
    const size_t bytes = a.workspace_bytes;
    const riffle_status wrong = RIFFLE_ERROR_INVALID_ARGUMENT;
    riffle_indices other = a.indices;
    check_refused(riffle_cuda_take(&a.indices, 4, dst, src, own, bytes - 1, stream), wrong, "are needed",
                  "a workspace too small");
    check_refused(riffle_cuda_take(&a.indices, 4, dst, src, NULL, bytes, stream), wrong, "are needed",
                  "no workspace");
    check_refused(riffle_cuda_take(&a.indices, 4, dst, src, own + 8, bytes, stream), wrong,
                  "not aligned to 256", "a workspace off its alignment");
    check_refused(riffle_cuda_take(&a.indices, 4, dst, src, dst, bytes, stream), wrong, "overlaps dst",
                  "a workspace on dst");
    check_refused(riffle_cuda_take(&a.indices, 4, dst + 2, src, own, bytes, stream), wrong,
                  "dst is not aligned", "dst off its alignment");
    check_refused(riffle_cuda_take(&a.indices, 4, dst, src + 1, own, bytes, stream), wrong,
                  "src is not aligned", "src off its alignment");
    check_refused(riffle_cuda_take(&a.indices, 4, dst, dst + 8, own, bytes, stream), wrong, "overlap",
                  "src on dst");
    check_refused(riffle_cuda_take(&a.indices, 4, NULL, src, own, bytes, stream), wrong, "dst is NULL",
                  "no dst");
    check_refused(riffle_cuda_take(&a.indices, 0, dst, src, own, bytes, stream), wrong, "at least 1 byte",
                  "rows of nothing");
    other.entries = (const char *)a.indices.entries + 1;
    check_refused(riffle_cuda_take(&other, 4, dst, src, own, bytes, stream), wrong, "indices are not aligned",
                  "indices off their alignment");
    other = a.indices, other.n = 0;
    check_refused(riffle_cuda_put(&other, 4, dst, src, own, bytes, stream), wrong, "array of 0 rows",
                  "indices into nothing");
    check_refused(riffle_cuda_shuffle((uint64_t)1 << 32, 1, 4, dst, src, own, bytes, stream),
                  RIFFLE_ERROR_LENGTH, "fewer than 2^32", "a shuffle too long");
    drop(&a);
}

/* Between host arrays, of any alignment, and by wrong indices not at all. */
static void test_host_take(const once_case *c) {
    once_arrays a = create(c);
    const riffle_indices indices = {a.entries, c->entry_bytes, c->m, c->n};
    const uint64_t wrong = c->n + 7;
    char words[80];
    memset(a.got, POISON, a.dst_bytes + 2 * GUARD);
    check(riffle_cuda_take_host(&indices, c->row_bytes, a.got + 1, a.src) == RIFFLE_OK,
          "a take of host arrays: %s", riffle_error_detail());
    check(memcmp(a.want, a.got + 1, a.dst_bytes) == 0 && a.got[0] == POISON && a.got[a.dst_bytes + 1] == POISON,
          "a take of %zu host rows of %zu bytes: wrong", (size_t)c->m, c->row_bytes);
    if (c->m > 0) {
        memset(a.got, POISON, a.dst_bytes);
        memcpy(a.entries + c->m / 2 * c->entry_bytes, &wrong, c->entry_bytes);
        snprintf(words, sizeof words, "indices: number %llu is %llu, which is not below",
                 (unsigned long long)(c->m / 2), (unsigned long long)wrong);
        check_refused(riffle_cuda_take_host(&indices, c->row_bytes, a.got, a.src),
                      RIFFLE_ERROR_INVALID_ARGUMENT, words, "a wrong index of a take of host arrays");
        for (size_t k = 0; k < a.dst_bytes; k++)
            if (!check(a.got[k] == POISON, "a wrong index: byte %zu was written", k)) break;
    }
    drop(&a);
}

static void test_host_takes(bool small) {
    test_host_take(&(once_case){false, 100, 0, 4, 8, RANDOM, 0});
    test_host_take(&(once_case){false, 1, 1, 1, 4, EQUAL, 0});
    test_host_take(&(once_case){false, 5003, 9001, 12, 8, RANDOM, 0});
    test_host_take(&(once_case){false, 70001, 50021, 5, 4, FEW, 0});
    if (!small) test_host_take(&(once_case){false, (1 << 24) + 1, (1 << 24) - 5, 4, 8, RANDOM, 0});
    const uint32_t entry = 0;
    uint32_t row = 1;
    const riffle_indices one = {&entry, sizeof entry, 1, 1};
    check_refused(riffle_cuda_take_host(&one, sizeof row, &row, &row), RIFFLE_ERROR_INVALID_ARGUMENT, "overlap",
                  "a take of host arrays onto themselves");
    check_refused(riffle_cuda_take_host(&one, sizeof row, NULL, &row), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "dst is NULL", "a take of host arrays to nowhere");
}

/* A captured take moves what the indices say when the graph is launched. */
static void test_graph(uint64_t n) {
    const once_case c = {false, n, n, 4, 4, RANDOM, 0};
    once_arrays a = create(&c);
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "a capture");
    check(move(&c, &a) == RIFFLE_OK, "in a capture: %s", riffle_error_detail());
    if (check_cuda(cudaStreamEndCapture(stream, &graph), "the end of a capture"))
        check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph");
    for (unsigned k = 0; ready != NULL && k < 2; k++) {
        fill_indices(&c, a.index);
        send_indices(&c, &a);
        write_wanted(&c, &a);
        cudaDeviceSynchronize();
        check_cuda(cudaGraphLaunch(ready, stream), "launching a graph");
        fetch(&a);
        check(memcmp(a.want, a.got + GUARD, a.dst_bytes) == 0, "a take in a graph: wrong");
    }
    if (ready != NULL) cudaGraphExecDestroy(ready);
    if (graph != NULL) cudaGraphDestroy(graph);
    drop(&a);
}

void test_once(bool small) {
    if (!check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream")) return;
    test_cases(small ? 20 : 150, small ? 4096 : 1 << 18);
    if (!small) test_cases(12, 1 << 24);
    for (unsigned kind = 0; kind < ORDERS && !small; kind++)
        for (unsigned puts = 0; puts < 2; puts++)
            run_case(&(once_case){puts, 20000003, 19999999, 4, puts ? 4 : 8, (once_order)kind, puts});
    if (!small) /* by tiles of the second-level cache, where it has 50 MiB */
        run_case(&(once_case){false, (1 << 26) + 77, (1 << 26) - 5, 8, 8, RANDOM, 1});
    test_shuffles(small);
    for (unsigned k = 0; k < 4; k++) {
        test_wrong_indices(9000, 8000, k % 2, k / 2 ? 4 : 8);
        if (!small) test_wrong_indices((1 << 24) + 1, 1 << 24, k % 2, k / 2 ? 4 : 8);
        if (!small && k % 2 == 0) test_wrong_indices((1 << 28) + 1, 1 << 26, false, k / 2 ? 4 : 8);
    }
    test_clash(9000, 8000);
    if (!small) test_clash((1 << 24) + 1, 1 << 24);
    test_refusals();
    test_host_takes(small);
    test_graph(10000);
    if (!small) test_graph(1 << 24);
    cudaStreamDestroy(stream);
}
