/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of a row one by one, and what is wrong with a place of a result; for the host and for a GPU alike. A number
 * begins as one of 64 bits; a type takes the first of these, floats as parts of 1. Peers make the same (sort_numbers.py).
 */
#ifndef RIFFLE_BENCH_SUITES_SORTS_NUMBER_H
#define RIFFLE_BENCH_SUITES_SORTS_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "bench/word.h"
#include "riffle/program.h"

/** Elements of so many bytes are rows of three integers of type i64, of which the first two have few values. */
enum { BENCH_SORT_ROW_BYTES = 24 };

typedef enum bench_order {
    BENCH_UNIFORM,
    BENCH_SORTED,
    BENCH_REVERSED,
    BENCH_FEW,
    BENCH_EQUAL,
    BENCH_ZIPF,
    BENCH_NEARLY,
    BENCH_STAGGERED,
    BENCH_ALTERNATING,
    BENCH_HALVES,
    BENCH_CLUSTERS,
    BENCH_STREAMS,
    BENCH_ORDERS,
} bench_order;

/** The numbers of a row. */
typedef struct bench_numbers {
    bench_order order;
    riffle_type type;
    uint64_t n, all; /**< numbers of a segment as they are made, and of all segments */
    uint64_t length; /**< numbers of a segment as they are to come out: of streams all */
    uint64_t elem_bytes, index_bytes;
    uint64_t count; /**< the first so many of each segment are asked for; 0: all, sorted */
    bool parts;     /**< each segment is parted around the one in its middle */
} bench_numbers;

/* Sixteen stretches, the odd ones from the middle on. */
BENCH_FUNCTION uint64_t bench_staggered(uint64_t k, uint64_t n) {
    const uint64_t stretch = n / 16 + 1, which = k / stretch;
    return (which % 2 == 0 ? which / 2 : 8 + which / 2) * (UINT64_MAX / 17) + bench_hash(k) / 17;
}

/* k's bits from the last to the first, as many as numbers below n have, at the upper end. */
BENCH_FUNCTION uint64_t bench_reversed_bits(uint64_t k, uint64_t n) {
    uint64_t out = 0;
    unsigned b = 0;
    for (; n > 1 && (n - 1) >> b != 0; ++b) out |= (k >> b & 1) << (63 - b);
    return out;
}

/* The lower and the upper half of all numbers, each with most of its numbers near its start. */
BENCH_FUNCTION uint64_t bench_halves(uint64_t k) {
    const uint64_t half = (uint64_t)1 << 63, number = bench_hash(k);
    return (number & half) | (number & (half - 1)) >> (bench_hash(~k) & 31);
}

/* Stretches of 2^28 numbers, 37 of them, as far from each other as there is room. */
BENCH_FUNCTION uint64_t bench_clusters(uint64_t k) {
    return ((bench_hash(k) >> 32) * 37 >> 32) * (UINT64_MAX / 37) + (bench_hash(~k) >> 36);
}

/** Number i of all segments. */
BENCH_FUNCTION uint64_t bench_number(const bench_numbers *of, uint64_t i) {
    const uint64_t n = of->n, k = i % n, step = UINT64_MAX / n;
    switch (of->order) {
    case BENCH_SORTED: return k * step;
    case BENCH_REVERSED: return (n - 1 - k) * step;
    case BENCH_FEW: return bench_hash(k) >> 60 << 60;
    case BENCH_EQUAL: return (uint64_t)1 << 62;
    case BENCH_ZIPF: /* number r as often as 1 / r, by inversion: r = n^u */
        return (uint64_t)pow((double)n, (double)(bench_hash(k) >> 11) * 0x1p-53) * (UINT64_MAX / (n + 1));
    case BENCH_NEARLY: return bench_hash(k) % 64 == 0 ? bench_hash(~k) : k * step;
    case BENCH_STAGGERED: return bench_staggered(k, n);
    case BENCH_ALTERNATING: return bench_reversed_bits(k, n);
    case BENCH_HALVES: return bench_halves(k);
    case BENCH_CLUSTERS: return bench_clusters(k);
    case BENCH_STREAMS: return k * step + bench_hash(i) % step; /* sorted, a number a step, anywhere in it */
    default: return bench_hash(i);
    }
}

/* The half of a number of 11 bits as a part of 1: exact. */
BENCH_FUNCTION uint16_t bench_half_of(uint64_t part) {
    unsigned top = 10;
    if (part == 0) return 0;
    while (part >> top == 0) --top;
    return (uint16_t)((top + 4) << 10 | (part << (10 - top) & 0x3ff));
}

/* Integers of `bytes` bytes; those with a sign are in the order of the bits that they are made of. */
BENCH_FUNCTION void bench_write_integer(bool is_signed, size_t bytes, uint64_t number, char *to) {
    const uint64_t bits = (is_signed ? number ^ (uint64_t)1 << 63 : number) >> (64 - 8 * bytes);
    memcpy(to, &bits, bytes);
}

/** Writes it as an element: the lower half of 16 bytes tells numbers apart that are close, and the first two fields of a row have
 *  1024 values each. */
BENCH_FUNCTION void bench_write_number(const bench_numbers *of, uint64_t number, char *to) {
    const uint64_t halves[2] = {bench_hash(number), number};
    const uint64_t fields[3] = {number >> 54, bench_hash(number) >> 54, bench_hash(~number)};
    const uint16_t half = bench_half_of(number >> 53);
    const float single = (float)(number >> 40) * 0x1p-24F;
    const double real = (double)(number >> 11) * 0x1p-53;
    if (of->elem_bytes == sizeof halves)
        memcpy(to, halves, sizeof halves);
    else if (of->elem_bytes == BENCH_SORT_ROW_BYTES)
        memcpy(to, fields, sizeof fields);
    else if (of->type == RIFFLE_TYPE_F16)
        memcpy(to, &half, sizeof half);
    else if (of->type == RIFFLE_TYPE_F32)
        memcpy(to, &single, sizeof single);
    else if (of->type == RIFFLE_TYPE_F64)
        memcpy(to, &real, sizeof real);
    else
        bench_write_integer(of->type <= RIFFLE_TYPE_I64, of->elem_bytes, number, to);
}

typedef unsigned __int128 bench_code;

/** A number that orders elements as they are written. */
BENCH_FUNCTION bench_code bench_code_at(const bench_numbers *of, const void *elements, uint64_t i) {
    const char *const from = (const char *)elements + i * of->elem_bytes;
    uint64_t fields[3];
    bench_code code = 0;
    if (of->elem_bytes == BENCH_SORT_ROW_BYTES) {
        memcpy(fields, from, sizeof fields);
        return (bench_code)(fields[0] << 10 | fields[1]) << 64 | (fields[2] ^ (uint64_t)1 << 63);
    }
    memcpy(&code, from, of->elem_bytes);
    return of->type <= RIFFLE_TYPE_I64 ? code ^ (bench_code)1 << (8 * of->elem_bytes - 1) : code;
}

/** The finding at a place of a result. `wrong` is 1 if the place is wrong. `sum` is a part of a sum over all places, which is 0 if
 *  the result has the elements that it should have and no others. */
typedef struct bench_look {
    uint64_t wrong, sum;
} bench_look;

/* The hash of an element and its segment: elements of 16 bytes are a number and its hash, so the two must not cancel out. */
BENCH_FUNCTION uint64_t bench_hash_code(bench_code code, uint64_t segment) {
    return bench_hash((uint64_t)code ^
                      bench_hash((uint64_t)(code >> 64) + (segment + 1) * 0xff51afd7ed558ccdu));
}

/* The pivot's place of the segment that begins with element `first`. */
BENCH_FUNCTION uint64_t bench_pivot_of(const bench_numbers *of, uint64_t first) { return first + of->n / 2; }

/* True if place i has what belongs on the other side of the pivot. */
BENCH_FUNCTION bool bench_is_parted_wrong(uint64_t i, uint64_t pivot, bench_code code, bench_code of_pivot) {
    return i < pivot ? code > of_pivot : code < of_pivot;
}

/** Looks at place i of `found`, sorted elements: it is wrong if less than the one before it; parted ones if on the wrong side. */
BENCH_FUNCTION bench_look bench_look_at_number(const bench_numbers *of, const void *numbers, const void *found,
                                               uint64_t i) {
    const uint64_t segment = i / of->length;
    const bench_code code = bench_code_at(of, found, i);
    const bool is_first = i % of->length == 0;
    bench_look look;
    const uint64_t pivot = bench_pivot_of(of, i - i % of->length);
    if (of->parts)
        look.wrong = bench_is_parted_wrong(i, pivot, code, bench_code_at(of, found, pivot));
    else
        look.wrong = !is_first && code < bench_code_at(of, found, i - 1);
    look.sum = bench_hash_code(code, segment) - bench_hash_code(bench_code_at(of, numbers, i), segment);
    return look;
}

BENCH_FUNCTION uint64_t bench_index_at(const bench_numbers *of, const void *indices, uint64_t i) {
    uint64_t index = 0;
    memcpy(&index, (const char *)indices + i * of->index_bytes, of->index_bytes);
    return index;
}

/* The same of indices, for which equal elements are in the order that they came in, and each side of the pivot is, too. */
BENCH_FUNCTION bool bench_is_index_parted_wrong(const bench_numbers *of, const void *numbers, const void *found,
                                                uint64_t i) {
    const uint64_t pivot = bench_pivot_of(of, i - i % of->length), at = bench_index_at(of, found, pivot),
                   index = bench_index_at(of, found, i);
    bench_code code, of_pivot;
    if (i == pivot || at / of->length != i / of->length) return i != pivot;
    code = bench_code_at(of, numbers, index);
    of_pivot = bench_code_at(of, numbers, at);
    if (code == of_pivot && (i < pivot) != (index < at)) return true;
    if (bench_is_parted_wrong(i, pivot, code, of_pivot)) return true;
    return i % of->length > 0 && i != pivot + 1 && index <= bench_index_at(of, found, i - 1);
}

/** Looks at place i of `found`, indices: it is wrong if it names an element outside of its segment, or one that does not come
 *  after that of the place before; parted ones if on the wrong side, or before one that it came after. */
BENCH_FUNCTION bench_look bench_look_at_index(const bench_numbers *of, const void *numbers, const void *found,
                                              uint64_t i) {
    const uint64_t first = i - i % of->length;
    const uint64_t index = bench_index_at(of, found, i);
    const uint64_t last = bench_index_at(of, found, i > first ? i - 1 : i);
    bench_look look;
    look.sum = bench_hash(index) - bench_hash(i);
    look.wrong = index - first >= of->length || last - first >= of->length;
    if (look.wrong == 0 && of->parts) {
        look.wrong = bench_is_index_parted_wrong(of, numbers, found, i);
    } else if (look.wrong == 0 && i > first) {
        const bench_code code = bench_code_at(of, numbers, index), before = bench_code_at(of, numbers, last);
        look.wrong = code < before || (code == before && index <= last);
    }
    return look;
}

#endif
