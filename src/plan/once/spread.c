/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/once/spread.h"

enum { TILE_BYTES = 1 << 18, LEAST_TILE_BITS = 13, MOST_TILE_BITS = 16 };

static size_t whole_lines(size_t bytes) {
    return (bytes + SPREAD_LINE_BYTES - 1) / SPREAD_LINE_BYTES * SPREAD_LINE_BYTES;
}

/* As long as the second-level cache likes, and as the low bits of records have room for. */
static unsigned tile_bits_for(size_t elem_bytes) {
    unsigned bits = LEAST_TILE_BITS;
    while (((size_t)2 << bits) * elem_bytes <= TILE_BYTES) bits++;
    return bits < MOST_TILE_BITS ? bits : MOST_TILE_BITS;
}

spread_schedule spread_cut(uint64_t n, size_t elem_bytes, unsigned members) {
    const unsigned bits = tile_bits_for(elem_bytes);
    const uint64_t tiles = (n + ((uint64_t)1 << bits) - 1) >> bits;
    return (spread_schedule){.n = n,
                             .elem_bytes = (uint16_t)elem_bytes,
                             .tile_bits = bits,
                             .tiles = (uint32_t)tiles,
                             .members = members};
}

/* A member's chunks are whole but for the last one of each tile. */
uint64_t spread_first_chunk(const spread_schedule *s, unsigned member, uint64_t first) {
    const uint64_t records = SPREAD_CHUNK_BYTES / SPREAD_LINE_BYTES * spread_line(s->elem_bytes);
    return first / records + (uint64_t)member * (s->tiles + 1);
}

bool spread_is_countable(const spread_schedule *s) {
    return s->tiles <= SPREAD_MOST_TILES &&
           spread_first_chunk(s, s->members, s->n) < UINT32_MAX / SPREAD_CHUNK_PLACES;
}

spread_layout spread_workspace(const spread_schedule *s) {
    const size_t chunks = (size_t)spread_first_chunk(s, s->members, s->n);
    spread_layout at = {.records = 0};
    at.before = chunks * SPREAD_CHUNK_BYTES;
    at.count = at.before + whole_lines(chunks * sizeof(uint32_t));
    at.next = at.count + SPREAD_LINE_BYTES;
    at.bytes = at.next + s->members * whole_lines(s->tiles * sizeof(uint32_t));
    return at;
}

size_t spread_staging_bytes(const spread_schedule *s) {
    const size_t lines = (size_t)s->tiles * SPREAD_LINE_BYTES, tile = (size_t)s->elem_bytes << s->tile_bits;
    return whole_lines(lines > tile ? lines : tile);
}

double spread_traffic(size_t elem_bytes) {
    return 2 * ((double)elem_bytes + (double)SPREAD_LINE_BYTES / spread_line(elem_bytes));
}
