/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions, moves of packed elements and matrices over F2 on a GPU, compared with the CPU's: all widths, edges of tiles, both orders, batches and any address, between guards.
 */
#include "test_bits.h"

#include <string.h>

#include "../check.h"
#include "../guarded.h"
#include "riffle/bits.h"
#include "riffle/f2.h"

typedef struct bits_case {
    uint64_t n, width, batch;
    size_t offset;
    riffle_bit_order order;
} bits_case;

/* One direction: `bytes` of the device's are as the host has them. */
static void test_direction(const bits_case *c, bool to_planes) {
    const size_t elements = (size_t)(c->batch * riffle_bits_bytes(c->n, c->width)),
                 planes = (size_t)(c->batch * c->width * riffle_bits_bytes(c->n, 1));
    const size_t from_bytes = to_planes ? elements : planes, to_bytes = to_planes ? planes : elements;
    const riffle_bits_options options = {.order = c->order, .batch = c->batch};
    unsigned char *const from = host(from_bytes), *const want = host(to_bytes), *const got = host(to_bytes);
    char *const device_from = device(from_bytes + c->offset), *const device_to = device(to_bytes + c->offset);
    for (size_t k = 0; k < from_bytes; k++) from[k] = (unsigned char)(check_random() >> 40);
    check_cuda(cudaMemcpy(device_from + c->offset, from, from_bytes, cudaMemcpyHostToDevice), "bringing bits");
    const riffle_status wanted =
        (to_planes ? riffle_bitshuffle : riffle_bitunshuffle)(c->n, c->width, want, from, &options);
    const riffle_status status = (to_planes ? riffle_cuda_bitshuffle : riffle_cuda_bitunshuffle)(
        c->n, c->width, device_to + c->offset, device_from + c->offset, &options, NULL);
    check(wanted == RIFFLE_OK && status == RIFFLE_OK, "bits: %s", riffle_error_detail());
    check_cuda(cudaMemcpy(got, device_to + c->offset, to_bytes, cudaMemcpyDeviceToHost), "fetching bits");
    check(memcmp(got, want, to_bytes) == 0, "%llu elements of %llu bits %s", (unsigned long long)c->n,
          (unsigned long long)c->width, to_planes ? "to planes" : "to elements");
    check(are_guards_intact(device_to, to_bytes + c->offset), "bits: guards");
    device_free(device_from), device_free(device_to);
    free(from), free(want), free(got);
}

/* A move of packed elements, between arrays of the device that begin at an offset, and of the host. */
static void test_move(const char *spec, uint64_t n, const bits_case *c) {
    const size_t bytes = (size_t)(c->batch * riffle_bits_bytes(n, c->width));
    riffle_bits_options options = {.order = c->order, .batch = c->batch};
    riffle_perm *perm = NULL;
    riffle_bits_plan *on_host = NULL, *on_gpu = NULL;
    unsigned char *const from = host(bytes), *const want = host(bytes), *const got = host(bytes);
    char *const device_from = device(bytes + c->offset), *const device_to = device(bytes + c->offset);
    for (size_t k = 0; k < bytes; k++) from[k] = (unsigned char)(check_random() >> 40);
    check_cuda(cudaMemcpy(device_from + c->offset, from, bytes, cudaMemcpyHostToDevice), "bringing bits");
    riffle_status status = riffle_perm_parse(spec, n, &perm);
    if (status == RIFFLE_OK) status = riffle_bits_plan_create(perm, c->width, &options, &on_host);
    options.engine = RIFFLE_ENGINE_CUDA;
    if (status == RIFFLE_OK) status = riffle_bits_plan_create(perm, c->width, &options, &on_gpu);
    if (status == RIFFLE_OK) status = riffle_bits_execute(on_host, want, from);
    if (status == RIFFLE_OK)
        status =
            riffle_cuda_bits_execute(on_gpu, device_to + c->offset, device_from + c->offset, NULL, 0, NULL);
    check(status == RIFFLE_OK, "%s of packed elements: %s", spec, riffle_error_detail());
    check_cuda(cudaMemcpy(got, device_to + c->offset, bytes, cudaMemcpyDeviceToHost), "fetching bits");
    check(memcmp(got, want, bytes) == 0, "%s of %llu elements of %llu bits", spec, (unsigned long long)n,
          (unsigned long long)c->width);
    check(are_guards_intact(device_to, bytes + c->offset), "%s: guards", spec);
    memset(got, 0x77, bytes);
    check(riffle_bits_execute(on_gpu, got, from) == RIFFLE_OK && memcmp(got, want, bytes) == 0,
          "%s of the host's elements", spec);
    riffle_bits_plan_free(on_host), riffle_bits_plan_free(on_gpu), riffle_perm_free(perm);
    device_free(device_from), device_free(device_to);
    free(from), free(want), free(got);
}

static void test_moves_of_bits(bool small) {
    static const char *const affine[] = {"random-affine:1", "random-affine:2", "bit-reversal",
                                         "shuffle",         "reverse",         "rotate:64"};
    for (unsigned m = 4; m <= (small ? 20 : 26); m += 1 + m / 14)
        for (size_t s = 0; s < sizeof affine / sizeof *affine; s++)
            for (unsigned k = 0; k < 4; k++)
                test_move(
                    affine[s], (uint64_t)1 << m,
                    &(bits_case){0, (uint64_t)1 << k % 3, 1 + k % 2, k / 2 * 3, (riffle_bit_order)(k % 2)});
    for (unsigned k = 0; k < 6; k++) {
        const bits_case c = {0, (uint64_t)1 << k % 3, 1 + k % 2, k % 4, (riffle_bit_order)(k / 3)};
        test_move("random:1", 1 + check_random() % 100000, &c);
        test_move("transpose:40x1048", 41920, &c);
        test_move("transpose:13x40", 520, &c);
        test_move("axes:3x8x8:0,2,1", 192, &c);
        test_move("axes:16x3x128x5x64:1,4,3,0,2", 1966080, &c);
        test_move("rotate:3", 4 + check_random() % 100000, &c);
        test_move("reverse|rotate:37", 38 + check_random() % 100000, &c);
        test_move("reverse", 32 * (1 + check_random() % 10000), &c);
    }
    if (small) return;
    for (unsigned k = 0; k < 3; k++) {
        const bits_case c = {0, (uint64_t)1 << k, 1, 0, (riffle_bit_order)(k % 2)};
        test_move("transpose:20000x10016", 200320000, &c);
        test_move("transpose:16384x12288", 201326592, &c);
        test_move("reverse|rotate:1000003", 300000007, &c);
    }
}

static void test_matrices(uint64_t rows, uint64_t inner, uint64_t columns) {
    enum { MATRICES = 3 };
    riffle_f2_matrix here[MATRICES] = {{.rows = rows, .columns = inner},
                                       {.rows = inner, .columns = columns},
                                       {.rows = rows, .columns = columns}},
                     there[MATRICES];
    size_t bytes[MATRICES];
    for (unsigned k = 0; k < MATRICES; k++) {
        here[k].stride = riffle_f2_stride(here[k].columns);
        bytes[k] = (size_t)here[k].rows * here[k].stride * sizeof(uint64_t);
        here[k].words = host(bytes[k]);
        there[k] = here[k];
        there[k].words = (uint64_t *)(void *)device(bytes[k]);
        for (size_t w = 0; k < 2 && w < bytes[k] / sizeof(uint64_t); w++) here[k].words[w] = check_random();
        if (k < 2)
            check_cuda(cudaMemcpy(there[k].words, here[k].words, bytes[k], cudaMemcpyHostToDevice),
                       "bringing a matrix");
    }
    uint64_t *const got = host(bytes[2]);
    const riffle_status wanted = riffle_f2_product(&here[2], &here[0], &here[1], NULL),
                        status = riffle_cuda_f2_product(&there[2], &there[0], &there[1], NULL);
    check(wanted == RIFFLE_OK && status == RIFFLE_OK, "a product over F2: %s", riffle_error_detail());
    check_cuda(cudaMemcpy(got, there[2].words, bytes[2], cudaMemcpyDeviceToHost), "fetching a product");
    check(memcmp(got, here[2].words, bytes[2]) == 0, "a product over F2 of %llu x %llu x %llu",
          (unsigned long long)rows, (unsigned long long)inner, (unsigned long long)columns);
    check(are_guards_intact((char *)there[2].words, bytes[2]), "a product over F2: guards");
    for (unsigned k = 0; k < MATRICES; k++) free(here[k].words), device_free((char *)there[k].words);
    free(got);
}

static void test_transposes(uint64_t rows, uint64_t columns) {
    riffle_f2_matrix from = {rows, columns, riffle_f2_stride(columns), NULL},
                     to = {columns, rows, riffle_f2_stride(rows), NULL};
    const size_t from_bytes = (size_t)rows * from.stride * sizeof(uint64_t),
                 to_bytes = (size_t)columns * to.stride * sizeof(uint64_t);
    riffle_f2_matrix there = from, turned = to;
    uint64_t *const got = host(to_bytes);
    from.words = host(from_bytes), to.words = host(to_bytes);
    there.words = (uint64_t *)(void *)device(from_bytes), turned.words = (uint64_t *)(void *)device(to_bytes);
    for (size_t w = 0; w < from_bytes / sizeof(uint64_t); w++) from.words[w] = check_random();
    check_cuda(cudaMemcpy(there.words, from.words, from_bytes, cudaMemcpyHostToDevice), "bringing a matrix");
    check(riffle_f2_transpose(&to, &from, NULL) == RIFFLE_OK &&
              riffle_cuda_f2_transpose(&turned, &there, NULL) == RIFFLE_OK,
          "a transpose over F2: %s", riffle_error_detail());
    check_cuda(cudaMemcpy(got, turned.words, to_bytes, cudaMemcpyDeviceToHost), "fetching a transpose");
    check(memcmp(got, to.words, to_bytes) == 0, "a transpose over F2 of %llu x %llu", (unsigned long long)rows,
          (unsigned long long)columns);
    check(are_guards_intact((char *)turned.words, to_bytes), "a transpose over F2: guards");
    free(from.words), free(to.words), free(got);
    device_free((char *)there.words), device_free((char *)turned.words);
}

void test_bits(bool small) {
    static const uint64_t lengths[] = {1, 33, 1024, 8193, 100003, 1 << 22};
    static const uint64_t widths[] = {8, 16, 24, 32, 64, 96};
    unsigned char bytes[8] = {0};
    for (size_t l = 0; l < (small ? 5 : 6); l++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (unsigned k = 0; k < 4; k++) {
                const bits_case c = {lengths[l], widths[w], 1 + k % 2, k % 2 * 3, (riffle_bit_order)(k / 2)};
                test_direction(&c, true);
                test_direction(&c, false);
            }
    test_moves_of_bits(small);
    for (unsigned k = 0; k < 12; k++)
        test_matrices(1 + check_random() % 3000, 1 + check_random() % 700, 1 + check_random() % 3000);
    for (unsigned k = 0; k < 12; k++) test_transposes(1 + check_random() % 2000, 1 + check_random() % 2000);
    if (!small) test_matrices(4096, 4096, 4096);
    check_refused(riffle_cuda_bitshuffle(8, 4, bytes, bytes + 4, NULL, NULL), RIFFLE_ERROR_UNSUPPORTED,
                  "GPUs transpose those of whole bytes", "elements of 4 bits");
}
