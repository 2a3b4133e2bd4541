/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys as what machines compare fast: unsigned numbers. A field of w bits has a CODE of w bits; a comes before b where its
 * code is less. The codes of all fields, one behind the other, the first most significant, are the key as one number
 * (sort/key_pieces.h has it in parts of up to 64 bits).
 *
 * A float has M = 2 (bits of infinity + 1) codes that are numbers, 0 to M - 1, from -infinity up; NaNs have those from M
 * on. Descending, code e becomes M - 1 - e, modulo 2^w: numbers turn round, and NaNs stay behind them. Integers have
 * M = 2^w, which is 0. So codes are a bijection: of an element that is nothing but a number they are sorted in its place and
 * turned back. Where the order of equals can be seen, codes are MERGED first: -0.0 gets that of 0.0, every NaN M.
 *
 * For C and for kernels.
 */
#ifndef RIFFLE_SORT_KEY_H
#define RIFFLE_SORT_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "riffle/sort.h"

#ifdef __CUDACC__
#define SORT_FUNCTION static __host__ __device__ constexpr inline
#elif defined __cplusplus
#define SORT_FUNCTION static constexpr inline
#else
#define SORT_FUNCTION static inline
#endif

/** A field: numbers only, so that kernels take it by value. */
typedef struct sort_field {
    uint32_t offset;
    uint8_t kind, bytes, descending, unused;
} sort_field;

/** A key by its fields. */
typedef struct sort_layout {
    uint32_t elem_bytes, fields, key_bytes; /**< key_bytes: of all fields */
    sort_field field[RIFFLE_SORT_MAX_FIELDS];
} sort_layout;

/** Checks a key and makes its layout. A comparison of the user's changes nothing of it. */
riffle_status sort_layout_make(const riffle_sort_key *key, sort_layout *out);

/** True if the element is nothing but its one field, a number. */
bool sort_layout_is_number(const sort_layout *layout);

/* ------------------------------------------------------------------- codes */

/** All bits of a field of up to 8 bytes. */
SORT_FUNCTION uint64_t sort_mask(unsigned bytes) { return ~(uint64_t)0 >> (64 - 8 * bytes); }

/** The bits of infinity. */
SORT_FUNCTION uint64_t sort_infinity(unsigned bytes) {
    return bytes == 2 ? 0x7c00U : bytes == 4 ? 0x7f800000U : (uint64_t)0x7ff << 52;
}

/** M, as the masked number that it is: 0 for integers. */
SORT_FUNCTION uint64_t sort_numbers(unsigned kind, unsigned bytes) {
    return kind == RIFFLE_SORT_KEY_FLOAT ? 2 * (sort_infinity(bytes) + 1) : 0;
}

/** The code of a number of up to 8 bytes, ascending, from its bits. */
SORT_FUNCTION uint64_t sort_code_up(unsigned kind, unsigned bytes, uint64_t bits) {
    const uint64_t mask = sort_mask(bytes), top = mask / 2 + 1;
    if (kind == RIFFLE_SORT_KEY_UNSIGNED) return bits;
    if (kind == RIFFLE_SORT_KEY_SIGNED) return bits ^ top;
    return ((bits & top ? bits ^ mask : bits ^ top) - (top - 1 - sort_infinity(bytes))) & mask;
}

/** Code e of a field that descends from one that ascends, and the other way. */
SORT_FUNCTION uint64_t sort_code_turned(unsigned kind, unsigned bytes, uint64_t e) {
    return (sort_numbers(kind, bytes) - 1 - e) & sort_mask(bytes);
}

/** The code that all that compare equal have, from that of one of them, ascending. */
SORT_FUNCTION uint64_t sort_code_merged(unsigned kind, unsigned bytes, uint64_t e) {
    const uint64_t numbers = sort_numbers(kind, bytes);
    if (kind != RIFFLE_SORT_KEY_FLOAT) return e;
    if (e == numbers / 2 - 1) return e + 1;
    return e > numbers ? numbers : e;
}

/** The number's bits from its code, ascending. */
SORT_FUNCTION uint64_t sort_code_back(unsigned kind, unsigned bytes, uint64_t e) {
    const uint64_t mask = sort_mask(bytes), top = mask / 2 + 1;
    if (kind == RIFFLE_SORT_KEY_UNSIGNED) return e;
    if (kind == RIFFLE_SORT_KEY_SIGNED) return e ^ top;
    const uint64_t up = (e + (top - 1 - sort_infinity(bytes))) & mask;
    return up & top ? up ^ top : up ^ mask;
}

/** The code of a number's bits, as an element that is nothing else is sorted by. */
SORT_FUNCTION uint64_t sort_code_of(const sort_field *field, uint64_t bits) {
    const uint64_t e = sort_code_up(field->kind, field->bytes, bits);
    return field->descending ? sort_code_turned(field->kind, field->bytes, e) : e;
}

/** And back. */
SORT_FUNCTION uint64_t sort_bits_of(const sort_field *field, uint64_t e) {
    const uint64_t up = field->descending ? sort_code_turned(field->kind, field->bytes, e) : e;
    return sort_code_back(field->kind, field->bytes, up);
}

/* ------------------------------------------------------------------ strings */

/** Up to 8 bytes, the first most significant. */
SORT_FUNCTION uint64_t sort_read_big(const unsigned char *from, unsigned bytes) {
    uint64_t bits = 0;
    for (unsigned k = 0; k < bytes; k++) bits = bits << 8 | from[k];
    return bits;
}

#endif
