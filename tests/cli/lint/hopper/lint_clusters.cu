// SPDX-License-Identifier: Apache-2.0
//
// Clusters of blocks and each other's shared memory: right kernels, and each without the one barrier that makes it so (WRONG). A comment names a line.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
const int BINS = 64;

// Counts whose bins are dealt to the blocks of a cluster, whose shape the launch says.
template <int WRONG> __global__ void counts(const int *in, int n, int *out) {
    extern __shared__ int bins[];
    cg::cluster_group cluster = cg::this_cluster();
    const int own = BINS / cluster.num_blocks();
    for (int k = threadIdx.x; k < own; k += blockDim.x) bins[k] = 0;
    if (WRONG != 1) cluster.sync();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        int *there = cluster.map_shared_rank(bins, in[k] / own);
        atomicAdd(there + in[k] % own, 1); // counts adds
    }
    if (WRONG != 2) cluster.sync();
    for (int k = threadIdx.x; k < own; k += blockDim.x) atomicAdd(&out[cluster.block_rank() * own + k], bins[k]); // counts reads
}

// Each block reads its neighbour's tile.
template <int WRONG> __global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(128) shifted(const int *in, int *out) {
    __shared__ int tile[128];
    cg::cluster_group cluster = cg::this_cluster();
    const int at = blockIdx.x * blockDim.x + threadIdx.x, next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (WRONG == 3) cluster.sync();
    tile[threadIdx.x] = in[at]; // shifted writes
    if (WRONG != 1 && WRONG != 3) cluster.sync();
    const int *other = cluster.map_shared_rank(tile, next);
    out[at] = other[threadIdx.x]; // shifted reads
    if (WRONG != 2) cluster.sync();
}

// The two halves of a barrier, by PTX, with addresses of 32 bits; between them each block does what concerns nobody else.
template <int WRONG> __global__ void __cluster_dims__(1, 2) halves(const int *in, int *out) {
    __shared__ int tile[64], mine[64];
    unsigned rank, blocks;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    const int at = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x;
    tile[threadIdx.x] = in[at];
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    mine[threadIdx.x] = 2 * in[at];
    if (WRONG == 1) tile[threadIdx.x] += 0 * at + 1; // halves writes
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    uint32_t there, here = (uint32_t)__cvta_generic_to_shared(&tile[63 - threadIdx.x]);
    int found;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"((rank + 1) % blocks));
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(found) : "r"(there) : "memory"); // halves reads
    out[at] = found + mine[threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}

// A thread of one block waits where the others never come.
__global__ void __cluster_dims__(2, 1, 1) stuck(int *out) {
    if (blockIdx.x == 1 && threadIdx.x == 3)
        __syncthreads();
    cg::this_cluster().sync(); // stuck
}

// The halves of a barrier out of turn: two arrivals (1), one by PTX (2), or a whole barrier behind one (3); a second wait (4). Right are those of 0.
template <int WRONG> __global__ void __cluster_dims__(2, 1, 1) turns(int *out) {
    cg::cluster_group cluster = cg::this_cluster();
    for (int k = 0; k < 3; k++) {
        cluster.barrier_arrive();
        if (WRONG == 1) cluster.barrier_arrive(); // turns arrives
        if (WRONG == 2) asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); // turns arrives by PTX
        if (WRONG == 3) cluster.sync(); // turns meets
        cluster.barrier_wait();
        if (WRONG == 4) cluster.barrier_wait(); // turns waits
    }
    cluster.sync();
    cluster.barrier_arrive();
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = 3;
}

// Asks for memory that no block of the cluster has: of one beyond the last by a pointer (1) or by PTX (2), and of what is not shared (3).
template <int WRONG> __global__ void __cluster_dims__(2, 1, 1) beyond(const int *in, int *out) {
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = in[threadIdx.x];
    cluster.sync();
    const int *there = tile;
    if (WRONG == 1) there = cluster.map_shared_rank(tile, 2); // beyond maps
    if (WRONG == 2) {
        uint64_t at;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"(tile), "r"(2)); // beyond maps by PTX
        there = (const int *)at;
    }
    if (WRONG == 3) there = cluster.map_shared_rank(in, 1); // beyond maps an argument
    if (WRONG != 2 || blockIdx.x > 1) out[threadIdx.x] = there[threadIdx.x]; // beyond reads
    cluster.sync();
}

// No thread of its own comes any more: those that have left count as arrived.
__global__ void __cluster_dims__(2, 1, 1) left(int *out) {
    if (blockIdx.x % 2 == 1) return;
    cg::this_cluster().sync();
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

template <class Kernel, class... Arguments> cudaError_t launch(Kernel kernel, dim3 grid, int threads, int shared, dim3 cluster, Arguments... arguments) {
    cudaLaunchConfig_t with = {};
    cudaLaunchAttribute one[1];
    with.gridDim = grid;
    with.blockDim = threads;
    with.dynamicSmemBytes = shared;
    one[0].id = cudaLaunchAttributeClusterDimension;
    one[0].val.clusterDim.x = cluster.x;
    one[0].val.clusterDim.y = cluster.y;
    one[0].val.clusterDim.z = cluster.z;
    with.attrs = one;
    with.numAttrs = 1;
    return cudaLaunchKernelEx(&with, kernel, arguments...);
}

int main() {
    const int n = 1024;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int k = 0; k < n; k++) in[k] = k * 7 % BINS;
    int wrong = 0;
    auto check = [&](const char *what, auto value) {
        cudaDeviceSynchronize();
        for (int k = 0; k < n; k++)
            if (out[k] != value(k)) {
                if (wrong++ == 0) printf("%s: out[%d] is %d, not %d\n", what, k, out[k], value(k));
            }
        for (int k = 0; k < n; k++) out[k] = 0;
    };
    auto sixteen = [=](int k) { return k < BINS ? n / BINS : 0; };
    for (int size = 1; size <= 8; size *= 2) {
        launch(counts<0>, 8, 32, BINS / size * 4, size, (const int *)in, n, out);
        check("counts", sixteen);
    }
    launch(counts<0>, 8, 32, BINS / 2 * 4, dim3(2, 1, 1), (const int *)in, n, out);
    check("counts", sixteen);
    shifted<0><<<8, 128>>>(in, out);
    check("shifted", [=](int k) { return in[k / 512 * 512 + (k + 128) % 512]; });
    auto mirrored = [=](int k) { return in[((k / 64) ^ 2) * 64 + 63 - k % 64] + 2 * in[k]; };
    halves<0><<<dim3(2, 8), 64>>>(in, out);
    check("halves", mirrored);
    turns<0><<<2, 32>>>(out);
    check("turns", [](int k) { return 3 * (k == 0); });
    left<<<2, 32>>>(out);
    check("left", [](int k) { return k == 0; });
#ifdef HAZARDS
    launch(counts<1>, 8, 32, BINS / 2 * 4, 2, (const int *)in, n, out);
    launch(counts<2>, 8, 32, BINS / 2 * 4, 2, (const int *)in, n, out);
    shifted<1><<<4, 128>>>(in, out);
    shifted<2><<<4, 128>>>(in, out);
    shifted<3><<<4, 128>>>(in, out);
    halves<1><<<dim3(2, 2), 64>>>(in, out);
    stuck<<<2, 32>>>(out);
    turns<1><<<2, 32>>>(out);
    turns<2><<<2, 32>>>(out);
    turns<3><<<2, 32>>>(out);
    turns<4><<<2, 32>>>(out);
    beyond<1><<<2, 32>>>(in, out);
    beyond<2><<<2, 32>>>(in, out);
    beyond<3><<<2, 32>>>(in, out);
    shifted<0><<<6, 128>>>(in, out);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
#endif
    return wrong != 0;
}
