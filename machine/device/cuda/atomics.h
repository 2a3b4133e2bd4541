/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations, on global and shared memory. A thread runs until it waits for others, so each is atomic by
 * itself.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_ATOMICS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_ATOMICS_H

namespace riffle_lint {
typedef unsigned long long u64;

template <class T>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) T read_atomic(T *address, const void *site, int marks = 0) {
    riffle_lint_access(address, sizeof(T), MACHINE_ATOMIC | marks, site);
    return *address;
}

template <class T> constexpr bool has_add = is_one_of<T, int, unsigned, u64, unsigned long, float, double>;
template <class T> constexpr bool has_sub = is_one_of<T, int, unsigned>;
template <class T> constexpr bool has_exchange = is_one_of<T, int, unsigned, u64, unsigned long, float> || (sizeof(T) == 16 && alignof(T) == 16);
template <class T> constexpr bool has_order = is_one_of<T, int, unsigned, long long, long, unsigned long, u64>;
template <class T> constexpr bool has_bits = is_one_of<T, int, unsigned, u64, unsigned long>;
template <class T> constexpr bool has_cas = is_one_of<T, int, unsigned, u64, unsigned long, unsigned short> || (sizeof(T) == 16 && alignof(T) == 16);
} // namespace riffle_lint

template <class T> RIFFLE_DEVICE T atomicAdd(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_add<T>, "CUDA has no atomicAdd of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old + value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicSub(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_sub<T>, "CUDA has no atomicSub of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old - value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicExch(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_exchange<T>, "CUDA has no atomicExch of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicMin(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_order<T>, "CUDA has no atomicMin of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    if (value < old) *address = value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicMax(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_order<T>, "CUDA has no atomicMax of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    if (old < value) *address = value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicAnd(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_bits<T>, "CUDA has no atomicAnd of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old & value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicOr(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_bits<T>, "CUDA has no atomicOr of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old | value;
    return old;
}

template <class T> RIFFLE_DEVICE T atomicXor(T *address, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_bits<T>, "CUDA has no atomicXor of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old ^ value;
    return old;
}

template <class T>
RIFFLE_DEVICE T atomicCAS(T *address, riffle_lint::same<T> expected, riffle_lint::same<T> value) {
    static_assert(riffle_lint::has_cas<T>, "CUDA has no atomicCAS of this type");
    const T old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    if (old == expected) *address = value;
    return old;
}

static inline RIFFLE_DEVICE unsigned atomicInc(unsigned *address, unsigned last) {
    const unsigned old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old >= last ? 0 : old + 1;
    return old;
}

static inline RIFFLE_DEVICE unsigned atomicDec(unsigned *address, unsigned last) {
    const unsigned old = riffle_lint::read_atomic(address, RIFFLE_SITE);
    *address = old == 0 || old > last ? last : old - 1;
    return old;
}

#define atomicAdd_block atomicAdd
#define atomicAdd_system atomicAdd
#define atomicSub_block atomicSub
#define atomicSub_system atomicSub
#define atomicExch_block atomicExch
#define atomicExch_system atomicExch
#define atomicMin_block atomicMin
#define atomicMin_system atomicMin
#define atomicMax_block atomicMax
#define atomicMax_system atomicMax
#define atomicAnd_block atomicAnd
#define atomicAnd_system atomicAnd
#define atomicOr_block atomicOr
#define atomicOr_system atomicOr
#define atomicXor_block atomicXor
#define atomicXor_system atomicXor
#define atomicCAS_block atomicCAS
#define atomicCAS_system atomicCAS
#define atomicInc_block atomicInc
#define atomicInc_system atomicInc
#define atomicDec_block atomicDec
#define atomicDec_system atomicDec

#endif
