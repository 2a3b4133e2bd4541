/* SPDX-License-Identifier: Apache-2.0
 *
 * bit_reversal [LOG2_N [ARRAYS]]: puts each of a batch of complex arrays on the GPU into bit-reversed order, as
 * a radix-2 FFT wants it before its butterflies. One plan moves the whole batch.
 */
#include "gpu.h"

typedef struct complex_float {
    float re, im;
} complex_float;

static size_t reversed(size_t index, unsigned bits) {
    size_t out = 0;
    for (unsigned k = 0; k < bits; k++) out |= (index >> k & 1) << (bits - 1 - k);
    return out;
}

/* Element i of array a is i + a * sqrt(-1), below 2^24 each, so whatever moved can be recognized. */
static void fill(complex_float *x, size_t n, size_t arrays) {
    for (size_t a = 0; a < arrays; a++)
        for (size_t i = 0; i < n; i++) x[a * n + i] = (complex_float){(float)i, (float)a};
}

static size_t count_wrong(const complex_float *x, unsigned bits, size_t arrays) {
    const size_t n = (size_t)1 << bits;
    size_t wrong = 0;
    for (size_t a = 0; a < arrays; a++) {
        for (size_t i = 0; i < n; i++) {
            const complex_float here = x[a * n + reversed(i, bits)];
            wrong += here.re != (float)i || here.im != (float)a;
        }
    }
    return wrong;
}

int main(int argc, char **argv) {
    const unsigned bits = (unsigned)argument(argc, argv, 1, 12, 1, 24);
    const size_t arrays = argument(argc, argv, 2, 8192, 1, 1 << 24);
    const size_t n = (size_t)1 << bits, bytes = arrays * n * sizeof(complex_float);
    need_gpu();
    complex_float *host = host_array(bytes);
    fill(host, n, arrays);
    void *src = device_array(bytes), *dst = device_array(bytes);
    to_device(src, host, bytes);

    riffle_perm *reversal;
    riffle_plan *plan;
    const riffle_plan_options options = {.batch = arrays};
    check(riffle_perm_bit_reversal(n, &reversal));
    check(riffle_plan_create(reversal, sizeof(complex_float), RIFFLE_ENGINE_CUDA, &options, &plan));
    // On the default stream; butterflies would come next on it.
    check(riffle_cuda_execute(plan, dst, src, NULL, 0, NULL));
    to_host(host, dst, bytes);
    const size_t wrong = count_wrong(host, bits, arrays);

    const times best = time_beside_copy(plan, dst, src, dst, src, bytes);
    printf("%zu arrays of %zu complex numbers, %.1f MiB, into bit-reversed order\n", arrays, n,
           (double)bytes / (1 << 20));
    printf("%s, %u pass%s: %.3f ms, a copy %.3f ms; ratio %.2f\n",
           riffle_algorithm_string(riffle_plan_algorithm(plan)), riffle_plan_passes(plan),
           riffle_plan_passes(plan) == 1 ? "" : "es", (double)best.move_ms, (double)best.copy_ms,
           (double)(best.move_ms / best.copy_ms));
    printf("%zu numbers out of place\n", wrong);
    riffle_plan_free(plan);
    riffle_perm_free(reversal);
    must(cudaFree(src), "freeing");
    must(cudaFree(dst), "freeing");
    free(host);
    return wrong == 0 ? 0 : 1;
}
