/* SPDX-License-Identifier: Apache-2.0 */
#include "program/compile/fuse.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "perm/gf2_span.h"

enum { MOST_DEFERRED = 64 }; /* stages that one which commutes with them may overtake */

/* The span of every pass's tile before any stage, where elements lie at the beginning. */
typedef struct lanes {
    gf2_span first, later;
} lanes;

typedef struct grouper {
    const program_normal *normal;
    riffle_type type;
    unsigned tile_bits;
    bool moves;
    lanes lanes;
    size_t *left, *deferred; /* stages in no pass yet, and those that this pass leaves */
} grouper;

bool program_map_is_identity(const perm_affine *map) {
    if (map->c != 0) return false;
    for (unsigned j = 0; j < map->a.m; j++)
        if (map->a.column[j] != (uint64_t)1 << j) return false;
    return true;
}

/* The first pass reads neighbours of src and writes neighbours of dst; the others are in dst. */
static lanes lanes_of(const perm_affine *map, unsigned lane_bits) {
    lanes of = {0};
    gf2_matrix inverse;
    gf2_invert(&map->a, &inverse, NULL);
    for (unsigned j = 0; j < lane_bits && j < map->a.m; j++) {
        gf2_span_add(&of.first, (uint64_t)1 << j);
        gf2_span_add(&of.first, inverse.column[j]);
        gf2_span_add(&of.later, inverse.column[j]);
    }
    return of;
}

static bool takes(gf2_span *span, const program_stage *stage, unsigned tile_bits) {
    gf2_span wider = *span;
    for (unsigned t = 0; t < stage->bits; t++) gf2_span_add(&wider, stage->direction[t]);
    if (wider.count > tile_bits) return false;
    *span = wider;
    return true;
}

static bool overtakes(const grouper *g, size_t stage, size_t deferred) {
    for (size_t k = 0; k < deferred; k++)
        if (!stages_commute(&g->normal->stages[g->deferred[k]], &g->normal->stages[stage], g->type))
            return false;
    return true;
}

/* Passes when stages are taken in order, or, where `overtaking`, as those left before allow. */
static unsigned group(grouper *g, size_t count, bool overtaking, unsigned *pass_of) {
    unsigned pass = 0;
    for (; count > 0 || (pass == 0 && g->moves); pass++) {
        gf2_span span = pass == 0 ? g->lanes.first : g->lanes.later;
        const size_t most = overtaking ? MOST_DEFERRED : 0;
        size_t deferred = 0;
        for (size_t k = 0; k < count; k++) {
            const size_t stage = g->left[k];
            if (deferred <= most && overtakes(g, stage, deferred) &&
                takes(&span, &g->normal->stages[stage], g->tile_bits)) {
                if (pass_of != NULL) pass_of[stage] = pass;
            } else {
                g->deferred[deferred++] = stage;
            }
        }
        memcpy(g->left, g->deferred, deferred * sizeof *g->left);
        count = deferred;
    }
    return pass;
}

static unsigned group_all(grouper *g, bool overtaking, unsigned *pass_of) {
    for (size_t k = 0; k < g->normal->count; k++) g->left[k] = k;
    return group(g, g->normal->count, overtaking, pass_of);
}

/* The stages of a chain into left. */
static size_t chain(grouper *g) {
    size_t count = 0;
    for (size_t k = 0; k < g->normal->count; k++) {
        const program_stage *last = count > 0 ? &g->normal->stages[g->left[count - 1]] : NULL;
        if (last == NULL || !stages_commute(last, &g->normal->stages[k], g->type)) g->left[count++] = k;
    }
    return count;
}

static unsigned bound_by_rank(const grouper *g) {
    gf2_span all = g->lanes.later;
    for (size_t k = 0; k < g->normal->count; k++)
        for (unsigned t = 0; t < g->normal->stages[k].bits; t++)
            gf2_span_add(&all, g->normal->stages[k].direction[t]);
    const unsigned lane_bits = g->lanes.later.count, room = g->tile_bits - lane_bits;
    const unsigned passes = room == 0 ? 0 : (all.count - lane_bits + room - 1) / room;
    return passes > 0 || (g->normal->count == 0 && !g->moves) ? passes : 1;
}

/* In order, and where that may not be best, overtaking; takes the better one. */
static riffle_status choose(grouper *g, program_grouping *out) {
    const unsigned by_rank = bound_by_rank(g), by_chain = group(g, chain(g), false, NULL);
    out->bound = by_rank > by_chain ? by_rank : by_chain;
    out->passes = group_all(g, false, out->pass_of);
    if (out->passes == out->bound) return RIFFLE_OK;
    unsigned *other = calloc(g->normal->count + 1, sizeof *other);
    if (other == NULL) return fail_memory("the passes of stages", g->normal->count * sizeof *other);
    const unsigned passes = group_all(g, true, other);
    if (passes < out->passes) {
        out->passes = passes;
        memcpy(out->pass_of, other, g->normal->count * sizeof *other);
    }
    free(other);
    return RIFFLE_OK;
}

riffle_status program_group(const program_normal *normal, riffle_type type, const program_policy *policy,
                            program_grouping *out) {
    const size_t count = normal->count;
    *out = (program_grouping){.pass_of = calloc(count + 1, sizeof *out->pass_of)};
    grouper g = {.normal = normal, .type = type, .moves = !program_map_is_identity(&normal->map)};
    g.tile_bits = policy->tile_bits < normal->n ? policy->tile_bits : normal->n;
    g.lanes = lanes_of(&normal->map, policy->lane_bits);
    g.left = malloc((count + 1) * sizeof *g.left);
    g.deferred = malloc((count + 1) * sizeof *g.deferred);
    riffle_status status = RIFFLE_OK;
    if (out->pass_of == NULL || g.left == NULL || g.deferred == NULL)
        status = fail_memory("the passes of stages", count * (sizeof *g.left + sizeof *g.deferred));
    if (status == RIFFLE_OK) status = choose(&g, out);
    if (status != RIFFLE_OK) program_grouping_free(out);
    free(g.left);
    free(g.deferred);
    return status;
}

void program_grouping_free(program_grouping *grouping) {
    free(grouping->pass_of);
    *grouping = (program_grouping){0};
}
