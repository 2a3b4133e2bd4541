/* SPDX-License-Identifier: Apache-2.0
 *
 * One warp's access to places that are told, in shared memory, in global memory and by atomics: what a GPU's
 * counters say of these decides how the memory machine counts (machine/count/account.c).
 *
 *     patterns FILE    each line of FILE is a launch: a kind, the bytes of a cell, and for each of the 32 lanes the
 *                      cell that it accesses, -1 for none (bench/hardware/launches.py writes it)
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int LANES = 32, CELLS = 2048;

/* Everything but the accesses at `at` is one behind the other. The second read keeps the writes alive. */
template <class T> __global__ void shared_access(T *out, const T *in, const int *place, unsigned cells) {
    extern __shared__ uint4 shared_memory[];
    T *const from = (T *)shared_memory, *const to = from + cells;
    const int at = place[threadIdx.x];
    for (unsigned k = threadIdx.x; k < cells; k += blockDim.x) from[k] = in[k];
    __syncthreads();
    if (at >= 0) to[at] = from[at];
    __syncthreads();
    if (at >= 0) out[threadIdx.x] = to[at];
}

template <class T> __global__ void global_access(T *out, const T *in, const int *place) {
    const int at = place[threadIdx.x];
    if (at >= 0) out[at] = in[at];
}

/** The sums, and what the additions returned behind them. */
__global__ void shared_add(int *out, const int *place) {
    __shared__ int sums[CELLS];
    for (unsigned k = threadIdx.x; k < CELLS; k += blockDim.x) sums[k] = 0;
    __syncthreads();
    const int at = place[threadIdx.x];
    const int before = atomicAdd(&sums[at], (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = sums[at];
    out[LANES + threadIdx.x] = before;
}

/** Adds one and does not ask for what was there, for which the hardware has an instruction of its own. */
__global__ void shared_count(int *out, const int *place) {
    __shared__ int sums[CELLS];
    for (unsigned k = threadIdx.x; k < CELLS; k += blockDim.x) sums[k] = 0;
    __syncthreads();
    const int at = place[threadIdx.x];
    atomicAdd(&sums[at], 1);
    __syncthreads();
    out[threadIdx.x] = sums[at];
}

__global__ void global_add(int *sums, int *before, const int *place) {
    before[threadIdx.x] = atomicAdd(&sums[place[threadIdx.x]], (int)threadIdx.x);
}

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

struct launch {
    char kind[32];
    unsigned bytes;
    int place[LANES];
};

/* The arrays of all launches, with room for CELLS cells of 16 bytes. */
struct arrays {
    char *out, *in;
    int *place;
    std::vector<char> expected;
};

static arrays make_arrays() {
    arrays a;
    a.expected.resize(CELLS * sizeof(uint4));
    for (size_t k = 0; k < a.expected.size(); k++) a.expected[k] = (char)(37 * k + k / 251);
    check(cudaMalloc(&a.out, a.expected.size()));
    check(cudaMalloc(&a.in, a.expected.size()));
    check(cudaMalloc(&a.place, LANES * sizeof(int)));
    check(cudaMemcpy(a.in, a.expected.data(), a.expected.size(), cudaMemcpyHostToDevice));
    return a;
}

static unsigned cells_of(const launch &l) {
    int last = 0;
    for (int at : l.place) last = at > last ? at : last;
    return (unsigned)(last / 128 + 1) * 128;
}

template <class T> static bool run_access(const launch &l, const arrays &a) {
    const bool shared = std::strcmp(l.kind, "shared_access") == 0;
    const unsigned cells = cells_of(l);
    if (shared)
        shared_access<T><<<1, LANES, 2 * cells * sizeof(T)>>>((T *)a.out, (T *)a.in, a.place, cells);
    else
        global_access<T><<<1, LANES>>>((T *)a.out, (T *)a.in, a.place);
    std::vector<char> out(a.expected.size());
    check(cudaMemcpy(out.data(), a.out, out.size(), cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < LANES; lane++) {
        const int at = l.place[lane];
        if (at < 0) continue;
        const size_t found = sizeof(T) * (size_t)(shared ? lane : at), wanted = sizeof(T) * (size_t)at;
        if (std::memcmp(&out[found], &a.expected[wanted], sizeof(T)) != 0) return false;
    }
    return true;
}

static bool run_add(const launch &l, const arrays &a) {
    const bool global = std::strcmp(l.kind, "global_add") == 0,
               count = std::strcmp(l.kind, "shared_count") == 0;
    int *const out = (int *)a.out;
    if (global)
        global_add<<<1, LANES>>>(out, out + CELLS, a.place);
    else if (count)
        shared_count<<<1, LANES>>>(out, a.place);
    else
        shared_add<<<1, LANES>>>(out, a.place);
    std::vector<int> sums(CELLS);
    check(cudaMemcpy(sums.data(), out, CELLS * sizeof(int), cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < LANES; lane++) {
        int wanted = 0;
        for (int other = 0; other < LANES; other++)
            if (l.place[other] == l.place[lane]) wanted += count ? 1 : other;
        if (sums[global ? l.place[lane] : lane] != wanted) return false;
    }
    return true;
}

static bool run(const launch &l, const arrays &a) {
    check(cudaMemset(a.out, 0, a.expected.size()));
    check(cudaMemcpy(a.place, l.place, sizeof l.place, cudaMemcpyHostToDevice));
    if (std::strstr(l.kind, "_access") == nullptr) return run_add(l, a);
    switch (l.bytes) {
    case 1: return run_access<uint8_t>(l, a);
    case 2: return run_access<uint16_t>(l, a);
    case 4: return run_access<uint32_t>(l, a);
    case 8: return run_access<uint2>(l, a);
    case 16: return run_access<uint4>(l, a);
    default: return false;
    }
}

static bool read_launch(FILE *file, launch &l) {
    if (std::fscanf(file, "%31s %u", l.kind, &l.bytes) != 2) return false;
    for (int &at : l.place)
        if (std::fscanf(file, "%d", &at) != 1 || at < -1 || at >= CELLS) return false;
    return true;
}

int main(int argc, char **argv) {
    FILE *const file = argc == 2 ? std::fopen(argv[1], "r") : nullptr;
    if (file == nullptr) {
        std::fprintf(stderr, "usage: patterns FILE\n");
        return 2;
    }
    const arrays a = make_arrays();
    int launches = 0, wrong = 0;
    for (launch l; read_launch(file, l); launches++) {
        if (run(l, a)) continue;
        wrong++;
        std::printf("wrong: %s of %u bytes, launch %d\n", l.kind, l.bytes, launches);
    }
    std::fclose(file);
    check(cudaGetLastError());
    std::printf("%s: %d launches\n", wrong == 0 ? "ok" : "wrong", launches);
    return wrong != 0;
}
