/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile element by element: its lines are copied side by side into a stage, since lines of src a power of two
 * apart would share one set of the cache, and each line of dst is then picked together from there.
 *
 *      stage   line beta, byte lane  at  beta * 64 + lane
 *
 * Byte `lane` of dst's line alpha stands in the stage at from_line[alpha] ^ from_lane[lane], both linear.
 */
#include <string.h>

#include "base/element_size.h"
#include "base/simd/stream.h"
#include "move/cpu/passes/affine_lines/affine_lines.h"
#include "move/cpu/passes/affine_lines/affine_lines_walk.h"

typedef struct stage_tables {
    uint16_t from_line[AFFINE_MAX_LINES], from_lane[AFFINE_LINE_BYTES];
} stage_tables;

static void build_tables(const affine_lines_schedule *s, stage_tables *t) {
    for (unsigned q = 0; q < AFFINE_LINE_BYTES; q++) {
        unsigned lane = 0, from = 0;
        for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) {
            if ((q >> j & 1) == 0) continue;
            const unsigned line = j < s->width ? (unsigned)AFFINE_LINE_BYTES << j : 0;
            const uint64_t within = j < s->width ? s->read_line[j] & AFFINE_LANE_MASK : s->read_lane[j];
            from ^= line ^ (unsigned)within;
            lane ^= s->write_lane[j];
        }
        t->from_lane[lane] = (uint16_t)from;
    }
    for (unsigned line = 0; line < 1u << s->width; line++) {
        const uint64_t write = affine_combine(s->write_line, s->width, line);
        unsigned from = t->from_lane[write & AFFINE_LANE_MASK];
        for (unsigned j = 0; j < s->width; j++) from ^= (line >> j & 1) != 0 ? s->read_lane[j] : 0u;
        t->from_line[line] = (uint16_t)from;
    }
}

ALWAYS_INLINE void pick_line(char *line, const char *stage, unsigned from, const uint16_t *from_lane,
                             size_t element_bytes) {
    for (unsigned l = 0; l < AFFINE_LINE_BYTES; l += (unsigned)element_bytes) {
        memcpy(line + l, stage + (from ^ from_lane[l]), element_bytes);
    }
}

static void move_tile(const affine_lines_schedule *s, const stage_tables *t, char *dst, const char *src,
                      uint64_t x, uint64_t y, bool stream) {
    char stage[AFFINE_MAX_LINES * AFFINE_LINE_BYTES];
    char line[AFFINE_LINE_BYTES];
    for (unsigned beta = 0; beta < 1u << s->width; beta++) {
        memcpy(stage + beta * AFFINE_LINE_BYTES, src + (x ^ s->read_offset[beta]), AFFINE_LINE_BYTES);
    }
    const unsigned shift = t->from_lane[y & AFFINE_LANE_MASK];
    const size_t element_bytes =
        s->element_bits < AFFINE_LINE_BITS ? (size_t)1 << s->element_bits : AFFINE_LINE_BYTES;
    for (unsigned alpha = 0; alpha < 1u << s->width; alpha++) {
        const unsigned from = t->from_line[alpha] ^ shift;
        CALL_FOR_ELEMENT_SIZE(element_bytes, pick_line, line, stage, from, t->from_lane)
        char *to = dst + ((y & ~AFFINE_LANE_MASK) ^ s->write_offset[alpha]);
        if (stream) {
            stream_copy(to, line, AFFINE_LINE_BYTES);
        } else {
            memcpy(to, line, AFFINE_LINE_BYTES);
        }
    }
}

void affine_lines_range_portable(const affine_lines_schedule *s, void *dst, const void *src, uint64_t first,
                                 uint64_t count) {
    const bool stream = s->stream && (uintptr_t)dst % AFFINE_LINE_BYTES == 0;
    stage_tables tables;
    build_tables(s, &tables);
    affine_lines_walk here = affine_lines_walk_from(s, first);
    affine_lines_walk ahead = affine_lines_walk_from(s, first + AFFINE_TILES_AHEAD);
    for (uint64_t i = 0; i < count; i++) {
        for (unsigned line = 0; line < 1u << s->width; line++) {
            __builtin_prefetch((const char *)src + (ahead.x ^ s->read_offset[line]));
        }
        move_tile(s, &tables, dst, src, here.x, here.y, stream);
        affine_lines_walk_next(&here);
        affine_lines_walk_next(&ahead);
    }
    stream_finish();
}
