/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of libcu++ with atomics, barriers and pipelines; and asynchronous copies, which land where they are waited for. A barrier is the
 * machine's where all threads of the block take part.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_LIBCUXX_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_LIBCUXX_H

#include "cooperative_groups.h"

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst,
};
namespace std {
using namespace ::std;
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
} // namespace std

/* What an order means to other blocks: nothing at a scope below the device. */
template <thread_scope SCOPE> constexpr int marks_of(memory_order order) {
    const bool acquires = order == memory_order_consume || order == memory_order_acquire || order >= memory_order_acq_rel;
    const bool releases = order == memory_order_release || order >= memory_order_acq_rel;
    if (SCOPE != thread_scope_system && SCOPE != thread_scope_device) return MACHINE_STRONG;
    return MACHINE_STRONG | (acquires ? MACHINE_ACQUIRE : 0) | (releases ? MACHINE_RELEASE : 0);
}

template <class T, thread_scope SCOPE = thread_scope_system> class atomic_ref {
    T *at;

    template <class Update> RIFFLE_INLINE RIFFLE_PLAIN T change(Update update, memory_order order, const void *site) const {
        const T old = riffle_lint::read_atomic(at, site, marks_of<SCOPE>(order));
        *at = update(old);
        return old;
    }

  public:
    RIFFLE_PLAIN explicit atomic_ref(T &to) : at(&to) {}
    RIFFLE_DEVICE T load(memory_order order = memory_order_seq_cst) const {
        return riffle_lint::read_atomic(at, RIFFLE_SITE, (marks_of<SCOPE>(order) & ~MACHINE_RELEASE) | MACHINE_LOAD);
    }
    RIFFLE_DEVICE void store(T value, memory_order order = memory_order_seq_cst) const {
        riffle_lint::read_atomic(at, RIFFLE_SITE, (marks_of<SCOPE>(order) & ~MACHINE_ACQUIRE) | MACHINE_STORE);
        *at = value;
    }
    RIFFLE_DEVICE T exchange(T value, memory_order order = memory_order_seq_cst) const { return change([=](T) { return value; }, order, RIFFLE_SITE); }
    RIFFLE_DEVICE T fetch_add(T by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return (T)(old + by); }, order, RIFFLE_SITE); }
    RIFFLE_DEVICE T fetch_sub(T by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return (T)(old - by); }, order, RIFFLE_SITE); }
    RIFFLE_DEVICE T fetch_min(T by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return by < old ? by : old; }, order, RIFFLE_SITE); }
    RIFFLE_DEVICE T fetch_max(T by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return old < by ? by : old; }, order, RIFFLE_SITE); }
    template <class U = T> RIFFLE_DEVICE T fetch_and(U by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return (T)(old & by); }, order, RIFFLE_SITE); }
    template <class U = T> RIFFLE_DEVICE T fetch_or(U by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return (T)(old | by); }, order, RIFFLE_SITE); }
    template <class U = T> RIFFLE_DEVICE T fetch_xor(U by, memory_order order = memory_order_seq_cst) const { return change([=](T old) { return (T)(old ^ by); }, order, RIFFLE_SITE); }
    RIFFLE_DEVICE bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst,
                                               memory_order = memory_order_seq_cst) const {
        const T old = riffle_lint::read_atomic(at, RIFFLE_SITE, marks_of<SCOPE>(order));
        if (old == expected) {
            *at = value;
            return true;
        }
        expected = old;
        return false;
    }
    RIFFLE_INLINE bool compare_exchange_weak(T &expected, T value, memory_order a = memory_order_seq_cst,
                                             memory_order b = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, value, a, b);
    }
};

template <class T, thread_scope SCOPE = thread_scope_system> class atomic {
    T value;
    RIFFLE_INLINE RIFFLE_PLAIN atomic_ref<T, SCOPE> ref() const { return atomic_ref<T, SCOPE>(const_cast<T &>(value)); }

  public:
    atomic() = default;
    constexpr atomic(T first) : value(first) {}
    RIFFLE_INLINE T load(memory_order order = memory_order_seq_cst) const { return ref().load(order); }
    RIFFLE_INLINE void store(T to, memory_order order = memory_order_seq_cst) { ref().store(to, order); }
    RIFFLE_INLINE T exchange(T to, memory_order order = memory_order_seq_cst) { return ref().exchange(to, order); }
    RIFFLE_INLINE T fetch_add(T by, memory_order order = memory_order_seq_cst) { return ref().fetch_add(by, order); }
    RIFFLE_INLINE T fetch_sub(T by, memory_order order = memory_order_seq_cst) { return ref().fetch_sub(by, order); }
    RIFFLE_INLINE T fetch_min(T by, memory_order order = memory_order_seq_cst) { return ref().fetch_min(by, order); }
    RIFFLE_INLINE T fetch_max(T by, memory_order order = memory_order_seq_cst) { return ref().fetch_max(by, order); }
    RIFFLE_INLINE bool compare_exchange_strong(T &expected, T to, memory_order a = memory_order_seq_cst, memory_order b = memory_order_seq_cst) {
        return ref().compare_exchange_strong(expected, to, a, b);
    }
    RIFFLE_INLINE bool compare_exchange_weak(T &expected, T to, memory_order a = memory_order_seq_cst, memory_order b = memory_order_seq_cst) {
        return ref().compare_exchange_strong(expected, to, a, b);
    }
    RIFFLE_INLINE operator T() const { return ref().load(); }
    RIFFLE_INLINE T operator=(T to) {
        ref().store(to);
        return to;
    }
    RIFFLE_INLINE T operator++() { return ref().fetch_add(1) + 1; }
    RIFFLE_INLINE T operator++(int) { return ref().fetch_add(1); }
    RIFFLE_INLINE T operator--() { return ref().fetch_sub(1) - 1; }
    RIFFLE_INLINE T operator--(int) { return ref().fetch_sub(1); }
    RIFFLE_INLINE T operator+=(T by) { return ref().fetch_add(by) + by; }
    RIFFLE_INLINE T operator-=(T by) { return ref().fetch_sub(by) - by; }
};
inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order != memory_order_relaxed && scope <= thread_scope_device) riffle_lint_fence();
}

/* An mbarrier of the machine's. Copies that are bound to it belong to the phase that is under way then. */
template <thread_scope SCOPE = thread_scope_system> class barrier {
    unsigned long long native = 0;

  public:
    typedef unsigned long long arrival_token;
    barrier() = default;
    RIFFLE_DEVICE explicit barrier(long long threads) { riffle_lint_mbarrier_init(this, (unsigned)threads, RIFFLE_SITE); }
    RIFFLE_DEVICE friend void init(barrier *b, long long threads) { riffle_lint_mbarrier_init(b, (unsigned)threads, RIFFLE_SITE); }
    RIFFLE_DEVICE arrival_token arrive(long long threads = 1) { return riffle_lint_mbarrier_arrive(this, (unsigned)threads, 0, RIFFLE_SITE); }
    RIFFLE_DEVICE void wait(arrival_token phase) { riffle_lint_mbarrier_wait(this, phase, 0, 1, RIFFLE_SITE); }
    RIFFLE_DEVICE void wait_parity(bool parity) { riffle_lint_mbarrier_wait(this, parity, 1, 1, RIFFLE_SITE); }
    RIFFLE_DEVICE bool try_wait(arrival_token phase) { return riffle_lint_mbarrier_wait(this, phase, 0, 1, RIFFLE_SITE) != 0; }
    RIFFLE_DEVICE bool try_wait_parity(bool parity) { return riffle_lint_mbarrier_wait(this, parity, 1, 1, RIFFLE_SITE) != 0; }
    RIFFLE_DEVICE void arrive_and_wait() {
        const arrival_token phase = riffle_lint_mbarrier_arrive(this, 1, 0, RIFFLE_SITE);
        riffle_lint_mbarrier_wait(this, phase, 0, 1, RIFFLE_SITE);
    }
    RIFFLE_DEVICE void arrive_and_drop() { riffle_lint_mbarrier_arrive(this, 1, 1, RIFFLE_SITE); }
    RIFFLE_PLAIN void *waits_for_copies() { return this; }
};

template <size_t BYTES> struct aligned_size_t {
    size_t value;
    constexpr explicit aligned_size_t(size_t v) : value(v) {}
    constexpr operator size_t() const { return value; }
};
enum class pipeline_role { producer, consumer };
template <thread_scope SCOPE, unsigned STAGES> struct pipeline_shared_state {
    barrier<SCOPE> produced[STAGES], consumed[STAGES];
    unsigned producers = 0;
};
namespace details {
template <thread_scope SCOPE, unsigned STAGES>
RIFFLE_DEVICE void begin(pipeline_shared_state<SCOPE, STAGES> *state, size_t producers, size_t consumers) {
    for (unsigned s = 0; s < STAGES; s++) {
        riffle_lint_mbarrier_init(&state->produced[s], (unsigned)producers, RIFFLE_SITE);
        riffle_lint_mbarrier_init(&state->consumed[s], (unsigned)consumers, RIFFLE_SITE);
    }
}
template <class State> RIFFLE_DEVICE void set_producers(State *state, unsigned number) { state->producers = number; }
template <class State> RIFFLE_DEVICE unsigned producers_of(const State *state) { return state->producers; }
} // namespace details

/* Stages in order, each with two mbarriers: copies belong to the first, at which producers arrive, consumers at the second. */
template <thread_scope SCOPE = thread_scope_thread> class pipeline {
    barrier<SCOPE> *produced, *consumed;
    unsigned stages, head = 0, tail = 0; /* stages that have been committed, and released */

  public:
    template <unsigned STAGES>
    RIFFLE_PLAIN explicit pipeline(pipeline_shared_state<SCOPE, STAGES> *state) : produced(state->produced), consumed(state->consumed), stages(STAGES) {}
    RIFFLE_PLAIN void *waits_for_copies() const { return &produced[head % stages]; }
    RIFFLE_DEVICE void producer_acquire() const {
        if (head >= stages) riffle_lint_mbarrier_wait(&consumed[head % stages], (head / stages - 1) & 1, 1, 1, RIFFLE_SITE);
    }
    RIFFLE_DEVICE void producer_commit() {
        riffle_lint_mbarrier_arrive(&produced[head % stages], 1, 0, RIFFLE_SITE);
        head++;
    }
    RIFFLE_DEVICE void consumer_wait() const { riffle_lint_mbarrier_wait(&produced[tail % stages], tail / stages & 1, 1, 1, RIFFLE_SITE); }
    template <class Time> RIFFLE_DEVICE bool consumer_wait_for(const Time &) const {
        return riffle_lint_mbarrier_wait(&produced[tail % stages], tail / stages & 1, 1, 1, RIFFLE_SITE) != 0;
    }
    RIFFLE_DEVICE void consumer_release() {
        riffle_lint_mbarrier_arrive(&consumed[tail % stages], 1, 0, RIFFLE_SITE);
        tail++;
    }
    RIFFLE_PLAIN bool quit() const { return true; }
};
/* A thread's own has the hardware's groups; a wait is for one more of them. */
template <> class pipeline<thread_scope_thread> {
    unsigned head = 0, tail = 0; /* stages that have been committed, and waited for */

  public:
    RIFFLE_PLAIN void *waits_for_copies() const { return nullptr; }
    RIFFLE_PLAIN void producer_acquire() const {}
    RIFFLE_PLAIN void producer_commit() {
        riffle_lint_copy_commit();
        head++;
    }
    RIFFLE_PLAIN void wait_prior(unsigned left) {
        riffle_lint_copy_land_prior(left);
        tail = head - left;
    }
    RIFFLE_PLAIN void consumer_wait() {
        if (head != tail) wait_prior(head - tail - 1);
    }
    RIFFLE_PLAIN void consumer_release() const {}
    RIFFLE_PLAIN bool quit() const { return true; }
};
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, unsigned STAGES>
RIFFLE_PLAIN pipeline<thread_scope_thread> make_pipeline(const Group &, pipeline_shared_state<thread_scope_thread, STAGES> *) { return {}; }
template <class Group, thread_scope SCOPE, unsigned STAGES>
RIFFLE_INLINE RIFFLE_PLAIN pipeline<SCOPE> make_pipeline(const Group &group, pipeline_shared_state<SCOPE, STAGES> *state) {
    if (group.thread_rank() == 0) details::begin(state, group.size(), group.size());
    group.sync();
    return pipeline<SCOPE>(state);
}
template <class Group, thread_scope SCOPE, unsigned STAGES>
RIFFLE_INLINE RIFFLE_PLAIN pipeline<SCOPE> make_pipeline(const Group &group, pipeline_shared_state<SCOPE, STAGES> *state, size_t producers) {
    if (group.thread_rank() == 0) details::begin(state, producers, group.size() - producers);
    group.sync();
    return pipeline<SCOPE>(state);
}
template <class Group, thread_scope SCOPE, unsigned STAGES>
RIFFLE_INLINE RIFFLE_PLAIN pipeline<SCOPE> make_pipeline(const Group &group, pipeline_shared_state<SCOPE, STAGES> *state, pipeline_role role) {
    if (group.thread_rank() == 0) details::set_producers(state, 0);
    group.sync();
    if (role == pipeline_role::producer) details::set_producers(state, details::producers_of(state) + 1);
    group.sync();
    return make_pipeline(group, state, (size_t)details::producers_of(state));
}
template <unsigned LEFT> RIFFLE_PLAIN void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &p) { p.wait_prior(LEFT); }
template <thread_scope SCOPE> RIFFLE_DEVICE void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<SCOPE> &b) {
    riffle_lint_copy_bind(&b, RIFFLE_SITE);
}

namespace details {
template <class T> constexpr size_t unit_of(size_t) { return sizeof(T); }
template <class T, size_t BYTES> constexpr size_t unit_of(aligned_size_t<BYTES>) { return BYTES > sizeof(T) ? BYTES : sizeof(T); }
} // namespace details
template <class T, class Bytes, class Sync> RIFFLE_DEVICE void memcpy_async(T *to, const T *from, Bytes bytes, Sync &sync) {
    riffle_lint::copy_elements(to, from, (size_t)bytes, 0, 1, sync.waits_for_copies(), RIFFLE_SITE, details::unit_of<T>(bytes));
}
template <class Group, class T, class Bytes, class Sync>
RIFFLE_DEVICE void memcpy_async(const Group &group, T *to, const T *from, Bytes bytes, Sync &sync) {
    riffle_lint::copy_elements(to, from, (size_t)bytes, group.thread_rank(), group.size(), sync.waits_for_copies(), RIFFLE_SITE,
                               details::unit_of<T>(bytes));
}
} // namespace cuda

static inline RIFFLE_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
    riffle_lint_copy(to, from, (unsigned)bytes, (unsigned)(bytes - zeros), nullptr, RIFFLE_SITE);
}
static inline RIFFLE_DEVICE void __pipeline_commit() { riffle_lint_copy_commit(); }
static inline RIFFLE_DEVICE void __pipeline_wait_prior(size_t left) { riffle_lint_copy_land_prior((unsigned)left); }

#endif
