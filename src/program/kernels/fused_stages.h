/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages of a fused kernel that all elements take part in alike: pairs along a direction of the registers, each element, both halves of a pair.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_FUSED_STAGES_H
#define RIFFLE_PROGRAM_KERNELS_FUSED_STAGES_H

#include "program/kernels/fused_held.h"

/* True if the kernel has the operation. */
template <class kind, uint32_t op> static __device__ constexpr bool fused_has() {
    if (op == FUSED_MINMAX && !kind::is_ordered) return false;
    if (op == FUSED_XOR && !kind::is_integer) return false;
    if (op == FUSED_SCALE && kind::is_integer) return false;
    if ((op == FUSED_ROTATE || op == FUSED_ROTATE_BUTTERFLY) && !kind::is_complex) return false;
    return (kind::ops >> op & 1) != 0;
}

/* Applies an operation to two elements. */
template <class kind, uint32_t op>
static __device__ inline void fused_apply(typename kind::single &a, typename kind::single &b) {
    const typename kind::single first = a;
    if constexpr (op == FUSED_MINMAX) kind::order(a, b);
    if constexpr (op == FUSED_BUTTERFLY || op == FUSED_ROTATE_BUTTERFLY) {
        a = kind::sum(first, b);
        b = kind::difference(first, b);
    }
    if constexpr (op == FUSED_ADD) b = kind::sum(first, b);
    if constexpr (op == FUSED_SUBTRACT) b = kind::difference(b, first);
    if constexpr (op == FUSED_XOR) b = kind::exclusive(first, b);
    if constexpr (op == FUSED_SWAP) {
        a = b;
        b = first;
    }
}

template <class kind, uint32_t op, uint32_t mask> static __device__ inline void fused_along(HELD) {
    constexpr uint32_t top = mask >= 16 ? 16 : mask >= 8 ? 8 : mask >= 4 ? 4 : mask >= 2 ? 2 : 1;
    if constexpr (mask < HELD_COUNT) {
        UNROLL
        for (uint32_t i = 0; i < HELD_COUNT; ++i)
            if ((i & top) == 0) fused_apply<kind, op>(held[i], held[i ^ mask]);
    }
}

template <class kind> static __device__ inline void fused_order(HELD, uint32_t mask) {
#define ORDER(mask)                                                                                            \
    case mask:                                                                                                 \
        fused_along<kind, FUSED_MINMAX, (mask)>(held);                                                         \
        break;
#define ORDERS(mask) ORDER(mask) ORDER(mask + 1) ORDER(mask + 2) ORDER(mask + 3)
    if constexpr (fused_has<kind, FUSED_MINMAX>()) {
        switch (mask) {
            ORDER(1)
            ORDER(2)
            ORDER(3)
            ORDERS(4)
            ORDERS(8)
            ORDERS(12)
            ORDERS(16)
            ORDERS(20)
            ORDERS(24)
            ORDERS(28)
        }
    }
#undef ORDERS
#undef ORDER
}

template <class kind, uint32_t... masks> static __device__ inline void fused_orders(HELD) {
    if constexpr (fused_has<kind, FUSED_MINMAX>() && ((masks < HELD_COUNT) && ...))
        (fused_along<kind, FUSED_MINMAX, masks>(held), ...);
}

template <class kind> static __device__ inline void fused_orders_of(HELD, uint32_t run) {
#define RUN(number, ...)                                                                                       \
    case number: fused_orders<kind, __VA_ARGS__>(held); break;
    switch (run) { FUSED_RUNS(RUN) }
#undef RUN
}

/* All bits of a set, from the lowest on: without a branch where they are the last ones. */
template <class kind, uint32_t op, uint32_t... masks> static __device__ inline void fused_along_all(HELD) {
    (fused_along<kind, op, masks>(held), ...);
}

template <class kind, uint32_t op> static __device__ inline void fused_along_bits(HELD, uint32_t set) {
    switch (set) {
    case 31: fused_along_all<kind, op, 1, 2, 4, 8, 16>(held); break;
    case 30: fused_along_all<kind, op, 2, 4, 8, 16>(held); break;
    case 28: fused_along_all<kind, op, 4, 8, 16>(held); break;
    case 24: fused_along_all<kind, op, 8, 16>(held); break;
    case 15: fused_along_all<kind, op, 1, 2, 4, 8>(held); break;
    case 14: fused_along_all<kind, op, 2, 4, 8>(held); break;
    default:
        if (set & 1) fused_along<kind, op, 1>(held);
        if (set & 2) fused_along<kind, op, 2>(held);
        if (set & 4) fused_along<kind, op, 4>(held);
        if (set & 8) fused_along<kind, op, 8>(held);
        if (set & 16) fused_along<kind, op, 16>(held);
    }
}

template <class kind> static __device__ inline void fused_along_of(HELD, uint32_t head) {
    const uint32_t set = head >> 16;
#define ALONG(op)                                                                                              \
    case op:                                                                                                   \
        if constexpr (fused_has<kind, op>()) fused_along_bits<kind, op>(held, set);                            \
        break;
    switch (head >> 8 & 0xff) {
        ALONG(FUSED_BUTTERFLY)
        ALONG(FUSED_ADD)
        ALONG(FUSED_SUBTRACT)
        ALONG(FUSED_XOR)
    }
#undef ALONG
}

static __device__ inline double fused_parameter(const uint32_t *words) {
    const uint64_t bits = (uint64_t)words[1] << 32 | words[0];
    double parameter;
    __builtin_memcpy(&parameter, &bits, sizeof parameter);
    return parameter;
}

template <class kind> static __device__ inline void fused_each(HELD, const uint32_t *code) {
    const double parameter = fused_parameter(code + 1);
    if (code[0] >> 8 == FUSED_NEGATE) {
        UNROLL
        for (uint32_t i = 0; i < HELD_COUNT; ++i) held[i] = kind::negative(held[i]);
    } else if constexpr (kind::is_integer == 0) {
        UNROLL
        for (uint32_t i = 0; i < HELD_COUNT; ++i) held[i] = kind::scaled(held[i], parameter);
    }
    (void)parameter;
}

/* The two elements of each pair. */
template <class kind, uint32_t op> static __device__ inline void fused_within(HELD) {
    UNROLL
    for (uint32_t i = 0; i < HELD_COUNT; ++i) {
        typename kind::single a = kind::of(kind::low(held[i]), kind::low(held[i]));
        typename kind::single b = kind::of(kind::high(held[i]), kind::high(held[i]));
        fused_apply<kind, op>(a, b);
        held[i] = kind::of(kind::low(a), kind::high(b));
    }
}

template <class kind> static __device__ inline void fused_within_of(HELD, uint32_t op) {
    if constexpr (kind::is_pair != 0) {
        switch (op) {
        case FUSED_BUTTERFLY: fused_within<kind, FUSED_BUTTERFLY>(held); break;
        case FUSED_ADD: fused_within<kind, FUSED_ADD>(held); break;
        case FUSED_SUBTRACT: fused_within<kind, FUSED_SUBTRACT>(held); break;
        }
    }
}

#endif
