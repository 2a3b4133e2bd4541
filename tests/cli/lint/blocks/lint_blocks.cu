// SPDX-License-Identifier: Apache-2.0
//
// Blocks that wait for each other: right ones, and each without the one fence, barrier or order that makes it so (WRONG). A comment names a line.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sums(int *part, int *out) {
    cg::grid_group grid = cg::this_grid();
    __shared__ int mine;
    if (threadIdx.x == 0) mine = blockIdx.x;
    part[grid.thread_rank()] = grid.thread_rank();
    grid.sync(); // sums syncs
    out[grid.thread_rank()] = part[grid.num_threads() - 1 - grid.thread_rank()] + mine;
    grid.sync();
    part[grid.thread_rank()] = out[(grid.thread_rank() + 32) % grid.num_threads()];
}
__global__ void unsynced(int *part, int *out) {
    cg::grid_group grid = cg::this_grid();
    part[grid.thread_rank()] = grid.thread_rank(); // unsynced writes
    __syncthreads();
    out[grid.thread_rank()] = part[grid.num_threads() - 1 - grid.thread_rank()]; // unsynced reads
    grid.sync();
}
// The last block writes, so that the first ones must wait.
template <int WRONG> __global__ void flagged(int *data, volatile int *flag, int *out) {
    if (blockIdx.x == gridDim.x - 1) {
        data[threadIdx.x] = threadIdx.x; // flagged writes
        if (WRONG != 1) __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0) {
            while (*flag == 0) {}
            if (WRONG != 2) __threadfence();
        }
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x]; // flagged reads
    }
}
template <int WRONG> __global__ void last_block(float *part, unsigned *count, float *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x; // last_block writes
        if (!WRONG) __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < gridDim.x; k++) sum += part[k]; // last_block reads
        *out = sum;
    }
}
template <int WRONG> __global__ void locked(int *lock, int *sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        *sum += 1; // locked
        if (!WRONG) __threadfence();
        atomicExch(lock, 0);
    }
}
template <int WRONG> __global__ void references(int *data, int *flag) {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 1) {
        *data = 7; // references writes
        f.store(1, WRONG ? cuda::memory_order_relaxed : cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) {}
        if (*data != 7) printf("no 7\n"); // references reads
    }
}
template <int WRONG> __global__ void assembled(int *data, int *flag) {
    if (threadIdx.x != 0) return;
    int seen;
    if (blockIdx.x == 1) {
        *data = 7; // assembled writes
        if (WRONG)
            asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
        else
            asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen == 0);
        if (*data != 7) printf("no 7\n"); // assembled reads
    }
}
// Lane 0 waits and fences for its warp, and for a tile of it.
template <int WRONG> __global__ void warped(int *data, volatile int *flag, int *out) {
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int lane = threadIdx.x;
    if (blockIdx.x == 1) {
        data[lane] = lane; // warped writes
        if (WRONG != 1) __syncwarp();
        if (lane == 0) {
            __threadfence();
            *flag = 1;
        }
    } else {
        if (tile.thread_rank() == 0) {
            while (*flag == 0) {}
            if (WRONG != 2) __threadfence();
        }
        tile.sync();
        out[lane] = data[31 - lane]; // warped reads
    }
}
// All lanes fence on their side of the flag's __syncwarp.
__global__ void fenced(int *data, volatile int *flag, int *out) {
    const int lane = threadIdx.x;
    if (blockIdx.x == 1) {
        data[lane] = lane;
        __threadfence();
        __syncwarp();
        if (lane == 0) *flag = 1;
    } else {
        if (lane == 0) while (*flag == 0) {}
        __syncwarp();
        __threadfence();
        out[lane] = data[31 - lane];
    }
}
// Blocks take turns: who writes the turn has read it.
template <int WRONG> __global__ void baton(int *sum, volatile int *turn) {
    if (threadIdx.x != 0) return;
    const int b = gridDim.x - 1 - blockIdx.x;
    while (*turn != b) {}
    if (WRONG != 1) __threadfence();
    *sum += 1; // baton
    if (WRONG != 2) __threadfence();
    *turn = b + 1;
}
__global__ void relay(int *sum, int *turn) {
    if (threadIdx.x != 0) return;
    const int b = gridDim.x - 1 - blockIdx.x;
    int seen;
    do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(turn) : "memory");
    while (seen != b);
    *sum += 1;
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(turn), "r"(b + 1) : "memory");
}
// Nobody has read what the others write.
__global__ void claims(volatile int *flag) {
    if (threadIdx.x == 0) *flag = blockIdx.x; // claims
}
// The fences stand behind the barrier of who has read the turn, and before that of who writes it.
template <int WRONG> __global__ void serial(int *sum, int *turn) {
    const int b = gridDim.x - 1 - blockIdx.x;
    if (threadIdx.x == 0) while (atomicAdd(turn, 0) != b) {}
    __syncthreads();
    if (!WRONG) __threadfence();
    sum[threadIdx.x] += 1; // serial
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(turn, 1);
}
// The last block takes its ticket with an order that releases, and perhaps does not acquire.
template <int WRONG> __global__ void counted(int *part, int *count, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> c(*count);
    if (threadIdx.x != 0) return;
    part[blockIdx.x] = blockIdx.x; // counted writes
    if (c.fetch_add(1, WRONG ? cuda::memory_order_release : cuda::memory_order_acq_rel) != gridDim.x - 1) return;
    int sum = 0;
    for (int k = 0; k < gridDim.x; k++) sum += part[k]; // counted reads
    *out = sum;
}
// Blocks that wait with barriers in the loop, whose turns differ, that look at many places, or give up at last.
__global__ void barred(int *data, int *flag, int *out) {
    __shared__ int ok;
    volatile int *seen = flag;
    int state = 0;
    if (blockIdx.x == 3) {
        data[threadIdx.x] = threadIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *seen = 1;
        return;
    }
    if (blockIdx.x == 0) while (__syncthreads_and(*seen == 0)) {}
    if (blockIdx.x == 1)
        do {
            if (threadIdx.x == 0) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(state) : "l"(flag) : "memory");
        } while (__syncthreads_and(threadIdx.x != 0 || state == 0));
    if (blockIdx.x == 2)
        for (bool waits = true; waits;) {
            if (threadIdx.x == 0) ok = *seen;
            __syncthreads();
            waits = ok == 0;
            __syncthreads();
        }
    __threadfence();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}
__global__ void varied(volatile int *flag, volatile int *beats, int *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x >= 4) flag[blockIdx.x] = 1;
    unsigned state = 1;
    int set = 0;
    if (blockIdx.x == 0) while (flag[4] == 0) beats[0]++;
    if (blockIdx.x == 1) while (flag[4] == 0) atomicAdd(out + 100, 1);
    if (blockIdx.x == 2)
        do state = state * 1103515245 + 12345;
        while (flag[4 + (state >> 16) % 8] == 0);
    if (blockIdx.x == 3)
        while (set < gridDim.x - 4) {
            set = 0;
            for (int k = 4; k < gridDim.x; k++) set += flag[k];
        }
    out[blockIdx.x] = 1;
}
__global__ void bounded(volatile int *flag, int *out) {
    int looks = 0;
    while (*flag == 0 && looks < 300000) looks++;
    out[blockIdx.x] = looks;
}
// Nobody sets the flag, for which a block waits with a barrier in the loop.
__global__ void unset(volatile int *flag) {
    do {
        __syncthreads();
    } while (__syncthreads_and(*flag == 0)); // unset
}
// A barrier of the grid by hand.
__device__ void all(unsigned *arrived, unsigned phase) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile unsigned *)arrived < phase * gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
}
__global__ void stencil(int *a, int *b, unsigned *arrived) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    all(arrived, 1);
    b[i] = a[(i + 1) % n] + a[(i + n - 1) % n] + a[i];
    all(arrived, 2);
    a[i] = b[(i + 1) % n] + b[(i + n - 1) % n] + b[i];
    all(arrived, 3);
    b[i] = a[(i + 1) % n];
}
__global__ void chain(volatile int *flag) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x) while (flag[blockIdx.x + 1] == 0) {}
        flag[blockIdx.x] = 1;
    }
}
// Nobody sets the flags.
__global__ void never(volatile int *flag) {
    if (threadIdx.x == 0) while (flag[blockIdx.x] == 0) {} // never
}
__global__ void left(int *a) {
    if (blockIdx.x == 1) return;
    cg::this_grid().sync(); // left
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// A scan with look-back.
__global__ void scan(const int *in, int *out, volatile int *status, volatile int *value, unsigned *ticket) {
    __shared__ unsigned tile;
    __shared__ int before;
    if (threadIdx.x == 0) tile = gridDim.x - 1 - atomicAdd(ticket, 1); // so that each waits for a later one
    __syncthreads();
    const int mine = in[tile * blockDim.x + threadIdx.x];
    int sum = __reduce_add_sync(~0u, mine);
    if (threadIdx.x == 0) {
        int b = 0;
        if (tile > 0) {
            while (status[tile - 1] == 0) {}
            __threadfence();
            b = value[tile - 1];
        }
        value[tile] = b + sum;
        __threadfence();
        status[tile] = 1;
        before = b;
    }
    __syncthreads();
    out[tile * blockDim.x + threadIdx.x] = before + mine;
}
// Launches by kernels.
__global__ void leaf(int *c, int by) { c[threadIdx.x] += by; } // leaf
template <class T> __global__ void child(T *c, int depth) {
    c[threadIdx.x] += depth;
    if (threadIdx.x == 0 && depth > 0) child<T><<<1, 32>>>(c, depth - 1);
}
__global__ void parent(int *c, int *d) {
    c[threadIdx.x] = threadIdx.x;
    if (threadIdx.x != 0) return;
    child<int><<<1, 32>>>(c, 3);
    leaf<<<1, 32, 0, cudaStreamTailLaunch>>>(c, 100);
    leaf<<<1, 1025, 0, cudaStreamFireAndForget>>>(d, 5); // refused
    leaf<<<1, 33, 0, cudaStreamFireAndForget>>>(d, 5);
    if (cudaPeekAtLastError() != cudaSuccess || cudaGetLastError() != cudaSuccess) d[0] = -1;
}
__global__ void waits(int *c) {
    cudaStream_t stream;
    leaf<<<1, 32>>>(c, 1);
    if (c == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize(); // waits
    c[0] = 2;
}

static int *flags, *a, *b;
static int *fresh() {
    cudaMemset(flags, 0, 4096);
    cudaMemset(b, 0, 4096);
    return flags;
}
static void expect(const char *what, const int *on_device, int n, int (*value)(int)) {
    static int host[1024];
    cudaMemcpy(host, on_device, n * sizeof *host, cudaMemcpyDeviceToHost);
    for (int k = 0; k < n; k++)
        if (host[k] != value(k)) printf("%s: %d at %d\n", what, host[k], k);
}

int main() {
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    cudaMalloc(&flags, 4096);
    void *arguments[] = {&a, &b};
    if (cudaLaunchCooperativeKernel((void *)sums, 1, 1 << 11, arguments) != cudaErrorInvalidConfiguration) printf("took 2048 threads\n");
    if (cudaLaunchCooperativeKernel((void *)sums, 1057, 256, arguments) != cudaErrorCooperativeLaunchTooLarge) printf("took 1057 blocks\n");
    cudaGetLastError();
    if (cudaLaunchCooperativeKernel((void *)sums, 8, 64, arguments) != cudaSuccess) printf("refused\n");
    expect("sums", b, 512, [](int k) { return 511 - k + k / 64; });
    fresh();
    cudaLaunchCooperativeKernel(unsynced, 8, 64, arguments);
    flagged<0><<<4, 64>>>(a, fresh(), b);
    expect("flagged", b, 192, [](int k) { return k % 64; });
    flagged<1><<<4, 64>>>(a, fresh(), b);
    flagged<2><<<4, 64>>>(a, fresh(), b);
    last_block<0><<<5, 32>>>((float *)a, (unsigned *)fresh(), (float *)b);
    last_block<1><<<5, 32>>>((float *)a, (unsigned *)fresh(), (float *)b);
    locked<0><<<5, 32>>>(fresh(), b);
    expect("locked", b, 1, [](int) { return 5; });
    locked<1><<<5, 32>>>(fresh(), b);
    references<0><<<2, 32>>>(a, fresh());
    references<1><<<2, 32>>>(a, fresh());
    assembled<0><<<2, 32>>>(a, fresh());
    assembled<1><<<2, 32>>>(a, fresh());
    warped<0><<<2, 32>>>(a, fresh(), b);
    expect("warped", b, 32, [](int k) { return 31 - k; });
    warped<1><<<2, 32>>>(a, fresh(), b);
    warped<2><<<2, 32>>>(a, fresh(), b);
    fenced<<<2, 32>>>(a, fresh(), b);
    baton<0><<<5, 32>>>(b, fresh());
    expect("baton", b, 1, [](int) { return 5; });
    baton<1><<<5, 32>>>(b, fresh());
    baton<2><<<5, 32>>>(b, fresh());
    relay<<<5, 32>>>(b, fresh());
    claims<<<2, 32>>>(fresh());
    serial<0><<<5, 64>>>(b, fresh());
    serial<1><<<5, 64>>>(b, fresh());
    counted<0><<<5, 32>>>(a, fresh(), b);
    counted<1><<<5, 32>>>(a, fresh(), b);
    barred<<<4, 64>>>(a, fresh(), b);
    expect("barred", b, 192, [](int k) { return k % 64; });
    varied<<<70, 32>>>(fresh(), flags + 200, b);
    expect("varied", b, 70, [](int) { return 1; });
    bounded<<<2, 1>>>(fresh(), b);
    expect("bounded", b, 2, [](int) { return 300000; });
    unset<<<2, 32>>>(fresh());
    stencil<<<6, 64>>>(a, b, (unsigned *)fresh());
    expect("stencil", b + 8, 300, [](int k) { return 9 * (k + 9); });
    chain<<<200, 32>>>(fresh());
    expect("chain", flags, 200, [](int) { return 1; });
    scan<<<16, 32>>>(a, b, fresh(), flags + 100, (unsigned *)flags + 200);
    int *small;
    cudaMalloc(&small, 128);
    parent<<<1, 32>>>(small, fresh());
    expect("parent", small, 32, [](int k) { return k + 106; });
    expect("leaf", flags, 34, [](int k) { return k < 33 ? 5 : 0; });
    leaf<<<1, 33>>>(small, 0);
    cudaLaunchCooperativeKernel(&left, 4, 32, arguments);
    sums<<<8, 64>>>(a, b);
    never<<<5, 32>>>(fresh());
    return cudaDeviceSynchronize();
}
