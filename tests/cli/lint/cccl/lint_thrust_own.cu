// SPDX-License-Identifier: Apache-2.0
// Thrust by its own headers, which an iterator wants that riffle lacks: algorithms are launches, and compared with plain loops.
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

/* Programs do so for a CUDA whose tuples have none of it. */
#if CUDART_VERSION < 12040
namespace std {
template <class... Ts> struct tuple_size<thrust::tuple<Ts...>> {
    static const int value = thrust::tuple_size<thrust::tuple<Ts...>>::value;
};
}
#endif

struct product {
    __host__ __device__ int operator()(const thrust::tuple<int, int> &two) const { return thrust::get<0>(two) * thrust::get<1>(two); }
};
__global__ void twice(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() {
    const int n = 5 * 1024;
    thrust::device_vector<int> a(n), b(n, 3), c(n);
    thrust::sequence(a.begin(), a.end());
    twice<<<n / 128, 128>>>(thrust::raw_pointer_cast(a.data()));
    const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    thrust::transform(first, first + n, c.begin(), product());
    const int sum = thrust::reduce(c.begin(), c.end());
    thrust::host_vector<int> h = c;
    int wrong = sum != 3 * n * (n - 1);
    for (int k = 0; k < n; k++) wrong += h[k] != 6 * k;
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
