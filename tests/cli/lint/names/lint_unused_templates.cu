/* Templates that nobody instantiates may use names that there are not: nvcc's compiler of device code does not look into their bodies. */
#include <cuda_runtime.h>

namespace outer {
template <class T, int n> struct unused_parts {
    __device__ static T first(const T *from) {
        lacking = 3; /* no such name */
        return from[0] + lacking;
    }
    template <class U> __device__ T second(U by) const { return here(by) + nowhere; }
    __device__ T used(T x) const noexcept { return x + n; }
};
} // namespace outer

template <class T> __global__ void never(T *to) {
    to[threadIdx.x] = undeclared[0];
    if (threadIdx.x == 0) {
        undeclared[1] = 2;
    }
}

template <class T> __device__ T instantiated(T x) {
#ifdef INSTANTIATES
    return x + nothing_of_that_name;
#else
    return x;
#endif
}

__global__ void write(int *to) {
    outer::unused_parts<int, 5> parts;
    to[threadIdx.x] = instantiated(parts.used((int)threadIdx.x));
}

int main() {
    int *to, last = 0;
    cudaMalloc(&to, 32 * sizeof *to);
    write<<<1, 32>>>(to);
    cudaMemcpy(&last, to + 31, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(to);
    return last == 36 ? 0 : 1;
}
