/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans of a tile's vectors, and of places in memory: a search asks for thousands of them. Unlike a gf2_span they do
 * not know what they were made from.
 */
#ifndef RIFFLE_PROGRAM_FUSED_TILE_SPAN_H
#define RIFFLE_PROGRAM_FUSED_TILE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "program/fused/layout.h"

/** Empty where count is 0. No row has the leading bit of one before it. */
typedef struct tile_span {
    unsigned count;
    uint64_t row[LAYOUT_TILE_BITS + 1];
} tile_span;

/** The part of v outside the span: 0 if v lies inside. */
static inline uint64_t tile_span_rest(const tile_span *s, uint64_t v) {
    for (unsigned k = 0; k < s->count; k++)
        if ((v ^ s->row[k]) < v) v ^= s->row[k];
    return v;
}

/** Adds v; false if it was inside already. A span has at most as many dimensions as a tile. */
static inline bool tile_span_add(tile_span *s, uint64_t v) {
    const uint64_t rest = tile_span_rest(s, v);
    if (rest != 0) s->row[s->count++] = rest;
    return rest != 0;
}

#endif
