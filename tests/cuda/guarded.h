/* SPDX-License-Identifier: Apache-2.0
 *
 * Poisoned arrays on the device with guards on both sides, and arrays on the host. Without memory a test ends.
 */
#ifndef RIFFLE_TESTS_CUDA_GUARDED_H
#define RIFFLE_TESTS_CUDA_GUARDED_H

#include <stdlib.h>

#include "check.h"

enum { GUARD = 512, POISON = 0xa5 };

static inline void *host(size_t bytes) {
    void *out = calloc(bytes + 1, 1);
    if (!check(out != NULL, "memory of the host")) abort();
    return out;
}

/** On 256 bytes. */
static inline char *device(size_t bytes) {
    void *out = NULL;
    if (!check_cuda(cudaMalloc(&out, bytes + 2 * GUARD), "memory of the device")) abort();
    cudaMemset(out, POISON, bytes + 2 * GUARD);
    cudaDeviceSynchronize(); /* a test's stream does not wait for the default one's work */
    return (char *)out + GUARD;
}

/** NULL is nothing. */
static inline void device_free(char *array) {
    if (array != NULL) cudaFree(array - GUARD);
}

static inline bool are_guards_intact(const char *array, size_t bytes) {
    unsigned char guards[2 * GUARD];
    bool intact = true;
    cudaMemcpy(guards, array - GUARD, GUARD, cudaMemcpyDeviceToHost);
    cudaMemcpy(guards + GUARD, array + bytes, GUARD, cudaMemcpyDeviceToHost);
    for (unsigned k = 0; k < 2 * GUARD; k++) intact = intact && guards[k] == POISON;
    return intact;
}

#endif
