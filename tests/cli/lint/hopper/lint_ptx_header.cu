/* cuda::ptx beside cuda::barrier in a whole program: a bulk copy that a barrier of threads waits for. */
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

__global__ void copy(const int *from, int *to) {
    __shared__ alignas(16) int part[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> there;
    namespace ptx = cuda::ptx;
    if (threadIdx.x == 0) {
        init(&there, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, from, sizeof part, cuda::device::barrier_native_handle(there));
        token = cuda::device::barrier_arrive_tx(there, 1, sizeof part);
    } else {
        token = there.arrive();
    }
    there.wait(std::move(token));
    to[threadIdx.x] = part[threadIdx.x];
}

int main() {
    int *a, *b;
    cudaMallocManaged(&a, 128 * sizeof *a);
    cudaMallocManaged(&b, 128 * sizeof *b);
    for (int k = 0; k < 128; k++) a[k] = 3 * k;
    copy<<<1, 128>>>(a, b);
    cudaDeviceSynchronize();
    for (int k = 0; k < 128; k++)
        if (b[k] != 3 * k) return 1;
    return 0;
}
