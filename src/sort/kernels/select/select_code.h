/* SPDX-License-Identifier: Apache-2.0
 *
 * Codes of elements, and candidates: a code, or, where equals are told apart, a code with the element's place behind it. So
 * candidates are in the stable order whatever order they were found in.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_CODE_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_CODE_H

#include "sort/kernels/sort_record.h"
#include "sort/kernels/tables/select.h"

/* A number of as many bytes as an element's code: that of a short one has 4. */
template <class element> struct select_of {
    typedef uint32_t word;
    static __device__ inline uint32_t bits(element e, uint32_t shift) { return (uint32_t)e << shift; }
    static __device__ inline element back(uint32_t bits, uint32_t shift) { return (element)(bits >> shift); }
};
template <> struct select_of<uint64_t> {
    typedef uint64_t word;
    static __device__ inline uint64_t bits(uint64_t e, uint32_t) { return e; }
    static __device__ inline uint64_t back(uint64_t bits, uint32_t) { return bits; }
};
template <> struct select_of<vector16> {
    typedef vector16 word;
    static __device__ inline sort_wide bits(const vector16 &e, uint32_t) { return sort_of<vector16>::get(e); }
    static __device__ inline vector16 back(const sort_wide &bits, uint32_t) {
        return sort_of<vector16>::put(bits);
    }
};

/** A candidate in memory: `word` is its code's. */
template <bool placed, class word> struct select_candidate {
    typedef word type;
    typedef typename sort_of<word>::key code;
    static __device__ inline type of(const code &c, uint32_t) { return sort_of<word>::put(c); }
    static __device__ inline code code_of(const type &c) { return sort_of<word>::get(c); }
    static __device__ inline uint32_t place_of(const type &) { return 0; }
};
template <> struct select_candidate<true, uint32_t> {
    typedef uint64_t type;
    static __device__ inline type of(uint32_t code, uint32_t place) { return (uint64_t)code << 32 | place; }
    static __device__ inline uint32_t code_of(type c) { return (uint32_t)(c >> 32); }
    static __device__ inline uint32_t place_of(type c) { return (uint32_t)c; }
};
template <> struct select_candidate<true, uint64_t> {
    typedef vector16 type;
    static __device__ inline type of(uint64_t code, uint32_t place) {
        return sort_of<vector16>::put(sort_wide{place, code});
    }
    static __device__ inline uint64_t code_of(const type &c) { return sort_of<vector16>::get(c).high; }
    static __device__ inline uint32_t place_of(const type &c) {
        return (uint32_t)sort_of<vector16>::get(c).low;
    }
};

template <class number> static __device__ inline number select_joined(const select_coder &by, number code) {
    if (code == (number)by.zero) return code + (number)by.step;
    return code > (number)by.numbers ? (number)by.numbers : code;
}

/* The code of a number's bits. */
template <class number> static __device__ inline number select_encode(const select_coder &by, number bits) {
    const sort_coding &c = by.coding;
    const bool negative = bits >> (8 * sizeof bits - 1) != 0;
    number up = (bits ^ (number)(negative ? c.negative : c.positive)) - (number)c.minus;
    if (by.joins) up = select_joined(by, up);
    return (up ^ (number)c.turn) + (number)c.plus;
}
static __device__ inline sort_wide select_encode(const select_coder &by, const sort_wide &bits) {
    return sort_encode(by.coding, bits);
}

/** The code of an element. */
template <class element>
static __device__ inline typename sort_of<typename select_of<element>::word>::key
select_code(const select_coder &by, const element &e) {
    return select_encode(by, select_of<element>::bits(e, by.shift));
}

/* ------------------------------------------------------------------- quickly */

/* The code of a number's bits before codes are joined. */
template <class number> static __device__ inline number select_unjoined(const select_coder &by, number bits) {
    const number flip = bits >> (8 * sizeof bits - 1) != 0 ? (number)by.flip : 0;
    return (bits ^ (number)by.coding.positive ^ flip) * (number)by.factor + (number)by.added;
}
static __device__ inline sort_wide select_unjoined(const select_coder &by, const sort_wide &bits) {
    return sort_encode(by.coding, bits);
}

/** No less than the unjoined code of any element whose code is not behind the bound. */
template <class number> static __device__ inline number select_most(const select_coder &by, number bound) {
    if (!by.joins) return bound;
    const number most = bound + (number)by.step;
    return bound >= (number)by.numbers || most < bound ? ~(number)0 : most;
}
static __device__ inline sort_wide select_most(const select_coder &, const sort_wide &bound) { return bound; }

/** The element of a code, where no codes are joined. */
template <class element>
static __device__ inline element
select_element(const select_coder &by, const typename sort_of<typename select_of<element>::word>::key &code) {
    return select_of<element>::back(sort_decode(by.coding, code), by.shift);
}

/* ------------------------------------------------------------------ attempts */

/** True if an attempt found `count` elements, candidates and ties, and had room for the candidates. */
static __device__ inline bool select_is_done(const select_table &t, uint32_t attempt) {
    const uint32_t found = t.counts[attempt];
    return found <= t.capacity && (found >= t.count || t.count - found <= t.counts[SELECT_TIES + attempt]);
}

/** The attempt that the result is of. */
static __device__ inline uint32_t select_attempt(const select_table &t) { return select_is_done(t, 0) ? 0 : 1; }

/** The code that an attempt's candidates come before, or equal. */
template <class word>
static __device__ inline typename sort_of<word>::key select_bound(const select_table &t, uint32_t attempt) {
    return sort_of<word>::get(((const word *)t.bounds)[attempt == 0 ? 0 : SELECT_EXACT]);
}

#endif
