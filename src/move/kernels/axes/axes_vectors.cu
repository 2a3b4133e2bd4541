/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes (move/kernels/axes/axes_box.cu) of elements of 4 and 8 bytes whose rows begin and end at multiples of 16 bytes on both sides:
 * whole words of 16 bytes are fetched, and words of dst put together from as many rows of src.
 *
 *     src's rows in shared memory          a word of dst
 *     row 0   [a0 a1 a2 a3]..
 *     row 1   [b0 b1 b2 b3]..              [a2 b2 c2 d2]
 *     row 2   [c0 c1 c2 c3]..
 *     row 3   [d0 d1 d2 d3]..
 *                              pad
 *     row 4   [e0 e1 e2 e3]..
 *
 * Rows lie at multiples of 16 bytes, so that lanes that read a column meet in every fourth bank only: a warp reads from a
 * few columns side by side, and after as many rows as a word has elements a pad turns the banks.
 */
#include "move/kernels/axes/axes_rows.h"

template <class element> union axes_vector {
    vector16 whole;
    element unit[sizeof(vector16) / sizeof(element)];
};

/* Rows of both sides, src's first. A row's cell is that of its first element. */
template <class element>
static __device__ inline void axes_fill_vector_rows(char *shared, const element *b, const element *a,
                                                    const axes_table *t, const axes_start *start) {
    axes_row *const rows = (axes_row *)(shared + t->rows_at);
    for (uint32_t k = threadIdx.x; k < t->side[0].padded + t->side[1].padded; k += blockDim.x) {
        const uint32_t of_dst = k >= t->side[0].padded;
        rows[k].whole = axes_row_of(&t->side[of_dst], start, of_dst ? b : a, of_dst ? start->dst : start->src,
                                    of_dst ? k - t->side[0].padded : k)
                            .whole;
    }
}

/* The cells of places of dst's rows, in bytes. */
template <class element>
static __device__ inline void axes_fill_vector_places(char *shared, const axes_table *t) {
    uint32_t *const place = (uint32_t *)(shared + t->places_at);
    for (uint32_t k = threadIdx.x; k < t->places; k += blockDim.x)
        place[k] = axes_cell_of_place(t, k) * (uint32_t)sizeof(element);
}

/* A thread's words of rows: `words` of each, `lanes` apart, from place `first` on, which may be before the row. */
typedef struct axes_vector_walk {
    uint32_t lanes, lane, group, groups, before, length;
} axes_vector_walk;

static __device__ inline axes_vector_walk axes_vector_walk_of(const axes_side *side, const axes_row *rows) {
    axes_vector_walk w;
    axes_row first;
    first.whole = rows[0].whole;
    w.lanes = 1u << side->lanes_log2, w.lane = threadIdx.x & (w.lanes - 1);
    w.group = threadIdx.x >> side->lanes_log2, w.groups = blockDim.x >> side->lanes_log2;
    w.before = first.of.before, w.length = first.of.length;
    return w;
}

template <uint32_t words, class element>
static __device__ inline void axes_read_vectors(char *shared, const element *a, const axes_table *t) {
    constexpr uint32_t units = sizeof(vector16) / sizeof(element), at_once = AXES_ROWS_AT_ONCE(16, words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at);
    const axes_vector_walk w = axes_vector_walk_of(&t->side[0], rows);
    for (uint32_t number = w.lane; number * units < w.length + w.before; number += words * w.lanes) {
        for (uint32_t row = w.group; row < t->side[0].padded; row += at_once * w.groups) {
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t here = number + j * w.lanes, k = here * units - w.before;
                    fetch_if<0, vector16>(k < r[i].of.length, shared,
                                          r[i].of.cell + k * (uint32_t)sizeof(element),
                                          (const char *)a + r[i].of.at + here * (uint32_t)sizeof(vector16));
                }
            }
        }
    }
    fetch_wait();
}

template <uint32_t words, class element>
static __device__ inline void axes_write_vectors(element *b, const char *shared, const axes_table *t) {
    constexpr uint32_t units = sizeof(vector16) / sizeof(element), at_once = AXES_ROWS_AT_ONCE(16, words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at) + t->side[0].padded;
    const uint32_t *const place = (const uint32_t *)(shared + t->places_at);
    const axes_vector_walk w = axes_vector_walk_of(&t->side[1], rows);
    for (uint32_t number = w.lane; number * units < w.length + w.before; number += words * w.lanes) {
        uint32_t offset[words][units];
        UNROLL
        for (uint32_t i = 0; i < words * units; ++i) {
            const uint32_t k = (number + i / units * w.lanes) * units + i % units - w.before;
            offset[i / units][i % units] = k < t->places ? place[k] : 0;
        }
        for (uint32_t row = w.group; row < t->side[1].padded; row += at_once * w.groups) {
            axes_vector<element> held[at_once][words];
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once * words * units; ++i) {
                const uint32_t n = i / units / words, j = i / units % words;
                if ((number + j * w.lanes) * units - w.before < r[n].of.length)
                    held[n][j].unit[i % units] =
                        *(const element *)(shared + (uint32_t)(r[n].of.cell + offset[j][i % units]));
            }
            UNROLL
            for (uint32_t i = 0; i < at_once * words; ++i) {
                const uint32_t n = i / words, here = number + i % words * w.lanes;
                if (here * units - w.before < r[n].of.length)
                    *(vector16 *)((char *)b + r[n].of.at + here * (uint32_t)sizeof(vector16)) =
                        held[n][i % words].whole;
            }
        }
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(AXES_THREADS, 4)
    axes_vectors(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT axes_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const axes_start start = axes_start_of(&t, blockIdx.x);
    axes_fill_vector_rows(shared, b, a, &t, &start);
    axes_fill_vector_places<element>(shared, &t);
    __syncthreads();
    if (t.side[0].words == 4) {
        axes_read_vectors<4>(shared, a, &t);
    } else if (t.side[0].words == 3) {
        axes_read_vectors<3>(shared, a, &t);
    } else if (t.side[0].words == 2) {
        axes_read_vectors<2>(shared, a, &t);
    } else {
        axes_read_vectors<1>(shared, a, &t);
    }
    __syncthreads();
    if (t.side[1].words == 4) {
        axes_write_vectors<4>(b, shared, &t);
    } else if (t.side[1].words == 3) {
        axes_write_vectors<3>(b, shared, &t);
    } else if (t.side[1].words == 2) {
        axes_write_vectors<2>(b, shared, &t);
    } else {
        axes_write_vectors<1>(b, shared, &t);
    }
}
