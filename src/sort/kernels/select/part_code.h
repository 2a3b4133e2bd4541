/* SPDX-License-Identifier: Apache-2.0
 *
 * Which elements equal one code, told without joining the codes of elements: theirs are a stretch.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_PART_CODE_H
#define RIFFLE_SORT_KERNELS_SELECT_PART_CODE_H

#include "sort/kernels/select/select_digits.h"
#include "sort/kernels/select/select_read.h"
#include "sort/kernels/tables/part.h"

/** Unjoined codes of elements that equal a code: from the first to the last. */
template <class number> struct part_stretch { number first, last; };

/** Where codes are joined, zeros are two, and NaNs all that are left. */
template <class number>
static __device__ inline part_stretch<number> part_stretch_of(const select_coder &by, number code) {
    part_stretch<number> s = {code, code};
    if (!by.joins) return s;
    const number step = (number)by.step, turn = (number)by.coding.turn, plus = (number)by.coding.plus;
    const number zero = (((number)by.zero + step) ^ turn) + plus, none = ((number)by.numbers ^ turn) + plus;
    if (code == zero) {
        s.first = turn == 0 ? code - step : code;
        s.last = s.first + step;
    }
    if (code == none) {
        s.first = (number)by.numbers;
        s.last = ~(number)0;
    }
    return s;
}

/** The code of which an unjoined one is. */
template <class number> static __device__ inline number part_join(const select_coder &by, number code) {
    const number turn = (number)by.coding.turn, plus = (number)by.coding.plus;
    return by.joins ? (select_joined(by, (code - plus) ^ turn) ^ turn) + plus : code;
}

/** A code that no element's is before, or behind. */
template <class number> static __device__ inline number part_open(const select_coder &by, uint32_t side) {
    if (side == 0) return 0;
    return by.joins && by.coding.turn == 0 ? (number)by.numbers : ~(number)0;
}

/** The unjoined code of an element. */
template <class element>
static __device__ inline typename select_of<element>::word part_code(const select_coder &by, element e) {
    return select_unjoined(by, select_of<element>::bits(e, by.shift));
}

/** A thread's vector: digits of elements that begin as a code does are counted. */
template <class element, class number>
static __device__ inline void part_count_vector(const select_coder &by, const element *a, uint32_t n,
                                                uint64_t first, uint64_t end, number known, uint32_t round,
                                                uint32_t *counts) {
    vector_of<element> v;
    select_read(a, n, first + threadIdx.x, end, v);
    UNROLL
    for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
        const number code = select_code(by, v.of.part[j]);
        select_count(counts, (v.valid >> j & 1) != 0 && select_begins<PART_DIGIT_BITS>(code, known, round),
                     select_digit<PART_DIGIT_BITS>(code, round));
    }
}

/** True if the pivot is one of the bounds, or listed; else it is counted among all elements. */
static __device__ inline bool part_is_found(const part_table &p) {
    return p.listed.counts[PART_WHERE] != PART_NOWHERE;
}

#endif
