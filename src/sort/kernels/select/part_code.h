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

#endif
