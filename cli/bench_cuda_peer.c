/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cuda_peer.h"

#include <stdio.h>
#include <string.h>

#include "bench_cuda_plan.h"
#include "bench_cuda_table.h"
#include "bench_data.h"
#include "bench_peers.h"

static riffle_status find_way(const char *name, bench_peer_way *way, bench_result *out) {
    static const char *const names[BENCH_PEER_WAYS] = {
        [BENCH_PEER_GATHER] = "thrust::gather",
        [BENCH_PEER_SORT] = "cub sort pairs",
        [BENCH_PEER_SHUFFLE] = "thrust::shuffle",
    };
    for (unsigned k = 0; k < BENCH_PEER_WAYS; ++k) {
        if (strcmp(name, names[k]) != 0) continue;
        *way = (bench_peer_way)k;
        return RIFFLE_OK;
    }
    snprintf(out->problem, sizeof out->problem, "there is no peer '%s'", name);
    return RIFFLE_ERROR_UNSUPPORTED;
}

/* What the peer is told: where elements go, or where they come from. */
static riffle_status make_map(const riffle_perm *perm, bench_peer *peer, bench_result *out) {
    riffle_perm *inverse;
    riffle_status status = riffle_perm_invert(perm, &inverse);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    void *map = NULL;
    status = bench_cuda_upload(peer->way == BENCH_PEER_GATHER ? inverse : perm, &map, out);
    peer->map = map;
    riffle_perm_free(inverse);
    return status;
}

static riffle_status allocate(size_t bytes, void **out_memory, bench_result *out) {
    return cuda_check(cudaMalloc(out_memory, bytes), "making room for a peer", out);
}

static riffle_status make_room(bench_peer *peer, bench_result *out) {
    void *keys = NULL;
    riffle_status status = cuda_check(bench_peer_measure(peer), "asking CUB for its scratch space", out);
    if (status == RIFFLE_OK) status = allocate(peer->n * sizeof(uint32_t), &keys, out);
    peer->keys = keys;
    if (status == RIFFLE_OK) status = allocate(peer->scratch_bytes, &peer->scratch, out);
    return status;
}

/* To be freed also after a failure. */
static riffle_status create(const bench_row *row, const riffle_perm *perm, bench_peer *peer,
                            bench_result *out) {
    *peer = (bench_peer){.n = (uint32_t)row->n, .elem_bytes = row->elem_bytes};
    riffle_status status = find_way(row->peer, &peer->way, out);
    if (status != RIFFLE_OK || peer->way == BENCH_PEER_SHUFFLE) return status;
    status = make_map(perm, peer, out);
    if (status == RIFFLE_OK && peer->way == BENCH_PEER_SORT) status = make_room(peer, out);
    out->plan_bytes = row->n * sizeof(uint32_t);
    out->workspace_bytes = peer->way == BENCH_PEER_SORT ? out->plan_bytes + peer->scratch_bytes : 0;
    return status;
}

static void destroy(bench_peer *peer) {
    cudaFree(peer->scratch);
    cudaFree(peer->keys);
    cudaFree(peer->map);
}

riffle_status bench_cuda_peer(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm;
    bench_peer peer;
    riffle_status status = bench_perm(row, row->by, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    (void)cudaGetLastError(); /* what failed in a row before must not be taken for the peer's failure */
    status = create(row, perm, &peer, out);
    const bool moves_along = peer.way != BENCH_PEER_SHUFFLE;
    if (status == RIFFLE_OK)
        status = bench_cuda_measure_move(NULL, &peer, moves_along ? perm : NULL, row, settings, out);
    destroy(&peer);
    riffle_perm_free(perm);
    return status;
}
