/* SPDX-License-Identifier: Apache-2.0 */
#include "test_blocks.h"

#include <stdio.h>

#include "../check.h"
#include "riffle/papers.h"

enum { BLOCKS = 3, REPETITIONS = 2 };

/* Each block's array moved by itself is one array of blocks * n elements moved block by block. */
static bool are_moved(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                      const unsigned char *src) {
    const size_t bytes = (size_t)riffle_perm_length(perm) * elem_bytes;
    for (size_t k = 0; k < BLOCKS; k++)
        if (!is_moved(perm, elem_bytes, dst + k * bytes, src + k * bytes)) return false;
    return true;
}

static void run_blocks(const riffle_perm *perm, const riffle_perm *expected, size_t elem_bytes,
                       riffle_algorithm algorithm, check_arrays *arrays) {
    double seconds = -1;
    if (!arrays_renew(arrays)) return;
    const riffle_status status = riffle_cuda_permute_in_blocks(
        perm, elem_bytes, algorithm, BLOCKS, REPETITIONS, arrays->device_dst, arrays->device_src, &seconds);
    const char *name = riffle_algorithm_string(algorithm);
    if (!check(status == RIFFLE_OK, "%s in blocks", name)) return;
    check(seconds >= 0 && seconds < 60, "%s in blocks took %g s", name, seconds);
    check_cuda(cudaMemcpy(arrays->dst, arrays->device_dst, arrays->bytes, cudaMemcpyDeviceToHost), name);
    check(are_moved(expected, elem_bytes, arrays->dst, arrays->src),
          "%s in blocks of %llu x %zu bytes: elements in the wrong place", name,
          (unsigned long long)riffle_perm_length(perm), elem_bytes);
}

static void test_length(uint64_t n, size_t elem_bytes) {
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_COPY, RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_CONFLICT_FREE};
    char by[32];
    snprintf(by, sizeof by, "random:%llu", (unsigned long long)(check_random() % 1000000));
    riffle_perm *perm = NULL, *identity = NULL;
    check_arrays arrays = {0};
    if (check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s", by) &&
        check(riffle_perm_identity(n, &identity) == RIFFLE_OK, "identity") &&
        arrays_create(BLOCKS * n * elem_bytes, &arrays)) {
        for (unsigned k = 0; k < sizeof algorithms / sizeof algorithms[0]; k++) {
            const bool copies = algorithms[k] == RIFFLE_ALGORITHM_COPY;
            run_blocks(perm, copies ? identity : perm, elem_bytes, algorithms[k], &arrays);
        }
    }
    arrays_free(&arrays);
    riffle_perm_free(identity);
    riffle_perm_free(perm);
}

static riffle_status ask(uint64_t n, size_t elem_bytes, riffle_algorithm algorithm, unsigned blocks,
                         uint64_t repetitions, check_arrays *arrays) {
    riffle_perm *perm;
    double seconds;
    riffle_status status = riffle_perm_reverse(n, &perm);
    if (status != RIFFLE_OK) return status;
    status = riffle_cuda_permute_in_blocks(perm, elem_bytes, algorithm, blocks, repetitions, arrays->device_dst,
                                           arrays->device_src, &seconds);
    riffle_perm_free(perm);
    return status;
}

static void test_refusals(void) {
    check_arrays arrays = {0};
    if (arrays_create(4096, &arrays)) {
        check_refused(ask(32, 4, RIFFLE_ALGORITHM_AUTO, 1, 1, &arrays), RIFFLE_ERROR_UNSUPPORTED,
                      "conflict-free", "an algorithm that blocks do not have");
        check_refused(ask(32, 12, RIFFLE_ALGORITHM_COPY, 1, 1, &arrays), RIFFLE_ERROR_UNSUPPORTED, "12",
                      "elements of 12 bytes");
        check_refused(ask(32, 4, RIFFLE_ALGORITHM_COPY, 0, 1, &arrays), RIFFLE_ERROR_INVALID_ARGUMENT, "blocks",
                      "no blocks");
        check_refused(ask(32, 4, RIFFLE_ALGORITHM_COPY, 1, 0, &arrays), RIFFLE_ERROR_INVALID_ARGUMENT, "once",
                      "no repetitions");
        check_refused(ask(1 << 20, 4, RIFFLE_ALGORITHM_GATHER, 1, 1, &arrays), RIFFLE_ERROR_UNSUPPORTED,
                      "shared memory", "an array too long for a block");
    }
    arrays_free(&arrays);
}

void test_blocks(void) {
    static const uint64_t lengths[] = {0, 1, 2, 31, 32, 33, 97, 1000, 1023, 1024, 1025, 4001, 9000};
    for (size_t elem_bytes = 4; elem_bytes <= 8; elem_bytes += 4)
        for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++) test_length(lengths[k], elem_bytes);
    test_refusals();
}
