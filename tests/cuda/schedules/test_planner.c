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

#include "../check.h"
#include "move/cuda/planner/bucket_planner.h"
#include "move/cuda/table/table.h"
#include "move/cuda/tables.h"
#include "riffle/cuda.h"
#include "test_bucket_passes.h"
#include "test_tables.h"

enum { SKIPPED = 77 };

static cudaStream_t stream; /* one that does not wait for the default one */

static uint32_t units_of(size_t elem_bytes) { return BUCKET_TILE_CHUNK_BYTES / (uint32_t)elem_bytes; }

/* True if `bytes` bytes on the device are those on the host. */
static bool is_same_array(const void *there, const void *host, size_t bytes) {
    void *fetched = malloc(bytes + 1);
    const bool same = fetched != NULL &&
                      cudaMemcpy(fetched, there, bytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
                      memcmp(fetched, host, bytes) == 0;
    free(fetched);
    return same;
}

static void check_pass(const bucket_tile_schedule *host, const cuda_bucket_schedule *there, const char *what) {
    check(host->n == there->n && host->elem_bytes == there->elem_bytes && host->piece == there->piece &&
              host->pieces == there->pieces,
          "%s: pieces differ", what);
    check(host->most_chunks == there->most_chunks, "%s: %u chunks at most, not %u", what, there->most_chunks,
          host->most_chunks);
    if (!check(host->chunk_count == there->chunk_count, "%s: chunks differ in number", what)) return;
    if (host->n == 0) return;
    check((host->chunks == NULL) == (there->chunks == NULL), "%s: a list too many or too few", what);
    if (host->chunks == NULL || there->chunks == NULL) return;
    check(is_same_array(there->chunks, host->chunks, (size_t)host->chunk_count * sizeof *host->chunks),
          "%s: chunks differ", what);
    check(is_same_array(there->first_chunk, host->first_chunk, bucket_tile_first_chunk_bytes(host)),
          "%s: first chunks differ", what);
}

/* Carries out one pass, its arrays on the host, on `in`. False if it reads what it has not staged. */
static bool carry_out(const bucket_tile_schedule *s, const uint32_t *in, uint32_t *out) {
    const uint64_t units = units_of(s->elem_bytes);
    const size_t staged_count = (size_t)(bucket_tile_shared_bytes(s) / s->elem_bytes);
    uint32_t *staged = malloc((staged_count + 1) * sizeof *staged);
    bool right = staged != NULL;
    for (uint64_t p = 0; right && p < s->pieces; p++) {
        const uint64_t start = p * s->piece, end = start + s->piece < s->n ? start + s->piece : s->n;
        const uint64_t first = s->chunks != NULL ? s->first_chunk[p] : start / units;
        const uint64_t chunks =
            s->chunks != NULL ? s->first_chunk[p + 1] - first : (end - start + units - 1) / units;
        for (uint64_t c = 0; c < chunks; c++) {
            const uint64_t from = (s->chunks != NULL ? s->chunks[first + c] : first + c) * units;
            for (uint64_t u = 0; u < units; u++)
                staged[riffle_bucket_cell((uint32_t)c) * units + u] =
                    from + u < s->n ? in[from + u] : UINT32_MAX;
        }
        for (uint64_t t = start; t < end; t++) {
            right &= s->order[t] < staged_count;
            out[t] = right ? staged[s->order[t]] : 0;
        }
    }
    free(staged);
    return right;
}

static void *fetch(const void *there, size_t bytes) {
    void *host = malloc(bytes + 1);
    if (!check(host != NULL, "memory") ||
        !check_cuda(cudaMemcpy(host, there, bytes, cudaMemcpyDeviceToHost), "fetching a schedule"))
        abort();
    return host;
}

/* Elements of a run may come in any order, so orders are not compared but carried out: dst[P(i)] = src[i]. */
static void check_result(const riffle_perm *perm, unsigned passes, const cuda_bucket_schedule *there,
                         const char *what) {
    const uint64_t n = riffle_perm_length(perm);
    uint32_t *in = malloc((n + 1) * sizeof *in), *out = malloc((n + 1) * sizeof *out);
    bool right = in != NULL && out != NULL;
    for (uint64_t i = 0; right && i < n; i++) in[i] = (uint32_t)i;
    for (unsigned k = 0; right && n > 0 && k < passes; k++) {
        bucket_tile_schedule s = there[k];
        s.order = fetch(s.order, bucket_tile_order_bytes(&s));
        if (s.chunks != NULL) {
            s.chunks = fetch(s.chunks, (size_t)s.chunk_count * sizeof *s.chunks);
            s.first_chunk = fetch(s.first_chunk, bucket_tile_first_chunk_bytes(&s));
        }
        right = carry_out(&s, in, out);
        for (uint64_t t = n; t % units_of(s.elem_bytes) != 0; t++) right &= s.order[t] == 0;
        free(s.order), free(s.chunks), free(s.first_chunk);
        uint32_t *const held = in;
        in = out, out = held;
    }
    for (uint64_t i = 0; right && i < n; i++) right = in[riffle_perm_at(perm, i)] == i;
    check(right, "%s: carried out on the host it is another permutation", what);
    free(in), free(out);
}

/* Both planners must make the same but for orders, which must do the same, or refuse in the same words. */
static void check_direction(const riffle_perm *perm, size_t elem_bytes, bucket_tile_shape shape,
                            bool is_inverse, const char *by) {
    bucket_tile_schedule host[BUCKET_TILE_PASSES];
    cuda_bucket_schedule there[BUCKET_TILE_PASSES];
    cuda_table table;
    char what[256], words[256];
    const uint64_t n = riffle_perm_length(perm);
    snprintf(what, sizeof what,
             "%s%s, n = %" PRIu64 ", %zu bytes, %u passes, pieces %u and %u, fan %u, %u positions", by,
             is_inverse ? ", by its inverse" : "", n, elem_bytes, shape.passes, shape.first_piece, shape.piece,
             shape.fan, shape.positions);
    if (!check(cuda_table_write(perm, is_inverse, stream, &table) == RIFFLE_OK, "%s: no table", what)) return;
    const cuda_bucket_source source = {table.entries, is_inverse};
    const riffle_status wanted = bucket_tile_plan(perm, elem_bytes, shape, host);
    snprintf(words, sizeof words, "%s", riffle_error_detail());
    const riffle_status status = cuda_bucket_plan(&source, n, elem_bytes, shape, stream, there);
    cuda_table_free(&table);
    if (!check(status == wanted, "%s: status %d, not %d", what, (int)status, (int)wanted)) return;
    if (status != RIFFLE_OK) {
        check(strcmp(words, riffle_error_detail()) == 0, "%s: the host said: %s", what, words);
        return;
    }
    check_result(perm, shape.passes, there, what);
    for (unsigned k = 0; k < shape.passes; k++) {
        check_pass(&host[k], &there[k], what);
        bucket_tile_free(&host[k]);
        cuda_bucket_free(&there[k]);
    }
}

static void check_shape(const riffle_perm *perm, size_t elem_bytes, bucket_tile_shape shape, const char *by) {
    check_direction(perm, elem_bytes, shape, false, by);
    check_direction(perm, elem_bytes, shape, true, by);
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
    const bucket_tile_shape three = {3, 57344, 49152, 70, 57344};
    size_t bytes = 0;
    check(cuda_bucket_planning_bytes(n, 4, two, true, &bytes) == RIFFLE_OK && bytes <= 2 * n,
          "%zu bytes to plan a gather of 2^28 with", bytes);
    check(cuda_bucket_planning_bytes(n, 4, two, false, &bytes) == RIFFLE_OK && bytes <= 4 * n,
          "%zu bytes to plan a scatter of 2^28 with", bytes);
    check(cuda_bucket_planning_bytes(n, 4, three, false, &bytes) == RIFFLE_OK && bytes <= 22 * n,
          "%zu bytes to plan three passes of 2^28 with", bytes);
    check(cuda_bucket_planning_bytes(1000, 4, one, false, &bytes) == RIFFLE_OK && bytes == 0,
          "bytes for one pass");
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
    const cuda_bucket_source source = {held, false};
    check_refused(cuda_bucket_plan(&source, n, 4, shape, stream, out), RIFFLE_ERROR_OUT_OF_MEMORY, "are free",
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
