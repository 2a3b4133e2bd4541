/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions on a GPU, compared with the CPU's: all widths, edges of tiles, both orders, batches and any address, between guards.
 */
#include "test_bits.h"

#include <string.h>

#include "../check.h"
#include "../guarded.h"
#include "riffle/bits.h"

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
    const riffle_bits_options options = {0, c->order, c->batch};
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
    check_refused(riffle_cuda_bitshuffle(8, 4, bytes, bytes + 4, NULL, NULL), RIFFLE_ERROR_UNSUPPORTED,
                  "GPUs transpose those of whole bytes", "elements of 4 bits");
}
