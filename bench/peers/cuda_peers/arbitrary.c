/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of Thrust and CUB for moving arrays along random permutations, as `riffle-bench --suite arbitrary` times riffle.
 */
#include "bench/data.h"
#include "document.h"
#include "gpu/arrays.h"
#include "gpu/timing.h"
#include "kinds/table.h"
#include "late.h"
#include "peers.h"
#include "ways.h"

static const char *const names[PEER_WAYS] = {
    [PEER_GATHER] = "thrust::gather",
    [PEER_SORT] = "cub sort pairs",
    [PEER_SHUFFLE] = "thrust::shuffle",
};

/* thrust::shuffle at 2^24 and more alone: it allocates, and shorter moves are timed within a graph. */
static const struct {
    peer_way way;
    unsigned bits;
    size_t elem_bytes;
} rows[] = {
    {PEER_GATHER, 20, 4},  {PEER_GATHER, 22, 4}, {PEER_GATHER, 24, 4},  {PEER_GATHER, 26, 4},
    {PEER_GATHER, 28, 4},  {PEER_GATHER, 27, 8}, {PEER_GATHER, 26, 16}, {PEER_SORT, 20, 4},
    {PEER_SORT, 22, 4},    {PEER_SORT, 24, 4},   {PEER_SORT, 26, 4},    {PEER_SORT, 28, 4},
    {PEER_SORT, 27, 8},    {PEER_SORT, 26, 16},  {PEER_SHUFFLE, 24, 4}, {PEER_SHUFFLE, 26, 4},
    {PEER_SHUFFLE, 28, 4},
};
enum { ROWS = sizeof rows / sizeof rows[0], REPEAT = 20 };

/* Makes the peer's map: where elements go, or where they come from. */
static riffle_status make_map(const riffle_perm *perm, peer *p, bench_result *out) {
    riffle_perm *inverse;
    riffle_status status = riffle_perm_invert(perm, &inverse);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    void *map = NULL;
    status = bench_cuda_upload(p->way == PEER_GATHER ? inverse : perm, &map, out);
    p->map = map;
    riffle_perm_free(inverse);
    return status;
}

static riffle_status allocate(size_t bytes, void **out_memory, bench_result *out) {
    return cuda_check(cudaMalloc(out_memory, bytes), "making room for a peer", out);
}

static riffle_status make_room(peer *p, bench_result *out) {
    void *keys = NULL;
    riffle_status status = cuda_check(peer_measure(p), "asking CUB for its scratch space", out);
    if (status == RIFFLE_OK) status = allocate(p->n * sizeof(uint32_t), &keys, out);
    p->keys = keys;
    if (status == RIFFLE_OK) status = allocate(p->scratch_bytes, &p->scratch, out);
    return status;
}

/* To be freed also after a failure. */
static riffle_status create(const bench_row *row, peer_way way, const riffle_perm *perm, peer *p,
                            bench_result *out) {
    *p = (peer){.way = way, .n = (uint32_t)row->n, .elem_bytes = row->elem_bytes};
    if (way == PEER_SHUFFLE) return RIFFLE_OK;
    riffle_status status = make_map(perm, p, out);
    if (status == RIFFLE_OK && way == PEER_SORT) status = make_room(p, out);
    out->plan_bytes = row->n * sizeof(uint32_t);
    out->workspace_bytes = way == PEER_SORT ? out->plan_bytes + p->scratch_bytes : 0;
    return status;
}

static void destroy(peer *p) {
    cudaFree(p->scratch);
    cudaFree(p->keys);
    cudaFree(p->map);
}

static riffle_status queue(const void *by, void *dst, const void *src, cudaStream_t stream, bench_result *out) {
    return cuda_check(peer_move(by, dst, src, stream), "moving by a peer", out);
}

/* Checks a shuffle, whose permutation nobody knows, only for all words being there in another order. */
static riffle_status check(const cuda_mover *mover, const riffle_perm *perm, const bench_row *row,
                           cuda_arrays *arrays, bench_result *out) {
    const peer *p = mover->by;
    const bench_move move = bench_move_of(row, perm);
    if (p->way != PEER_SHUFFLE) return bench_cuda_check(mover, &move, arrays, out);
    int same = 0;
    riffle_status status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, mover, out);
    if (status != RIFFLE_OK) return status;
    const uint64_t words = row->n * row->elem_bytes / sizeof(uint32_t);
    status = cuda_check(peer_compare_words(arrays->dst, arrays->src, words, &same), "comparing arrays", out);
    out->right = same != 0;
    return status;
}

static riffle_status measure_by(const peer *p, const riffle_perm *perm, const bench_row *row,
                                bench_result *out) {
    const cuda_mover mover = {queue, p};
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = check(&mover, perm, row, &arrays, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(&mover, REPEAT, &arrays, out);
    cuda_arrays_free(&arrays);
    return status;
}

static riffle_status measure(const bench_row *row, peer_way way, bench_result *out) {
    riffle_perm *perm;
    peer p;
    riffle_status status = bench_perm(row, row->by, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    (void)cudaGetLastError(); /* an error of an earlier row must not be taken for the peer's failure */
    status = create(row, way, perm, &p, out);
    if (status == RIFFLE_OK) status = measure_by(&p, perm, row, out);
    destroy(&p);
    riffle_perm_free(perm);
    return status;
}

static bool print_row(unsigned k, const peers_choice *choice) {
    static const char suite[] = "arbitrary-peers";
    const bench_row row = {
        .by = "random:1", .n = (uint64_t)1 << rows[k].bits, .elem_bytes = rows[k].elem_bytes, .as_spec = true};
    const char *name = names[rows[k].way];
    bench_result result = {.right = false};
    if (!bench_row_is_named(&row, choice->only)) return true;
    if (peers_are_late(choice)) {
        document_skip(suite, &row, name, name);
        return true;
    }
    const riffle_status status = measure(&row, rows[k].way, &result);
    return document_print(suite, &row, name, name, status, &result);
}

bool peers_arbitrary(const peers_choice *choice) {
    bool right = true;
    document_begin("");
    for (unsigned k = 0; k < ROWS; ++k) right &= print_row(k, choice);
    document_end();
    return right;
}
