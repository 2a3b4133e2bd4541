/* SPDX-License-Identifier: Apache-2.0
 *
 * A layout made ready: it numbers the elements of an array as they are stored, rank after rank. Storage index s is of the rank whose part
 * has it, at s - layout_first(rank).
 *
 *     BLOCKS    s = i
 *     AXIS      (outer, along, inner) of the array -> rank = along / part, and the rank's own (outer, along % part, inner)
 *     OWNERS    chunks in order of their owners
 */
#ifndef RIFFLE_EXCHANGE_LAYOUT_H
#define RIFFLE_EXCHANGE_LAYOUT_H

#include "riffle/exchange.h"

typedef struct layout {
    riffle_exchange_layout_kind kind;
    uint64_t n;
    unsigned ranks;
    uint64_t block;                     /* BLOCKS, AXIS: elements of every part but the last ones, at least 1 */
    uint64_t outer, along, inner, part; /* AXIS */
    uint64_t chunk, chunks;             /* OWNERS: elements of every chunk but the last, at least 1 */
    uint64_t *start;                    /* OWNERS: of each chunk, its first storage index */
    uint64_t *bound;                    /* OWNERS: of each rank, its first storage index; one more at the end */
    uint64_t *order;                    /* OWNERS: the chunks by storage */
    uint64_t reciprocal; /* BLOCKS, AXIS: i / block = (i + 1) * reciprocal >> (64 + shift) for every index i */
    unsigned shift;
    uint64_t *turn; /* OWNERS: of each rank, how many chunks stand before its own; one more at the end */
} layout;

/** The layout of an array of n elements; `name` is its name in messages. Free it with layout_free, failed or not. */
riffle_status layout_create(const char *name, const riffle_exchange_layout *asked, uint64_t n, unsigned ranks,
                            layout *out);
void layout_free(layout *l);

/** The first storage index of a rank, for p <= ranks. */
uint64_t layout_first(const layout *l, unsigned p);

/** The elements of the longest part. */
uint64_t layout_longest(const layout *l);

/** A rank, and a place in its part, as one word. */
static inline unsigned located_rank(uint64_t at) { return (unsigned)(at >> RIFFLE_MAX_BITS); }
static inline uint64_t located_place(uint64_t at) { return at & (RIFFLE_MAX_LENGTH - 1); }

/** values[k], storage indices, become the ranks that have them and the places there. */
void layout_locate(const layout *l, size_t count, uint64_t *values);

/** values[k], indices of the array, become storage indices. */
void layout_store(const layout *l, size_t count, uint64_t *values);

/** out[k] = the index of the array that is stored at first + k; all are of rank p. */
void layout_indices(const layout *l, unsigned p, uint64_t first, size_t count, uint64_t *out);

/** The permutation that a layout of equal parts is, of which the parts are blocks; *out = NULL where they are not equal. */
riffle_status layout_as_perm(const layout *l, riffle_perm **out);

#endif
