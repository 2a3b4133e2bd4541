/* SPDX-License-Identifier: Apache-2.0
 *
 * mbarriers, and copies in bulk (cp.async.bulk, TMA), as inline PTX and the headers of libcu++ have them. They are the machine's, which knows an mbarrier by its address.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_BULK_H
#define RIFFLE_MACHINE_DEVICE_CUDA_BULK_H

namespace riffle_ptx {
static inline RIFFLE_DEVICE void mbarrier_init(void *at, unsigned count) { riffle_lint_mbarrier_init(at, count, RIFFLE_SITE); }
static inline RIFFLE_DEVICE void mbarrier_end(void *at) { riffle_lint_mbarrier_end(at, RIFFLE_SITE); }
static inline RIFFLE_DEVICE u64 mbarrier_arrive(void *at, unsigned count) { return riffle_lint_mbarrier_arrive(at, count, 0, RIFFLE_SITE); }
static inline RIFFLE_DEVICE u64 mbarrier_drop(void *at, unsigned count) { return riffle_lint_mbarrier_arrive(at, count, 1, RIFFLE_SITE); }
static inline RIFFLE_DEVICE void mbarrier_expect(void *at, long long bytes) { riffle_lint_mbarrier_expect(at, bytes, RIFFLE_SITE); }
static inline RIFFLE_DEVICE u64 mbarrier_arrive_expect(void *at, unsigned bytes) {
    riffle_lint_mbarrier_expect(at, bytes, RIFFLE_SITE);
    return riffle_lint_mbarrier_arrive(at, 1, 0, RIFFLE_SITE);
}
/* The mbarrier waits for the thread's copies too; without noinc by an arrival more, which is theirs. */
static inline RIFFLE_DEVICE void copy_bind(void *at) { riffle_lint_copy_bind(at, RIFFLE_SITE); }
static inline RIFFLE_DEVICE void copy_arrive(void *at) {
    riffle_lint_copy_bind(at, RIFFLE_SITE);
    riffle_lint_mbarrier_arrive(at, 1, 0, RIFFLE_SITE);
}
/* `try` may wait as long as it likes: until the phase is over. */
static inline RIFFLE_DEVICE bool mbarrier_try(void *at, u64 phase) { return riffle_lint_mbarrier_wait(at, phase, 0, 1, RIFFLE_SITE) != 0; }
static inline RIFFLE_DEVICE bool mbarrier_test(void *at, u64 phase) { return riffle_lint_mbarrier_wait(at, phase, 0, 0, RIFFLE_SITE) != 0; }
static inline RIFFLE_DEVICE bool mbarrier_try_parity(void *at, unsigned parity) { return riffle_lint_mbarrier_wait(at, parity, 1, 1, RIFFLE_SITE) != 0; }
static inline RIFFLE_DEVICE bool mbarrier_test_parity(void *at, unsigned parity) { return riffle_lint_mbarrier_wait(at, parity, 1, 0, RIFFLE_SITE) != 0; }

static inline RIFFLE_DEVICE void bulk_load(void *to, const void *from, unsigned bytes, void *barrier, unsigned ranks) {
    const machine_bulk one = {to, const_cast<void *>(from), bytes, nullptr, {0, 0, 0, 0, 0}, barrier, ranks};
    riffle_lint_bulk_load(&one, RIFFLE_SITE);
}
static inline RIFFLE_DEVICE void bulk_store(void *to, const void *from, unsigned bytes) {
    const machine_bulk one = {const_cast<void *>(from), to, bytes, nullptr, {0, 0, 0, 0, 0}, nullptr, 0};
    riffle_lint_bulk_store(&one, RIFFLE_SITE);
}
template <class... At> RIFFLE_DEVICE void tensor_load(void *to, const void *map, void *barrier, unsigned ranks, At... at) {
    const machine_bulk one = {to, nullptr, 0, static_cast<const machine_tensor *>(map), {(int)at...}, barrier, ranks};
    riffle_lint_bulk_load(&one, RIFFLE_SITE);
}
template <class... At> RIFFLE_DEVICE void tensor_store(const void *map, const void *from, At... at) {
    const machine_bulk one = {const_cast<void *>(from), nullptr, 0, static_cast<const machine_tensor *>(map), {(int)at...}, nullptr, 0};
    riffle_lint_bulk_store(&one, RIFFLE_SITE);
}
/* The machine has them in the order of PTX's memory model's fences for mbarriers: it counts as one of the thread's own. */
RIFFLE_INLINE void mbarrier_fence() { riffle_lint_fence(); }
} // namespace riffle_ptx

#endif
