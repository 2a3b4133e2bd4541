/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations and copies between strided views: a box of elements a block, read along src's rows, put into shared
 * memory, and written along dst's rows.
 *
 *     a --rows--> registers --cells--> tile --cells--> registers --rows--> b
 *
 * The parts of an address are computed once a block for each row and for each place in a row; an element costs additions.
 */
#include "move/kernels/axes/axes_rows.h"

/* Rows of both sides, src's first: cells of src's are those of their first group of lanes, and of dst's, where places lie
 * evenly, too. */
template <class element>
static __device__ inline void axes_fill_rows(char *shared, const element *b, const element *a,
                                             const axes_table *t, const axes_start *start) {
    axes_row *const rows = (axes_row *)(shared + t->rows_at);
    for (uint32_t k = threadIdx.x; k < t->side[0].padded + t->side[1].padded; k += blockDim.x) {
        const uint32_t of_dst = k >= t->side[0].padded;
        axes_row row = axes_row_of(&t->side[of_dst], start, of_dst ? b : a, of_dst ? start->dst : start->src,
                                   of_dst ? k - t->side[0].padded : k);
        row.of.cell -= row.of.before * (of_dst ? t->place_step : 1) * (uint32_t)sizeof(element);
        rows[k].whole = row.whole;
    }
}

/* Places of dst's rows. */
static __device__ inline void axes_fill_places(char *shared, const axes_table *t) {
    uint16_t *const place = (uint16_t *)(shared + t->places_at);
    for (uint32_t k = threadIdx.x; k < t->places; k += blockDim.x)
        place[k] = (uint16_t)axes_cell_of_place(t, k);
}

/* Bytes from a thread's element to its next one: of several, rows are dense. */
template <uint32_t words, class element>
static __device__ inline int64_t axes_step(const axes_side *side, uint32_t number) {
    return words == 1 ? number * side->step * (int64_t)sizeof(element) : number * (int64_t)sizeof(element);
}

/* The elements of a row, `words` from `number` on and those a warp's width from each other. */
template <uint32_t words, class element, uint32_t j = 0>
static __device__ inline void axes_read_row(char *shared, const element *a, const axes_row &r, uint32_t number,
                                            int64_t at) {
    constexpr uint32_t ahead = j * AXES_WARP * (uint32_t)sizeof(element);
    const uint32_t k = number + j * AXES_WARP - r.of.before;
    fetch_if<ahead, element>(k < r.of.length, shared, number * (uint32_t)sizeof(element) + r.of.cell,
                             (const char *)a + (at + r.of.at));
    if constexpr (j + 1 < words) axes_read_row<words, element, j + 1>(shared, a, r, number, at);
}

template <uint32_t words, class element>
static __device__ inline void axes_read(char *shared, const element *a, const axes_table *t) {
    constexpr uint32_t at_once = AXES_ROWS_AT_ONCE(sizeof(element), words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at);
    const axes_walk w = axes_walk_of<words, element, element>(&t->side[0], rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        const int64_t at = axes_step<words, element>(&t->side[0], number);
        for (uint32_t row = w.group; row < t->side[0].padded; row += at_once * w.groups) {
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) axes_read_row<words>(shared, a, r[i], number, at);
        }
    }
    fetch_wait();
}

/* Where a thread's elements lie, beside a row's cell: the same for all rows if these begin alike, or if places lie evenly
 * and a row's cell is that of its first group of lanes. */
template <uint32_t words>
static __device__ inline void axes_offsets(uint32_t (&out)[words], const uint16_t *place, const axes_table *t,
                                           uint32_t number, uint32_t before) {
    UNROLL
    for (uint32_t i = 0; i < words; ++i) {
        const uint32_t k = number + i * AXES_WARP, beyond = k - before;
        out[i] = t->place_step != 0 ? k * t->place_step : beyond < t->places ? place[beyond] : 0;
    }
}

template <uint32_t words, bool are_fixed, class element>
static __device__ inline void axes_write(element *b, const char *shared, const axes_table *t) {
    constexpr uint32_t at_once = AXES_ROWS_AT_ONCE(sizeof(element), words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at) + t->side[0].padded;
    const uint16_t *const place = (const uint16_t *)(shared + t->places_at);
    const axes_walk w = axes_walk_of<words, element, element>(&t->side[1], rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        const int64_t at = axes_step<words, element>(&t->side[1], number);
        uint32_t offset[words];
        if (are_fixed) axes_offsets(offset, place, t, number, w.before);
        for (uint32_t row = w.group; row < t->side[1].padded; row += at_once * w.groups) {
            element held[at_once][words];
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once * words; ++i) {
                const axes_row *const here = &r[i / words];
                const uint32_t k = number + i % words * AXES_WARP - here->of.before;
                if (k >= here->of.length) continue;
                const uint32_t from = are_fixed ? offset[i % words] : place[k];
                held[i / words][i % words] =
                    *(const element *)(shared + (uint32_t)(here->of.cell + from * (uint32_t)sizeof(element)));
            }
            UNROLL
            for (uint32_t i = 0; i < at_once * words; ++i) {
                const axes_row *const here = &r[i / words];
                element *const to = (element *)((char *)b + (at + here->of.at));
                if (number + i % words * AXES_WARP - here->of.before < here->of.length)
                    to[i % words * AXES_WARP] = held[i / words][i % words];
            }
        }
    }
}

template <uint32_t words, class element>
static __device__ inline void axes_write_by(element *b, const char *shared, const axes_table *t) {
    if (t->place_step != 0 || t->side[1].even) {
        axes_write<words, true>(b, shared, t);
    } else {
        axes_write<words, false>(b, shared, t);
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(AXES_THREADS, 5)
    axes_box(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT axes_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const axes_start start = axes_start_of(&t, blockIdx.x);
    axes_fill_rows(shared, b, a, &t, &start);
    axes_fill_places(shared, &t);
    __syncthreads();
    if (t.side[0].words == 3) {
        axes_read<3>(shared, a, &t);
    } else if (t.side[0].words == 2) {
        axes_read<2>(shared, a, &t);
    } else {
        axes_read<1>(shared, a, &t);
    }
    __syncthreads();
    if (t.side[1].words == 3) {
        axes_write_by<3>(b, shared, &t);
    } else if (t.side[1].words == 2) {
        axes_write_by<2>(b, shared, &t);
    } else {
        axes_write_by<1>(b, shared, &t);
    }
}
