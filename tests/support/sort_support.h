/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of every kind and elements that are hard to sort, and what the definition makes of them: for tests on the host, on the
 * machine and on a GPU.
 */
#ifndef RIFFLE_TESTS_SORT_SUPPORT_H
#define RIFFLE_TESTS_SORT_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "random_numbers.h"
#include "sort/definition.h"

/** How the numbers of a key lie. */
typedef enum sort_shape {
    SORT_SHAPE_UNIFORM = 0, /**< all bits random: NaNs and infinities among floats */
    SORT_SHAPE_SORTED,
    SORT_SHAPE_REVERSED,
    SORT_SHAPE_FEW,    /**< few distinct */
    SORT_SHAPE_EQUAL,  /**< one value */
    SORT_SHAPE_ZIPF,   /**< value k as often as 1 / k */
    SORT_SHAPE_NEARLY, /**< sorted, but for one in 64 */
    SORT_SHAPE_STAGGERED,
    SORT_SHAPE_ZEROS, /**< 0, -0, infinities, NaNs of all bits, 1 */
    SORT_SHAPES,
} sort_shape;

/** A number of up to 64 bits for place i of n; the numbers of a shape increase with their bits. */
static inline uint64_t sort_shape_number(rng *r, sort_shape shape, uint64_t i, uint64_t n) {
    const uint64_t step = UINT64_MAX / (n + 1);
    switch (shape) {
    case SORT_SHAPE_UNIFORM: return rng_next(r);
    case SORT_SHAPE_SORTED: return i * step;
    case SORT_SHAPE_REVERSED: return (n - i) * step;
    case SORT_SHAPE_FEW: return rng_below(r, 5) << 61;
    case SORT_SHAPE_EQUAL: return (uint64_t)0x5a << 56;
    case SORT_SHAPE_ZIPF: return UINT64_MAX / (1 + rng_below(r, 1 + rng_below(r, 1 + rng_below(r, n + 1))));
    case SORT_SHAPE_NEARLY: return rng_below(r, 64) == 0 ? rng_next(r) : i * step;
    case SORT_SHAPE_STAGGERED: return (i * 2654435761U % (n + 1)) * step;
    default: return rng_next(r);
    }
}

/** Special bits of a float of so many bytes. */
static inline uint64_t sort_special(rng *r, unsigned bytes) {
    const uint64_t infinity = sort_infinity(bytes), top = sort_mask(bytes) / 2 + 1;
    const uint64_t magnitudes[] = {0, 0, 1, infinity - 1, infinity, infinity + 1, top - 1, infinity + top / 8};
    return magnitudes[rng_below(r, 8)] | (rng_below(r, 2) ? top : 0);
}

/** Writes a field of an element: the most significant bits of the number. */
static inline void sort_fill_field(rng *r, const riffle_sort_field *field, sort_shape shape, uint64_t number,
                                   unsigned char *element) {
    unsigned char *const to = element + field->offset;
    const unsigned bytes = (unsigned)field->bytes;
    if (field->kind == RIFFLE_SORT_KEY_BYTES || bytes == 16) {
        for (unsigned k = 0; k < bytes; k++) {
            const unsigned shift = k < 8 ? 56 - 8 * k : 0;
            const unsigned char byte = (unsigned char)(number >> shift);
            to[field->kind == RIFFLE_SORT_KEY_BYTES ? k : bytes - 1 - k] = byte;
        }
        return;
    }
    uint64_t bits = number >> (64 - 8 * bytes);
    if (field->kind != RIFFLE_SORT_KEY_UNSIGNED && shape != SORT_SHAPE_UNIFORM)
        bits = sort_code_back(field->kind, bytes, bits);
    if (field->kind == RIFFLE_SORT_KEY_FLOAT && shape == SORT_SHAPE_ZEROS) bits = sort_special(r, bytes);
    memcpy(to, &bits, bytes);
}

/** Fills n elements; bytes outside of fields are random. */
static inline void sort_fill(rng *r, const riffle_sort_key *key, sort_shape shape, void *elements, uint64_t n) {
    unsigned char *at = elements;
    for (uint64_t i = 0; i < n; i++, at += key->elem_bytes) {
        for (size_t k = 0; k < key->elem_bytes; k++) at[k] = (unsigned char)(rng_next(r) >> 56);
        for (unsigned k = 0; k < key->fields; k++)
            sort_fill_field(r, &key->field[k], shape, sort_shape_number(r, shape, i, n), at);
    }
}

/** A field of any kind and size. */
static inline riffle_sort_field sort_random_field(rng *r) {
    static const unsigned char sizes[][5] = {
        {1, 2, 4, 8, 16}, {1, 2, 4, 8, 16}, {2, 4, 8, 4, 8}, {1, 3, 8, 10, 17}};
    const unsigned kind = (unsigned)rng_below(r, 4);
    return (riffle_sort_field){.kind = (riffle_sort_key_kind)kind,
                               .bytes = sizes[kind][rng_below(r, 5)],
                               .descending = (int)rng_below(r, 2)};
}

/** Elements that are one number or string. */
static inline riffle_sort_key sort_random_number(rng *r) {
    riffle_sort_key key = {.fields = 1, .field = {sort_random_field(r)}};
    key.elem_bytes = key.field[0].bytes;
    return key;
}

/** Elements of several fields, apart from each other, in any order. */
static inline riffle_sort_key sort_random_row(rng *r) {
    riffle_sort_key key = {.fields = 1 + (unsigned)rng_below(r, 5)};
    size_t at = rng_below(r, 4), bytes = 0;
    for (unsigned k = 0; k < key.fields; k++) {
        riffle_sort_field field = sort_random_field(r);
        if (bytes + field.bytes > RIFFLE_SORT_MAX_KEY_BYTES) {
            key.fields = k;
            break;
        }
        bytes += field.bytes;
        field.offset = at;
        at += field.bytes + rng_below(r, 4);
        key.field[k] = field;
    }
    const unsigned other = (unsigned)rng_below(r, key.fields);
    const riffle_sort_field first = key.field[0];
    key.field[0] = key.field[other];
    key.field[other] = first;
    key.elem_bytes = at;
    return key;
}

/** The order of elements first .. end - 1 by the definition, into `order`; `room` has place for as many. */
static inline void sort_expected(const riffle_sort_key *key, bool is_number, const void *elements,
                                 uint64_t first, uint64_t end, uint64_t *order, uint64_t *room) {
    sort_layout layout;
    if (sort_layout_make(key, &layout) != RIFFLE_OK) abort();
    for (uint64_t i = first; i < end; i++) order[i - first] = i;
    sort_definition(is_number ? sort_before_by_number : sort_before_by_fields, &layout, elements,
                    key->elem_bytes, order, room, end - first);
}

static inline int sort_compare_places(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/** Makes of the sorted order of n elements that of a partition at place `count`: those before it and those behind it as they lie. */
static inline void sort_part_order(uint64_t *order, uint64_t n, uint64_t count) {
    const uint64_t middle = count < n ? count : n, behind = middle < n ? middle + 1 : n;
    qsort(order, (size_t)middle, sizeof *order, sort_compare_places);
    qsort(order + behind, (size_t)(n - behind), sizeof *order, sort_compare_places);
}

#endif
