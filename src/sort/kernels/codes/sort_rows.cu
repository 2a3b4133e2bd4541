/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of any fields, sorted by codes that are made of them and then moved in their order; a thread an element, or a
 * unit of one.
 */
#include "device/kernels/rows_map.h"
#include "sort/kernels/codes/sort_key_bits.h"

static __device__ inline uint64_t sort_row() { return (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x; }

/* The thread's j-th row, in a block that does SORT_ROW_EACH of each thread. */
static __device__ inline uint64_t sort_row(uint32_t j) {
    return ((uint64_t)blockIdx.x * SORT_ROW_EACH + j) * SORT_ROW_THREADS + threadIdx.x;
}

/* The place, in order, of result k; SORT_NO_PICK where there is none. */
static __device__ inline uint32_t sort_picked(const sort_results &all, uint64_t k) {
    if (all.picks != nullptr) return all.picks[k];
    return sort_is_inside(all.ranges, k) ? (uint32_t)k : SORT_NO_PICK;
}

/* Codes of 4, 8 or 16 bytes: the key's first bits that differ. */
static __device__ inline void sort_codes_of(const sort_codes_table &t,
                                            const unsigned char *const (&e)[SORT_ROW_EACH],
                                            uint32_t (&out)[SORT_ROW_EACH]) {
    uint64_t bits[SORT_ROW_EACH];
    sort_key_bits(t.rows, t.squeezes, e, 0, 32, bits);
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j) out[j] = (uint32_t)bits[j];
}
static __device__ inline void sort_codes_of(const sort_codes_table &t,
                                            const unsigned char *const (&e)[SORT_ROW_EACH],
                                            uint64_t (&out)[SORT_ROW_EACH]) {
    sort_key_bits(t.rows, t.squeezes, e, 0, 64, out);
}
static __device__ inline void sort_codes_of(const sort_codes_table &t,
                                            const unsigned char *const (&e)[SORT_ROW_EACH],
                                            sort_wide (&out)[SORT_ROW_EACH]) {
    uint64_t high[SORT_ROW_EACH], low[SORT_ROW_EACH];
    sort_key_bits(t.rows, t.squeezes, e, 0, 64, high);
    sort_key_bits(t.rows, t.squeezes, e, 64, 64, low);
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j) out[j] = sort_wide{low[j], high[j]};
}

/** b receives codes of elements. */
template <class element>
__global__ void sort_codes(element *__restrict__ b, const element *, const GRID_CONSTANT sort_codes_table t) {
    const unsigned char *e[SORT_ROW_EACH];
    typename sort_of<element>::key code[SORT_ROW_EACH];
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
        e[j] = t.rows.elements + (sort_row(j) < t.ranges.n ? sort_row(j) : t.ranges.n - 1) * t.rows.elem_bytes;
    sort_codes_of(t, e, code);
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
        if (sort_is_inside(t.ranges, sort_row(j))) b[sort_row(j)] = sort_of<element>::put(code[j]);
}

/** The same for numbers of 1 or 2 bytes, of which none are merged: a has them one behind the other. */
template <class element>
__global__ void sort_number_codes(element *__restrict__ b, const element *__restrict__ a,
                                  const GRID_CONSTANT sort_number_table t) {
    const uint64_t k = sort_row();
    if (!sort_is_inside(t.ranges, k)) return;
    b[k] = (element)sort_code_of(&t.number,
                                 t.number.bytes == 1 ? ((const uint8_t *)a)[k] : ((const uint16_t *)a)[k]);
}

/** Elements of 1 or 2 bytes, one behind the other at b, from codes of 4. */
template <class element>
__global__ void sort_numbers(element *__restrict__ b, const element *__restrict__ a,
                             const GRID_CONSTANT sort_number_table t) {
    const uint64_t k = sort_row();
    if (!sort_is_inside(t.ranges, k)) return;
    const uint64_t bits = sort_bits_of(&t.number, a[k]);
    if (t.number.bytes == 1) {
        ((uint8_t *)b)[k] = (uint8_t)bits;
    } else {
        ((uint16_t *)b)[k] = (uint16_t)bits;
    }
}

/** Results that are rows of t.units elements, from a to b: as picked, of what stands in the order. */
template <class element>
__global__ void sort_gather(element *__restrict__ b, const element *__restrict__ a,
                            const GRID_CONSTANT sort_gather_table t) {
    const sort_results &all = t.results;
    uint32_t place[SORT_ROW_EACH], part[SORT_ROW_EACH];
    uint64_t from[SORT_ROW_EACH];
    element held[SORT_ROW_EACH];
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j) {
        const uint64_t k = sort_row(j), row = rows_quotient(k, t.reciprocal, t.shift);
        place[j] = row < all.count ? sort_picked(all, row) : SORT_NO_PICK;
        part[j] = (uint32_t)(k - row * t.units);
    }
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
        from[j] = all.order != nullptr && place[j] != SORT_NO_PICK ? all.order[place[j]] : place[j];
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
        if (place[j] != SORT_NO_PICK) held[j] = a[from[j] * t.units + part[j]];
    UNROLL
    for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
        if (place[j] != SORT_NO_PICK) b[sort_row(j)] = held[j];
}

/** Results that are the order, or the picks where elements are picked as they lie, with 4 or 8 bytes each. */
template <class element>
__global__ void sort_widen(element *__restrict__ b, const element *, const GRID_CONSTANT sort_results t) {
    const uint64_t k = sort_row();
    if (k >= t.count) return;
    const uint32_t place = sort_picked(t, k);
    if (place != SORT_NO_PICK) b[k] = t.order != nullptr ? t.order[place] : place;
}
