/* SPDX-License-Identifier: Apache-2.0
 *
 * shuffle [LOG2_RECORDS [EPOCHS]]: shuffles a data set of records of 64 bytes on the GPU, anew for each epoch,
 * by random affine permutations: each is a copy's work and a plan of microseconds, with no table of indices.
 * docs/affine.md says what such a shuffle is good for, and what not.
 */
#include <time.h>

#include "gpu.h"

enum { RECORD_BYTES = 64, FIELDS = RECORD_BYTES / sizeof(unsigned) };

typedef struct record {
    unsigned field[FIELDS];
} record;

static double now_us(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static void fill(record *records, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < FIELDS; k++) records[i].field[k] = (unsigned)i * FIELDS + k;
}

static size_t count_wrong(const record *records, const riffle_perm *order) {
    size_t wrong = 0;
    for (size_t i = 0; i < riffle_perm_length(order); i++) {
        const record *here = &records[riffle_perm_at(order, i)];
        unsigned right = 0;
        for (unsigned k = 0; k < FIELDS; k++) right += here->field[k] == (unsigned)i * FIELDS + k;
        wrong += right != FIELDS;
    }
    return wrong;
}

/* Shuffles src, which stays as it is, into dst. Returns the records out of place. */
static size_t shuffle(size_t n, unsigned epoch, void *dst, void *src, record *host) {
    riffle_perm *order;
    riffle_plan *plan;
    const size_t bytes = n * sizeof(record);
    const double start = now_us();
    check(riffle_perm_random_affine(n, epoch, &order)); // the epoch is the seed
    check(riffle_plan_create(order, sizeof(record), RIFFLE_ENGINE_CUDA, NULL, &plan));
    const double planned = now_us();
    check(riffle_cuda_execute(plan, dst, src, NULL, 0, NULL));
    to_host(host, dst, bytes);
    const size_t wrong = count_wrong(host, order);
    const times best = time_beside_copy(plan, dst, src, dst, src, bytes);
    printf("epoch %u: planned in %.0f us; %.3f ms, a copy %.3f ms; ratio %.2f; %zu records out of place\n",
           epoch, planned - start, (double)best.move_ms, (double)best.copy_ms,
           (double)(best.move_ms / best.copy_ms), wrong);
    riffle_plan_free(plan);
    riffle_perm_free(order);
    return wrong;
}

int main(int argc, char **argv) {
    const size_t n = (size_t)1 << argument(argc, argv, 1, 22, 0, 28);
    const unsigned epochs = (unsigned)argument(argc, argv, 2, 3, 1, 1000);
    const size_t bytes = n * sizeof(record);
    need_gpu();
    printf("%zu records of %d bytes, %.1f MiB\n", n, RECORD_BYTES, (double)bytes / (1 << 20));
    record *host = host_array(bytes);
    fill(host, n);
    void *src = device_array(bytes), *dst = device_array(bytes);
    to_device(src, host, bytes);
    size_t wrong = 0;
    for (unsigned epoch = 1; epoch <= epochs; epoch++) wrong += shuffle(n, epoch, dst, src, host);
    must(cudaFree(src), "freeing");
    must(cudaFree(dst), "freeing");
    free(host);
    return wrong == 0 ? 0 : 1;
}
