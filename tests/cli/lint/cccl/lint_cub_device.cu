// SPDX-License-Identifier: Apache-2.0
// CUB's algorithms of the whole device, compared with plain loops; a macro says which one, for each takes a compiler seconds.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#if defined(SCAN)
#include <cub/device/device_scan.cuh>
#elif defined(REDUCE)
#include <cub/device/device_reduce.cuh>
#elif defined(SELECT)
#include <cub/device/device_select.cuh>
#elif defined(HISTOGRAM)
#include <cub/device/device_histogram.cuh>
#elif defined(SORT)
#include <cub/device/device_radix_sort.cuh>
#endif

constexpr int N = 20011;

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

/* One call for the workspace, one for the work. */
template <class Call> void run(Call call) {
    void *workspace = nullptr;
    size_t bytes = 0;
    for (int turn = 0; turn < 2; turn++) {
        const cudaError_t error = call(workspace, bytes);
        if (error != cudaSuccess) {
            fprintf(stderr, "%s\n", cudaGetErrorString(error));
            exit(2);
        }
        if (turn == 0) cudaMalloc(&workspace, bytes);
    }
    cudaFree(workspace);
}

int main() {
    std::vector<int> in(N), got(N, -1), expected(N, -1);
    for (int k = 0; k < N; k++) in[k] = (int)(k * 2654435761u) >> 16;
    int *d_in, *d_out, *d_count, count = -1, expected_count = -1;
    cudaMalloc(&d_in, N * sizeof(int));
    cudaMalloc(&d_out, N * sizeof(int));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_in, in.data(), N * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, got.data(), N * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_count, &count, sizeof(int), cudaMemcpyHostToDevice);
#if defined(SCAN)
    run([=](void *w, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(w, bytes, d_in, d_out, N); });
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
#elif defined(REDUCE)
    run([=](void *w, size_t &bytes) { return cub::DeviceReduce::Sum(w, bytes, d_in, d_count, N); });
    expected_count = std::accumulate(in.begin(), in.end(), 0);
#elif defined(SELECT)
    run([=](void *w, size_t &bytes) { return cub::DeviceSelect::If(w, bytes, d_in, d_out, d_count, N, is_even()); });
    expected_count = (int)(std::copy_if(in.begin(), in.end(), expected.begin(), is_even()) - expected.begin());
#elif defined(HISTOGRAM)
    run([=](void *w, size_t &bytes) { return cub::DeviceHistogram::HistogramEven(w, bytes, d_in, d_out, 17, -32768, 32768, N); });
    std::fill(expected.begin(), expected.begin() + 16, 0);
    for (int x : in) expected[(x + 32768) >> 12]++;
#elif defined(SORT)
    run([=](void *w, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(w, bytes, d_in, d_out, N); });
    std::partial_sort_copy(in.begin(), in.end(), expected.begin(), expected.end());
#endif
    cudaMemcpy(got.data(), d_out, N * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = count != expected_count;
    for (int k = 0; k < N; k++) wrong += got[k] != expected[k];
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
