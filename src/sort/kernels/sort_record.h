/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that are compared: keys of 4, 8 or 16 bytes as unsigned numbers, and records, a key with a tag that tells equal
 * ones apart.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_RECORD_H
#define RIFFLE_SORT_KERNELS_SORT_RECORD_H

#include "device/kernels/warp.h"
#include "sort/kernels/tables/common.h"

typedef struct sort_wide {
    uint64_t low, high;
} sort_wide;

/* How many bits x has. */
static __device__ inline uint32_t sort_bits(uint64_t x) {
    return x >> 32 != 0 ? 64 - (uint32_t)__clz((int)(x >> 32)) : 32 - (uint32_t)__clz((int)x);
}

/* ------------------------------------------------------------------- before */

static __device__ inline bool sort_before(uint32_t a, uint32_t b) { return a < b; }
static __device__ inline bool sort_before(uint64_t a, uint64_t b) { return a < b; }
static __device__ inline bool sort_before(const sort_wide &a, const sort_wide &b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}
static __device__ inline bool sort_same(uint32_t a, uint32_t b) { return a == b; }
static __device__ inline bool sort_same(uint64_t a, uint64_t b) { return a == b; }
static __device__ inline bool sort_same(const sort_wide &a, const sort_wide &b) {
    return a.high == b.high && a.low == b.low;
}

/* A key and its tag. */
template <class key> struct sort_tagged_key {
    key value;
    uint32_t tag;
};
template <class key>
static __device__ inline bool sort_before(const sort_tagged_key<key> &a, const sort_tagged_key<key> &b) {
    return sort_before(a.value, b.value) || (sort_same(a.value, b.value) && a.tag < b.tag);
}

/* ------------------------------------------------------------------ choose */

static __device__ inline uint32_t sort_choose(bool first, uint32_t a, uint32_t b) { return first ? a : b; }
static __device__ inline uint64_t sort_choose(bool first, uint64_t a, uint64_t b) { return first ? a : b; }
static __device__ inline sort_wide sort_choose(bool first, const sort_wide &a, const sort_wide &b) {
    return sort_wide{first ? a.low : b.low, first ? a.high : b.high};
}
template <class key>
static __device__ inline sort_tagged_key<key> sort_choose(bool first, const sort_tagged_key<key> &a,
                                                          const sort_tagged_key<key> &b) {
    return sort_tagged_key<key>{sort_choose(first, a.value, b.value), first ? a.tag : b.tag};
}

/** Puts the two in order. */
template <class record> static __device__ inline void sort_two(record &a, record &b) {
    const bool keeps = !sort_before(b, a);
    const record low = sort_choose(keeps, a, b), high = sort_choose(keeps, b, a);
    a = low;
    b = high;
}
static __device__ inline void sort_two(uint32_t &a, uint32_t &b) {
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    a = low;
    b = high;
}

/** The later of two, or the earlier. */
template <class record>
static __device__ inline record sort_keep(const record &a, const record &b, bool later) {
    return sort_choose(sort_before(a, b) != later, a, b);
}

/* ----------------------------------------------------------------- shuffles */

static __device__ inline sort_wide warp_across(const sort_wide &value, uint32_t bits) {
    return sort_wide{warp_across(value.low, bits), warp_across(value.high, bits)};
}
template <class key>
static __device__ inline sort_tagged_key<key> warp_across(const sort_tagged_key<key> &value, uint32_t bits) {
    return sort_tagged_key<key>{warp_across(value.value, bits), warp_across(value.tag, bits)};
}

/* ----------------------------------------------------------------- elements */

/* An element in memory: its key, the last of all keys, a key with a tag. */
template <class element> struct sort_of {
    typedef element key;
    typedef sort_tagged_key<element> tagged;
    typedef uint64_t difference; /* the bits in which two keys differ */
    static __device__ inline key last() { return ~(key)0; }
    static __device__ inline key get(element e) { return e; }
    static __device__ inline element put(key k) { return k; }
    static __device__ inline tagged tag(key k, uint32_t t) { return tagged{k, t}; }
    static __device__ inline key key_of(const tagged &r) { return r.value; }
    static __device__ inline uint32_t tag_of(const tagged &r) { return r.tag; }
};

/* With its tag it is one number. */
template <> struct sort_of<uint32_t> {
    typedef uint32_t key;
    typedef uint64_t tagged;
    typedef uint32_t difference;
    static __device__ inline key last() { return ~0u; }
    static __device__ inline key get(uint32_t e) { return e; }
    static __device__ inline uint32_t put(key k) { return k; }
    static __device__ inline tagged tag(key k, uint32_t t) { return (uint64_t)k << 32 | t; }
    static __device__ inline key key_of(tagged r) { return (uint32_t)(r >> 32); }
    static __device__ inline uint32_t tag_of(tagged r) { return (uint32_t)r; }
};

template <> struct sort_of<vector16> {
    typedef sort_wide key;
    typedef sort_tagged_key<sort_wide> tagged;
    typedef sort_wide difference;
    union both {
        vector16 whole;
        sort_wide half;
    };
    static __device__ inline key last() { return sort_wide{~(uint64_t)0, ~(uint64_t)0}; }
    static __device__ inline key get(const vector16 &e) {
        both b;
        b.whole = e;
        return b.half;
    }
    static __device__ inline vector16 put(const key &k) {
        both b;
        b.half = k;
        return b.whole;
    }
    static __device__ inline tagged tag(const key &k, uint32_t t) { return tagged{k, t}; }
    static __device__ inline key key_of(const tagged &r) { return r.value; }
    static __device__ inline uint32_t tag_of(const tagged &r) { return r.tag; }
};

/* -------------------------------------------------------------------- codes */

template <class number> static __device__ inline number sort_encode(const sort_coding &c, number bits) {
    const bool negative = bits >> (8 * sizeof bits - 1) != 0;
    const number up = (bits ^ (number)(negative ? c.negative : c.positive)) - (number)c.minus;
    return (up ^ (number)c.turn) + (number)c.plus;
}
static __device__ inline sort_wide sort_encode(const sort_coding &c, const sort_wide &bits) {
    return sort_wide{bits.low ^ c.turn, sort_encode(c, bits.high)};
}

template <class number> static __device__ inline number sort_decode(const sort_coding &c, number code) {
    const number up = ((code - (number)c.plus) ^ (number)c.turn) + (number)c.minus;
    const bool negative = up >> (8 * sizeof up - 1) == 0;
    return up ^ (number)(negative ? c.negative : c.positive);
}
static __device__ inline sort_wide sort_decode(const sort_coding &c, const sort_wide &code) {
    return sort_wide{code.low ^ c.turn, sort_decode(c, code.high)};
}

/** The key of an element that the launch reads. */
template <class element>
static __device__ inline typename sort_of<element>::key sort_get(const sort_coder &by, const element &e) {
    const typename sort_of<element>::key k = sort_of<element>::get(e);
    return by.encodes ? sort_encode(by.coding, k) : k;
}

/** The element that the launch writes for a key. */
template <class element>
static __device__ inline element sort_put(const sort_coder &by, const typename sort_of<element>::key &k) {
    return sort_of<element>::put(by.decodes ? sort_decode(by.coding, k) : k);
}

/** Registers have elements as the launch reads them, `lanes` apart as far as `left`: they get keys as they lie. There is one branch for
 *  all of them. */
template <uint32_t lanes, uint32_t each, class element>
static __device__ inline void sort_get_all(const sort_coder &by, element (&e)[each], uint32_t left) {
    typedef sort_of<element> of;
    if (!by.encodes) return;
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * lanes < left) e[r] = of::put(sort_encode(by.coding, of::get(e[r])));
}

/** Registers have keys as they lie: they get elements as the launch writes them. */
template <uint32_t each, class element>
static __device__ inline void sort_put_all(const sort_coder &by, element (&e)[each]) {
    typedef sort_of<element> of;
    if (!by.decodes) return;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) e[r] = of::put(sort_decode(by.coding, of::get(e[r])));
}

#endif
