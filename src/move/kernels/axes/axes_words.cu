/* SPDX-License-Identifier: Apache-2.0
 *
 * The boxes of axes_box.cu, of elements of 1 and 2 bytes that lie side by side along rows on both sides: memory is read in
 * words of 4 or 16 bytes, and written in words of 4.
 *
 * A cell is as far from the beginning of a word as its element is in src, wherever rows begin: words are put into shared
 * memory as they are. A word of dst is made of its elements, each from its cell, by a table of where the places of a row
 * lie. The table stands there once for each place in a word that a row may begin at, so that the places of a word are
 * read at once. Lanes whose elements of one number would share a bank take them in turns, as the table has them:
 *
 *     lanes 0 to 7     e0 e1 e2 e3         lanes 16 to 23   e2 e3 e0 e1
 *     lanes 8 to 15    e1 e2 e3 e0         lanes 24 to 31   e3 e0 e1 e2
 *
 * The few elements of a row before its first whole word, and behind its last, are written one by one at the end.
 */
#include "move/kernels/axes/axes_rows.h"

enum {
    WORDS_BYTES = 4,   /* bytes of a word of dst */
    WORDS_BEFORE = 32, /* places that the table has before a row */
    WORDS_TURN = 64,   /* bytes of the table after which the next turn begins */
};

static const uint32_t WORDS_AT_END = 1u << 31; /* marks a row of src in its cell */

/* Rows of both sides, src's first. A row of src that has a part of a word at an end of what may be read is marked. A row of
 * dst has where its first word's places are, in the table, above its cell. */
template <class element>
static __device__ inline axes_row words_row_of_src(const element *a, const axes_table *t,
                                                   const axes_start *start, uint32_t first_cell,
                                                   uint32_t number) {
    constexpr int64_t bytes = sizeof(element);
    axes_row row = axes_row_of(&t->side[0], start, a, start->src, number);
    const int64_t from = row.of.at + row.of.before * bytes, to = from + row.of.length * bytes;
    row.of.cell += first_cell - row.of.before * (uint32_t)bytes;
    if (from < t->src_first * bytes + WORDS_BEFORE || to > t->src_end * bytes - WORDS_BEFORE)
        row.of.cell |= WORDS_AT_END;
    return row;
}

template <class element>
static __device__ inline axes_row words_row_of_dst(const element *b, const axes_table *t,
                                                   const axes_start *start, uint32_t first_cell,
                                                   uint32_t number) {
    constexpr uint32_t units = WORDS_BYTES / sizeof(element);
    axes_row row = axes_row_of(&t->side[1], start, b, start->dst, number);
    const uint32_t copy = row.of.before % units;
    row.of.cell += first_cell + ((copy * t->place_stride + WORDS_BEFORE - row.of.before + copy) * 2 << 16);
    return row;
}

template <class element>
static __device__ inline void words_fill_rows(char *shared, const element *b, const element *a,
                                              const axes_table *t, const axes_start *start,
                                              uint32_t first_cell) {
    axes_row *const rows = (axes_row *)(shared + t->rows_at);
    const uint32_t of_src = t->side[0].padded;
    for (uint32_t k = threadIdx.x; k < of_src; k += blockDim.x)
        rows[k].whole = words_row_of_src(a, t, start, first_cell, k).whole;
    for (uint32_t k = threadIdx.x; k < t->side[1].padded; k += blockDim.x)
        rows[of_src + k].whole = words_row_of_dst(b, t, start, first_cell, k).whole;
}

/* Which of a word's units, as they stand in src, the table has first: `at` is the word's place in the table, in bytes. */
template <uint32_t units> static __device__ inline uint32_t words_turn(uint32_t at) {
    return at / WORDS_TURN % units;
}

template <class element> static __device__ inline void words_fill_places(char *shared, const axes_table *t) {
    constexpr uint32_t units = WORDS_BYTES / sizeof(element);
    uint16_t *const place = (uint16_t *)(shared + t->places_at);
    for (uint32_t k = threadIdx.x; k < t->places; k += blockDim.x) {
        const uint32_t cell = axes_cell_of_place(t, k);
        UNROLL
        for (uint32_t copy = 0; copy < units; ++copy) {
            const uint32_t at = k + WORDS_BEFORE + copy, turn = words_turn<units>(at * 2);
            place[copy * t->place_stride + at / units * units + (at - turn) % units] =
                (uint16_t)(cell * sizeof(element));
        }
    }
}

/* ------------------------------------------------------------ reading src */

/* Moves the elements of a row that lie in a word, if the array has not all of it: says whether. */
template <class word, class element>
static __device__ inline bool words_read_end(char *to, const char *from, const element *a, const axes_table *t,
                                             uint32_t k, uint32_t length) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    const element *const unit = (const element *)from;
    if (unit >= a + t->src_first && unit + units <= a + t->src_end) return false;
    for (uint32_t j = 0; j < units; ++j)
        if (k + j < length) ((element *)to)[j] = unit[j];
    return true;
}

template <uint32_t words, class word, class element, uint32_t j = 0>
static __device__ inline void words_read_row(char *shared, const element *a, const axes_table *t,
                                             const axes_row &r, uint32_t number) {
    constexpr uint32_t bytes = sizeof(word), units = bytes / sizeof(element), ahead = j * AXES_WARP * bytes;
    const uint32_t k = (number + j * AXES_WARP) * units - r.of.before;
    const char *const from = (const char *)a + (number * bytes + r.of.at);
    const uint32_t to = number * bytes + (r.of.cell & ~WORDS_AT_END);
    bool is_to = axes_touches<units>(k, r.of.length);
    if (is_to && r.of.cell >= WORDS_AT_END)
        is_to = !words_read_end<word>(shared + (to + ahead), from + ahead, a, t, k, r.of.length);
    fetch_if<ahead, word>(is_to, shared, to, from);
    if constexpr (j + 1 < words) words_read_row<words, word, element, j + 1>(shared, a, t, r, number);
}

template <uint32_t words, class word, class element>
static __device__ inline void words_read(char *shared, const element *a, const axes_table *t) {
    constexpr uint32_t at_once = AXES_ROWS_AT_ONCE(sizeof(word), words);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at);
    const axes_walk w = axes_walk_of<words, word, element>(&t->side[0], rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        for (uint32_t row = w.group; row < t->side[0].padded; row += at_once * w.groups) {
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) words_read_row<words, word>(shared, a, t, r[i], number);
        }
    }
    fetch_wait();
}

template <class element>
static __device__ inline void words_read_by(char *shared, const element *a, const axes_table *t) {
    if (t->fetch_bytes == sizeof(vector16)) {
        words_read<1, vector16>(shared, a, t);
    } else if (t->side[0].words == 3) {
        words_read<3, uint32_t>(shared, a, t);
    } else if (t->side[0].words == 2) {
        words_read<2, uint32_t>(shared, a, t);
    } else {
        words_read<1, uint32_t>(shared, a, t);
    }
}

/* ------------------------------------------------------------ writing dst */

/* The elements that lie at the places of a word, in the order of the table. */
static __device__ inline uint32_t words_put_together(const char *shared, uint64_t at, uint32_t cells, uint8_t) {
    const uint32_t low = (uint32_t)at + cells, high = (uint32_t)(at >> 32) + cells;
    const uint32_t e0 = *(const uint8_t *)(shared + (low & 0xffff)),
                   e1 = *(const uint8_t *)(shared + (low >> 16));
    const uint32_t e2 = *(const uint8_t *)(shared + (high & 0xffff)),
                   e3 = *(const uint8_t *)(shared + (high >> 16));
    return __byte_perm(__byte_perm(e0, e1, 0x0040), __byte_perm(e2, e3, 0x0040), 0x5410);
}

static __device__ inline uint32_t words_put_together(const char *shared, uint32_t at, uint32_t cells,
                                                     uint16_t) {
    const uint32_t both = at + cells;
    const uint32_t e0 = *(const uint16_t *)(shared + (both & 0xffff)),
                   e1 = *(const uint16_t *)(shared + (both >> 16));
    return __byte_perm(e0, e1, 0x5410);
}

template <class element> struct words_places;
template <> struct words_places<uint8_t> { typedef uint64_t type; };
template <> struct words_places<uint16_t> { typedef uint32_t type; };

template <uint32_t words, class element>
static __device__ inline void words_write(element *b, const char *shared, const axes_table *t) {
    constexpr uint32_t units = WORDS_BYTES / sizeof(element), at_once = AXES_ROWS_AT_ONCE(WORDS_BYTES, words);
    typedef typename words_places<element>::type places;
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at) + t->side[0].padded;
    const axes_walk w = axes_walk_of<words, uint32_t, element>(&t->side[1], rows);
    for (uint32_t number = w.first; number < w.count; number += w.jump) {
        for (uint32_t row = w.group; row < t->side[1].padded; row += at_once * w.groups) {
            uint32_t held[at_once][words];
            axes_row r[at_once];
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) r[i].whole = rows[row + i * w.groups].whole;
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                const uint32_t at = (r[i].of.cell >> 16) + number * (uint32_t)sizeof(places);
                const uint32_t cells = __byte_perm(r[i].of.cell, 0, 0x1010);
                const places *const place = (const places *)(shared + t->places_at + at);
                const uint32_t turned = words_turn<units>(at) * 8 * (uint32_t)sizeof(element);
                const uint32_t whole = r[i].of.length < units ? 0 : r[i].of.length - (units - 1);
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t k = (number + j * AXES_WARP) * units - r[i].of.before;
                    if (k >= whole) continue;
                    const uint32_t word = words_put_together(shared, place[j * AXES_WARP], cells, element());
                    held[i][j] = __funnelshift_l(word, word, turned);
                }
            }
            UNROLL
            for (uint32_t i = 0; i < at_once; ++i) {
                const uint32_t whole = r[i].of.length < units ? 0 : r[i].of.length - (units - 1);
                uint32_t *const to = (uint32_t *)((char *)b + (number * WORDS_BYTES + r[i].of.at));
                UNROLL
                for (uint32_t j = 0; j < words; ++j) {
                    const uint32_t k = (number + j * AXES_WARP) * units - r[i].of.before;
                    if (k < whole) to[j * AXES_WARP] = held[i][j];
                }
            }
        }
    }
}

/* The elements before a row's first whole word, and behind its last. */
template <class element>
static __device__ inline void words_write_ends(element *b, const char *shared, const axes_table *t) {
    constexpr uint32_t units = WORDS_BYTES / sizeof(element);
    const axes_row *const rows = (const axes_row *)(shared + t->rows_at) + t->side[0].padded;
    const uint16_t *const place = (const uint16_t *)(shared + t->places_at);
    for (uint32_t k = threadIdx.x; k < 2 * t->side[1].rows; k += blockDim.x) {
        axes_row r;
        r.whole = rows[k / 2].whole;
        const uint32_t begins = (0 - r.of.before) % units, head = begins < r.of.length ? begins : r.of.length;
        const uint32_t ends = (r.of.before + r.of.length) % units, left = r.of.length - head;
        const uint32_t count = k % 2 == 0 ? head : ends < left ? ends : left;
        const uint32_t first = k % 2 == 0 ? 0 : r.of.length - count;
        element *const to = (element *)((char *)b + r.of.at) + r.of.before + first;
        UNROLL
        for (uint32_t j = 0; j < units - 1; ++j) {
            if (j >= count) continue;
            const uint32_t at = first + j + WORDS_BEFORE, turn = words_turn<units>(at * 2);
            const uint32_t cell = place[at / units * units + (at - turn) % units] + (r.of.cell & 0xffff);
            to[j] = *(const element *)(shared + cell);
        }
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(AXES_THREADS, 4)
    axes_words(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT axes_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const axes_start start = axes_start_of(&t, blockIdx.x);
    const uint32_t first_cell = WORDS_BEFORE + (uint32_t)((uintptr_t)(a + start.src) % sizeof(vector16));
    words_fill_rows(shared, b, a, &t, &start, first_cell);
    words_fill_places<element>(shared, &t);
    __syncthreads();
    words_read_by(shared, a, &t);
    __syncthreads();
    if (t.side[1].words == 3) {
        words_write<3>(b, shared, &t);
    } else if (t.side[1].words == 2) {
        words_write<2>(b, shared, &t);
    } else {
        words_write<1>(b, shared, &t);
    }
    words_write_ends(b, shared, &t);
}
