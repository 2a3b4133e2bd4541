/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations and copies between strided views: a box of elements a block, read along src's rows, put into shared
 * memory, and written along dst's rows.
 *
 *     a --rows--> registers --cells--> tile --cells--> registers --rows--> b
 *
 * What an address is the sum of, is computed once a block for each row and for each place in a row; an element costs
 * additions. A group of lanes begins at a multiple of `align` bytes, before the row does, so that what it touches
 * is whole sectors; the lanes outside of the row rest.
 *
 *     row          .......|==========================|.........
 *     lanes     |   group 0    |   group 1    |   group 2    |
 *               ^ a multiple of align
 *
 * `word` is an element, or 4 bytes of several smaller ones: those lie in shared memory as they do in the words of a, and
 * words of b are put together from the elements in them.
 */
#include "kernels/axes_box.h"
#include "kernels/device.h"

/* A row: where its first group of lanes begins in memory, in bytes; its first cell, in bytes, of src's rows that of the
 * group; how many elements lie before the row in that group, and how many in the row. */
union axes_row {
    vector16 whole;
    struct {
        int64_t at;
        uint32_t cell;
        uint16_t before, length;
    } of;
};

/* Where a block's tile begins, and what is left of the cut axes from there on, where that is less than a tile may have. */
typedef struct axes_start {
    int64_t src, dst;
    uint32_t left[AXES_CUTS];
} axes_start;

static __device__ inline uint32_t axes_divide(uint32_t n, const axes_divisor *by) {
    return (uint32_t)((uint64_t)n * by->reciprocal >> 31) >> by->shift;
}

static __device__ inline uint32_t axes_short(uint64_t length) {
    return length < AXES_MOST_PLACES ? (uint32_t)length : (uint32_t)AXES_MOST_PLACES;
}

static __device__ inline uint32_t axes_left(const axes_start *start, uint32_t cut) {
    return cut == 0 ? (uint32_t)AXES_MOST_PLACES : cut == 1 ? start->left[0] : start->left[1];
}

static __device__ inline axes_start axes_start_of(const axes_table *t, uint32_t number) {
    axes_start out = {t->src_origin, t->dst_origin, {0, 0}};
    uint64_t left_0 = t->cut_length[0], left_1 = t->cut_length[1];
    for (uint32_t k = 0; k < t->loops; ++k) {
        const axes_loop *const loop = &t->loop[k];
        const uint32_t rest = axes_divide(number, &loop->by), c = number - rest * loop->by.length;
        out.src += c * loop->src_step;
        out.dst += c * loop->dst_step;
        if (loop->cut == 1) left_0 -= (uint64_t)c * loop->weight;
        if (loop->cut == 2) left_1 -= (uint64_t)c * loop->weight;
        number = rest;
    }
    out.left[0] = axes_short(left_0), out.left[1] = axes_short(left_1);
    return out;
}

/* Row `number` of a side whose tile begins at element `origin` of the array. */
template <class element>
static __device__ inline axes_row axes_row_of(const axes_side *side, const axes_start *start,
                                              const element *array, int64_t origin, uint32_t number) {
    axes_row out = {};
    uint32_t rest = number, left = axes_left(start, side->cut), is_there = number < side->rows;
    for (uint32_t k = 0; k < side->digits; ++k) {
        const axes_digit *const digit = &side->digit[k];
        const uint32_t next = axes_divide(rest, &digit->by), c = rest - next * digit->by.length;
        const uint32_t from = c * digit->weight, of_axis = axes_left(start, digit->cut);
        origin += c * digit->stride;
        out.of.cell += c * digit->cell;
        if (from >= of_axis) is_there = 0;
        if (digit->extent != 0) left = (of_axis < digit->extent ? of_axis : digit->extent) - from;
        rest = next;
    }
    if (!is_there) return axes_row{};
    const uint32_t before = (uint32_t)(((uintptr_t)(array + origin) & (side->align - 1)) / sizeof(element));
    out.of.at = (origin - before) * (int64_t)sizeof(element);
    out.of.cell *= (uint32_t)sizeof(element);
    out.of.before = (uint16_t)before;
    out.of.length = (uint16_t)(side->inner * (left < side->outer ? left : side->outer));
    return out;
}

/* What is known at a block's start: rows of both sides, places of dst's. */
template <class word, class element>
static __device__ inline void axes_fill(char *shared, const element *b, const element *a, const axes_table *t) {
    axes_row *const src = (axes_row *)(shared + t->src_rows_at);
    axes_row *const dst = (axes_row *)(shared + t->dst_rows_at);
    uint16_t *const place = (uint16_t *)(shared + t->places_at);
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    const axes_start start = axes_start_of(t, blockIdx.x);
    for (uint32_t r = threadIdx.x; r < t->src.padded; r += blockDim.x) {
        axes_row row = axes_row_of(&t->src, &start, a, start.src, r);
        row.of.cell -= row.of.before / units * (uint32_t)sizeof(word);
        src[r].whole = row.whole;
    }
    for (uint32_t r = threadIdx.x; r < t->dst.padded; r += blockDim.x)
        dst[r].whole = axes_row_of(&t->dst, &start, b, start.dst, r).whole;
    const uint32_t begin = (uint32_t)((uintptr_t)(a + start.src) / sizeof(element));
    for (uint32_t k = threadIdx.x; k < t->dst.inner * t->dst.outer; k += blockDim.x) {
        uint32_t rest = k, cell = 0, within = begin;
        for (uint32_t i = 0; i < t->places; ++i) {
            const axes_digit *const digit = &t->place[i];
            const uint32_t next = axes_divide(rest, &digit->by), c = rest - next * digit->by.length;
            cell += c * digit->cell;
            within += c * (uint32_t)digit->stride;
            rest = next;
        }
        place[k] = (uint16_t)(cell + (within & (units - 1)));
    }
}

/* A thread's way through a side: it takes `words` words of a row, a warp's width apart, of AXES_AT_ONCE / words rows at
 * a time. `lanes` threads share a row, groups of them are at rows side by side. */
typedef struct axes_walk {
    uint32_t first, jump, count; /* words of a row: this thread's first, to its next, and all */
    uint32_t group, groups;
} axes_walk;

template <uint32_t words, class word, class element>
static __device__ inline axes_walk axes_walk_of(const axes_side *side, const axes_row *rows) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    const uint32_t lane = threadIdx.x & ((1u << side->lanes_log2) - 1);
    axes_walk w;
    w.first = lane / AXES_WARP * (AXES_WARP * words) + lane % AXES_WARP;
    w.jump = words << side->lanes_log2;
    w.group = threadIdx.x >> side->lanes_log2, w.groups = blockDim.x >> side->lanes_log2;
    axes_row first;
    first.whole = rows[0].whole;
    const uint32_t before = side->even ? first.of.before : side->align / (uint32_t)sizeof(element) - 1;
    w.count = (first.of.length + before + units - 1) / units;
    return w;
}

/* Bytes from a thread's word to its next one: of several, rows are dense. */
template <uint32_t words, class word>
static __device__ inline int64_t axes_step(const axes_side *side, uint32_t number) {
    return words == 1 ? number * side->step * (int64_t)sizeof(word) : number * (int64_t)sizeof(word);
}

/* The elements from place k of a row on, k perhaps negative: a word of a, or what of it belongs to the row where the
 * array, from `first` to `end`, has not all of it. */
template <class word, class element>
static __device__ inline word axes_load(const char *from, const element *first, const element *end, uint32_t k,
                                        uint32_t length) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    if constexpr (units > 1) {
        const element *const unit = (const element *)from;
        if (unit < first || unit + units > end) {
            word out = 0;
            for (uint32_t j = 0; j < units; ++j)
                if (k + j < length) out |= (word)unit[j] << 8 * sizeof(element) * j;
            return out;
        }
    }
    return *(const word *)from;
}

/* Whether a word from place k on, k perhaps negative, has something of a row. */
template <uint32_t units> static __device__ inline bool axes_touches(uint32_t k, uint32_t length) {
    return k + (units - 1) < length + (units - 1);
}

template <uint32_t words, class word, class element>
static __device__ inline void axes_read(char *shared, const element *a, const axes_table *t) {
    constexpr uint32_t units = sizeof(word) / sizeof(element), at_once = AXES_ROWS_AT_ONCE(sizeof(word), words);
    const axes_row *const rows = (const axes_row *)(shared + t->src_rows_at);
    const element *const first = a + t->src_first, *const end = a + t->src_end;
    const axes_walk w = axes_walk_of<words, word, element>(&t->src, rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        const int64_t at = axes_step<words, word>(&t->src, number);
        for (uint32_t row = w.group; row < t->src.padded; row += at_once * w.groups) {
            word held[at_once][words];
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                const char *const from = (const char *)a + (at + r[i].of.at);
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t k = (number + j * AXES_WARP) * units - r[i].of.before;
                    if (axes_touches<units>(k, r[i].of.length))
                        held[i][j] =
                            axes_load<word>(from + j * AXES_WARP * sizeof(word), first, end, k, r[i].of.length);
                }
            }
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                const uint32_t to = number * (uint32_t)sizeof(word) + r[i].of.cell;
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t k = (number + j * AXES_WARP) * units - r[i].of.before;
                    if (axes_touches<units>(k, r[i].of.length))
                        *(word *)(shared + (uint32_t)(to + j * AXES_WARP * (uint32_t)sizeof(word))) =
                            held[i][j];
                }
            }
        }
    }
}

/* The word of b whose first element is place k of a row, k perhaps negative; elements beyond the row are 0. Lanes whose
 * elements of the same number would share a bank take them in different turns. */
template <class word, class element>
static __device__ inline word axes_gather(const element *tile, const uint16_t *place, uint32_t k,
                                          uint32_t length) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    if constexpr (units == 1) {
        return tile[place[k]];
    } else {
        const uint32_t turn = (threadIdx.x & 31) / (32 / units);
        word out = 0;
        UNROLL
        for (uint32_t j = 0; j < units; ++j) {
            const uint32_t unit = (j + turn) & (units - 1);
            if (k + unit < length) out |= (word)tile[place[k + unit]] << 8 * sizeof(element) * unit;
        }
        return out;
    }
}

template <class word, class element>
static __device__ inline void axes_store(char *to, word held, uint32_t k, uint32_t length) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    if constexpr (units > 1) {
        if ((int32_t)k < 0 || k + units > length) {
            UNROLL
            for (uint32_t j = 0; j < units; ++j)
                if (k + j < length) ((element *)to)[j] = (element)(held >> 8 * sizeof(element) * j);
            return;
        }
    }
    *(word *)to = held;
}

template <uint32_t words, class word, class element>
static __device__ inline void axes_write(element *b, const char *shared, const axes_table *t) {
    constexpr uint32_t units = sizeof(word) / sizeof(element), at_once = AXES_ROWS_AT_ONCE(sizeof(word), words);
    const axes_row *const rows = (const axes_row *)(shared + t->dst_rows_at);
    const uint16_t *const place = (const uint16_t *)(shared + t->places_at);
    const axes_walk w = axes_walk_of<words, word, element>(&t->dst, rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        const int64_t at = axes_step<words, word>(&t->dst, number);
        for (uint32_t row = w.group; row < t->dst.padded; row += at_once * w.groups) {
            word held[at_once][words];
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                const element *const tile = (const element *)(shared + r[i].of.cell);
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t k = (number + j * AXES_WARP) * units - r[i].of.before;
                    if (axes_touches<units>(k, r[i].of.length))
                        held[i][j] = axes_gather<word>(tile, place, k, r[i].of.length);
                }
            }
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                char *const to = (char *)b + (at + r[i].of.at);
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t k = (number + j * AXES_WARP) * units - r[i].of.before;
                    if (axes_touches<units>(k, r[i].of.length))
                        axes_store<word, element>(to + j * AXES_WARP * sizeof(word), held[i][j], k,
                                                  r[i].of.length);
                }
            }
        }
    }
}

template <class word, class element>
__global__ void LAUNCH_BOUNDS(AXES_THREADS, 2)
    axes_box(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT axes_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    axes_fill<word>(shared, b, a, &t);
    __syncthreads();
    if (t.src.words == 3) {
        axes_read<3, word>(shared, a, &t);
    } else if (t.src.words == 2) {
        axes_read<2, word>(shared, a, &t);
    } else {
        axes_read<1, word>(shared, a, &t);
    }
    __syncthreads();
    if (t.dst.words == 3) {
        axes_write<3, word>(b, shared, &t);
    } else if (t.dst.words == 2) {
        axes_write<2, word>(b, shared, &t);
    } else {
        axes_write<1, word>(b, shared, &t);
    }
}
