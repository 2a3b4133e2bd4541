/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations and copies between strided views: a box of elements a block, read along src's rows, put into shared
 * memory, and written along dst's rows.
 *
 *     a --rows--> registers --cells--> tile --cells--> registers --rows--> b
 *
 * What an address is the sum of, is computed once a block for each row and for each place in a row; an element costs
 * additions.
 *
 * `word` is an element, or 4 bytes of several smaller ones: those lie in shared memory as they do in the words of a, and
 * words of b are put together from the elements in them.
 */
#include "kernels/axes/axes_rows.h"

/* Rows of both sides, src's first: cells of src's are those of their first group of lanes, and of dst's, where places lie
 * evenly, too. */
template <class word, class element>
static __device__ inline void axes_fill_rows(char *shared, const element *b, const element *a,
                                             const axes_table *t, const axes_start *start) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    axes_row *const rows = (axes_row *)(shared + t->rows_at);
    for (uint32_t k = threadIdx.x; k < t->side[0].padded + t->side[1].padded; k += blockDim.x) {
        const uint32_t of_dst = k >= t->side[0].padded;
        axes_row row = axes_row_of(&t->side[of_dst], start, of_dst ? b : a, of_dst ? start->dst : start->src,
                                   of_dst ? k - t->side[0].padded : k);
        row.of.cell -= of_dst ? row.of.before * t->place_step * (uint32_t)sizeof(element)
                              : row.of.before / units * (uint32_t)sizeof(word);
        rows[k].whole = row.whole;
    }
}

/* Places of dst's rows; where elements are packed, with where src's row begins in its word. */
template <class word, class element>
static __device__ inline void axes_fill_places(char *shared, const element *a, const axes_table *t,
                                               const axes_start *start) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    uint16_t *const place = (uint16_t *)(shared + t->places_at);
    const uint32_t begin = (uint32_t)((uintptr_t)(a + start->src) / sizeof(element));
    for (uint32_t k = threadIdx.x; k < t->places; k += blockDim.x) {
        uint32_t rest = k, cell = 0, within = begin;
        for (uint32_t i = 0; i < t->place_digits; ++i) {
            const axes_digit *const digit = &t->place[i];
            const uint32_t next = axes_divide(rest, &digit->by), c = rest - next * digit->by.length;
            cell += c * digit->cell;
            within += c * (uint32_t)digit->stride;
            rest = next;
        }
        place[k] = (uint16_t)(cell + (within & (units - 1)));
    }
}

/* Bytes from a thread's word to its next one: of several, rows are dense. */
template <uint32_t words, class word>
static __device__ inline int64_t axes_step(const axes_side *side, uint32_t number) {
    return words == 1 ? number * side->step * (int64_t)sizeof(word) : number * (int64_t)sizeof(word);
}

/* Moves the elements of a row that lie in a word of which the array has not all into shared memory. */
template <class element>
static __device__ inline void axes_read_ends(element *to, const element *from, uint32_t k, uint32_t length,
                                             uint32_t units) {
    for (uint32_t j = 0; j < units; ++j)
        if (k + j < length) to[j] = from[j];
}

/* The words of a row, `words` from `number` on and those a warp's width from each other. */
template <uint32_t words, class word, class element, uint32_t j = 0>
static __device__ inline void axes_read_row(char *shared, const element *a, const axes_table *t,
                                            const axes_row &r, uint32_t number, int64_t at) {
    constexpr uint32_t units = sizeof(word) / sizeof(element), ahead = j * AXES_WARP * (uint32_t)sizeof(word);
    const uint32_t k = (number + j * AXES_WARP) * units - r.of.before;
    const char *const from = (const char *)a + (at + r.of.at);
    const uint32_t to = number * (uint32_t)sizeof(word) + r.of.cell;
    bool is_to = axes_touches<units>(k, r.of.length);
    if constexpr (units > 1) {
        const element *const unit = (const element *)(from + ahead);
        const bool has_all = unit >= a + t->src_first && unit + units <= a + t->src_end;
        if (is_to && !has_all)
            axes_read_ends((element *)(shared + (uint32_t)(to + ahead)), unit, k, r.of.length, units);
        is_to = is_to && has_all;
    }
    fetch_if<ahead, word>(is_to, shared, to, from);
    if constexpr (j + 1 < words) axes_read_row<words, word, element, j + 1>(shared, a, t, r, number, at);
}

template <uint32_t words, class word, class element>
static __device__ inline void axes_read(char *shared, const element *a, const axes_table *t) {
    constexpr uint32_t at_once = AXES_ROWS_AT_ONCE(sizeof(word), words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at);
    const axes_walk w = axes_walk_of<words, word, element>(&t->side[0], rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        const int64_t at = axes_step<words, word>(&t->side[0], number);
        for (uint32_t row = w.group; row < t->side[0].padded; row += at_once * w.groups) {
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) axes_read_row<words, word>(shared, a, t, r[i], number, at);
        }
    }
    fetch_wait();
}

/* The unit of a word that a lane takes at turn j: lanes whose units of one number would share a bank take turns. */
template <uint32_t units> static __device__ inline uint32_t axes_turn(uint32_t j) {
    return (j + threadIdx.x % AXES_WARP / (AXES_WARP / units)) % units;
}

/* Where the units of a thread's words lie, each turn, beside a row's cell: the same for all rows if these begin alike, or
 * if places lie evenly and a row's cell is that of its first group of lanes. */
template <uint32_t words, uint32_t units>
static __device__ inline void axes_offsets(uint32_t (*out)[units], const uint16_t *place, const axes_table *t,
                                           uint32_t number, uint32_t before) {
    UNROLL
    for (uint32_t i = 0; i < words * units; ++i) {
        const uint32_t k = (number + i / units * AXES_WARP) * units + axes_turn<units>(i % units);
        const uint32_t beyond = k - before;
        out[i / units][i % units] = t->place_step != 0   ? k * t->place_step
                                    : beyond < t->places ? place[beyond]
                                                         : 0;
    }
}

/* The word of b whose first element is place k of a row, k perhaps negative; elements beyond the row are 0. */
template <bool are_fixed, class word, class element, uint32_t units>
static __device__ inline word axes_gather(const char *shared, uint32_t cell, const uint32_t (&offset)[units],
                                          const uint16_t *place, uint32_t k, uint32_t length) {
    word out = {};
    UNROLL
    for (uint32_t j = 0; j < units; ++j) {
        const uint32_t unit = axes_turn<units>(j);
        if (units > 1 && k + unit >= length) continue;
        const uint32_t at = are_fixed ? offset[j] : place[k + unit];
        const element held = *(const element *)(shared + (uint32_t)(cell + at * (uint32_t)sizeof(element)));
        if constexpr (units == 1) out = held;
        if constexpr (units > 1) out |= (word)held << 8 * sizeof(element) * unit;
    }
    return out;
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

template <uint32_t words, bool are_fixed, class word, class element>
static __device__ inline void axes_write(element *b, const char *shared, const axes_table *t) {
    constexpr uint32_t units = sizeof(word) / sizeof(element), at_once = AXES_ROWS_AT_ONCE(sizeof(word), words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at) + t->side[0].padded;
    const uint16_t *const place = (const uint16_t *)(shared + t->places_at);
    const axes_walk w = axes_walk_of<words, word, element>(&t->side[1], rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        const int64_t at = axes_step<words, word>(&t->side[1], number);
        uint32_t offset[words][units];
        if (are_fixed) axes_offsets<words, units>(offset, place, t, number, w.before);
        for (uint32_t row = w.group; row < t->side[1].padded; row += at_once * w.groups) {
            word held[at_once][words];
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once * words; ++i) {
                const axes_row *const here = &r[i / words];
                const uint32_t k = (number + i % words * AXES_WARP) * units - here->of.before;
                if (axes_touches<units>(k, here->of.length))
                    held[i / words][i % words] = axes_gather<are_fixed, word, element>(
                        shared, here->of.cell, offset[i % words], place, k, here->of.length);
            }
            UNROLL
            for (uint32_t i = 0; i < at_once * words; ++i) {
                const axes_row *const here = &r[i / words];
                const uint32_t k = (number + i % words * AXES_WARP) * units - here->of.before;
                char *const to = (char *)b + (at + here->of.at);
                if (axes_touches<units>(k, here->of.length))
                    axes_store<word, element>(to + i % words * AXES_WARP * sizeof(word),
                                              held[i / words][i % words], k, here->of.length);
            }
        }
    }
}

template <uint32_t words, class word, class element>
static __device__ inline void axes_write_by(element *b, const char *shared, const axes_table *t) {
    if (t->place_step != 0 || t->side[1].even) {
        axes_write<words, true, word>(b, shared, t);
    } else {
        axes_write<words, false, word>(b, shared, t);
    }
}

template <class word, class element>
__global__ void LAUNCH_BOUNDS(AXES_THREADS, sizeof(word) > sizeof(element) ? 4 : 5)
    axes_box(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT axes_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const axes_start start = axes_start_of(&t, blockIdx.x);
    axes_fill_rows<word>(shared, b, a, &t, &start);
    axes_fill_places<word>(shared, a, &t, &start);
    __syncthreads();
    if (t.side[0].words == 3) {
        axes_read<3, word>(shared, a, &t);
    } else if (t.side[0].words == 2) {
        axes_read<2, word>(shared, a, &t);
    } else {
        axes_read<1, word>(shared, a, &t);
    }
    __syncthreads();
    if (t.side[1].words == 3) {
        axes_write_by<3, word>(b, shared, &t);
    } else if (t.side[1].words == 2) {
        axes_write_by<2, word>(b, shared, &t);
    } else {
        axes_write_by<1, word>(b, shared, &t);
    }
}
