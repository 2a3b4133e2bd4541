/* SPDX-License-Identifier: Apache-2.0
 *
 * Section VII of the RAP paper (Nakano, Matsumae, Ito 2014) on a GPU: a 32 x 32 x 32 array in shared memory is read by
 * warps along each of its axes, under the layouts whose random numbers fit registers and those written by hand.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -I../../include -o axes axes.cu && ./axes [REPETITIONS]
 *
 * Prints a JSON line for each layout and axis: the time in which one block reads the whole array, and the congestion.
 * Fails if a sum of what was read is wrong. A block takes 132 KiB of shared memory.
 */
#include <cuda_runtime.h>

#include "riffle/rap.h"

enum { W = 32, SHARED_BYTES = W * W * (W + 1) * (int)sizeof(float) };
enum axis { CONTIGUOUS, STRIDE1, STRIDE2 };

struct place {
    unsigned j, k, l;
};

/* The place that lane `lane` of warp `warp` reads in turn z: the lanes lie along the axis, the warps and turns cover the
 * rest. */
__host__ __device__ inline place place_of(axis along, unsigned warp, unsigned lane, unsigned z) {
    if (along == CONTIGUOUS) return {z, warp, lane};
    if (along == STRIDE1) return {z, lane, warp};
    return {lane, z, warp};
}

/* Three sets of random numbers; all but 3P use the first alone. */
struct numbers {
    riffle_shifts32 r, s, t;
};

__host__ __device__ inline unsigned address_of(riffle_layout_kind layout, const numbers &n, place at) {
    const unsigned row = at.j * W + at.k;
    switch (layout) {
    case RIFFLE_LAYOUT_1P: return riffle_rap32(&n.r, row, at.l);
    case RIFFLE_LAYOUT_R1P: return riffle_r1p32(&n.r, 0, at.j, at.k, at.l);
    case RIFFLE_LAYOUT_3P: return riffle_3p32(&n.r, &n.s, &n.t, 0, at.j, at.k, at.l);
    case RIFFLE_LAYOUT_PADDED: return riffle_padded(W, row, at.l);
    case RIFFLE_LAYOUT_XOR: return riffle_swizzled(W, row, at.l);
    default: return row * W + at.l;
    }
}

__device__ inline riffle_shifts32 load(const unsigned *packed) {
    return {{packed[0], packed[1], packed[2], packed[3], packed[4], packed[5]}};
}

/* out[t] = the sum of the elements that thread t reads. No element is negative, which only we know: so no read can be
 * left out and the addresses are computed in each repetition. */
template <riffle_layout_kind LAYOUT, axis ALONG>
__global__ void __launch_bounds__(W *W)
    sum_along(float *out, const float *in, const unsigned *packed, unsigned repetitions) {
    extern __shared__ float cube[];
    const numbers n = {load(packed), load(packed + 6), load(packed + 12)};
    const unsigned lane = threadIdx.x % W;
    unsigned warp = threadIdx.x / W;
    for (unsigned j = 0; j < W; ++j) {
        const place at = {j, warp, lane};
        cube[address_of(LAYOUT, n, at)] = in[j * W * W + threadIdx.x];
    }
    __syncthreads();
    float sum = 0;
    for (unsigned k = 0; k < repetitions; ++k) {
        for (unsigned z = 0; z < W; ++z) {
            const place at = place_of(ALONG, warp, lane, z);
            sum += ((volatile float *)cube)[address_of(LAYOUT, n, at)]; // the read
        }
        warp += sum < 0;
    }
    out[threadIdx.x] = sum / (float)repetitions;
}

#ifndef RIFFLE_LINT /* riffle lint, which runs the kernel alone, is spared the rest */
#include "measure.h"

static const char *const axis_names[] = {"contiguous", "stride1", "stride2"};

struct variant {
    riffle_layout_kind layout;
    axis along;
    void (*run)(float *out, const float *in, const unsigned *packed, unsigned repetitions);
};

template <riffle_layout_kind LAYOUT> void add_axes(std::vector<variant> *variants) {
    variants->push_back({LAYOUT, CONTIGUOUS, sum_along<LAYOUT, CONTIGUOUS>});
    variants->push_back({LAYOUT, STRIDE1, sum_along<LAYOUT, STRIDE1>});
    variants->push_back({LAYOUT, STRIDE2, sum_along<LAYOUT, STRIDE2>});
}

static double congestion_of(const variant &one, const numbers &n) {
    unsigned sum = 0;
    for (unsigned warp = 0; warp < W; ++warp) {
        for (unsigned z = 0; z < W; ++z) {
            unsigned address[LANES];
            for (unsigned lane = 0; lane < W; ++lane)
                address[lane] = address_of(one.layout, n, place_of(one.along, warp, lane, z));
            sum += turns(address, 4);
        }
    }
    return (double)sum / (W * W);
}

/* Elements are small whole numbers, so that sums of them are exact. */
static bool is_right(const variant &one, const std::vector<float> &in, const std::vector<float> &out) {
    for (unsigned t = 0; t < W * W; ++t) {
        float sum = 0;
        for (unsigned z = 0; z < W; ++z) {
            const place at = place_of(one.along, t / W, t % W, z);
            sum += in[(at.j * W + at.k) * W + at.l];
        }
        if (out[t] != sum) return false;
    }
    return true;
}

static bool measure(const char *device, const variant &one, unsigned repetitions) {
    const numbers n = {draw(RIFFLE_LAYOUT_RAP, 4, 1), draw(RIFFLE_LAYOUT_RAP, 4, 2),
                       draw(RIFFLE_LAYOUT_RAP, 4, 3)};
    std::vector<unsigned> words(n.r.word, n.r.word + 6);
    words.insert(words.end(), n.s.word, n.s.word + 6);
    words.insert(words.end(), n.t.word, n.t.word + 6);
    std::vector<float> in(W * W * W);
    for (unsigned k = 0; k < W * W * W; ++k) in[k] = (float)(k * 2654435761u >> 22);
    float *const from = to_device(in), *const to = to_device(std::vector<float>(W * W));
    unsigned *const packed = to_device(words);
    must(cudaFuncSetAttribute(one.run, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES),
         "asking for 132 KiB of shared memory");
    auto launch = [&](unsigned times) { one.run<<<1, W * W, SHARED_BYTES>>>(to, from, packed, times); };
    launch(1);
    must(cudaGetLastError(), "launching sum_along");
    const bool right = is_right(one, in, from_device(to, W * W));
    printf("{\"program\": \"axes\", \"device\": \"%s\", \"layout\": \"%s\", \"axis\": \"%s\", \"repetitions\": "
           "%u, "
           "\"nanoseconds\": %.3f, \"congestion\": %.4f, \"right\": %s}\n",
           device, riffle_layout_string(one.layout), axis_names[one.along], repetitions,
           nanoseconds_each(launch, repetitions), congestion_of(one, n), right ? "true" : "false");
    fflush(stdout);
    must(cudaFree(from), "cudaFree");
    must(cudaFree(to), "cudaFree");
    must(cudaFree(packed), "cudaFree");
    return right;
}

int main(int argc, char **argv) {
    cudaDeviceProp device;
    const unsigned repetitions =
        begin(argc, argv, &device) / 10 + 1; /* each reads 32 times as much as a tile has */
    std::vector<variant> variants;
    add_axes<RIFFLE_LAYOUT_RAW>(&variants);
    add_axes<RIFFLE_LAYOUT_1P>(&variants);
    add_axes<RIFFLE_LAYOUT_R1P>(&variants);
    add_axes<RIFFLE_LAYOUT_3P>(&variants);
    add_axes<RIFFLE_LAYOUT_PADDED>(&variants);
    add_axes<RIFFLE_LAYOUT_XOR>(&variants);
    bool right = true;
    for (const variant &one : variants) right &= measure(device.name, one, repetitions);
    return right ? 0 : 1;
}
#endif
