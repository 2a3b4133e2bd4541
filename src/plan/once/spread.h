/* SPDX-License-Identifier: Apache-2.0
 *
 * A permutation used once on the host: nothing is planned. Images are computed, or read, as elements come, in two passes with the
 * workspace between:
 *
 *     src         |0 1 2 3 4 ...             each thread has a stretch of it, in order
 *                   \  each element, and the low bits of its image, as a record to the tile of dst that it belongs to
 *     workspace   | chunk | chunk | ...      each of one tile, in the order in which a thread has filled them
 *                  /  a tile at a time, in the second-level cache
 *     dst         | tile 0 | tile 1 | ...
 *
 * A thread has a line for each tile in its staging, and streams it out when its records fill it. Chunks are of the thread's own
 * part of the workspace, so threads share nothing that they write; each knows the one before it of the same tile and thread.
 *
 * Bytes of memory an element of E bytes, with R of them for each record: E + R | R + E.
 */
#ifndef RIFFLE_PLAN_ONCE_SPREAD_H
#define RIFFLE_PLAN_ONCE_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle.h"

enum {
    SPREAD_LINE_BYTES = 64,
    SPREAD_CHUNK_BYTES = 4096,
    SPREAD_LINE_PLACES = 32, /* numbers of places in a line, of which its records have the first ones */
    SPREAD_CHUNK_PLACES = SPREAD_CHUNK_BYTES / SPREAD_LINE_BYTES * SPREAD_LINE_PLACES,
    SPREAD_MOST_TILES = 1 << 13, /* lines of more would be too many for the cache */
    SPREAD_LONGEST_ELEMENT = 16,
};

/** The schedule of both passes. */
typedef struct spread_schedule {
    riffle_perm *map; /**< the first pass's own; NULL in the second */
    uint64_t n;
    uint16_t elem_bytes; /**< so narrow that a record's bytes cannot wrap to 0, which compilers see */
    unsigned tile_bits;  /**< bits of an index within its tile */
    uint32_t tiles;
    unsigned members; /**< threads that there may be */
} spread_schedule;

/** The schedule without its map, of elements of at most SPREAD_LONGEST_ELEMENT bytes. */
spread_schedule spread_cut(uint64_t n, size_t elem_bytes, unsigned members);

/** Bytes of a record: an element, and behind it the low bits of its image. Lines have whole records, and what is left stays empty. */
static inline size_t spread_record_bytes(size_t elem_bytes) { return elem_bytes + sizeof(uint16_t); }

/** Records of a line. */
static inline uint32_t spread_line(size_t elem_bytes) {
    return (uint32_t)(SPREAD_LINE_BYTES / spread_record_bytes(elem_bytes));
}

/** Where arrays begin in the workspace, in bytes: the chunks, the chunk before each, how many threads there were, and of each
 *  and each tile where its next record goes. */
typedef struct spread_layout {
    size_t records, before, count, next, bytes;
} spread_layout;

spread_layout spread_workspace(const spread_schedule *s);

/** The first chunk of a member whose stretch of src begins at `first`. */
uint64_t spread_first_chunk(const spread_schedule *s, unsigned member, uint64_t first);

/** True if lines for all tiles stay in the cache, and 32 bits number all places. */
bool spread_is_countable(const spread_schedule *s);

/** Bytes of a member's staging: a line for each tile, or a tile. */
size_t spread_staging_bytes(const spread_schedule *s);

/** Bytes of memory an element. */
double spread_traffic(size_t elem_bytes);

#endif
