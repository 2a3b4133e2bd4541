/* SPDX-License-Identifier: Apache-2.0
 *
 * libcu++ for Hopper: cuda::ptx, and cuda::device with its experimental part, as far as copies in bulk, mbarriers and clusters go.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_LIBCUXX_BULK_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_LIBCUXX_BULK_H

#include "driver.h"
#include "libcuxx.h"

namespace cuda {
namespace device {
template <thread_scope SCOPE> RIFFLE_PLAIN uint64_t *barrier_native_handle(barrier<SCOPE> &b) { return reinterpret_cast<uint64_t *>(&b); }
template <thread_scope SCOPE> RIFFLE_DEVICE void barrier_expect_tx(barrier<SCOPE> &b, long long bytes) { riffle_lint_mbarrier_expect(&b, bytes, RIFFLE_SITE); }
template <thread_scope SCOPE>
RIFFLE_DEVICE typename barrier<SCOPE>::arrival_token barrier_arrive_tx(barrier<SCOPE> &b, long long threads, long long bytes) {
    riffle_lint_mbarrier_expect(&b, bytes, RIFFLE_SITE);
    return riffle_lint_mbarrier_arrive(&b, (unsigned)threads, 0, RIFFLE_SITE);
}
template <class T, class Bytes, thread_scope SCOPE> RIFFLE_DEVICE void memcpy_async_tx(T *to, const T *from, Bytes bytes, barrier<SCOPE> &b) {
    const machine_bulk one = {to, const_cast<T *>(from), (size_t)bytes, nullptr, {0, 0, 0, 0, 0}, &b, 0};
    riffle_lint_bulk_load(&one, RIFFLE_SITE);
}

namespace experimental {
RIFFLE_INLINE RIFFLE_PLAIN void fence_proxy_async_shared_cta() { riffle_lint_proxy_fence(); }
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_commit_group() { riffle_lint_bulk_commit(); }
template <int LEFT> RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_wait_group_read() { riffle_lint_bulk_wait(LEFT); }
template <int LEFT> RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_wait_group() { riffle_lint_bulk_wait(LEFT); }
template <thread_scope SCOPE>
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes, barrier<SCOPE> &b) {
    riffle_ptx::bulk_load(to, from, bytes, &b, 0);
}
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes) { riffle_ptx::bulk_store(to, from, bytes); }
#define RIFFLE_TENSOR_COPIES(dimensions, parameters, arguments)                                                \
    template <thread_scope SCOPE>                                                                              \
    RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_tensor_##dimensions##d_global_to_shared(                     \
        void *to, const CUtensorMap *map, RIFFLE_TENSOR_LIST parameters, barrier<SCOPE> &b) {                  \
        riffle_ptx::tensor_load(to, map, &b, 0, RIFFLE_TENSOR_LIST arguments);                                 \
    }                                                                                                          \
    RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_tensor_##dimensions##d_shared_to_global(                     \
        const CUtensorMap *map, RIFFLE_TENSOR_LIST parameters, const void *from) {                             \
        riffle_ptx::tensor_store(map, from, RIFFLE_TENSOR_LIST arguments);                                     \
    }
#define RIFFLE_TENSOR_LIST(...) __VA_ARGS__
RIFFLE_TENSOR_COPIES(1, (int a), (a))
RIFFLE_TENSOR_COPIES(2, (int a, int b1), (a, b1))
RIFFLE_TENSOR_COPIES(3, (int a, int b1, int c), (a, b1, c))
RIFFLE_TENSOR_COPIES(4, (int a, int b1, int c, int d), (a, b1, c, d))
RIFFLE_TENSOR_COPIES(5, (int a, int b1, int c, int d, int e), (a, b1, c, d, e))
#undef RIFFLE_TENSOR_COPIES
#undef RIFFLE_TENSOR_LIST
} // namespace experimental
} // namespace device

namespace ptx {
#define RIFFLE_TAG(name)                                                                                       \
    struct name##_t {};                                                                                        \
    static constexpr name##_t name{};
RIFFLE_TAG(space_shared)
RIFFLE_TAG(space_cluster)
RIFFLE_TAG(space_global)
RIFFLE_TAG(sem_release)
RIFFLE_TAG(sem_acquire)
RIFFLE_TAG(sem_relaxed)
RIFFLE_TAG(scope_cta)
RIFFLE_TAG(scope_cluster)
#undef RIFFLE_TAG
template <int N> struct n32_t {
    RIFFLE_PLAIN constexpr n32_t() {}
};
template <int N> static constexpr n32_t<N> n32{};
RIFFLE_INLINE RIFFLE_PLAIN void mbarrier_init(uint64_t *at, uint32_t count) { riffle_ptx::mbarrier_init(at, count); }
RIFFLE_INLINE RIFFLE_PLAIN uint64_t mbarrier_arrive(const uint64_t *at) { return riffle_ptx::mbarrier_arrive((void *)at, 1); }
template <class Order, class Scope, class Space> RIFFLE_INLINE RIFFLE_PLAIN uint64_t mbarrier_arrive(Order, Scope, Space, uint64_t *at) {
    return riffle_ptx::mbarrier_arrive(at, 1);
}
template <class Order, class Scope, class Space> RIFFLE_INLINE RIFFLE_PLAIN uint64_t mbarrier_arrive(Order, Scope, Space, uint64_t *at, uint32_t count) {
    return riffle_ptx::mbarrier_arrive(at, count);
}
template <class Order, class Scope, class Space>
RIFFLE_INLINE RIFFLE_PLAIN uint64_t mbarrier_arrive_expect_tx(Order, Scope, Space, uint64_t *at, uint32_t bytes) {
    return riffle_ptx::mbarrier_arrive_expect(at, bytes);
}
template <class Order, class Scope, class Space> RIFFLE_INLINE RIFFLE_PLAIN void mbarrier_expect_tx(Order, Scope, Space, uint64_t *at, uint32_t bytes) {
    riffle_ptx::mbarrier_expect(at, bytes);
}
RIFFLE_INLINE RIFFLE_PLAIN bool mbarrier_try_wait(uint64_t *at, uint64_t phase) { return riffle_ptx::mbarrier_try(at, phase); }
RIFFLE_INLINE RIFFLE_PLAIN bool mbarrier_test_wait(uint64_t *at, uint64_t phase) { return riffle_ptx::mbarrier_test(at, phase); }
RIFFLE_INLINE RIFFLE_PLAIN bool mbarrier_try_wait_parity(uint64_t *at, uint32_t parity) { return riffle_ptx::mbarrier_try_parity(at, parity); }
RIFFLE_INLINE RIFFLE_PLAIN bool mbarrier_test_wait_parity(uint64_t *at, uint32_t parity) { return riffle_ptx::mbarrier_test_parity(at, parity); }
template <class Order, class Scope> RIFFLE_INLINE RIFFLE_PLAIN bool mbarrier_try_wait_parity(Order, Scope, uint64_t *at, uint32_t parity) {
    return riffle_ptx::mbarrier_try_parity(at, parity);
}
template <class Order, class Scope> RIFFLE_INLINE RIFFLE_PLAIN void fence_mbarrier_init(Order, Scope) { riffle_ptx::mbarrier_fence(); }
RIFFLE_INLINE RIFFLE_PLAIN void fence_proxy_async() { riffle_lint_proxy_fence(); }
template <class Space> RIFFLE_INLINE RIFFLE_PLAIN void fence_proxy_async(Space) { riffle_lint_proxy_fence(); }
template <class To, class From> RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk(To, From, void *to, const void *from, const uint32_t &bytes, uint64_t *at) {
    riffle_ptx::bulk_load(to, from, bytes, at, 0);
}
template <class From>
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk(space_cluster_t, From, void *to, const void *from, const uint32_t &bytes, uint64_t *at, const uint16_t &ranks) {
    riffle_ptx::bulk_load(to, from, bytes, at, ranks);
}
template <class To, class From> RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk(To, From, void *to, const void *from, const uint32_t &bytes) {
    riffle_ptx::bulk_store(to, from, bytes);
}
template <int... K, size_t N> RIFFLE_INLINE RIFFLE_PLAIN void load_box(void *to, const void *map, const int32_t (&at)[N], uint64_t *barrier, unsigned ranks, std::integer_sequence<int, K...>) {
    riffle_ptx::tensor_load(to, map, barrier, ranks, at[K]...);
}
template <int... K, size_t N> RIFFLE_INLINE RIFFLE_PLAIN void store_box(const void *map, const void *from, const int32_t (&at)[N], std::integer_sequence<int, K...>) {
    riffle_ptx::tensor_store(map, from, at[K]...);
}
template <class To, class From, size_t N>
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_tensor(To, From, void *to, const void *map, const int32_t (&at)[N], uint64_t *barrier) {
    load_box(to, map, at, barrier, 0, std::make_integer_sequence<int, N>());
}
template <class To, class From, size_t N>
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_tensor(To, From, void *to, const void *map, const int32_t (&at)[N], uint64_t *barrier, const uint16_t &ranks) {
    load_box(to, map, at, barrier, ranks, std::make_integer_sequence<int, N>());
}
template <class To, class From, size_t N>
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_tensor(To, From, const void *map, const int32_t (&at)[N], const void *from) {
    store_box(map, from, at, std::make_integer_sequence<int, N>());
}
RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_commit_group() { riffle_lint_bulk_commit(); }
template <int N> RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_wait_group(n32_t<N>) { riffle_lint_bulk_wait(N); }
template <int N> RIFFLE_INLINE RIFFLE_PLAIN void cp_async_bulk_wait_group_read(n32_t<N>) { riffle_lint_bulk_wait(N); }
RIFFLE_INLINE RIFFLE_PLAIN unsigned get_sreg_cluster_ctarank() { return riffle_lint::rank_in_cluster(); }
} // namespace ptx
} // namespace cuda

#endif
