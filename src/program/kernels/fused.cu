/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused pass of an array program, a tile a block (fused.h): its words are read into registers, stages are done on
 * registers, and between them the tile takes another basis through shared memory, so that the directions of the
 * next stages lie in registers as well.
 *
 *     a --> registers --[stages]--> cells --> registers --[stages]--> ... --> b
 *
 * The code is interpreted. That costs little: an instruction is work on 32 words of every thread, and all
 * threads of a grid take the same branches.
 */
#include "device/kernels/device.h"
#include "program/kernels/fused.h"
#include "program/kernels/fused_element.h"

/* How many elements a thread holds; of 4 bytes or less as many as there are registers for. */
template <class single> struct fused_count {
    enum : uint32_t { value = sizeof(single) <= 4 ? 1u << FUSED_HELD_LOG2 : FUSED_HELD_BYTES / sizeof(single) };
};

/* A row of a thread's elements in shared memory, with a bank of padding behind. */
template <class single> struct fused_row {
    enum : uint32_t { value = fused_count<single>::value + (sizeof(single) < 4 ? 4 / sizeof(single) : 1) };
};

#define HELD_COUNT fused_count<typename kind::single>::value
#define HELD typename kind::single(&held)[HELD_COUNT]

/* The sum (XOR) of the vectors that the bits of a number choose: of the first `count`, and of a tile's number, of which there
 * is often little. */
template <uint32_t count>
static __device__ inline uint32_t fused_sum(const uint32_t *vectors, uint32_t number) {
    uint32_t sum = 0;
    UNROLL
    for (uint32_t k = 0; k < count; ++k)
        if ((number >> k & 1) != 0) sum ^= vectors[k];
    return sum;
}

static __device__ inline uint32_t fused_register(const uint32_t *vectors, uint32_t number) {
    return fused_sum<FUSED_HELD_LOG2>(vectors, number);
}

static __device__ inline uint32_t fused_thread(const uint32_t *vectors) {
    return fused_sum<FUSED_THREADS_LOG2>(vectors, threadIdx.x);
}

static __device__ inline uint32_t fused_tile(const uint32_t *vectors, uint32_t number) {
    enum : uint32_t { part = 8 };
    uint32_t sum = 0;
    UNROLL
    for (uint32_t k = 0; k < FUSED_TILES_LOG2; k += part)
        if (number >> k != 0) sum ^= fused_sum<part>(vectors + k, number >> k);
    return sum;
}

/* Register numbers in an order in which the next differs in one bit, bit fused_turned(i) from i to i + 1. */
static __device__ constexpr uint32_t fused_gray(uint32_t i) { return i ^ i >> 1; }
static __device__ constexpr uint32_t fused_turned(uint32_t i) {
    return (i & 1) == 0 ? 0 : (i & 2) == 0 ? 1 : (i & 4) == 0 ? 2 : (i & 8) == 0 ? 3 : 4;
}
static __device__ constexpr uint32_t fused_log2(uint32_t i) { return i < 2 ? 0 : 1 + fused_log2(i / 2); }

template <class single> union fused_vector {
    vector16 whole;
    single one[sizeof(vector16) / sizeof(single)];
    __device__ fused_vector() {}
};

/* Where a thread's elements begin. */
static __device__ inline uint32_t fused_start(const fused_side *s, uint32_t tile) {
    return s->origin ^ fused_tile(s->tile, tile) ^ fused_thread(s->thread);
}

template <class kind>
static __device__ inline void fused_read(HELD, const typename kind::single *a, const fused_table *t,
                                         uint32_t tile) {
    enum : uint32_t { step = sizeof(vector16) / sizeof(a[0]) };
    const fused_side *const side = &t->read;
    uint32_t at = fused_start(side, tile);
    if (side->access == FUSED_VECTORS) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT / step; ++k) {
            const uint32_t i = fused_gray(k) * step;
            fused_vector<typename kind::single> vector;
            vector.whole = *(const vector16 *)(a + at);
            UNROLL
            for (uint32_t j = 0; j < step; ++j) held[i + j] = vector.one[j];
            if (k + 1 < HELD_COUNT / step) at ^= side->held[fused_turned(k) + fused_log2(step)];
        }
    } else if (side->access == FUSED_SINGLES) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            held[fused_gray(k)] = a[at];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    } else {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            held[fused_gray(k)] = typename kind::single();
            if (fused_gray(k) < t->held) held[fused_gray(k)] = a[at];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    }
}

template <class kind>
static __device__ inline void fused_write(typename kind::single *b, HELD, const fused_table *t, uint32_t tile) {
    enum : uint32_t { step = sizeof(vector16) / sizeof(b[0]) };
    const fused_side *const side = &t->write;
    uint32_t at = fused_start(side, tile);
    if (side->access == FUSED_VECTORS) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT / step; ++k) {
            const uint32_t i = fused_gray(k) * step;
            fused_vector<typename kind::single> vector;
            UNROLL
            for (uint32_t j = 0; j < step; ++j) vector.one[j] = held[i + j];
            *(vector16 *)(b + at) = vector.whole;
            if (k + 1 < HELD_COUNT / step) at ^= side->held[fused_turned(k) + fused_log2(step)];
        }
    } else if (side->access == FUSED_SINGLES) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            b[at] = held[fused_gray(k)];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    } else {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            if (fused_gray(k) < t->held) b[at] = held[fused_gray(k)];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    }
}

static __device__ inline void fused_wait(uint32_t whole_block) {
    if (whole_block != 0) {
        __syncthreads();
    } else {
        __syncwarp();
    }
}

/* A thread's cell; where each warp has cells of its own, of a block as large as what it holds. */
template <class kind>
static __device__ inline uint32_t fused_cell(const uint32_t *vectors, uint32_t own_cells) {
    enum : uint32_t { lanes = 5, block = HELD_COUNT * sizeof(typename kind::single) };
    if (own_cells == 0) return fused_thread(vectors);
    return (threadIdx.x >> lanes << lanes) * block ^ fused_sum<lanes>(vectors, threadIdx.x);
}

template <class kind> static __device__ inline void fused_exchange(HELD, char *cells, const uint32_t *code) {
    typedef typename kind::single single;
    const uint32_t *const put = code + 1, *const get = put + FUSED_THREADS_LOG2 + FUSED_HELD_LOG2;
    const uint32_t own_cells = code[0] >> 10 & 1;
    uint32_t from = fused_cell<kind>(put, own_cells), to = fused_cell<kind>(get, own_cells);
    fused_wait(code[0] >> 8 & 1);
    UNROLL
    for (uint32_t k = 0; k < HELD_COUNT; ++k) {
        *(single *)(cells + from) = held[fused_gray(k)];
        if (k + 1 < HELD_COUNT) from ^= put[FUSED_THREADS_LOG2 + fused_turned(k)];
    }
    fused_wait(code[0] >> 9 & 1);
    UNROLL
    for (uint32_t k = 0; k < HELD_COUNT; ++k) {
        held[fused_gray(k)] = *(const single *)(cells + to);
        if (k + 1 < HELD_COUNT) to ^= get[FUSED_THREADS_LOG2 + fused_turned(k)];
    }
}

/* A warp's elements as a matrix of lanes by registers, written by rows and read by columns. */
template <class kind> static __device__ inline void fused_lanes(HELD, char *cells, uint32_t head) {
    typedef typename kind::single single;
    enum : uint32_t { count = HELD_COUNT, row = fused_row<single>::value };
    const uint32_t lane = threadIdx.x & 31, within = lane & (count - 1);
    single *const warp = (single *)cells + (threadIdx.x - lane) * row;
    fused_wait(head >> 8 & 1);
    UNROLL
    for (uint32_t i = 0; i < count; ++i) warp[lane * row + i] = held[i];
    __syncwarp();
    UNROLL
    for (uint32_t i = 0; i < count; ++i) held[i] = warp[(lane - within + i) * row + within];
}

/* Each warp writes a row of lanes for each register, and reads the rows of other warps. */
template <class kind, uint32_t bits>
static __device__ inline void fused_warps(HELD, char *cells, uint32_t first) {
    typedef typename kind::single single;
    enum : uint32_t { count = HELD_COUNT, stay = count >> bits, rows = 32 * fused_row<single>::value };
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5, mask = (1u << bits) - 1;
    const uint32_t number = warp >> first & mask, others = warp ^ number << first;
    single *const put = (single *)cells + warp * rows + lane;
    const single *get = (const single *)cells + others * rows + number * stay * 32 + lane;
    UNROLL
    for (uint32_t i = 0; i < count; ++i) put[32 * i] = held[i];
    __syncthreads();
    UNROLL
    for (uint32_t from = 0; from < 1u << bits; ++from, get += rows << first) {
        UNROLL
        for (uint32_t i = 0; i < stay; ++i) held[from * stay + i] = get[32 * i];
    }
}

template <class kind> static __device__ inline void fused_warps_of(HELD, char *cells, uint32_t head) {
    const uint32_t first = head >> 24;
    fused_wait(head >> 8 & 1);
    switch (head >> 16 & 0xff) {
    case 1: fused_warps<kind, 1>(held, cells, first); break;
    case 2: fused_warps<kind, 2>(held, cells, first); break;
    case 3: fused_warps<kind, 3>(held, cells, first); break;
    case 4:
        if constexpr (HELD_COUNT >= 16) fused_warps<kind, 4>(held, cells, first);
        break;
    case 5:
        if constexpr (HELD_COUNT >= 32) fused_warps<kind, 5>(held, cells, first);
        break;
    }
}

/* Each thread writes a row, and reads a column of those rows that its warp is for. */
template <class kind, uint32_t bits> static __device__ inline void fused_cycle(HELD, char *cells) {
    typedef typename kind::single single;
    enum : uint32_t { lane_bits = 5, kept = lane_bits - bits, row = fused_row<single>::value };
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> lane_bits;
    single *const put = (single *)cells + threadIdx.x * row;
    const single *const get = (const single *)cells + (warp << kept) * row + lane;
    UNROLL
    for (uint32_t i = 0; i < HELD_COUNT; ++i) put[i] = held[i];
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < HELD_COUNT; ++i)
        held[i] = get[((i >> kept << lane_bits) + (i & ((1u << kept) - 1))) * row];
}

template <class kind> static __device__ inline void fused_cycle_of(HELD, char *cells, uint32_t head) {
    if constexpr (HELD_COUNT == 1 << FUSED_HELD_LOG2) {
        fused_wait(head >> 8 & 1);
        switch (head >> 16) {
        case 1: fused_cycle<kind, 1>(held, cells); break;
        case 2: fused_cycle<kind, 2>(held, cells); break;
        case 3: fused_cycle<kind, 3>(held, cells); break;
        case 4: fused_cycle<kind, 4>(held, cells); break;
        case 5: fused_cycle<kind, 5>(held, cells); break;
        }
    }
}

template <class kind, uint32_t bit> static __device__ inline void fused_turn(HELD) {
    UNROLL
    for (uint32_t i = 1; i < HELD_COUNT; i += 2) {
        if (i >> bit & 1) continue;
        const uint32_t j = i ^ 1 ^ 1u << bit;
        if (j >= HELD_COUNT) continue;
        const typename kind::single other = held[j];
        held[j] = held[i];
        held[i] = other;
    }
}

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

static __device__ inline double fused_parameter(const uint32_t *words) {
    const uint64_t bits = (uint64_t)words[1] << 32 | words[0];
    double parameter;
    __builtin_memcpy(&parameter, &bits, sizeof parameter);
    return parameter;
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

template <class kind> static __device__ inline void fused_turn_of(HELD, uint32_t bit) {
    switch (bit) {
    case 1: fused_turn<kind, 1>(held); break;
    case 2: fused_turn<kind, 2>(held); break;
    case 3: fused_turn<kind, 3>(held); break;
    case 4: fused_turn<kind, 4>(held); break;
    }
}

/* Length of FUSED_TWIDDLE and FUSED_GROUP, in words. */
template <class kind> static __device__ inline uint32_t fused_twiddle_length(const uint32_t *code) {
    const uint32_t factor = sizeof(typename kind::single) / sizeof(uint32_t);
    return 2 + FUSED_INDEX_WORDS + code[1 + FUSED_INDEX_WORDS] + HELD_COUNT / 2 * factor;
}

static __device__ inline uint32_t fused_group_length(const uint32_t *code) {
    const uint32_t functionals = (code[0] >> 16 & 0xf) + (code[0] >> 20 & 0xff);
    const uint32_t before = 3 + FUSED_FUNCTIONAL_WORDS * functionals;
    if (code[0] >> 28 == 0) return before;
    return before + FUSED_INDEX_WORDS + code[before + FUSED_INDEX_WORDS - 1];
}

template <class kind>
static __device__ inline void fused_run(HELD, char *cells, const fused_table *t, uint32_t tile) {
    for (uint32_t at = 0, length = 1;; at += length, length = 1) {
        const uint32_t *const code = t->code + at;
        const uint32_t head = code[0];
        switch (head & 0xff) {
        case FUSED_END: return;
        case FUSED_EXCHANGE:
            fused_exchange<kind>(held, cells, code);
            length = FUSED_EXCHANGE_WORDS;
            break;
        case FUSED_LANES: fused_lanes<kind>(held, cells, head); break;
        case FUSED_WARPS: fused_warps_of<kind>(held, cells, head); break;
        case FUSED_CYCLE: fused_cycle_of<kind>(held, cells, head); break;
        case FUSED_TURN:
            if constexpr (kind::has_groups != 0) fused_turn_of<kind>(held, head >> 8);
            break;
        case FUSED_ORDER: fused_order<kind>(held, head >> 16); break;
        case FUSED_ORDERS: fused_orders_of<kind>(held, head >> 8); break;
        case FUSED_ALONG: fused_along_of<kind>(held, head); break;
        case FUSED_EACH:
            fused_each<kind>(held, code);
            length = 3;
            break;
        case FUSED_WITHIN: fused_within_of<kind>(held, head >> 8); break;
        case FUSED_TWIDDLE:
            fused_twiddle_of<kind>(held, code, tile);
            length = fused_twiddle_length<kind>(code);
            break;
        case FUSED_GROUP:
            if constexpr (kind::has_groups != 0) fused_group_of<kind>(held, code, tile);
            length = fused_group_length(code);
            break;
        }
    }
}

/* A line of 128 bytes each, of a tile that another block reads soon. */
template <class kind> static __device__ inline void fused_fetch(const void *a, const fused_table *t) {
    const uint32_t block = blockIdx.x + t->ahead, tile = block & ((1u << t->tile_bits) - 1);
    if (block >= gridDim.x) return;
    const typename kind::single *const run =
        (const typename kind::single *)((const char *)a + (block >> t->tile_bits) * t->stride);
    FETCH_EARLY(run + (t->read.origin ^ fused_tile(t->read.tile, tile) ^ fused_thread(t->line)));
}

/* Few programs have groups, and what these need in registers all others would be slower for. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(1024, 1) fused(element *b, const element *a, const GRID_CONSTANT fused_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint64_t run = (blockIdx.x >> t.tile_bits) * t.stride;
    const uint32_t tile = blockIdx.x & ((1u << t.tile_bits) - 1);
    typename kind::single held[HELD_COUNT];
    fused_read<kind>(held, (const typename kind::single *)((const char *)a + run), &t, tile);
    if (t.ahead != 0) fused_fetch<kind>(a, &t);
    fused_run<kind>(held, (char *)shared_memory, &t, tile);
    fused_write<kind>((typename kind::single *)((char *)b + run), held, &t, tile);
}

#undef HELD
#undef HELD_COUNT
