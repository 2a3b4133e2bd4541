/* SPDX-License-Identifier: Apache-2.0
 *
 * test_planner [--small]: bucket passes planned on the GPU that is current, against those planned on the host,
 * and what the planner starts from, tables. Exits with 77 where there is no GPU. It sees the library's
 * internals. --small leaves out the long arrays, for tools that slow everything down.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "engines/cuda/bucket_planner.h"
#include "engines/cuda/table.h"
#include "riffle/cuda.h"
#include "test_bucket_passes.h"
#include "test_tables.h"

enum { SKIPPED = 77 };

static cudaStream_t stream; /* one that does not wait for the default one */

static uint32_t units_of(size_t elem_bytes) { return BUCKET_TILE_CHUNK_BYTES / (uint32_t)elem_bytes; }

/* Whether `bytes` bytes on the device are those on the host. */
static bool is_same_array(const void *device, const void *host, size_t bytes) {
    void *fetched = malloc(bytes + 1);
    const bool same = fetched != NULL &&
                      cudaMemcpy(fetched, device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
                      memcmp(fetched, host, bytes) == 0;
    free(fetched);
    return same;
}

static void check_pass(const bucket_tile_schedule *host, const cuda_bucket_schedule *device, const char *what) {
    check(host->n == device->n && host->elem_bytes == device->elem_bytes && host->piece == device->piece &&
              host->pieces == device->pieces,
          "%s: pieces differ", what);
    check(host->most_chunks == device->most_chunks, "%s: %u chunks at most, not %u", what, device->most_chunks,
          host->most_chunks);
    if (!check(host->chunk_count == device->chunk_count, "%s: chunks differ in number", what)) return;
    if (host->n == 0) return;
    check(is_same_array(device->order, host->order, bucket_tile_order_bytes(host)), "%s: order differs", what);
    check((host->chunks == NULL) == (device->chunks == NULL), "%s: a list too many or too few", what);
    if (host->chunks == NULL || device->chunks == NULL) return;
    check(is_same_array(device->chunks, host->chunks, (size_t)host->chunk_count * sizeof *host->chunks),
          "%s: chunks differ", what);
    check(is_same_array(device->first_chunk, host->first_chunk, bucket_tile_first_chunk_bytes(host)),
          "%s: first chunks differ", what);
}

/* Both planners must make the same, or refuse in the same words. */
static void check_shape(const riffle_perm *perm, size_t elem_bytes, bucket_tile_shape shape, const char *by) {
    bucket_tile_schedule host[BUCKET_TILE_PASSES];
    cuda_bucket_schedule device[BUCKET_TILE_PASSES];
    cuda_table table;
    char what[256], words[256];
    const uint64_t n = riffle_perm_length(perm);
    snprintf(what, sizeof what,
             "%s, n = %" PRIu64 ", %zu bytes, %u passes, pieces %u and %u, fan %u, %u positions", by, n,
             elem_bytes, shape.passes, shape.first_piece, shape.piece, shape.fan, shape.positions);
    if (!check(cuda_table_write(perm, false, stream, &table) == RIFFLE_OK, "%s: no table", what)) return;
    const riffle_status wanted = bucket_tile_plan(perm, elem_bytes, shape, host);
    snprintf(words, sizeof words, "%s", riffle_error_detail());
    const riffle_status status = cuda_bucket_plan(table.entries, n, elem_bytes, shape, stream, device);
    cuda_table_free(&table);
    if (!check(status == wanted, "%s: status %d, not %d", what, (int)status, (int)wanted)) return;
    if (status != RIFFLE_OK) {
        check(strcmp(words, riffle_error_detail()) == 0, "%s: the host said: %s", what, words);
        return;
    }
    for (unsigned k = 0; k < shape.passes; k++) {
        check_pass(&host[k], &device[k], what);
        bucket_tile_free(&host[k]);
        cuda_bucket_free(&device[k]);
    }
}

/* ------------------------------------------------------------ any shape */

static uint32_t some_piece(uint32_t units, uint32_t positions) {
    return units * (1 + (uint32_t)(check_random() % (positions / units)));
}

/* Any lengths of pieces that fit the positions, so that many later ones will be halved. */
static bucket_tile_shape any_shape(uint64_t n, size_t elem_bytes) {
    const uint32_t units = units_of(elem_bytes);
    bucket_tile_shape shape = {.passes = 1 + (unsigned)(check_random() % BUCKET_TILE_PASSES), .fan = 1};
    shape.positions = units * (units + (uint32_t)(check_random() % 400)); /* the shortest pieces always fit */
    if (check_random() % 16 == 0) shape.positions = units * (1 + (uint32_t)(check_random() % units));
    if (shape.positions < n && shape.passes == 1) shape.passes = 2;
    shape.first_piece = shape.passes == 1 ? shape.positions : some_piece(units, shape.positions);
    shape.piece = shape.passes == 1 ? shape.first_piece : some_piece(units, shape.positions);
    if (shape.passes == 3) shape.fan = 1 + (uint32_t)(check_random() % 20);
    return shape;
}

/* Every step-th index after another, which makes runs as short as can be. */
static riffle_perm *strided(uint64_t n, uint64_t step) {
    uint64_t *values = malloc((n + 1) * sizeof *values), k = 0;
    riffle_perm *perm = NULL;
    if (!check(values != NULL, "values")) abort();
    for (uint64_t start = 0; start < step; start++)
        for (uint64_t i = start; i < n; i += step) values[i] = k++;
    check(riffle_perm_table_u64(n, values, &perm) == RIFFLE_OK, "a strided permutation");
    free(values);
    return perm;
}

static riffle_perm *any_perm(uint64_t n, char *by, size_t bytes) {
    riffle_perm *perm = NULL;
    const uint64_t kind = check_random() % 6, seed = check_random();
    if (kind == 0) {
        snprintf(by, bytes, "every %" PRIu64, 1 + seed % 100);
        return strided(n, 1 + seed % 100);
    }
    snprintf(by, bytes, "random:%" PRIu64, seed);
    if (kind == 1) snprintf(by, bytes, "reverse");
    if (kind == 2) snprintf(by, bytes, "rotate:%" PRIu64, seed % 1000);
    check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s: not parsed", by);
    return perm;
}

static void test_any_shape(uint64_t most) {
    const uint64_t n = check_random() % 8 == 0 ? check_random() % 40 : check_random() % most;
    const size_t elem_bytes = (size_t)1 << check_random() % 5;
    char by[64];
    riffle_perm *perm = any_perm(n, by, sizeof by);
    check_shape(perm, elem_bytes, any_shape(n, elem_bytes), by);
    riffle_perm_free(perm);
}

/* ---------------------------------------------------------- chosen shapes */

static void test_target(const char *by, uint64_t n, size_t elem_bytes, size_t shared_bytes) {
    const plan_target target = {.kind = TARGET_CUDA,
                                .name = "cuda",
                                .width = 32,
                                .shared_bytes = shared_bytes,
                                .block_threads = 1024,
                                .multiprocessors = 132,
                                .capability = 90};
    riffle_perm *perm = NULL;
    if (!check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s: not parsed", by)) return;
    check_shape(perm, elem_bytes, bucket_tile_choose(n, elem_bytes, &target), by);
    riffle_perm_free(perm);
}

static void test_targets(bool small) {
    static const uint64_t lengths[] = {0, 1, 15, 16, 17, 1000, 65536, 65537, 300007, (1 << 20) - 1, 1 << 22};
    const size_t count = sizeof lengths / sizeof lengths[0] - (small ? 2 : 0), whole = 227 << 10;
    for (size_t k = 0; k < count; k++)
        for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
            test_target("random:1", lengths[k], elem_bytes, whole);
            test_target("reverse", lengths[k], elem_bytes, whole);
            test_target("random:2", lengths[k], elem_bytes, 16 << 10);
        }
    if (small) return;
    test_target("bit-reversal", 1 << 22, 4, whole);
    test_target("random:3", (1 << 25) + 77, 4, whole); /* several slices */
    test_target("random:4", (1 << 25) + 5, 1, 48 << 10);
    test_target("random:5", (1 << 24) + 1, 16, whole);
}

/* ----------------------------------------------------------------- memory */

static void test_planning_bytes(void) {
    const uint64_t n = 1 << 28;
    const bucket_tile_shape two = {2, 57344, 49152, 1, 57344}, one = {1, 57344, 57344, 1, 57344};
    size_t bytes = 0;
    check(cuda_bucket_planning_bytes(n, 4, two, &bytes) == RIFFLE_OK, "planning bytes");
    check(bytes >= 20 * n && bytes <= 22 * n, "%zu bytes to plan with, for 2^28 elements", bytes);
    check(cuda_bucket_planning_bytes(1000, 4, one, &bytes) == RIFFLE_OK && bytes == 0, "bytes for one pass");
}

/* A GPU with too little memory left refuses before it allocates. */
static void test_out_of_memory(void) {
    const size_t spared = (size_t)256 << 20;
    const bucket_tile_shape shape = {2, 57344, 49152, 1, 57344};
    const uint64_t n = 1 << 26;
    cuda_bucket_schedule out[BUCKET_TILE_PASSES];
    void *held = NULL;
    size_t left = 0, all = 0;
    if (!check_cuda(cudaMemGetInfo(&left, &all), "free memory") || left < 2 * spared) return;
    if (!check_cuda(cudaMalloc(&held, left - spared), "holding memory")) return;
    check_refused(cuda_bucket_plan(held, n, 4, shape, stream, out), RIFFLE_ERROR_OUT_OF_MEMORY, "are free",
                  "a plan without memory");
    cudaFree(held);
}

int main(int argc, char **argv) {
    const bool small = argc > 1 && strcmp(argv[1], "--small") == 0;
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) == RIFFLE_ERROR_UNSUPPORTED) {
        printf("skipped: %s\n", riffle_error_detail());
        return SKIPPED;
    }
    check_seed();
    if (!check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream"))
        return check_summary();
    test_tables(small);
    for (unsigned k = 0; k < (small ? 60 : 1000); k++) test_any_shape(small || k % 10 != 0 ? 6000 : 300000);
    test_targets(small);
    test_planning_bytes();
    test_bucket_passes(small);
    if (!small) test_out_of_memory();
    cudaStreamDestroy(stream);
    return check_summary();
}
