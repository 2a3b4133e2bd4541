/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows grouped by keys that look random, and all of them looked at. A copy is one of the rows that are read.
 */
#include "riffle/group.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/data.h"
#include "bench/host.h"
#include "kinds/kinds.h"
#include "system/clock.h"

/* A row's plan and arrays; those of an execution are where it runs. */
typedef struct group_call {
    const bench_row *row;
    const bench_group_row *of;
    riffle_group_plan *plan;
    size_t to_bytes, keys_bytes;
    void *to, *keys; /* on the host */
    void *there_to, *there_keys, *there_places;
} group_call;

static uint64_t entries_of(const group_call *c) { return c->row->n * c->of->keys_per_row; }

static uint64_t key_of(const group_call *c, uint64_t entry) {
    return (riffle_group_hash(entry) >> 32) * c->of->groups >> 32;
}

static riffle_status make_keys(group_call *c) {
    riffle_status status = riffle_buffer_create(c->keys_bytes, &c->keys);
    if (status != RIFFLE_OK) return status;
    uint16_t *const pairs = c->keys;
    uint32_t *const words = c->keys;
#pragma omp parallel for schedule(static)
    for (uint64_t e = 0; e < entries_of(c); ++e)
        if (c->of->key_type == RIFFLE_TYPE_U16)
            pairs[e] = (uint16_t)key_of(c, e);
        else
            words[e] = (uint32_t)key_of(c, e);
    return RIFFLE_OK;
}

static riffle_status prepare(const bench_row *row, const bench_settings *settings, group_call *c,
                             bench_result *out) {
    const bench_group_row *const of = row->of;
    *c = (group_call){.row = row, .of = of};
    const riffle_group_options options = {
        .keys_per_row = of->keys_per_row, .index_bytes = of->index_bytes, .threads = settings->threads};
    const double began = seconds_now();
    riffle_status status = riffle_group_plan_create(row->n, row->elem_bytes, of->key_type, of->groups,
                                                    settings->engine, &options, &c->plan);
    out->plan_seconds = seconds_now() - began;
    if (status != RIFFLE_OK) return status;
    out->threads = riffle_group_plan_threads(c->plan);
    out->workspace_bytes = riffle_group_plan_workspace_bytes(c->plan);
    c->to_bytes = (size_t)riffle_group_plan_room(c->plan) * row->elem_bytes;
    c->keys_bytes = (size_t)entries_of(c) * riffle_type_bytes(of->key_type);
    status = riffle_buffer_create(c->to_bytes, &c->to);
    return status == RIFFLE_OK ? make_keys(c) : status;
}

static void free_call(group_call *c) {
    riffle_buffer_free(c->to, c->to_bytes);
    riffle_buffer_free(c->keys, c->keys_bytes);
    riffle_group_plan_free(c->plan);
}

static riffle_group_arrays arrays_of(const group_call *c, void *to, const void *from) {
    return (riffle_group_arrays){
        .rows = to, .from_rows = from, .keys = c->there_keys, .places = c->there_places};
}

/* Every row in its place: entries are counted, and then meet their rows one after another. */
static bool is_right(const group_call *c) {
    uint64_t *const next = calloc(c->of->groups + 1, sizeof *next);
    const size_t row_bytes = c->row->elem_bytes;
    bool right = next != NULL;
    for (uint64_t e = 0; right && e < entries_of(c); ++e) next[key_of(c, e) + 1]++;
    for (uint64_t g = 0; right && g < c->of->groups; ++g) next[g + 1] += next[g];
    for (uint64_t e = 0; right && e < entries_of(c); ++e)
        right = bench_is_filled((const unsigned char *)c->to + next[key_of(c, e)]++ * row_bytes,
                                e / c->of->keys_per_row * row_bytes, row_bytes);
    free(next);
    return right;
}

/* --------------------------------------------------------------------------------------- on the host */

static riffle_status move(const void *by, void *dst, const void *src) {
    const group_call *const c = by;
    const riffle_group_arrays arrays = arrays_of(c, dst, src);
    return riffle_group_execute(c->plan, &arrays);
}

static riffle_status measure_host(group_call *c, unsigned repeat, unsigned char *src, bench_result *out) {
    const bench_host_mover mover = {move, c};
    const size_t places_bytes = (size_t)entries_of(c) * c->of->index_bytes;
    double seconds;
    riffle_status status = riffle_buffer_create(places_bytes, &c->there_places);
    if (status != RIFFLE_OK) return status;
    void *const places = c->there_places;
    if (places_bytes == 0) c->there_places = NULL;
    c->there_keys = c->keys;
    bench_fill(src, bench_row_bytes(c->row));
    status = bench_host_first(&mover, c->to, src, &seconds);
    out->right = status == RIFFLE_OK && is_right(c);
    if (out->right) status = bench_host_time(&mover, bench_row_bytes(c->row), repeat, seconds, c->to, src, out);
    riffle_buffer_free(places, places_bytes);
    return status;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const size_t bytes = bench_row_bytes(row);
    group_call c;
    void *src = NULL;
    riffle_status status = prepare(row, settings, &c, out);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = measure_host(&c, settings->repeat, src, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    riffle_buffer_free(src, bytes);
    free_call(&c);
    return status;
}

/* ----------------------------------------------------------------------------------------- on a GPU */

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "riffle/cuda.h"

static riffle_status queue(const void *by, void *dst, const void *src, cudaStream_t stream, bench_result *out) {
    const group_call *const c = by;
    const riffle_group_arrays arrays = arrays_of(c, c->there_to, src);
    (void)dst; /* has no room where rows have several keys */
    const riffle_status status = riffle_cuda_group_execute(c->plan, &arrays, NULL, 0, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

static riffle_status bring(group_call *c, bench_result *out) {
    const size_t places_bytes = (size_t)entries_of(c) * c->of->index_bytes;
    riffle_status status = cuda_check(cudaMalloc(&c->there_to, c->to_bytes), "room for the groups", out);
    if (status == RIFFLE_OK)
        status = cuda_check(cudaMalloc(&c->there_keys, c->keys_bytes), "room for keys", out);
    if (status == RIFFLE_OK && places_bytes > 0)
        status = cuda_check(cudaMalloc(&c->there_places, places_bytes), "room for places", out);
    if (status != RIFFLE_OK) return status;
    return cuda_check(cudaMemcpy(c->there_keys, c->keys, c->keys_bytes, cudaMemcpyHostToDevice),
                      "bringing keys", out);
}

static riffle_status check_groups(group_call *c, cuda_arrays *arrays, bench_result *out) {
    const cuda_mover mover = {queue, c};
    riffle_status status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, &mover, out);
    if (status == RIFFLE_OK) status = cuda_check(cudaStreamSynchronize(arrays->stream), "grouping", out);
    if (status == RIFFLE_OK)
        status = cuda_check(cudaMemcpy(c->to, c->there_to, c->to_bytes, cudaMemcpyDeviceToHost),
                            "fetching the groups", out);
    out->right = status == RIFFLE_OK && is_right(c);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    group_call c;
    cuda_arrays arrays;
    const cuda_mover mover = {queue, &c};
    riffle_status status = prepare(row, settings, &c, out);
    if (status != RIFFLE_OK) {
        bench_fail(status, out);
        free_call(&c);
        return status;
    }
    status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = bring(&c, out);
    if (status == RIFFLE_OK) status = check_groups(&c, &arrays, out);
    if (status == RIFFLE_OK && out->right)
        status = bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
    cudaFree(c.there_to);
    cudaFree(c.there_keys);
    cudaFree(c.there_places);
    cuda_arrays_free(&arrays);
    free_call(&c);
    return status;
}
#endif

/* -------------------------------------------------------------------------------------- the record */

static const char *algorithm(const bench_row *row) {
    (void)row;
    return "group";
}

static void name(const bench_row *row, char *by, size_t capacity) {
    const bench_group_row *const of = row->of;
    if (of->keys_per_row > 1)
        snprintf(by, capacity, "%llu of %llu groups each", (unsigned long long)of->keys_per_row,
                 (unsigned long long)of->groups);
    else
        snprintf(by, capacity, "%llu groups%s", (unsigned long long)of->groups,
                 of->index_bytes > 0 ? ", and places" : "");
}

/* A row that is read once and written to each of its groups: so many copies at least. */
static void json_row(const bench_row *row) {
    const bench_group_row *const of = row->of;
    printf(", \"groups\": %llu, \"keys_per_row\": %llu, \"key_bytes\": %zu, \"index_bytes\": %zu, "
           "\"bound_copies\": %.3f",
           (unsigned long long)of->groups, (unsigned long long)of->keys_per_row,
           riffle_type_bytes(of->key_type), of->index_bytes, (1 + (double)of->keys_per_row) / 2);
}

const bench_kind bench_groups = {.on_host = on_host,
                                 .on_gpu = BENCH_GPU_HALF(on_gpu),
                                 .algorithm = algorithm,
                                 .name = name,
                                 .json_row = json_row};
