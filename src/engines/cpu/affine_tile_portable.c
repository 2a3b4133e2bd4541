/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile element by element: each line of dst is written in order, its elements read from the lines of
 * src that the tile has in the first-level cache. The source of lane l is one XOR away.
 */
#include <string.h>

#include "engines/cpu/affine_tile.h"
#include "engines/cpu/affine_tile_walk.h"
#include "engines/cpu/element_size.h"

/* source[l]: what dst's lane l adds to x (A^-1 of it, in bytes). */
static void build_sources(const affine_tile_schedule *s, uint64_t source[AFFINE_LINE_BYTES]) {
    for (unsigned q = 0; q < AFFINE_LINE_BYTES; q++) {
        uint64_t from = 0, lane = 0;
        for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) {
            if ((q >> j & 1) == 0) continue;
            from ^= j < s->width ? s->read_line[j] : s->read_lane[j];
            lane ^= s->write_lane[j];
        }
        source[lane] = from;
    }
}

ALWAYS_INLINE void move_range(const affine_tile_schedule *s, char *dst, const char *src, uint64_t first,
                              uint64_t count, unsigned element_bytes) {
    uint64_t source[AFFINE_LINE_BYTES];
    build_sources(s, source);
    affine_tile_walk walk = affine_tile_walk_from(s, first);
    for (uint64_t i = 0; i < count; i++, affine_tile_walk_next(&walk)) {
        for (uint64_t line = 0; line < (uint64_t)1 << s->width; line++) {
            uint64_t x = walk.x, y = walk.y ^ affine_combine(s->write_line, s->width, line);
            for (unsigned j = 0; j < s->width; j++) x ^= (line >> j & 1) != 0 ? s->read_lane[j] : 0;
            const uint64_t lane = y % AFFINE_LINE_BYTES;
            x ^= source[lane];
            char *to = dst + (y - lane);
            for (unsigned l = 0; l < AFFINE_LINE_BYTES; l += element_bytes) {
                memcpy(to + l, src + (x ^ source[l]), element_bytes);
            }
        }
    }
}

void affine_tile_range_portable(const affine_tile_schedule *s, void *dst, const void *src, uint64_t first,
                                uint64_t count) {
    switch (s->element_bits) {
    case 0: move_range(s, dst, src, first, count, 1); break;
    case 1: move_range(s, dst, src, first, count, 2); break;
    case 2: move_range(s, dst, src, first, count, 4); break;
    case 3: move_range(s, dst, src, first, count, 8); break;
    case 4: move_range(s, dst, src, first, count, 16); break;
    case 5: move_range(s, dst, src, first, count, 32); break;
    default: move_range(s, dst, src, first, count, 64); break;
    }
}
