/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the programs of this folder share: failing CUDA calls, the time of one repetition inside a kernel, and counting on
 * the host how a warp's requests fall into banks.
 */
#ifndef RIFFLE_EXAMPLES_RAP_MEASURE_H
#define RIFFLE_EXAMPLES_RAP_MEASURE_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#include "riffle/rap.h"

enum { LANES = 32, NO_GPU = 77 };

inline void must(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

template <class T> T *to_device(const std::vector<T> &host) {
    T *device = nullptr;
    must(cudaMalloc(&device, host.size() * sizeof(T)), "cudaMalloc");
    must(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
         "copying to the device");
    return device;
}

template <class T> std::vector<T> from_device(const T *device, size_t count) {
    std::vector<T> host(count);
    must(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), "copying from the device");
    return host;
}

/** Nanoseconds of launch(repetitions), the best of three. */
template <class Launch> double nanoseconds(Launch launch, unsigned repetitions) {
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start), "cudaEventCreate");
    must(cudaEventCreate(&stop), "cudaEventCreate");
    float best = 1e30f;
    for (int run = 0; run < 3; ++run) {
        float milliseconds = 0;
        must(cudaEventRecord(start), "cudaEventRecord");
        launch(repetitions);
        must(cudaEventRecord(stop), "cudaEventRecord");
        must(cudaEventSynchronize(stop), "the kernel");
        must(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
        best = milliseconds < best ? milliseconds : best;
    }
    must(cudaEventDestroy(start), "cudaEventDestroy");
    must(cudaEventDestroy(stop), "cudaEventDestroy");
    return best * 1e6;
}

/** Nanoseconds of one repetition, by the difference between many and few: the launch and the loading drop
 *  out. */
template <class Launch> double nanoseconds_each(Launch launch, unsigned repetitions) {
    const unsigned few = repetitions / 10 + 1;
    const double many = nanoseconds(launch, repetitions + few);
    return (many - nanoseconds(launch, few)) / repetitions;
}

/** Turns that 32 requests take on a GPU for elements of elem_bytes: the congestions of 1, 2 or 4 phases added
 *  up. With elem_bytes = 4 it is the congestion of the model, where a bank is as wide as an element. */
inline unsigned turns(const unsigned address[LANES], unsigned elem_bytes) {
    const unsigned phases = elem_bytes / 4, lanes = LANES / phases;
    unsigned sum = 0;
    for (unsigned first = 0; first < LANES; first += lanes) {
        unsigned load[LANES] = {}, most = 0;
        for (unsigned t = first; t < first + lanes; ++t) {
            bool is_new = true; /* equal addresses are one request */
            for (unsigned k = first; k < t; ++k) is_new = is_new && address[k] != address[t];
            if (is_new && ++load[address[t] % lanes] > most) most = load[address[t] % lanes];
        }
        sum += most;
    }
    return sum;
}

/** The random numbers that a layout takes to the device: RAP's drawn for elements of elem_bytes. */
inline riffle_shifts32 draw(riffle_layout_kind layout, unsigned elem_bytes, unsigned long long seed) {
    return layout == RIFFLE_LAYOUT_RAS ? riffle_ras_shifts32(seed) : riffle_rap_shifts32(elem_bytes, seed);
}

/** How many seeds a layout is measured with. */
inline unsigned seeds_of(riffle_layout_kind layout) {
    return layout == RIFFLE_LAYOUT_RAS || layout == RIFFLE_LAYOUT_RAP ? 64 : 1;
}

/** The repetitions that the command line asks for, and the device's name. */
inline unsigned begin(int argc, char **argv, cudaDeviceProp *device) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        fprintf(stderr, "no GPU: %s\n", cudaGetErrorString(status));
        exit(NO_GPU);
    }
    must(cudaGetDeviceProperties(device, 0), "cudaGetDeviceProperties");
    const int repetitions = argc > 1 ? atoi(argv[1]) : 10000;
    if (repetitions > 0) return (unsigned)repetitions;
    fprintf(stderr, "usage: %s [REPETITIONS]\n", argv[0]);
    exit(2);
}

#endif
