/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of CUB and Thrust for the rows of the suite sort-gpu, checked and timed as riffle-bench does riffle's.
 */
#include "kinds/sort.h"
#include "bench/data.h"
#include "document.h"
#include "late.h"
#include "peers.h"
#include "sort_ways.h"
#include "sorts/sorts.h"
#include "suites.h"

enum {
    REPEAT = 20,
    LEAST_BYTES = 1 << 27 /* that Thrust is given: it allocates, and short sorts are timed in a graph */
};

static const char *const names[SORT_PEER_WAYS] = {
    [SORT_PEER_MERGE] = "cub merge",         [SORT_PEER_RADIX] = "cub radix", [SORT_PEER_THRUST] = "thrust",
    [SORT_PEER_SEGMENTED] = "cub segmented", [SORT_PEER_PAIRS] = "cub pairs",
};

static riffle_status queue(const void *by, void *dst, void *indices, const void *src, cudaStream_t stream,
                           bench_result *out) {
    return cuda_check(sort_peer_sort(by, dst, indices, src, stream), "sorting by a peer", out);
}

static bool find_type(const bench_row *row, sort_peer_type *out) {
    if (bench_sort_is_rows(row)) {
        *out = SORT_PEER_ROWS;
        return true;
    }
    switch (row->type) {
    case RIFFLE_TYPE_U32: *out = SORT_PEER_U32; return true;
    case RIFFLE_TYPE_U64: *out = row->elem_bytes == 16 ? SORT_PEER_U128 : SORT_PEER_U64; return true;
    case RIFFLE_TYPE_I64: *out = SORT_PEER_I64; return true;
    case RIFFLE_TYPE_F32: *out = SORT_PEER_F32; return true;
    case RIFFLE_TYPE_F64: *out = SORT_PEER_F64; return true;
    default: return false;
    }
}

static bool can(const bench_row *row, sort_peer *p) {
    if (bench_sort_count(row) > 0 || bench_sort_parts(row)) return false; /* they sort */
    if (!find_type(row, &p->type) || !sort_peer_can(p, bench_sort_indices(row) > 0)) return false;
    return p->way != SORT_PEER_THRUST || row->n * row->elem_bytes >= LEAST_BYTES;
}

static riffle_status allocate(size_t bytes, void **to, bench_result *out) {
    return cuda_check(cudaMalloc(to, bytes), "making room for a peer", out);
}

static riffle_status make_room(const bench_row *row, sort_peer *p, bench_result *out) {
    void *indices = NULL, *first = NULL;
    riffle_status status =
        cuda_check(sort_peer_measure(p, bench_sort_indices(row) > 0), "asking for scratch space", out);
    if (status == RIFFLE_OK) status = allocate(p->scratch_bytes + 1, &p->scratch, out);
    if (status == RIFFLE_OK && bench_sort_indices(row) > 0)
        status = allocate(p->n * sizeof(uint32_t), &indices, out);
    if (status == RIFFLE_OK && p->way == SORT_PEER_SEGMENTED)
        status = allocate((p->segments + 1) * sizeof(uint32_t), &first, out);
    p->indices = indices;
    p->first = first;
    out->workspace_bytes = p->scratch_bytes;
    return status == RIFFLE_OK ? cuda_check(sort_peer_prepare(p), "filling indices", out) : status;
}

static riffle_status measure(const bench_row *row, sort_peer *p, bench_result *out) {
    (void)cudaGetLastError(); /* an error of an earlier row must not be taken for the peer's failure */
    riffle_status status = make_room(row, p, out);
    if (status == RIFFLE_OK) status = bench_cuda_time_sort(row, REPEAT, &(cuda_sorter){queue, p}, out);
    cudaFree(p->scratch);
    cudaFree(p->indices);
    cudaFree(p->first);
    return status;
}

/* All ways that can. */
static bool print_row(const bench_row *row, const peers_choice *choice) {
    static const char suite[] = "sort-gpu-peers";
    const uint64_t segments = bench_row_arrays(row);
    bool right = true;
    for (sort_peer_way way = 0; way < SORT_PEER_WAYS; ++way) {
        sort_peer p = {
            .way = way, .n = row->n * segments, .segments = segments, .is_merge = bench_sort_is_merge(row)};
        bench_result result = {.right = false};
        if (!can(row, &p)) continue;
        if (peers_are_late(choice)) {
            document_skip(suite, row, names[way], names[way]);
            continue;
        }
        const riffle_status status = measure(row, &p, &result);
        right &= document_print(suite, row, names[way], names[way], status, &result);
    }
    return right;
}

bool peers_sort(const peers_choice *choice) {
    const bench_suite *const suite = &bench_suite_sort_gpu;
    const bench_variant variant = {.seed = choice->seed};
    bool right = true;
    document_begin("");
    for (size_t k = 0; k < bench_suite_rows(suite); ++k) {
        const bench_row row = bench_suite_row(suite, &variant, k);
        if (bench_row_is_named(&row, choice->only)) right &= print_row(&row, choice);
    }
    document_end();
    return right;
}
