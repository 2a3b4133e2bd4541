/* SPDX-License-Identifier: Apache-2.0
 *
 * A use whose addresses nobody knows when the kernel is compiled: every block turns a periodic 32 x 32 tile of
 * an image by an angle that comes with the data. A warp writes a row of the result, so it reads the tile along
 * a line of that angle: a row at 0 degrees, a column at 90, a diagonal at 45. "random" gathers elements at
 * random instead.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -I../../include -o rotate rotate.cu && ./rotate [REPETITIONS]
 *
 * Prints a JSON line for each angle and layout: the time that one gather of a tile takes each multiprocessor,
 * and the congestion. Fails if a pixel is wrong.
 */
#include <cuda_runtime.h>

#include "riffle/rap.h"

/* RAP with the numbers unpacked into shared memory: one more read, in which each row's word has a bank of its
 * own. */
enum { RAP_TABLE = RIFFLE_LAYOUT_COUNT, W = 32, PADDED_CELLS = W * (W + 1) };

template <int LAYOUT>
__device__ inline unsigned address_of(const riffle_shifts32 &r, const unsigned *table, unsigned row,
                                      unsigned col) {
    if (LAYOUT == RAP_TABLE) return riffle_rotated(W, row, col, table[row]);
    return riffle_layout32((riffle_layout_kind)LAYOUT, &r, row, col);
}

/* out[t] = the pixel of `in` that thread t asks for, number source[t] in row-major order; gathered
 * `repetitions` times, each with its address computed anew, and averaged. */
template <int LAYOUT>
__global__ void __launch_bounds__(W *W)
    gather(float *out, const float *in, const unsigned *source, const unsigned *packed, unsigned repetitions) {
    __shared__ float tile[PADDED_CELLS];
    __shared__ unsigned table[W];
    const riffle_shifts32 r = {{packed[0], packed[1], packed[2], packed[3], packed[4], packed[5]}};
    const unsigned row = threadIdx.x / W, col = threadIdx.x % W;
    if (row == 0) table[col] = riffle_shift32(&r, col);
    __syncthreads();
    tile[address_of<LAYOUT>(r, table, row, col)] = in[threadIdx.x];
    __syncthreads();
    unsigned pixel = source[threadIdx.x];
    float sum = 0;
    for (unsigned k = 0; k < repetitions; ++k) {
        const float value = ((volatile float *)tile)[address_of<LAYOUT>(r, table, pixel / W, pixel % W)]; // the gather
        sum += value;
        pixel += value < 0; // never, but only we know: each gather has its address computed anew
    }
    out[blockIdx.x * W * W + threadIdx.x] = sum / (float)repetitions;
}

#ifndef RIFFLE_LINT /* riffle lint, which runs the kernel alone, is spared the rest */
#include <cmath>

#include "measure.h"

/* The pixels that the threads ask for: the nearest pixel of the tile turned by so many degrees, or any. */
static std::vector<unsigned> pixels_at(int degrees, bool random) {
    const double pi = 3.14159265358979323846, c = cos(degrees * pi / 180), s = sin(degrees * pi / 180);
    std::vector<unsigned> source(W * W);
    uint64_t state = riffle_draw_stream(1, 0);
    for (unsigned t = 0; t < W * W; ++t) {
        const double y = t / W, x = t % W;
        const unsigned row = (unsigned)((long)floor(c * y + s * x + 0.5) + 4 * W) % W;
        const unsigned col = (unsigned)((long)floor(c * x - s * y + 0.5) + 4 * W) % W;
        source[t] = random ? riffle_draw_below(&state, W * W) : row * W + col;
    }
    return source;
}

static double congestion_of(riffle_layout_kind layout, const riffle_shifts32 &r,
                            const std::vector<unsigned> &source) {
    unsigned sum = 0;
    for (unsigned warp = 0; warp < W; ++warp) {
        unsigned address[LANES];
        for (unsigned lane = 0; lane < W; ++lane) {
            const unsigned pixel = source[warp * W + lane];
            address[lane] = riffle_layout32(layout, &r, pixel / W, pixel % W);
        }
        sum += turns(address, 4);
    }
    return (double)sum / W;
}

struct variant {
    const char *name;
    riffle_layout_kind layout;
    void (*run)(float *out, const float *in, const unsigned *source, const unsigned *packed,
                unsigned repetitions);
};

static const variant variants[] = {
    {"raw", RIFFLE_LAYOUT_RAW, gather<RIFFLE_LAYOUT_RAW>},
    {"ras", RIFFLE_LAYOUT_RAS, gather<RIFFLE_LAYOUT_RAS>},
    {"rap", RIFFLE_LAYOUT_RAP, gather<RIFFLE_LAYOUT_RAP>},
    {"rap-table", RIFFLE_LAYOUT_RAP, gather<RAP_TABLE>},
    {"padded", RIFFLE_LAYOUT_PADDED, gather<RIFFLE_LAYOUT_PADDED>},
    {"xor", RIFFLE_LAYOUT_XOR, gather<RIFFLE_LAYOUT_XOR>},
};

struct measured {
    double nanoseconds, congestion;
    bool right;
};

static void measure_seed(const variant &one, const std::vector<unsigned> &source, unsigned blocks,
                         unsigned seed, unsigned repetitions, measured *sum) {
    const riffle_shifts32 r = draw(one.layout, 4, seed);
    std::vector<float> in(W * W);
    for (unsigned k = 0; k < W * W; ++k) in[k] = (float)k;
    float *const from = to_device(in), *const to = to_device(std::vector<float>((size_t)blocks * W * W));
    unsigned *const wanted = to_device(source), *const packed =
                                                    to_device(std::vector<unsigned>(r.word, r.word + 6));
    auto launch = [&](unsigned times) { one.run<<<blocks, W * W>>>(to, from, wanted, packed, times); };
    launch(1);
    must(cudaGetLastError(), "launching gather");
    const std::vector<float> out = from_device(to, (size_t)blocks * W * W);
    for (size_t k = 0; k < out.size(); ++k) sum->right = sum->right && out[k] == in[source[k % (W * W)]];
    sum->nanoseconds += nanoseconds_each(launch, repetitions);
    sum->congestion += congestion_of(one.layout, r, source);
    must(cudaFree(from), "cudaFree");
    must(cudaFree(to), "cudaFree");
    must(cudaFree(wanted), "cudaFree");
    must(cudaFree(packed), "cudaFree");
}

/* Two blocks on each multiprocessor keep it busy; the time is divided by them. */
static bool measure(const cudaDeviceProp &device, const char *use, const std::vector<unsigned> &source,
                    const variant &one, unsigned repetitions) {
    const unsigned per_multiprocessor = 2, blocks = per_multiprocessor * (unsigned)device.multiProcessorCount;
    const unsigned seeds = seeds_of(one.layout);
    measured sum = {0, 0, true};
    for (unsigned seed = 1; seed <= seeds; ++seed) measure_seed(one, source, blocks, seed, repetitions, &sum);
    printf("{\"program\": \"rotate\", \"device\": \"%s\", \"use\": \"%s\", \"layout\": \"%s\", \"seeds\": %u, "
           "\"repetitions\": %u, \"nanoseconds\": %.3f, \"congestion\": %.4f, \"right\": %s}\n",
           device.name, use, one.name, seeds, repetitions, sum.nanoseconds / seeds / per_multiprocessor,
           sum.congestion / seeds, sum.right ? "true" : "false");
    fflush(stdout);
    return sum.right;
}

static bool measure_layouts(const cudaDeviceProp &device, const char *use, const std::vector<unsigned> &source,
                            unsigned repetitions) {
    bool right = true;
    for (const variant &one : variants) right &= measure(device, use, source, one, repetitions);
    return right;
}

int main(int argc, char **argv) {
    cudaDeviceProp device;
    const unsigned repetitions = begin(argc, argv, &device);
    bool right = true;
    for (int degrees = -45; degrees <= 90; degrees += 15) {
        char use[32];
        snprintf(use, sizeof use, "%d degrees", degrees);
        right &= measure_layouts(device, use, pixels_at(degrees, false), repetitions);
    }
    right &= measure_layouts(device, "random", pixels_at(0, true), repetitions);
    return right ? 0 : 1;
}
#endif
