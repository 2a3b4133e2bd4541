/* SPDX-License-Identifier: Apache-2.0
 *
 * A check's numbers in kernels, and how they are added to a record.
 */
#ifndef RIFFLE_CHECK_KERNELS_SUM_H
#define RIFFLE_CHECK_KERNELS_SUM_H

#include "check/kernels/hash.h"
#include "check/kernels/table.h"
#include "device/kernels/warp.h"

/** An element as words of up to 32 bits. */
template <class element> struct check_part {
    enum {
        WORDS = sizeof(element) <= sizeof(uint32_t) ? 1 : sizeof(element) / sizeof(uint32_t),
    };
    union held {
        uint32_t word[4];
        element whole;
        __device__ held() {}
    } of;
};

template <class element>
static __device__ inline void check_part_of(const element &whole, check_part<element> &to) {
    to.of.word[0] = 0;
    to.of.whole = whole;
}

/** Adds a word at a place, of 32 or 64 bits. */
template <class place> static __device__ inline void check_add_at(check_sums *sums, place at, uint32_t word) {
    check_add_word(sums, check_mix((uint32_t)at, (uint32_t)((uint64_t)at >> 32)), word);
}

/** Adds an element's words, whose places count up. */
template <class element, class place>
static __device__ inline void check_add_part(check_sums *sums, place at, const element &whole) {
    check_part<element> part;
    check_part_of(whole, part);
    UNROLL
    for (uint32_t k = 0; k < check_part<element>::WORDS; ++k)
        check_add_at(sums, (place)(at + k), part.of.word[k]);
}

/** Adds a vector, the number-th of an array that has a number too. */
static __device__ inline void check_add_vector(check_sums *sums, uint32_t array, uint32_t number,
                                               const vector16 &whole) {
    const check_pair keys = check_mix(number, array);
    check_part<vector16> part;
    check_part_of(whole, part);
    UNROLL
    for (uint32_t k = 0; k < check_part<vector16>::WORDS; ++k)
        check_add_word(sums, check_keys_in(keys, k), part.of.word[k]);
}

/** Adds what an element has of a vector's sums: the at-th one of the array. */
template <class element>
static __device__ inline void check_add_in_vector(check_sums *sums, uint32_t array, uint64_t at,
                                                  const element &whole) {
    constexpr uint32_t each = sizeof(vector16) / sizeof(element);
    const check_pair keys = check_mix((uint32_t)(at / each), array);
    const uint32_t byte = (uint32_t)(at % each) * (uint32_t)sizeof(element);
    check_part<element> part;
    check_part_of(whole, part);
    UNROLL
    for (uint32_t k = 0; k < check_part<element>::WORDS; ++k)
        check_add_word(sums, check_keys_in(keys, byte / CHECK_WORD_BYTES + k),
                       part.of.word[k] << 8 * (byte % CHECK_WORD_BYTES));
}

/** A number on its way takes an element's words. */
template <class element>
static __device__ inline void check_take_part(check_pair *number, const element &whole) {
    check_part<element> part;
    check_part_of(whole, part);
    check_element_take(number, sizeof(element) < 8 ? (uint64_t)part.of.word[0]
                                                   : (uint64_t)part.of.word[1] << 32 | part.of.word[0]);
    if (sizeof(element) == 16) check_element_take(number, (uint64_t)part.of.word[3] << 32 | part.of.word[2]);
}

/** The sums of the first `lanes` lanes, a power of two, in each of them. All lanes come to it. */
template <uint32_t lanes> static __device__ inline check_sums check_sum_lanes(check_sums sums) {
    UNROLL
    for (uint32_t by = lanes / 2; by > 0; by /= 2)
        check_add_sums(&sums, check_sums{warp_across(sums.first, by), warp_across(sums.second, by)});
    return sums;
}

/** Adds sums to those of a record that have the number, or takes them from it. One thread comes to it. */
static __device__ inline void check_add_to(check_record *record, uint32_t number, check_sums sums,
                                           bool is_taken) {
    if (is_taken) sums = check_sums{0 - sums.first, 0 - sums.second};
    ATOMIC_ADD((unsigned long long *)&record->first[number % CHECK_SUMS], (unsigned long long)sums.first);
    ATOMIC_ADD((unsigned long long *)&record->second[number % CHECK_SUMS], (unsigned long long)sums.second);
}

#endif
