/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of packed elements as all ways of moving them see them.
 */
#ifndef RIFFLE_BITS_PACKED_H
#define RIFFLE_BITS_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bits_packed {
    uint64_t n, batch; /**< elements of an array; arrays side by side */
    unsigned elem_bits;
    bool is_big;
    size_t array_bytes;
} bits_packed;

/** Elements of a byte. */
static inline unsigned bits_of_byte(const bits_packed *p) { return 8 / p->elem_bits; }

/** Bytes of all arrays. */
static inline size_t bits_packed_bytes(const bits_packed *p) { return p->array_bytes * (size_t)p->batch; }

/** Where in its byte element i of fewer than 8 bits begins. */
static inline unsigned bits_place(const bits_packed *p, uint64_t i) {
    const unsigned place = (unsigned)(i * p->elem_bits % 8);
    return p->is_big ? 8 - p->elem_bits - place : place;
}

/** Element i of an array. */
static inline unsigned bits_element(const bits_packed *p, const uint8_t *array, uint64_t i) {
    return (unsigned)array[i * p->elem_bits / 8] >> bits_place(p, i) & ((1U << p->elem_bits) - 1);
}

#endif
