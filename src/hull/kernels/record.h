/* SPDX-License-Identifier: Apache-2.0
 *
 * A point and its index, as kernels of hulls move them. Coordinates of ten types are of three kinds: float holds integers of
 * up to 2 bytes as they are, double those of 4, and int64 those of 8 (hull/predicates.h). All decisions are exact.
 */
#ifndef RIFFLE_HULL_KERNELS_RECORD_H
#define RIFFLE_HULL_KERNELS_RECORD_H

#include <stddef.h>

#include "device/kernels/device.h"
#include "hull/kernels/bits.h"
#include "hull/kernels/points.h"
#include "hull/predicates.h"

struct ALIGNED(16) hull_record_f32 {
    typedef float number;
    float x, y;
    uint32_t index, spare;
};

struct ALIGNED(8) hull_record_f64 {
    typedef double number;
    double x, y;
    uint32_t index, spare;
};

struct ALIGNED(8) hull_record_i64 {
    typedef int64_t number;
    int64_t x, y;
    uint32_t index, spare;
};

#define HULL_DEVICE static __device__ inline

/* ------------------------------------------------------------- predicates */

HULL_DEVICE hull_f64 hull_place(const hull_record_f32 &a) { return hull_f64{a.x, a.y}; }
HULL_DEVICE hull_f64 hull_place(const hull_record_f64 &a) { return hull_f64{a.x, a.y}; }
HULL_DEVICE hull_i64 hull_place(const hull_record_i64 &a) { return hull_i64{a.x, a.y}; }

HULL_DEVICE int hull_cross_places(hull_f64 a, hull_f64 b, hull_f64 c, hull_f64 d) {
    return hull_cross_f64(a, b, c, d);
}
HULL_DEVICE int hull_cross_places(hull_i64 a, hull_i64 b, hull_i64 c, hull_i64 d) {
    return hull_cross_i64(a, b, c, d);
}

/* The sign of (b - a) x (d - c). */
template <class record>
HULL_DEVICE int hull_cross(const record &a, const record &b, const record &c, const record &d) {
    return hull_cross_places(hull_place(a), hull_place(b), hull_place(c), hull_place(d));
}

/* 1 if c is to the left of the line from a to b. */
template <class record> HULL_DEVICE int hull_side(const record &a, const record &b, const record &c) {
    return hull_cross(a, b, a, c);
}

/* About (b - a) x (c - a). */
template <class record> HULL_DEVICE double hull_height(const record &a, const record &b, const record &c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
}

template <class record> HULL_DEVICE bool hull_same_place(const record &a, const record &b) {
    return a.x == b.x && a.y == b.y;
}

/* Lexicographic, of equal places the least index first: no two points of a set are equal. */
template <class record> HULL_DEVICE bool hull_before(const record &a, const record &b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.index < b.index;
}

/* True if a is the later in that order, or has the smaller index in the same place. */
template <class record> HULL_DEVICE bool hull_after(const record &a, const record &b) {
    return hull_same_place(a, b) ? a.index < b.index : hull_before(b, a);
}

/* ---------------------------------------------------------------- as words */

template <class record> struct hull_record_words { uint64_t word[sizeof(record) / 8]; };

/* A record that stands in the words of a table that knows no kinds. */
template <class record> HULL_DEVICE record hull_stored(const uint64_t at[HULL_RECORD_WORDS]) {
    hull_record_words<record> words;
    UNROLL
    for (uint32_t k = 0; k < sizeof(record) / 8; ++k) words.word[k] = at[k];
    return hull_bits_as<record>(words);
}

/* Zeros behind a record of fewer words: tables are copied whole, and what is read was written. */
template <class record> HULL_DEVICE void hull_store(uint64_t at[HULL_RECORD_WORDS], const record &own) {
    const hull_record_words<record> words = hull_bits_as<hull_record_words<record>>(own);
    UNROLL
    for (uint32_t k = 0; k < HULL_RECORD_WORDS; ++k) at[k] = k < sizeof(record) / 8 ? words.word[k] : 0;
}

/* ---------------------------------------------------------------- reading */

template <class number> struct ALIGNED(2 * sizeof(number)) hull_pair { number x, y; };

template <class record, class number> HULL_DEVICE record hull_read_as(const void *points, uint32_t k) {
    const hull_pair<number> at = ((const hull_pair<number> *)points)[k];
    return record{(typename record::number)at.x, (typename record::number)at.y, k, 0};
}

HULL_DEVICE void hull_read(hull_record_f32 *out, const void *points, uint32_t coordinate, uint32_t k) {
    switch (coordinate) {
    case HULL_OF_I8: *out = hull_read_as<hull_record_f32, int8_t>(points, k); break;
    case HULL_OF_U8: *out = hull_read_as<hull_record_f32, uint8_t>(points, k); break;
    case HULL_OF_I16: *out = hull_read_as<hull_record_f32, int16_t>(points, k); break;
    case HULL_OF_U16: *out = hull_read_as<hull_record_f32, uint16_t>(points, k); break;
    default: *out = hull_read_as<hull_record_f32, float>(points, k); break;
    }
}

HULL_DEVICE void hull_read(hull_record_f64 *out, const void *points, uint32_t coordinate, uint32_t k) {
    switch (coordinate) {
    case HULL_OF_I32: *out = hull_read_as<hull_record_f64, int32_t>(points, k); break;
    case HULL_OF_U32: *out = hull_read_as<hull_record_f64, uint32_t>(points, k); break;
    default: *out = hull_read_as<hull_record_f64, double>(points, k); break;
    }
}

HULL_DEVICE void hull_read(hull_record_i64 *out, const void *points, uint32_t coordinate, uint32_t k) {
    const hull_pair<uint64_t> at = ((const hull_pair<uint64_t> *)points)[k];
    const uint64_t top = coordinate == HULL_OF_U64 ? UINT64_C(1) << 63 : 0; /* as hull_centred */
    *out = hull_record_i64{(int64_t)(at.x ^ top), (int64_t)(at.y ^ top), k, 0};
}

HULL_DEVICE uint32_t hull_candidates(const hull_source *from) {
    return from->count != NULL ? *from->count : from->most;
}

/* A source, as it is known on the device. */
typedef struct hull_given {
    const void *points;
    const uint32_t *candidates; /* NULL: points first .. first + count - 1 */
    uint32_t first, count, coordinate;
} hull_given;

HULL_DEVICE hull_given hull_given_by(const hull_source *from) {
    const uint32_t first = from->first != NULL ? *from->first : HULL_LISTED;
    const bool is_listed = from->candidates != NULL && first == HULL_LISTED;
    return hull_given{from->points, is_listed ? from->candidates : NULL, first == HULL_LISTED ? 0 : first,
                      hull_candidates(from), from->coordinate};
}

/* Candidate k. */
template <class record> HULL_DEVICE record hull_candidate(const hull_given &from, uint32_t k) {
    record out;
    hull_read(&out, from.points, from.coordinate,
              from.candidates != NULL ? from.candidates[k] : from.first + k);
    return out;
}

#endif
