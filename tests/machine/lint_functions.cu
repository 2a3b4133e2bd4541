/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of CUDA that the machine supplies, checked by a kernel of one block with 64 threads, since a compiler takes longer
 * than all that it does: whatever is wrong leads to a write to nowhere, which the machine reports at the line.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

using namespace std; /* as many files have it: min and max must stay unambiguous */
namespace cg = cooperative_groups;

constexpr unsigned ALL = 0xffffffff;

#define EXPECT(condition)                                                                                      \
    if (!(condition)) *(volatile int *)nullptr = 1

__constant__ float weights[2] = {2, 3};
__device__ int calls;

static __device__ void shuffles() {
    const int lane = (int)threadIdx.x % warpSize, value = 100 + lane;
    EXPECT(__shfl_sync(ALL, value, 5) == 105);
    EXPECT(__shfl_xor_sync(ALL, value, -8, 16) == (lane >= 16 ? 100 + (lane ^ 24) : value)); /* -8 is 24 in five bits */
    EXPECT(__shfl_up_sync(ALL, value, 33u) == (lane < 1 ? value : value - 1));
    EXPECT(__shfl_down_sync(ALL, value, 0x80000001u) == (lane > 30 ? value : value + 1));
    EXPECT(__shfl_xor(value, -1) == 131 - lane);
    EXPECT(__shfl_sync(ALL, value, 3, 8) == 100 + lane / 8 * 8 + 3);
    EXPECT(__shfl_up_sync(ALL, value, 2) == (lane < 2 ? value : value - 2));
    EXPECT(__shfl_down_sync(ALL, value, 3) == (lane > 28 ? value : value + 3));
    EXPECT(__shfl_down_sync(ALL, value, 1, 16) == (lane % 16 == 15 ? value : value + 1));
    EXPECT(__shfl_xor_sync(ALL, value, 21) == 100 + (lane ^ 21));
    EXPECT(__shfl_xor_sync(ALL, 0.5 * lane, 1) == 0.5 * (lane ^ 1));
    EXPECT(__shfl_sync(ALL, (1ULL << 40) + (unsigned)lane, 7) == (1ULL << 40) + 7);
    EXPECT(__shfl_sync(ALL, -1.5f, 0) == -1.5f);
}

static __device__ void votes() {
    const unsigned lane = threadIdx.x % 32;
    EXPECT(__ballot_sync(ALL, lane % 2) == 0xaaaaaaaa);
    EXPECT(__any_sync(ALL, lane == 9) && !__any_sync(ALL, lane == 99));
    EXPECT(__all_sync(ALL, lane < 32));
    EXPECT(!__all_sync(ALL, lane < 31));
    EXPECT(__activemask() == ALL);
    EXPECT(__match_any_sync(ALL, lane % 4) == 0x11111111u << lane % 4);
    int same;
    EXPECT(__match_all_sync(ALL, 7, &same) == ALL && same);
    EXPECT(__match_all_sync(ALL, lane, &same) == 0 && !same);
    EXPECT(__reduce_add_sync(ALL, lane) == 496);
    EXPECT(__reduce_min_sync(ALL, (int)lane - 5) == -5);
    EXPECT(__reduce_max_sync(ALL, (int)lane - 40) == -9);
    EXPECT(__reduce_and_sync(ALL, lane | 64) == 64 && __reduce_or_sync(ALL, lane) == 31);
    EXPECT(__reduce_xor_sync(ALL, lane) == 0);
    __syncwarp();
    EXPECT(__syncthreads_count(threadIdx.x < 10) == 10);
    EXPECT(__syncthreads_and(1) && !__syncthreads_and(threadIdx.x));
    EXPECT(__syncthreads_or(threadIdx.x == 63) && !__syncthreads_or(0));
}

static __device__ void atomics() {
    __shared__ int sum, least, most, bits, left;
    __shared__ unsigned wrapped;
    __shared__ float real;
    __shared__ unsigned long long wide;
    if (threadIdx.x == 0) sum = least = most = 0, bits = ~0, left = 100, wrapped = 0, real = 0, wide = 0;
    __syncthreads();
    const int t = (int)threadIdx.x;
    atomicAdd(&sum, t);
    atomicAdd(&real, 0.5f);
    atomicAdd_block(&wide, 1ull << 33);
    atomicSub(&left, 1);
    atomicMin(&least, -t);
    atomicMax(&most, t);
    atomicAnd(&bits, ~(1 << t % 8));
    atomicInc(&wrapped, 9);
    if (t == 0) atomicExch(&calls, 41), atomicAdd(&calls, 1);
    __syncthreads();
    EXPECT(sum == 2016 && real == 32 && wide == 64ull << 33 && left == 36);
    EXPECT(least == -63 && most == 63 && bits == ~0xff && wrapped == 4);
    EXPECT(calls == 42);
    __syncthreads();
    if (t == 0) {
        EXPECT(atomicCAS(&sum, 2016, 7) == 2016 && sum == 7 && atomicCAS(&sum, 8, 9) == 7 && sum == 7);
        EXPECT(atomicOr(&bits, 1) == ~0xff && atomicXor(&bits, 3) == (~0xff | 1) && bits == (~0xff | 2));
        EXPECT(atomicDec(&wrapped, 9) == 4 && wrapped == 3);
    }
}

static __device__ void arithmetic() {
    const int two = 2 + (int)blockIdx.x;
    EXPECT(min(two, 3) == 2 && max(2u, 3u) == 3u && min(1.5f, 2.5f) == 1.5f && max(1.0, 2.0) == 2.0);
    EXPECT(__popc(0xf0f0) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32);
    EXPECT(__clzll(1) == 63);
    EXPECT(__ffs(8) == 4 && __ffs(0) == 0 && __brev(1) == 0x80000000u && __brevll(2) == 1ull << 62);
    EXPECT(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(0, 1, 1) == 0x80000000u);
    EXPECT(__byte_perm(0x03020100, 0x07060504, 0x7531) == 0x07050301);
    EXPECT(__mulhi(1 << 30, 8) == 2 && __umulhi(1u << 31, 4) == 2 && __umul64hi(1ull << 63, 2) == 1);
    EXPECT(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    EXPECT(__hiloint2double(__double2hiint(3.25), __double2loint(3.25)) == 3.25);
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3);
    EXPECT(rsqrtf(4.0f) == 0.5f && __fdividef(3, 2) == 1.5f && __saturatef(7) == 1 && __fmaf_rn(2, 3, 4) == 10);
    EXPECT(__expf(0) == 1 && fabsf(-2.0f) == 2 && sqrt(9.0f) == 3 && abs(-4) == 4);
    EXPECT(weights[0] == 2 && __ldg(&weights[1]) == 3);
}

static __device__ void groups() {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    EXPECT(block.thread_rank() == threadIdx.x && block.size() == 64 && tile.size() == 8);
    EXPECT(tile.thread_rank() == threadIdx.x % 8 && tile.meta_group_rank() == threadIdx.x / 8);
    EXPECT(tile.shfl((int)threadIdx.x, 3) == (int)threadIdx.x / 8 * 8 + 3);
    EXPECT(tile.shfl_xor((int)threadIdx.x, 1) == ((int)threadIdx.x ^ 1));
    EXPECT(tile.shfl_down((int)threadIdx.x, 1) == (int)threadIdx.x + (threadIdx.x % 8 != 7));
    EXPECT(tile.ballot(threadIdx.x % 2) == 0xaa && tile.any(1) && !tile.all(threadIdx.x % 8 != 2));
    cg::sync(block);
}

__global__ void functions() {
    shuffles();
    votes();
    atomics();
    arithmetic();
    groups();
}

int main() { functions<<<1, 64>>>(); }
