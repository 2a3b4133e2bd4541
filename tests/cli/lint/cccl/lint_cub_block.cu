// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of blocks and warps, compared with plain loops. Kernel twice lacks a barrier between two uses of one storage.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int THREADS = 64, ITEMS = 4, BLOCKS = 3, TILE = THREADS * ITEMS, N = TILE * BLOCKS;

template <int T, int I>
__global__ void collect(const int *in, int *sums, int *scanned, int *sorted, int *warp_sums, int *warp_scanned) {
    typedef cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, T, I, cub::BLOCK_STORE_TRANSPOSE> Store;
    typedef cub::BlockReduce<int, T> Reduce;
    typedef cub::BlockScan<int, T> Scan;
    typedef cub::BlockRadixSort<int, T, I> Sort;
    typedef cub::WarpReduce<int> WarpReduce;
    typedef cub::WarpScan<int> WarpScan;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Sort::TempStorage sort;
        typename WarpReduce::TempStorage warp_reduce[T / 32];
        typename WarpScan::TempStorage warp_scan[T / 32];
    } storage;
    const int first = blockIdx.x * T * I, warp = threadIdx.x / 32;
    int item[I], before[I];
    Load(storage.load).Load(in + first, item); // loads
    __syncthreads();
    const int sum = Reduce(storage.reduce).Sum(item); // reduces
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(item, before);
    __syncthreads();
    Store(storage.store).Store(scanned + first, before);
    __syncthreads();
    const int of_warp = WarpReduce(storage.warp_reduce[warp]).Sum(item[0]);
    if (threadIdx.x % 32 == 0) warp_sums[blockIdx.x * T / 32 + warp] = of_warp;
    int so_far;
    WarpScan(storage.warp_scan[warp]).InclusiveSum(item[0], so_far);
    warp_scanned[blockIdx.x * T + threadIdx.x] = so_far;
    __syncthreads();
    Sort(storage.sort).Sort(item);
    __syncthreads();
    Store(storage.store).Store(sorted + first, item);
}

__global__ void twice(const int *in, int *out) {
    typedef cub::BlockReduce<int, THREADS> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    const int one = Reduce(storage).Sum(in[threadIdx.x]); // reads
    const int two = Reduce(storage).Sum(2 * in[threadIdx.x]); // writes
    if (threadIdx.x == 0) out[0] = one + two;
}

template <class T> T *on_device(const std::vector<T> &from) {
    T *to;
    cudaMalloc(&to, from.size() * sizeof(T));
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}
template <class T> std::vector<T> on_host(const T *from, size_t count) {
    std::vector<T> to(count);
    cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
}

int main() {
    std::vector<int> in(N), poison(N, -12345);
    for (int k = 0; k < N; k++) in[k] = (int)(k * 2654435761u) >> 20;
    int *d_in = on_device(in), *d[5];
    for (int *&one : d) one = on_device(poison);
    collect<THREADS, ITEMS><<<BLOCKS, THREADS>>>(d_in, d[0], d[1], d[2], d[3], d[4]);
    const std::vector<int> sums = on_host(d[0], BLOCKS), scanned = on_host(d[1], N), sorted = on_host(d[2], N),
                           warp_sums = on_host(d[3], BLOCKS * THREADS / 32), warp_scanned = on_host(d[4], BLOCKS * THREADS);
    int wrong = 0;
    for (int b = 0; b < BLOCKS; b++) {
        std::vector<int> own(in.begin() + b * TILE, in.begin() + (b + 1) * TILE);
        int sum = 0, of_warp = 0;
        for (int k = 0; k < TILE; k++) {
            wrong += scanned[b * TILE + k] != sum;
            sum += own[k];
        }
        wrong += sums[b] != sum;
        for (int t = 0; t < THREADS; t++) {
            of_warp = (t % 32 == 0 ? 0 : of_warp) + own[t * ITEMS];
            wrong += warp_scanned[b * THREADS + t] != of_warp;
            if (t % 32 == 31) wrong += warp_sums[b * THREADS / 32 + t / 32] != of_warp;
        }
        std::sort(own.begin(), own.end());
        for (int k = 0; k < TILE; k++) wrong += sorted[b * TILE + k] != own[k];
    }
    twice<<<1, THREADS>>>(d_in, d[0]);
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
