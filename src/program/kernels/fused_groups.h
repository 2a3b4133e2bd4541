/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages of a fused kernel that depend on where an element is: groups that take part by a condition or know their index, users' operations
 * among them, and the pairs of a Fourier transform with their roots.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_FUSED_GROUPS_H
#define RIFFLE_PROGRAM_KERNELS_FUSED_GROUPS_H

#include "program/kernels/fused_stages.h"

/* The value of a functional in a thread's registers, bit r for register r. */
static __device__ inline uint32_t fused_functional(const uint32_t *f, uint32_t tile) {
    return f[0] ^ (0 - (odd_bits(f[1] & threadIdx.x) ^ odd_bits(f[2] & tile)));
}

/* The sub-index of register 0. */
static __device__ inline uint32_t fused_index(const uint32_t *code, uint32_t tile) {
    const uint32_t *const of_tile = code + FUSED_INDEX_WORDS;
    uint32_t index = code[0] ^ fused_thread(code + 1);
    for (uint32_t k = 0; k < code[FUSED_INDEX_WORDS - 1]; k += FUSED_INDEX_STEP) {
        UNROLL
        for (uint32_t j = 0; j < FUSED_INDEX_STEP; ++j) index ^= of_tile[k + j] & (0 - (tile >> (k + j) & 1));
    }
    return index;
}

/* A group of elements in their order, but for whether it takes part. */
template <class kind, uint32_t op>
static __device__ inline void fused_apply_group(typename kind::single *group, uint32_t index,
                                                double parameter) {
    (void)index, (void)parameter;
    if constexpr (op == FUSED_SCALE) group[0] = kind::scaled(group[0], parameter);
    if constexpr (op == FUSED_NEGATE) group[0] = kind::negative(group[0]);
    if constexpr (op == FUSED_ROTATE || op == FUSED_ROTATE_BUTTERFLY)
        group[1] = kind::product(group[1], kind::root((int)parameter, index));
    if constexpr (op < FUSED_SCALE) fused_apply<kind, op>(group[0], group[1]);
    if constexpr (op >= FUSED_OWN) kind::template own<op - FUSED_OWN>::apply(group, index);
}

/* Elements whose places differ in bit j alone change them, if `swaps`. */
template <class single, uint32_t count>
static __device__ inline void fused_reorder(single *group, uint32_t j, uint32_t swaps) {
    UNROLL
    for (uint32_t g = 0; g < count; ++g) {
        if (g >> j & 1) continue;
        const single low = group[g], high = group[g | 1u << j];
        group[g] = swaps != 0 ? high : low;
        group[g | 1u << j] = swaps != 0 ? low : high;
    }
}

/* Any stage: groups of 2^bits elements, which differ in the first register bits. The place of an element in its
 * group is its register's number there, changed in those bits whose functionals are 1. */
template <class kind, uint32_t op, uint32_t bits>
static __device__ inline void fused_group(HELD, const uint32_t *code, uint32_t tile) {
    enum { count = 1 << bits };
    const uint32_t conditions = code[0] >> 20 & 0xff, is_indexed = code[0] >> 28 & 1;
    const uint32_t *const position = code + 3, *const condition = position + FUSED_FUNCTIONAL_WORDS * bits;
    const uint32_t *const index = condition + FUSED_FUNCTIONAL_WORDS * conditions;
    const double parameter = fused_parameter(code + 1);
    const uint32_t first_index = is_indexed != 0 ? fused_index(index, tile) : 0;
    const uint32_t *const index_of_register = index + 1 + FUSED_THREADS_LOG2;
    uint32_t order[bits == 0 ? 1 : bits], active = ~0u;
    UNROLL
    for (int j = 0; j < (int)bits; ++j)
        order[j] = fused_functional(position + FUSED_FUNCTIONAL_WORDS * j, tile);
    for (uint32_t j = 0; j < conditions; ++j)
        active &= ~fused_functional(condition + FUSED_FUNCTIONAL_WORDS * j, tile);
    UNROLL
    for (uint32_t i = 0; i < HELD_COUNT; i += count) {
        typename kind::single group[count], before[count];
        UNROLL
        for (uint32_t g = 0; g < count; ++g) group[g] = before[g] = held[i + g];
        UNROLL
        for (int j = 0; j < (int)bits; ++j)
            fused_reorder<typename kind::single, count>(group, (uint32_t)j, order[j] >> i & 1);
        const uint32_t at = is_indexed != 0 ? first_index ^ fused_register(index_of_register, i) : 0;
        /* A user's operation never sees a group that takes no part: it may divide. */
        if (op < FUSED_OWN || (active >> i & 1) != 0) fused_apply_group<kind, op>(group, at, parameter);
        UNROLL
        for (int j = 0; j < (int)bits; ++j)
            fused_reorder<typename kind::single, count>(group, (uint32_t)j, order[j] >> i & 1);
        UNROLL
        for (uint32_t g = 0; g < count; ++g) held[i + g] = (active >> i & 1) != 0 ? group[g] : before[g];
    }
}

template <class kind, uint32_t number>
static __device__ inline void fused_own_group_of(HELD, const uint32_t *code, uint32_t tile) {
    if constexpr (number < kind::owns) {
        if ((code[0] >> 8 & 0xff) == FUSED_OWN + number) {
            fused_group<kind, FUSED_OWN + number, kind::template own<number>::bits>(held, code, tile);
        } else {
            fused_own_group_of<kind, number + 1>(held, code, tile);
        }
    }
}

template <class kind> static __device__ inline void fused_group_of(HELD, const uint32_t *code, uint32_t tile) {
#define GROUP(op, bits)                                                                                        \
    case op:                                                                                                   \
        if constexpr (fused_has<kind, op>()) fused_group<kind, op, bits>(held, code, tile);                    \
        break;
    switch (code[0] >> 8 & 0xff) {
        GROUP(FUSED_MINMAX, 1)
        GROUP(FUSED_BUTTERFLY, 1)
        GROUP(FUSED_ADD, 1)
        GROUP(FUSED_SUBTRACT, 1)
        GROUP(FUSED_XOR, 1)
        GROUP(FUSED_SWAP, 1)
        GROUP(FUSED_ROTATE, 1)
        GROUP(FUSED_ROTATE_BUTTERFLY, 1)
        GROUP(FUSED_SCALE, 0)
        GROUP(FUSED_NEGATE, 0)
    default: fused_own_group_of<kind, 0>(held, code, tile);
    }
#undef GROUP
}

static __device__ inline uint32_t fused_group_length(const uint32_t *code) {
    const uint32_t functionals = (code[0] >> 16 & 0xf) + (code[0] >> 20 & 0xff);
    const uint32_t before = 3 + FUSED_FUNCTIONAL_WORDS * functionals;
    if (code[0] >> 28 == 0) return before;
    return before + FUSED_INDEX_WORDS + code[before + FUSED_INDEX_WORDS - 1];
}

/* b w, a + b w, a - b w, with w the thread's root times the pair's factor. */
template <class kind, uint32_t bit>
static __device__ inline void fused_twiddle(HELD, typename kind::single root, const uint32_t *factors) {
    if constexpr (1 << bit < HELD_COUNT) {
        typedef typename kind::single single;
        uint32_t pair = 0;
        UNROLL
        for (uint32_t i = 0; i < HELD_COUNT; ++i) {
            if (i >> bit & 1) continue;
            single factor;
            __builtin_memcpy(&factor, factors + pair * sizeof(single) / sizeof(uint32_t), sizeof factor);
            held[i | 1 << bit] = kind::product(held[i | 1 << bit], kind::product(root, factor));
            fused_apply<kind, FUSED_BUTTERFLY>(held[i], held[i | 1 << bit]);
            ++pair;
        }
    }
}

template <class kind>
static __device__ inline void fused_twiddle_of(HELD, const uint32_t *code, uint32_t tile) {
    if constexpr (kind::is_complex) {
        const typename kind::single root = kind::root((int)code[1], fused_index(code + 2, tile));
        const uint32_t *const factors = code + 2 + FUSED_INDEX_WORDS + code[1 + FUSED_INDEX_WORDS];
        switch (code[0] >> 16) {
        case 0: fused_twiddle<kind, 0>(held, root, factors); break;
        case 1: fused_twiddle<kind, 1>(held, root, factors); break;
        case 2: fused_twiddle<kind, 2>(held, root, factors); break;
        case 3: fused_twiddle<kind, 3>(held, root, factors); break;
        }
    }
}

/* Length of FUSED_TWIDDLE and FUSED_GROUP, in words. */
template <class kind> static __device__ inline uint32_t fused_twiddle_length(const uint32_t *code) {
    const uint32_t factor = sizeof(typename kind::single) / sizeof(uint32_t);
    return 2 + FUSED_INDEX_WORDS + code[1 + FUSED_INDEX_WORDS] + HELD_COUNT / 2 * factor;
}

#endif
