/* SPDX-License-Identifier: Apache-2.0
 *
 * The RAP paper's Table III (Nakano, Matsumae, Ito 2014, sections III and VI): a 32 x 32 array is transposed
 * within shared memory by one block of 1024 threads, in three ways and under every layout of two dimensions.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -I../../include -o transpose transpose.cu && ./transpose [REPETITIONS]
 *
 * Prints a JSON line for each: the time of one transposition, and the congestion that the layout's addresses
 * have. Fails if a transposition is wrong. `riffle lint` counts the congestion of the same kernel.
 */
#include <cuda_runtime.h>

#include "riffle/rap.h"

enum algorithm { CRSW, SRCW, DRDW };
enum { W = 32, PADDED_CELLS = W * (W + 1) };

struct place {
    unsigned row, col;
};

/* Where thread (i, j) reads; it writes to the same place with row and column exchanged. CRSW reads a row and
 * writes a column, SRCW the reverse, DRDW reads and writes a diagonal. */
__host__ __device__ inline place source_of(algorithm by, unsigned i, unsigned j) {
    if (by == CRSW) return {i, j};
    if (by == SRCW) return {j, i};
    return {(i + j) % W, j};
}

/* out = in transposed, `repetitions` times over from array a to array b. The empty asm makes i new to the
 * compiler in every repetition, so that the addresses are computed each time, as in a kernel that transposes
 * once. */
template <algorithm BY, riffle_layout_kind LAYOUT, class T>
__global__ void __launch_bounds__(W *W)
    transpose(T *out, const T *in, const unsigned *packed, unsigned repetitions) {
    __shared__ T a[PADDED_CELLS], b[PADDED_CELLS];
    const riffle_shifts32 r = {{packed[0], packed[1], packed[2], packed[3], packed[4], packed[5]}};
    const unsigned lane = threadIdx.x % W;
    unsigned i = threadIdx.x / W;
    a[riffle_layout32(LAYOUT, &r, i, lane)] = in[i * W + lane];
    __syncthreads();
    for (unsigned k = 0; k < repetitions; ++k) {
        asm volatile("" : "+r"(i));
        const place from = source_of(BY, i, lane);
        const T value = a[riffle_layout32(LAYOUT, &r, from.row, from.col)]; // the read
        b[riffle_layout32(LAYOUT, &r, from.col, from.row)] = value;         // the write
        __syncthreads();
    }
    out[i * W + lane] = b[riffle_layout32(LAYOUT, &r, i, lane)];
}

#ifndef RIFFLE_LINT /* riffle lint, which runs the kernel alone, is spared the rest */
#include "measure.h"

static const char *const algorithm_names[] = {"crsw", "srcw", "drdw"};

static float element_of(unsigned i, float) { return (float)i; }
static double element_of(unsigned i, double) { return i; }
static double2 element_of(unsigned i, double2) { return {(double)i, -(double)i}; }
static bool same(float x, float y) { return x == y; }
static bool same(double x, double y) { return x == y; }
static bool same(double2 x, double2 y) { return x.x == y.x && x.y == y.y; }

template <class T> using kernel = void (*)(T *out, const T *in, const unsigned *packed, unsigned repetitions);

template <class T> struct variant {
    algorithm by;
    riffle_layout_kind layout;
    unsigned drawn_for; /* elem_bytes of the permutation */
    kernel<T> run;
};

/* Turns that the warps take for their reads or writes, on average. */
static double turns_of(algorithm by, riffle_layout_kind layout, const riffle_shifts32 &r, bool write,
                       unsigned elem_bytes) {
    unsigned sum = 0;
    for (unsigned i = 0; i < W; ++i) {
        unsigned address[LANES];
        for (unsigned j = 0; j < W; ++j) {
            const place from = source_of(by, i, j);
            address[j] = write ? riffle_layout32(layout, &r, from.col, from.row)
                               : riffle_layout32(layout, &r, from.row, from.col);
        }
        sum += turns(address, elem_bytes);
    }
    return (double)sum / W;
}

/* Sums over seeds. */
struct measured {
    double nanoseconds, read, write, read_turns, write_turns;
    bool right;
};

template <class T>
void measure_seed(const variant<T> &one, unsigned seed, unsigned repetitions, measured *sum) {
    const riffle_shifts32 r = draw(one.layout, one.drawn_for, seed);
    std::vector<T> in(W * W);
    for (unsigned k = 0; k < W * W; ++k) in[k] = element_of(k, T());
    T *const from = to_device(in), *const to = to_device(std::vector<T>(W * W));
    unsigned *const packed = to_device(std::vector<unsigned>(r.word, r.word + 6));
    auto launch = [&](unsigned times) { one.run<<<1, W * W>>>(to, from, packed, times); };
    launch(1);
    must(cudaGetLastError(), "launching transpose");
    const std::vector<T> out = from_device(to, W * W);
    for (unsigned k = 0; k < W * W; ++k) sum->right = sum->right && same(out[k], in[k % W * W + k / W]);
    sum->nanoseconds += nanoseconds_each(launch, repetitions);
    sum->read += turns_of(one.by, one.layout, r, false, 4);
    sum->write += turns_of(one.by, one.layout, r, true, 4);
    sum->read_turns += turns_of(one.by, one.layout, r, false, sizeof(T));
    sum->write_turns += turns_of(one.by, one.layout, r, true, sizeof(T));
    must(cudaFree(from), "cudaFree");
    must(cudaFree(to), "cudaFree");
    must(cudaFree(packed), "cudaFree");
}

template <class T> bool measure(const variant<T> &one, const char *device, unsigned repetitions) {
    const unsigned seeds = seeds_of(one.layout);
    measured sum = {0, 0, 0, 0, 0, true};
    for (unsigned seed = 1; seed <= seeds; ++seed) measure_seed(one, seed, repetitions, &sum);
    printf("{\"program\": \"transpose\", \"device\": \"%s\", \"algorithm\": \"%s\", \"layout\": \"%s\", "
           "\"elem_bytes\": %zu, \"drawn_for\": %u, \"seeds\": %u, \"repetitions\": %u, \"nanoseconds\": %.3f, "
           "\"read\": %.4f, \"write\": %.4f, \"read_turns\": %.4f, \"write_turns\": %.4f, \"right\": %s}\n",
           device, algorithm_names[one.by], riffle_layout_string(one.layout), sizeof(T), one.drawn_for, seeds,
           repetitions, sum.nanoseconds / seeds, sum.read / seeds, sum.write / seeds, sum.read_turns / seeds,
           sum.write_turns / seeds, sum.right ? "true" : "false");
    fflush(stdout);
    return sum.right;
}

template <algorithm BY, class T> bool measure_layouts(const char *device, unsigned repetitions) {
    const variant<T> variants[] = {
        {BY, RIFFLE_LAYOUT_RAW, 4, transpose<BY, RIFFLE_LAYOUT_RAW, T>},
        {BY, RIFFLE_LAYOUT_RAS, 4, transpose<BY, RIFFLE_LAYOUT_RAS, T>},
        {BY, RIFFLE_LAYOUT_RAP, 4, transpose<BY, RIFFLE_LAYOUT_RAP, T>},
        {BY, RIFFLE_LAYOUT_RAP, sizeof(T), transpose<BY, RIFFLE_LAYOUT_RAP, T>},
        {BY, RIFFLE_LAYOUT_PADDED, 4, transpose<BY, RIFFLE_LAYOUT_PADDED, T>},
        {BY, RIFFLE_LAYOUT_XOR, 4, transpose<BY, RIFFLE_LAYOUT_XOR, T>},
    };
    bool right = true;
    for (const variant<T> &one : variants) {
        const bool repeated =
            sizeof(T) == 4 && &one == &variants[3]; /* drawn for 4 bytes as the one before it */
        if (!repeated) right &= measure(one, device, repetitions);
    }
    return right;
}

template <class T> bool measure_algorithms(const char *device, unsigned repetitions) {
    bool right = measure_layouts<CRSW, T>(device, repetitions);
    right &= measure_layouts<SRCW, T>(device, repetitions);
    right &= measure_layouts<DRDW, T>(device, repetitions);
    return right;
}

int main(int argc, char **argv) {
    cudaDeviceProp device;
    const unsigned repetitions = begin(argc, argv, &device);
    bool right = measure_algorithms<double>(device.name, repetitions);
    right &= measure_algorithms<float>(device.name, repetitions);
    right &= measure_algorithms<double2>(device.name, repetitions);
    return right ? 0 : 1;
}
#endif
