/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GUARD_BYTES = 1024, GUARD = 0xc7, POISON = 0xa5 };

static unsigned passed, failed;

bool check(bool right, const char *format, ...) {
    if (right) {
        passed++;
        return true;
    }
    failed++;
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf(" (last message: %s)\n", riffle_error_detail());
    va_end(arguments);
    fflush(stdout);
    return false;
}

bool check_cuda(cudaError_t error, const char *what) {
    return check(error == cudaSuccess, "%s: CUDA says '%s'", what, cudaGetErrorString(error));
}

bool check_refused(riffle_status status, riffle_status wanted, const char *words, const char *what) {
    return check(status == wanted, "%s: status '%s'", what, riffle_status_string(status)) &&
           check(strstr(riffle_error_detail(), words) != NULL, "%s: the message lacks '%s'", what, words);
}

int check_summary(void) {
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static uint64_t state;

void check_seed(void) {
    const char *given = getenv("RIFFLE_TEST_SEED");
    state = given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u;
    if (state == 0) state = 1;
    printf("RIFFLE_TEST_SEED=%llu\n", (unsigned long long)state);
}

uint64_t check_cases(void) {
    const char *const given = getenv("RIFFLE_TEST_CASES");
    return given != NULL ? strtoull(given, NULL, 0) : 0;
}

/* xorshift64* */
uint64_t check_random(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1du;
}

bool arrays_create(size_t bytes, check_arrays *out) {
    *out = (check_arrays){.bytes = bytes};
    void *src = NULL, *guarded = NULL;
    out->src = malloc(bytes + 1);
    out->dst = malloc(bytes + 2 * GUARD_BYTES);
    if (!check(out->src != NULL && out->dst != NULL, "%zu bytes of memory", bytes)) return false;
    if (!check_cuda(cudaMalloc(&src, bytes + 1), "src on the GPU")) return false;
    out->device_src = src;
    if (!check_cuda(cudaMalloc(&guarded, bytes + 2 * GUARD_BYTES), "dst on the GPU")) return false;
    out->guarded = guarded;
    out->device_dst = out->guarded + GUARD_BYTES;
    return arrays_renew(out);
}

void arrays_free(check_arrays *arrays) {
    cudaFree(arrays->guarded);
    cudaFree(arrays->device_src);
    free(arrays->dst);
    free(arrays->src);
}

bool arrays_renew(check_arrays *arrays) {
    for (size_t k = 0; k < arrays->bytes; k += sizeof(uint64_t)) {
        const uint64_t word = check_random();
        const size_t left = arrays->bytes - k;
        memcpy(arrays->src + k, &word, left < sizeof word ? left : sizeof word);
    }
    cudaError_t error = cudaMemcpy(arrays->device_src, arrays->src, arrays->bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = cudaMemset(arrays->guarded, GUARD, arrays->bytes + 2 * GUARD_BYTES);
    if (error == cudaSuccess) error = cudaMemset(arrays->device_dst, POISON, arrays->bytes);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize(); /* streams of a test's own do not wait for these */
    return check_cuda(error, "renewing the arrays");
}

static bool is_guard(const unsigned char *bytes) {
    for (size_t k = 0; k < GUARD_BYTES; k++)
        if (bytes[k] != GUARD) return false;
    return true;
}

bool is_moved(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst, const unsigned char *src) {
    enum { CHUNK = 1024 };
    uint64_t values[CHUNK];
    const uint64_t n = riffle_perm_length(perm);
    for (uint64_t first = 0; first < n; first += CHUNK) {
        const size_t count = n - first < CHUNK ? (size_t)(n - first) : CHUNK;
        if (riffle_perm_map(perm, first, count, values) != RIFFLE_OK) return false;
        for (size_t k = 0; k < count; k++)
            if (memcmp(dst + values[k] * elem_bytes, src + (first + k) * elem_bytes, elem_bytes) != 0)
                return false;
    }
    return true;
}

static bool is_moved_at_samples(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                                const unsigned char *src) {
    enum { SAMPLES = 1000000, NEAR = 4096 };
    const uint64_t n = riffle_perm_length(perm), edges[] = {0, (uint64_t)1 << 31, (uint64_t)1 << 32, n};
    for (uint64_t k = 0; k < SAMPLES; k++) {
        const uint64_t near = edges[k / NEAR % 4] - NEAR / 2 + k % NEAR;
        const uint64_t i = k < 4 * (uint64_t)NEAR && near < n ? near : check_random() % n;
        const uint64_t to = riffle_perm_at(perm, i);
        if (memcmp(dst + to * elem_bytes, src + i * elem_bytes, elem_bytes) != 0) return false;
    }
    return true;
}

typedef bool definition(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                        const unsigned char *src);

static bool moved_as(definition *is_right, check_arrays *arrays, const riffle_perm *perm, size_t elem_bytes,
                     const char *what) {
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error =
            cudaMemcpy(arrays->dst, arrays->guarded, arrays->bytes + 2 * GUARD_BYTES, cudaMemcpyDeviceToHost);
    const unsigned char *dst = arrays->dst + GUARD_BYTES;
    if (!check_cuda(error, what)) return false;
    const bool stayed =
        check(is_guard(arrays->dst) && is_guard(dst + arrays->bytes), "%s: wrote outside dst", what);
    return check(is_right(perm, elem_bytes, dst, arrays->src), "%s: elements in the wrong place", what) &&
           stayed;
}

bool arrays_moved(check_arrays *arrays, const riffle_perm *perm, size_t elem_bytes, const char *what) {
    return moved_as(is_moved, arrays, perm, elem_bytes, what);
}

bool arrays_moved_at_samples(check_arrays *arrays, const riffle_perm *perm, size_t elem_bytes,
                             const char *what) {
    return moved_as(is_moved_at_samples, arrays, perm, elem_bytes, what);
}
