/* SPDX-License-Identifier: Apache-2.0 */
#include "program/cpu/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/element_size.h"
#include "base/status.h"
#include "perm/gf2_span.h"

/* The groups of a line that the stage acts on: where they begin, in bytes, and their sub-indices but for `index`. */
typedef struct lane_groups {
    unsigned count;
    uint32_t first[LINE_BYTES];
    uint64_t lane[LINE_BYTES], index;
} lane_groups;

bool line_groups_take(const line_pass *out, const program_stage *stage) {
    if (stage->op.kind != RIFFLE_OP_OWN) return false;
    return stage->bits > 1 || stage->conditions > 0 || out->pass->tile_bits + out->element_bits < 6;
}

/* ----------------------------------------------------------------- running */

static bool acts(const program_stage *stage, uint64_t u) {
    for (unsigned c = 0; c < stage->conditions; c++)
        if (functional_at(stage->condition[c], u) != 0) return false;
    return true;
}

/* Lanes that are left over do what the first one does. */
static void find_groups(const line_stage *s, uint32_t base, uint64_t u, unsigned lanes, lane_groups *out) {
    const program_stage *stage = s->stage;
    const unsigned element_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(s->type));
    out->count = 0;
    out->index = 0;
    for (unsigned l = 0; l < s->count; l++) {
        if (!acts(stage, u ^ (base ^ s->place[l]) >> element_bits)) continue;
        out->first[out->count] = base ^ s->place[l];
        out->lane[out->count++] = s->lane_index[l];
    }
    for (unsigned t = 0; t < stage->index_bits; t++)
        out->index |= (uint64_t)functional_at(stage->index[t], u ^ base >> element_bits) << t;
    for (unsigned l = out->count; out->count > 0 && l < lanes; l++) {
        out->first[l] = out->first[0];
        out->lane[l] = out->lane[0];
    }
}

ALWAYS_INLINE void run_line(const line_group *g, char *tile, uint32_t base, uint64_t u, size_t bytes) {
    const line_stage *const s = g->stages;
    const unsigned lanes = (unsigned)(LINE_BYTES / bytes), members = 1U << s->stage->bits;
    _Alignas(LINE_BYTES) char lines[MICRO_LINES][LINE_BYTES];
    void *line[MICRO_LINES];
    lane_groups groups;
    find_groups(s, base, u, lanes, &groups);
    if (groups.count == 0) return;
    for (unsigned m = 0; m < members; m++) {
        line[m] = lines[m];
        for (unsigned l = 0; l < lanes; l++)
            memcpy(lines[m] + l * bytes, tile + (groups.first[l] ^ g->offset[m]), bytes);
    }
    s->own(line, groups.lane, groups.index);
    for (unsigned m = 0; m < members; m++)
        for (unsigned l = 0; l < groups.count; l++)
            memcpy(tile + (groups.first[l] ^ g->offset[m]), lines[m] + l * bytes, bytes);
}

/* Every group's first element is where all positions are 0. */
ALWAYS_INLINE void run_lines(const line_group *g, char *tile, uint64_t u, line_part part, size_t bytes) {
    const program_stage *stage = g->stages->stage;
    uint32_t begin = 0;
    for (unsigned t = 0; t < stage->bits; t++)
        if (functional_at(stage->position[t], u) != 0) begin ^= g->offset[1U << t];
    for (size_t m = part.first; m < part.end; m++) run_line(g, tile, begin ^ g->base[m], u, bytes);
}

static void run(const line_group *g, char *tile, uint64_t u, line_part part) {
    CALL_FOR_ELEMENT_SIZE(riffle_type_bytes(g->stages->type), run_lines, g, tile, u, part)
}

/* ---------------------------------------------------------------- schedule */

static uint32_t sum_of(const uint64_t *vectors, size_t chosen) {
    uint64_t sum = 0;
    for (; chosen != 0; chosen &= chosen - 1) sum ^= vectors[__builtin_ctzll(chosen)];
    return (uint32_t)sum;
}

/* Directions that complete the given ones to all of the tile, with all positions 0. */
static unsigned complete(const program_stage *stage, unsigned tile_bits, uint64_t *out) {
    gf2_span span = {0};
    unsigned count = 0;
    for (unsigned t = 0; t < stage->bits; t++) gf2_span_add(&span, stage->direction[t]);
    for (unsigned j = 0; j < tile_bits; j++) {
        uint64_t vector = (uint64_t)1 << j;
        if (!gf2_span_add(&span, vector)) continue;
        for (unsigned t = 0; t < stage->bits; t++)
            if (functional_along(stage->position[t], vector) != 0) vector ^= stage->direction[t];
        out[count++] = vector;
    }
    return count;
}

static void make_lanes(const line_pass *out, const uint64_t *vectors, unsigned lane_bits, line_stage *s) {
    s->count = 1U << lane_bits;
    for (unsigned l = 0; l < s->count; l++) {
        const uint64_t place = sum_of(vectors, l);
        s->place[l] = (uint32_t)place << out->element_bits;
        for (unsigned t = 0; t < s->stage->index_bits; t++)
            s->lane_index[l] |= (uint64_t)functional_along(s->stage->index[t], place) << t;
    }
}

riffle_status line_groups_make(const line_pass *out, line_group *group) {
    line_stage *const s = group->stages;
    uint64_t vectors[RIFFLE_MAX_BITS];
    const unsigned bits = complete(s->stage, out->pass->tile_bits, vectors), line = 6 - out->element_bits;
    const unsigned lane_bits = bits < line ? bits : line;
    group->count = 1;
    group->run = run;
    for (unsigned m = 0; m < 1U << s->stage->bits; m++)
        group->offset[m] = sum_of(s->stage->direction, m) << out->element_bits;
    make_lanes(out, vectors, lane_bits, s);
    group->micro_tiles = (size_t)1 << (bits - lane_bits);
    group->base = malloc(group->micro_tiles * sizeof *group->base);
    if (group->base == NULL)
        return fail_memory("a program's schedule", group->micro_tiles * sizeof *group->base);
    for (size_t m = 0; m < group->micro_tiles; m++)
        group->base[m] = sum_of(vectors + lane_bits, m) << out->element_bits;
    return RIFFLE_OK;
}
