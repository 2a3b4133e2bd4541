/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of every type, read one at a time as what the predicates take: int64 and uint64 as hull_i64, all others, which double
 * holds as they are, as hull_f64.
 */
#ifndef RIFFLE_HULL_POINTS_H
#define RIFFLE_HULL_POINTS_H

#include <stddef.h>

#include "hull/predicates.h"
#include "riffle/hull.h"

/** Points as they lie in memory. */
typedef struct hull_points {
    riffle_type type;
    const void *data;
    uint64_t n;
} hull_points;

/** Types that have hulls: integers, f32 and f64. */
bool hull_has_type(riffle_type type);

/** True for int64 and uint64. */
static inline bool hull_is_i64(riffle_type type) { return type == RIFFLE_TYPE_I64 || type == RIFFLE_TYPE_U64; }

#define HULL_PAIR(coordinate)                                                                                  \
    {                                                                                                          \
        const coordinate *const at = (const coordinate *)points->data + 2 * i;                                 \
        return (hull_f64){(double)at[0], (double)at[1]};                                                       \
    }

/** Point i, of all types but the two. */
static inline hull_f64 hull_f64_at(const hull_points *points, uint64_t i) {
    switch (points->type) {
    case RIFFLE_TYPE_I8: HULL_PAIR(int8_t)
    case RIFFLE_TYPE_I16: HULL_PAIR(int16_t)
    case RIFFLE_TYPE_I32: HULL_PAIR(int32_t)
    case RIFFLE_TYPE_U8: HULL_PAIR(uint8_t)
    case RIFFLE_TYPE_U16: HULL_PAIR(uint16_t)
    case RIFFLE_TYPE_U32: HULL_PAIR(uint32_t)
    case RIFFLE_TYPE_F32: HULL_PAIR(float)
    default: HULL_PAIR(double)
    }
}

#undef HULL_PAIR

/** Point i of int64 or uint64. */
static inline hull_i64 hull_i64_at(const hull_points *points, uint64_t i) {
    const uint64_t *const at = (const uint64_t *)points->data + 2 * i;
    if (points->type == RIFFLE_TYPE_I64) return (hull_i64){(int64_t)at[0], (int64_t)at[1]};
    return (hull_i64){hull_centred(at[0]), hull_centred(at[1])};
}

/** The first point of first .. end - 1 that is not finite, or `end`. */
uint64_t hull_first_not_finite(const hull_points *points, uint64_t first, uint64_t end);

/** Refuses point i, which is not finite, with its coordinates. */
riffle_status hull_refuse(const hull_points *points, uint64_t i);

/** The same of a point whose coordinates are known. */
riffle_status hull_refuse_pair(uint64_t i, hull_f64 point);

#endif
