/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the programs of this folder share: stopping where there is no GPU or a call fails, arrays, and the time of a move
 * beside that of a copy, both by CUDA's events and in turn, so that they see the same machine.
 */
#ifndef RIFFLE_EXAMPLES_CUDA_GPU_H
#define RIFFLE_EXAMPLES_CUDA_GPU_H

#include <cuda_runtime_api.h>
#include <riffle/cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_GPU = 77, TRIALS = 10 };

static inline void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    fprintf(stderr, "%s: %s\n", riffle_status_string(status), riffle_error_detail());
    exit(1);
}

static inline void must(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: CUDA says '%s'\n", what, cudaGetErrorString(error));
    exit(1);
}

/** Ends the program with NO_GPU where there is none; else prints the GPU's name. */
static inline void need_gpu(void) {
    riffle_cuda_device device;
    if (riffle_cuda_describe(&device) != RIFFLE_OK) {
        printf("skipped: %s\n", riffle_error_detail());
        exit(NO_GPU);
    }
    printf("%s: ", device.name);
}

/** The argument at `place` as a number from least to most, or `otherwise` if there is none; else the program
 *  ends. */
static inline unsigned long long argument(int argc, char **argv, int place, unsigned long long otherwise,
                                          unsigned long long least, unsigned long long most) {
    if (place >= argc) return otherwise;
    char *end;
    const unsigned long long value = strtoull(argv[place], &end, 10);
    if (*end == '\0' && value >= least && value <= most) return value;
    fprintf(stderr, "%s: argument %d is '%s' and must be a number from %llu to %llu\n", argv[0], place,
            argv[place], least, most);
    exit(2);
}

static inline void *host_array(size_t bytes) {
    void *array = malloc(bytes);
    if (array != NULL) return array;
    fprintf(stderr, "%zu bytes of memory cannot be had\n", bytes);
    exit(1);
}

static inline void *device_array(size_t bytes) {
    void *array;
    must(cudaMalloc(&array, bytes), "an array on the GPU");
    return array;
}

static inline void to_device(void *device, const void *host, size_t bytes) {
    must(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
}

/** Waits for what is queued, and so tells of its errors as well. */
static inline void to_host(void *host, const void *device, size_t bytes) {
    must(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "moving, and copying from the GPU");
}

/** The best of TRIALS moves and as many copies, of copy_bytes from `from` to `to`. Moves what was moved
 *  already. */
typedef struct times {
    float move_ms, copy_ms;
} times;

static inline times time_beside_copy(const riffle_plan *plan, void *dst, const void *src, void *to,
                                     const void *from, size_t copy_bytes) {
    cudaEvent_t event[3];
    times best = {1e30f, 1e30f};
    for (int k = 0; k < 3; k++) must(cudaEventCreate(&event[k]), "an event");
    for (int trial = 0; trial < TRIALS; trial++) {
        must(cudaEventRecord(event[0], NULL), "an event");
        check(riffle_cuda_execute(plan, dst, src, NULL, 0, NULL));
        must(cudaEventRecord(event[1], NULL), "an event");
        must(cudaMemcpyAsync(to, from, copy_bytes, cudaMemcpyDeviceToDevice, NULL), "a copy");
        must(cudaEventRecord(event[2], NULL), "an event");
        must(cudaEventSynchronize(event[2]), "moving and copying");
        float move_ms, copy_ms;
        must(cudaEventElapsedTime(&move_ms, event[0], event[1]), "the time of a move");
        must(cudaEventElapsedTime(&copy_ms, event[1], event[2]), "the time of a copy");
        if (move_ms < best.move_ms) best.move_ms = move_ms;
        if (copy_ms < best.copy_ms) best.copy_ms = copy_ms;
    }
    for (int k = 0; k < 3; k++) must(cudaEventDestroy(event[k]), "an event");
    return best;
}

#endif
