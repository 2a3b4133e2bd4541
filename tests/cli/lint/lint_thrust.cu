/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust around a kernel of one's own; the program checks its results.
 */
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <cstdio>

__global__ void scale(float *out, const float *in, int n) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) out[k] = 2 * in[k];
}
struct square {
    __host__ __device__ float operator()(float x) const { return x * x; }
};

static int wrong;
static void check(bool right, int line) {
    if (!right) fprintf(stderr, "line %d\n", line), wrong++;
}
#define CHECK(right) check(right, __LINE__)

int main() {
    const int n = 100;
    thrust::host_vector<float> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<float> in = h, out(n);
    scale<<<1, 128>>>(thrust::raw_pointer_cast(out.data()), thrust::raw_pointer_cast(&in[0]), n);
    CHECK(thrust::reduce(out.begin(), out.end()) == 99 * 100);
    CHECK(thrust::reduce(thrust::device, out.begin(), out.end(), 0.f, thrust::maximum<float>()) == 198);
    CHECK(thrust::transform_reduce(in.begin(), in.begin() + 4, square(), 1.f, thrust::plus<float>()) == 15);
    thrust::transform(out.begin(), out.end(), in.begin(), out.begin(), thrust::minus<float>());
    thrust::sort(thrust::device, out.begin(), out.end(), thrust::greater<float>());
    h = out;
    CHECK(h[0] == 99 && h[99] == 0);
    thrust::device_vector<int> keys{3, 1, 2}, values(3);
    thrust::sequence(values.begin(), values.end(), 10);
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    CHECK(keys[2] == 3 && values[0] == 11 && values[2] == 10);
    thrust::inclusive_scan(keys.begin(), keys.end(), values.begin());
    CHECK(values[2] == 6);
    thrust::exclusive_scan(keys.begin(), keys.end(), values.begin());
    CHECK(values[0] == 0 && values[2] == 3);
    keys.erase(thrust::remove(keys.begin(), keys.end(), 2), keys.end());
    CHECK(keys.size() == 2 && keys.back() == 3);
    keys.push_back(7);
    CHECK(thrust::count_if(thrust::host, keys.begin(), keys.end(), [](int x) { return x > 2; }) == 2);

    float *raw;
    cudaMalloc(&raw, n * sizeof *raw);
    thrust::device_ptr<float> at(raw);
    thrust::fill(at, at + n, 3.f);
    thrust::for_each(thrust::cuda::par.on(0), at, at + n, [](float &x) { x += 1; });
    scale<<<1, 128>>>(thrust::raw_pointer_cast(out.data()), raw, n);
    thrust::copy(out.begin(), out.end(), h.begin());
    CHECK(h[0] == 8 && h[n - 1] == 8);
    thrust::tuple<int, float> t = thrust::make_tuple(1, 2.f);
    CHECK(thrust::get<1>(t) == 2.f);
    cudaFree(raw);
    return wrong;
}
