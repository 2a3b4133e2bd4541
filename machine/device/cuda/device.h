/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA C++ for the memory machine: what a user's kernel is compiled with instead of the CUDA toolkit. Every
 * standard name that leads here (cuda_runtime.h and so on) gives all of it.
 *
 * Shared arrays are thread_local, because the machine runs all threads of a block on one thread of the host.
 * Accesses are seen by the thread sanitizer's hooks (hooks.cpp); functions here that the kernel calls are
 * neither inlined nor instrumented, so that the address they return to tells the kernel's own source line.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_DEVICE_H
#define RIFFLE_MACHINE_DEVICE_CUDA_DEVICE_H

#include <assert.h>
#include <cfenv>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <math.h>
#include <time.h> /* nvcc's own headers bring it, and programs seed generators by it */
#include <tuple>
#include <type_traits>
#include <utility>

#include "device_api.h"

#define RIFFLE_LINT 1
#define __CUDACC__ 1
#define __NVCC__ 1
#ifndef __CUDA_ARCH__ /* of a program with a toolkit's CCCL another */
#define __CUDA_ARCH__ 900
#endif
#define __CUDACC_VER_MAJOR__ 12
#ifndef CUDART_VERSION /* with a toolkit's CCCL another */
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#endif
#define __DRIVER_TYPES_H__ /* programs ask whether they have the runtime */
#define __CUDA_RUNTIME_H__

#ifdef RIFFLE_LINT_FORMS /* for --for-all: a kernel is told by its section, and calls of the machine are inlined */
#define __global__ __attribute__((noinline)) __attribute__((used, section("riffle_kernel")))
#else
#define __global__ __attribute__((noinline))
#endif
#define __device__
#define __host__
#define __managed__
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __nv_pure__
#define __inline_hint__
#define __import__
#define __export__
#define __annotate__(...)
#define __location__(...)
#define __specialization_static static
#ifdef __clang__
#define __shared__ thread_local
#else
/* Without the first word gcc guards an array of vectors as if it had to be initialized. */
#define __shared__ __constinit thread_local
#endif
#define __noinline__ __attribute__((__noinline__)) /* not as __global__ is, by which kernels are known */
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __CUDA_ALIGN__(bytes) __align__(bytes)
#define __no_return__ __attribute__((noreturn))
#define __maxnreg__(...)
#define __local_maxnreg__(...)

/* Blocks of a function without a frame are passed over (frames.h), so they need not tell. */
#if defined(__clang__)
#define RIFFLE_UNTOLD no_sanitize("coverage")
#elif __has_attribute(no_sanitize_coverage)
#define RIFFLE_UNTOLD no_sanitize_coverage
#else
#define RIFFLE_UNTOLD nothrow
#endif
/* For functions that the kernel calls: seen from outside as one step at the line of the call. */
#ifdef RIFFLE_LINT_FORMS
#define RIFFLE_DEVICE __attribute__((always_inline, nothrow, no_sanitize_thread))
#else
#define RIFFLE_DEVICE __attribute__((noinline, nothrow, no_sanitize_thread, RIFFLE_UNTOLD))
#endif
/* For functions that are part of the kernel's own code. */
#define RIFFLE_INLINE inline __attribute__((always_inline))
#define RIFFLE_SITE __builtin_return_address(0)
/* A name of a library's that compiles, and says what is wrong when it is called. */
#define RIFFLE_NOT_SUPPLIED(type, name, words, status)                                                         \
    template <class... Any> type name(const Any &...) {                                                        \
        fprintf(stderr, "riffle: %s\n", words);                                                                \
        return status;                                                                                         \
    }

#ifdef __clang__
typedef int riffle_lint_compiled_by_clang; /* found in the preprocessed text */
#endif
#if defined(__clang__) || __GNUC__ >= 11
typedef int riffle_lint_tells_volatile; /* the same: its hooks tell volatile accesses from others */
#endif

/* hooks.cpp, which is compiled without hooks. */
extern "C" {
__attribute__((const, nothrow)) unsigned riffle_lint_warp_size(void);
__attribute__((const, nothrow)) unsigned riffle_lint_lane(void);
__attribute__((nothrow)) void riffle_lint_access(const void *address, unsigned long bytes, int op,
                                                 const void *site);
__attribute__((nothrow)) void riffle_lint_fence(void);
__attribute__((nothrow)) void riffle_lint_grid_barrier(const void *site);
__attribute__((nothrow)) int riffle_lint_is_cooperative(void);
__attribute__((const, nothrow)) machine_index riffle_lint_cluster_shape(void);
__attribute__((nothrow)) void *riffle_lint_cluster_peer(const void *address, unsigned rank, const void *site);
__attribute__((nothrow)) unsigned riffle_lint_cluster_rank_of(const void *address);
__attribute__((nothrow)) void riffle_lint_cluster_sync(const void *site);
__attribute__((nothrow)) void riffle_lint_cluster_arrive(int relaxed, const void *site);
__attribute__((nothrow)) void riffle_lint_cluster_wait(const void *site);
__attribute__((nothrow)) void riffle_lint_mbarrier_init(void *at, unsigned count, const void *site);
__attribute__((nothrow)) void riffle_lint_mbarrier_end(void *at, const void *site);
__attribute__((nothrow)) unsigned long long riffle_lint_mbarrier_arrive(void *at, unsigned count, int drops, const void *site);
__attribute__((nothrow)) void riffle_lint_mbarrier_expect(void *at, long long bytes, const void *site);
__attribute__((nothrow)) int riffle_lint_mbarrier_wait(void *at, unsigned long long phase, int is_parity, int blocks, const void *site);
__attribute__((nothrow)) void riffle_lint_bulk_load(const machine_bulk *one, const void *site);
__attribute__((nothrow)) void riffle_lint_bulk_store(const machine_bulk *one, const void *site);
__attribute__((nothrow)) void riffle_lint_bulk_commit(void);
__attribute__((nothrow)) void riffle_lint_bulk_wait(unsigned left);
__attribute__((nothrow)) void riffle_lint_proxy_fence(void);
__attribute__((nothrow)) void riffle_lint_carry(bool carry);
__attribute__((nothrow)) bool riffle_lint_carried(void);
__attribute__((nothrow)) void riffle_lint_store_async(void *to, const void *values, unsigned bytes, void *barrier, const void *site);
__attribute__((nothrow)) void riffle_lint_named_barrier(unsigned number, unsigned threads, int waits, const void *site);
__attribute__((nothrow)) void riffle_lint_product(const machine_product *one, const void *site);
__attribute__((nothrow)) void riffle_lint_product_fence(void);
__attribute__((nothrow)) void riffle_lint_product_commit(void);
__attribute__((nothrow)) void riffle_lint_product_wait(unsigned left);
__attribute__((nothrow)) void riffle_lint_barrier(const void *site);
__attribute__((nothrow)) unsigned riffle_lint_barrier_count(int predicate, const void *site);
__attribute__((nothrow)) unsigned riffle_lint_warp_gather(unsigned mask, unsigned long long value,
                                                          unsigned long long *values, const void *site);
__attribute__((nothrow)) void riffle_lint_warp_sync(unsigned mask, const void *site);
__attribute__((nothrow)) unsigned riffle_lint_meet(const void *site);
__attribute__((nothrow)) long long riffle_lint_clock(void);
__attribute__((nothrow)) void riffle_lint_copy(void *to, const void *from, unsigned bytes, unsigned given, void *barrier,
                                                const void *site);
__attribute__((nothrow)) void riffle_lint_copy_bind(void *barrier, const void *site);
__attribute__((nothrow)) void riffle_lint_copy_commit(void);
__attribute__((nothrow)) void riffle_lint_copy_land(void);
__attribute__((nothrow)) void riffle_lint_copy_land_prior(unsigned left);
__attribute__((nothrow)) void riffle_lint_align(const void *address, unsigned bytes);
__attribute__((nothrow)) void riffle_lint_refuse(unsigned most);
__attribute__((nothrow)) void riffle_lint_cluster(unsigned x, unsigned y, unsigned z);
__attribute__((nothrow)) void riffle_lint_exit(void);
}

/* The place of dynamic shared memory; every `extern __shared__` array of the kernel begins there too. */
extern "C" thread_local char riffle_lint_dynamic_shared[];

#include "vectors.h"

namespace riffle_lint {
/* A parameter that takes no part in deducing T. */
template <class T> struct same_type { typedef T type; };
template <class T> using same = typename same_type<T>::type;

/* A variable, as in CUDA, and no macro: cudaDeviceProp has a member of that name. */
struct warp_size {
    constexpr warp_size() {}
    RIFFLE_INLINE operator int() const { return (int)riffle_lint_warp_size(); }
};

template <class T, class... Choices> constexpr bool is_one_of = (std::is_same<T, Choices>::value || ...);
} // namespace riffle_lint

static const riffle_lint::warp_size warpSize;
/* Variables, as in CUDA; they never change for a thread. */
extern "C" {
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
}

/* The check that __launch_bounds__ becomes: how many blocks are to be resident, and the blocks of a cluster, change nothing here. */
RIFFLE_INLINE __attribute__((no_sanitize_thread)) void riffle_lint_bounds(unsigned most, unsigned = 0, unsigned = 0) {
#ifdef RIFFLE_LINT_FORMS
    __builtin_assume(blockDim.x * blockDim.y * blockDim.z <= most);
#else
    if (blockDim.x * blockDim.y * blockDim.z > most) riffle_lint_refuse(most);
#endif
}

#ifdef RIFFLE_LINT_FORMS
/* What --length says: a parameter points to so many bytes. */
extern "C" void riffle_lint_length(const volatile void *array, unsigned long long bytes);
#endif

/* And the one of __cluster_dims__: without numbers the launch says. */
RIFFLE_INLINE __attribute__((no_sanitize_thread)) void riffle_lint_clusters(unsigned x = 0, unsigned y = 1, unsigned z = 1) {
    if (x != 0) riffle_lint_cluster(x, y, z);
}

#include "atomics.h"
#include "cluster.h"
#include "intrinsics.h"
#include "constants.h"
#include "roundings.h"
#include "special_functions.h"
#include "loads.h"
#include "simd.h"
#include "dpx.h"
#include "warp.h"

#include "short_float.h"

#include "ptx.h"

#include "bulk.h"
#include "ptx_mma.h"

#include "runtime.h"

#endif
