/* SPDX-License-Identifier: Apache-2.0
 *
 * The points that kernels of hulls read, for C too: numbers and addresses only.
 */
#ifndef RIFFLE_HULL_KERNELS_POINTS_H
#define RIFFLE_HULL_KERNELS_POINTS_H

#include <stdint.h>

enum {
    HULL_OF_F32,
    HULL_OF_I8,
    HULL_OF_U8,
    HULL_OF_I16,
    HULL_OF_U16,
    HULL_OF_F64,
    HULL_OF_I32,
    HULL_OF_U32,
    HULL_OF_I64,
    HULL_OF_U64,
};

/** Kinds of record (record.h). */
enum { HULL_RECORD_F32, HULL_RECORD_F64, HULL_RECORD_I64, HULL_RECORDS };

enum {
    HULL_RECORD_BYTES = 24,
    HULL_RECORD_WORDS = HULL_RECORD_BYTES / 8
}; /**< the longest record; one of floats has 16 bytes */

#define HULL_LISTED 0xffffffffu

typedef struct hull_source {
    const void *points;
    const uint32_t *candidates; /**< NULL: all points */
    const uint32_t *count;      /**< NULL: `most` */
    const uint32_t *
        first; /**< where it is not HULL_LISTED: points *first, *first + 1, ... instead of candidates; NULL: it is */
    uint32_t most;
    uint32_t coordinate; /**< HULL_OF_... */
} hull_source;

static inline uint32_t hull_record_kind(uint32_t coordinate) {
    return coordinate <= HULL_OF_U16   ? HULL_RECORD_F32
           : coordinate <= HULL_OF_U32 ? HULL_RECORD_F64
                                       : HULL_RECORD_I64;
}

static inline uint32_t hull_record_bytes(uint32_t kind) {
    return kind == HULL_RECORD_F32 ? 16 : HULL_RECORD_BYTES;
}

#endif
