/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of any fields, sorted by codes that are made of them and then moved in their order; a thread an element, or a
 * unit of one.
 */
#include "kernels/sort/sort_record.h"

static __device__ inline uint64_t sort_row() { return (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x; }

/* Whether place k is in a segment; what lies outside is left alone. */
static __device__ inline bool sort_is_inside(const sort_table &t, uint64_t k) {
    return k < t.n && (t.begin == nullptr || (k >= t.begin[0] && k < t.begin[t.segments]));
}

/* The place, in order, of result k of t.results; SORT_NO_PICK where there is none. */
static __device__ inline uint32_t sort_picked(const sort_table &t, uint64_t k) {
    if (t.picks != nullptr) return t.picks[k];
    return sort_is_inside(t, k) ? (uint32_t)k : SORT_NO_PICK;
}

/* Words from `word` on as a code of 4, 8 or 16 bytes. */
static __device__ inline void sort_code_from(const uint64_t *words, uint32_t *out) {
    *out = (uint32_t)(words[0] >> 32);
}
static __device__ inline void sort_code_from(const uint64_t *words, uint64_t *out) { *out = words[0]; }
static __device__ inline void sort_code_from(const uint64_t *words, sort_wide *out) {
    *out = sort_wide{words[1], words[0]};
}

/** b receives codes of t.elements. */
template <class element>
__global__ void sort_codes(element *__restrict__ b, const element *, const GRID_CONSTANT sort_table t) {
    const uint64_t k = sort_row();
    if (!sort_is_inside(t, k)) return;
    const uint64_t from = t.order != nullptr ? t.order[k] : k;
    const unsigned char *const e = t.elements + from * t.layout.elem_bytes;
    uint64_t words[SORT_MOST_WORDS + 1];
    typename sort_of<element>::key code;
    words[SORT_MOST_WORDS] = 0;
    if (t.is_number) {
        words[0] = sort_code_of(&t.layout.field[0], sort_read(e, t.layout.field[0].bytes)) << 32;
    } else {
        sort_words(&t.layout, e, words);
        for (uint32_t w = t.layout.words; w < SORT_MOST_WORDS; ++w) words[w] = 0;
    }
    sort_code_from(words + t.word, &code);
    b[k] = sort_of<element>::put(code);
}

/** Elements of 1 or 2 bytes, one behind the other at b, from codes of 4. */
template <class element>
__global__ void sort_numbers(element *__restrict__ b, const element *__restrict__ a,
                             const GRID_CONSTANT sort_table t) {
    const uint64_t k = sort_row();
    if (!sort_is_inside(t, k)) return;
    const uint64_t bits = sort_bits_of(&t.layout.field[0], a[k]);
    if (t.layout.elem_bytes == 1) {
        ((uint8_t *)b)[k] = (uint8_t)bits;
    } else {
        ((uint16_t *)b)[k] = (uint16_t)bits;
    }
}

/** Results that are rows of t.units elements, from a to b: as picked, of what stands in t.order. */
template <class element>
__global__ void sort_gather(element *__restrict__ b, const element *__restrict__ a,
                            const GRID_CONSTANT sort_table t) {
    const uint64_t k = sort_row();
    if (k >= (uint64_t)t.results * t.units) return;
    const uint64_t row = k / t.units;
    const uint32_t place = sort_picked(t, row);
    if (place == SORT_NO_PICK) return;
    const uint64_t from = t.order != nullptr ? t.order[place] : place;
    b[k] = a[from * t.units + (k - row * t.units)];
}

/** Results that are the order, with 4 or 8 bytes each. */
template <class element>
__global__ void sort_widen(element *__restrict__ b, const element *, const GRID_CONSTANT sort_table t) {
    const uint64_t k = sort_row();
    if (k >= t.results) return;
    const uint32_t place = sort_picked(t, k);
    if (place != SORT_NO_PICK) b[k] = t.order[place];
}
