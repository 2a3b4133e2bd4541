/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that a check adds up. For C and for CUDA.
 *
 * check_mix is a bijection of 64 bits: a number's two halves become two keys, each a number of 32 bits that looks random. The first is
 * Wellons' lowbias32 of a multiple of the lower half, with a multiple of the upper one added in its middle; the second mixes the first with a
 * multiple of the upper half once more, so that both together tell any two numbers apart, and no number below 2^64 - 2^32 has zeros for both.
 * The first multiplication comes before any fold: behind one, numbers 2^31 + 2^15 apart would differ in their top bit alone. Other distances
 * take their place, which no layout of arrays makes; docs/check.md names the worst.
 *
 * A word of up to 32 bits at a place: the two products of the place's keys and the word, of 64 bits each, into two sums modulo 2^64. Products
 * lose no bits, signs neither. A word that changes moves a sum by its difference times the key, and two words that are exchanged by their
 * difference times that of the keys: neither is 0 in both sums. Any other fault is missed if two numbers of 33 bits or more, which the keys
 * of all its places make, are both 0.
 *
 * A vector of 16 bytes at a place, where what is read and what was written are whole vectors: the numbers of vectors go through check_mix, and
 * keys of the four words are made of these two keys by one multiplication each: (A, B) and, for the others, (A C + B, B D + A), C even and D
 * odd. So each of the four is a bijection of the two, and one word that changes, two of a vector that are exchanged, and two that are in
 * the same place of their vectors are found as above. Two words elsewhere that are exchanged are missed with a chance of 2^-64. A vector's
 * differences for which both sums vanish modulo 2^32 whatever the keys are: found by reducing the lattice of these, the shortest has 708928
 * for its largest, and is missed once in 2^40; what vanishes in one sum has 1333 at least, and is missed once in 2^42.
 *
 * A place that is taken, whatever is there: itself and its square, of which the sums of a range are known.
 *
 * A code that may be anywhere, a number of 4 or 8 bytes, while it is in a register: itself, so that one code that changes is found always, and
 * so is one that takes another's place; and a product of two numbers that multiples of its words make, one of which is folded. Changes of several
 * codes whose sum stays are missed with a chance of 2^-64, taking products for random.
 *
 * An element that may be anywhere: its words go through check_mix one after the other, two at a time, from a start that the segment has.
 */
#ifndef RIFFLE_CHECK_KERNELS_HASH_H
#define RIFFLE_CHECK_KERNELS_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define CHECK_INLINE static __device__ __forceinline__
#else
#define CHECK_INLINE static inline
#endif

enum { CHECK_WORD_BYTES = 4 }; /* the most that a word has */

/* Odd, for the multiplications. */
#define CHECK_LOWER UINT32_C(0x9e3779b1)
#define CHECK_UPPER UINT32_C(0x9e3779b9)
#define CHECK_FIRST UINT32_C(0x7feb352d)
#define CHECK_SECOND UINT32_C(0x846ca68b)
#define CHECK_THIRD UINT32_C(0x85ebca6b)
#define CHECK_FOURTH UINT32_C(0x27d4eb2f)

/* For codes: odd. */
#define CHECK_CODE_LOWER UINT32_C(0xd6e8feb5)
#define CHECK_CODE_UPPER UINT32_C(0xa3d8a9b7)
#define CHECK_CODE_BEGIN UINT64_C(0x9e3779b97f4a7c15)

/* For the first and the second key of a vector's words behind its first one: even ones whose differences are no multiples of 8, and odd ones. */
#define CHECK_FIRST_OF(word)                                                                                   \
    ((word) == 1 ? UINT32_C(0xc00dc63a) : (word) == 2 ? UINT32_C(0x83b852d4) : UINT32_C(0x07a04e66))
#define CHECK_SECOND_OF(word)                                                                                  \
    ((word) == 1 ? UINT32_C(0x4f6b8f63) : (word) == 2 ? UINT32_C(0x99edd4d5) : UINT32_C(0x16759ecf))

/** Two keys; or a number on its way. */
typedef struct check_pair {
    uint32_t first, second;
} check_pair;

/** Two sums, modulo 2^64; elements that may be anywhere are in the first alone. */
typedef struct check_sums {
    uint64_t first, second;
} check_sums;

CHECK_INLINE check_pair check_mix(uint32_t low, uint32_t high) {
    check_pair out;
    uint32_t x = low * CHECK_LOWER;
    x = (x ^ x >> 16) * CHECK_FIRST + (high + 1) * CHECK_UPPER;
    x = (x ^ x >> 15) * CHECK_SECOND;
    x ^= x >> 16;
    uint32_t y = x ^ (high + 1) * CHECK_THIRD;
    y = (y ^ y >> 13) * CHECK_FOURTH;
    out.first = x;
    out.second = y ^ y >> 15;
    return out;
}

CHECK_INLINE void check_add_sums(check_sums *sums, check_sums more) {
    sums->first += more.first;
    sums->second += more.second;
}

/* --------------------------------------------------------------------------- words at places */

/** The keys of a place, of 32 or of 64 bits. */
CHECK_INLINE check_pair check_keys_of(uint64_t place) {
    return check_mix((uint32_t)place, (uint32_t)(place >> 32));
}

CHECK_INLINE void check_add_word(check_sums *sums, check_pair keys, uint32_t word) {
    sums->first += (uint64_t)keys.first * word;
    sums->second += (uint64_t)keys.second * word;
}

/** The keys of one of a vector's four words. */
CHECK_INLINE check_pair check_keys_in(check_pair vector, uint32_t word) {
    check_pair out = vector;
    if (word == 0) return out;
    out.first = vector.first * CHECK_FIRST_OF(word) + vector.second;
    out.second = vector.second * CHECK_SECOND_OF(word) + vector.first;
    return out;
}

/** Adds a place that something is at. A word of zeros adds nothing at any place, and this does. */
CHECK_INLINE void check_add_taken(check_sums *sums, uint64_t place) {
    sums->first += place;
    sums->second += place * place;
}

/** Adds the places below m: m (m - 1) / 2, and m (m - 1) (2m - 1) / 6, of which 2 and 3 each divide a factor. */
CHECK_INLINE void check_add_below(check_sums *sums, uint64_t m) {
    if (m == 0) return;
    uint64_t even = m % 2 == 0 ? m / 2 : m, other = m % 2 == 0 ? m - 1 : (m - 1) / 2, odd = 2 * m - 1;
    sums->first += even * other;
    if (even % 3 == 0)
        even /= 3;
    else if (other % 3 == 0)
        other /= 3;
    else
        odd /= 3;
    sums->second += even * other * odd;
}

/** Adds the places from first to end - 1. */
CHECK_INLINE void check_add_range(check_sums *sums, uint64_t first, uint64_t end) {
    check_sums before = {0, 0};
    check_add_below(&before, first);
    check_add_below(sums, end);
    sums->first -= before.first;
    sums->second -= before.second;
}

/* --------------------------------------------------------------------------- codes anywhere */

/** Adds a code. */
CHECK_INLINE void check_add_code(check_sums *sums, uint64_t code) {
    const uint32_t low = (uint32_t)code, high = (uint32_t)(code >> 32);
    const uint64_t mixed =
        CHECK_CODE_BEGIN + (uint64_t)low * CHECK_CODE_LOWER + (uint64_t)high * CHECK_CODE_UPPER;
    const uint32_t folded = (uint32_t)mixed ^ (uint32_t)(mixed >> 32),
                   other = low * CHECK_FIRST + high + CHECK_SECOND;
    sums->first += (uint64_t)folded * other;
    sums->second += code;
}

/** So many times the sums. */
CHECK_INLINE check_sums check_times(check_sums sums, uint64_t times) {
    const check_sums out = {sums.first * times, sums.second * times};
    return out;
}

/* --------------------------------------------------------------------------- elements anywhere */

CHECK_INLINE check_pair check_element_begin(uint64_t segment) {
    return check_mix((uint32_t)segment, (uint32_t)(segment >> 32) + 1);
}

CHECK_INLINE void check_element_take(check_pair *number, uint64_t words) {
    *number = check_mix(number->first ^ (uint32_t)words, number->second ^ (uint32_t)(words >> 32));
}

CHECK_INLINE void check_element_end(check_sums *sums, check_pair number) {
    sums->first += (uint64_t)number.second << 32 | number.first;
}

#endif
