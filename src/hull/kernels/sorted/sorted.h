/* SPDX-License-Identifier: Apache-2.0
 *
 * A hull by sorting, in steps that a whole grid makes one after the other. The next step depends on what the last ones found:
 * hull_sorted_next says, from numbers that are on the device. On a GPU one launch makes them all, with a barrier of the grid
 * after each; on the memory machine each is a launch.
 *
 * Records stand in arenas of two buffers each: SAMPLED for a few, KEPT for what may be all. Points left of the line from the
 * first to the last in lexicographic order, the ends, are the upper side, the others the lower.
 *
 *     unsorted:   | upper side -->          <-- lower side |
 *     sorted:     | first upper ... last | first lower ... last |        a side begins at a multiple of a tile
 *     joined:     | hull    | hull |     | hull       |    of 2^level tiles each, at most as many records as they had
 *
 *     ends -+-> take ------------------------------------------> KEPT: solve -> write
 *           +-> sample -> SAMPLED: solve -> table -> pass -+---> KEPT: solve -> write
 *                                  ^                       |
 *                                  +-------- grow <--------+
 *
 *     solve:  tiles sorted, merged four by four, the hull of each tile, hulls of neighbours joined until there is one a side
 *
 * A pass keeps the corners of the sample's hull, drops what else lies in it, exactly, and finds the farthest point beyond each
 * edge; with these the sample grows. Whatever is dropped is in the hull of points that stay.
 *
 * A step changes no number that hull_sorted_next looks at on the way to it: threads that are late may still be looking.
 */
#ifndef RIFFLE_HULL_KERNELS_SORTED_SORTED_H
#define RIFFLE_HULL_KERNELS_SORTED_SORTED_H

#include "hull/kernels/points.h"
#include "hull/predicates.h"

enum {
    HULL_SAMPLED,
    HULL_KEPT,
    HULL_ARENAS,
};

enum { HULL_UPPER, HULL_LOWER, HULL_SIDES, HULL_DROPPED = HULL_SIDES };

enum { HULL_FAN = 4 }; /**< runs that are merged at a time */

typedef enum hull_sorted_step {
    HULL_STEP_BEGIN,
    HULL_STEP_ENDS,
    HULL_STEP_BELOW,
    HULL_STEP_TAKE,
    HULL_STEP_SAMPLE,
    HULL_STEP_TILES,
    HULL_STEP_MERGE,
    HULL_STEP_LEAVES,
    HULL_STEP_JOIN,
    HULL_STEP_MOVE,
    HULL_STEP_TABLE,
    HULL_STEP_PASS,
    HULL_STEP_GROW,
    HULL_STEP_WRITE,
    HULL_STEP_DONE,
} hull_sorted_step;

/** Results of steps, in device memory. */
typedef struct hull_sorted_state {
    uint64_t ends[2][HULL_RECORD_WORDS];         /**< records, of any kind */
    uint32_t amount[HULL_ARENAS][2][HULL_SIDES]; /**< records in each buffer, unsorted and without the ends */
    uint32_t chain[HULL_SIDES];                  /**< records of the sample's hull, with the ends */
    uint32_t chain_base[HULL_SIDES];             /**< where they begin in the arena's buffer */
    uint32_t is_below;                           /**< 1: a point is on the lower side */
    uint32_t is_single;                          /**< 1: all points are in one place */
} hull_sorted_state;

/** Where a run of steps stands; the same for all threads. */
typedef struct hull_cursor {
    uint32_t step;
    uint32_t arena;
    uint32_t in;     /**< the buffer that has the arena's unsorted records */
    uint32_t at;     /**< the buffer that the step reads */
    uint32_t round;  /**< passes made before */
    uint32_t level;  /**< level of joins */
    uint32_t before; /**< records that the pass looks at */
    uint64_t run;    /**< records of a sorted run */
} hull_cursor;

/** Arrays are device memory. */
typedef struct hull_sorted_table {
    hull_source from;
    uint32_t *hull;
    uint64_t *length;
    hull_sorted_state *state;
    void *partial;                 /**< two records a block */
    void *records[HULL_ARENAS][2]; /**< buffers */
    uint32_t *lengths[2];          /**< lengths of hulls, a word a tile */
    uint32_t *cuts;                /**< cuts of joins, two words for each two tiles */
    uint32_t *cells;               /**< for each side the corners before each cell over x: grain + 1 words */
    unsigned long long *far;       /**< a word for each edge of the sample's hull */
    uint32_t room[HULL_ARENAS];    /**< records of a buffer */
    uint32_t limit;                /**< records of a side of SAMPLED; what is more is left out */
    uint32_t tile;                 /**< records that a block sorts, a power of two */
    uint32_t sample;               /**< points of the sample */
    uint32_t direct;               /**< as many candidates, or fewer, are not sampled */
    uint32_t grain;                /**< cells over x */
    uint32_t rounds;               /**< passes at most */
    uint32_t all;                  /**< 1: points between corners too */
} hull_sorted_table;

HULL_FUNCTION uint32_t hull_side_length(const hull_sorted_table *t, const hull_cursor *c, uint32_t side) {
    const uint32_t amount = t->state->amount[c->arena][c->in][side];
    return (c->arena == HULL_SAMPLED && amount > t->limit ? t->limit : amount) + 2;
}

HULL_FUNCTION uint32_t hull_side_tiles(const hull_sorted_table *t, const hull_cursor *c, uint32_t side) {
    return (hull_side_length(t, c, side) + t->tile - 1) / t->tile;
}

/** Where a side's sorted records begin. */
HULL_FUNCTION uint32_t hull_side_base(const hull_sorted_table *t, const hull_cursor *c, uint32_t side) {
    return side == HULL_UPPER ? 0 : hull_side_tiles(t, c, HULL_UPPER) * t->tile;
}

HULL_FUNCTION uint32_t hull_longest_side(const hull_sorted_table *t, const hull_cursor *c) {
    const uint32_t upper = hull_side_length(t, c, HULL_UPPER), lower = hull_side_length(t, c, HULL_LOWER);
    return upper > lower ? upper : lower;
}

HULL_FUNCTION void hull_solve(hull_cursor *c, uint32_t arena, uint32_t in) {
    c->step = HULL_STEP_TILES;
    c->arena = arena;
    c->in = c->at = in;
    c->level = 0;
}

HULL_FUNCTION void hull_after_ends(const hull_sorted_table *t, hull_cursor *c) {
    if (t->state->is_single) {
        c->step = HULL_STEP_DONE;
    } else if (c->before > t->direct) {
        c->step = HULL_STEP_SAMPLE;
    } else {
        c->step = HULL_STEP_TAKE;
    }
}

/** A sample whose points are nearly all corners says that a pass would keep nearly all. */
HULL_FUNCTION void hull_after_sample(const hull_sorted_table *t, hull_cursor *c) {
    const uint32_t *const corners = t->lengths[c->level & 1];
    const uint64_t chain = (uint64_t)corners[0] + corners[hull_side_tiles(t, c, HULL_UPPER)];
    const uint64_t length = (uint64_t)hull_side_length(t, c, HULL_UPPER) + hull_side_length(t, c, HULL_LOWER);
    c->step = c->round == 0 && chain * 16 > length * 15 ? HULL_STEP_TAKE : HULL_STEP_TABLE;
}

/** Another pass pays where the last one dropped much and left far more than the sample's hull has corners. */
HULL_FUNCTION void hull_after_pass(const hull_sorted_table *t, hull_cursor *c) {
    const uint32_t *const kept = t->state->amount[HULL_KEPT][c->round & 1];
    const uint64_t left = (uint64_t)kept[0] + kept[1];
    const uint64_t corners = (uint64_t)t->state->chain[0] + t->state->chain[1];
    const bool again = c->round + 1 < t->rounds && left > t->direct && left > 4 * corners &&
                       left * 4 < (uint64_t)c->before * 3;
    if (again) {
        c->step = HULL_STEP_GROW;
        c->before = (uint32_t)left;
    } else {
        hull_solve(c, HULL_KEPT, c->round & 1);
    }
}

HULL_FUNCTION void hull_after_merge(const hull_sorted_table *t, hull_cursor *c) {
    c->step = c->run < hull_longest_side(t, c) ? HULL_STEP_MERGE : HULL_STEP_LEAVES;
}

HULL_FUNCTION void hull_after_join(const hull_sorted_table *t, hull_cursor *c) {
    if (((uint64_t)t->tile << c->level) < hull_longest_side(t, c)) {
        c->step = HULL_STEP_JOIN;
    } else if (c->arena == HULL_KEPT) {
        c->step = HULL_STEP_WRITE;
    } else {
        hull_after_sample(t, c);
    }
}

/** Moves the cursor to the step after this one, whose results are there. */
HULL_FUNCTION void hull_sorted_next(const hull_sorted_table *t, hull_cursor *c) {
    switch ((hull_sorted_step)c->step) {
    case HULL_STEP_BEGIN: c->step = HULL_STEP_ENDS; break;
    case HULL_STEP_ENDS:
        hull_after_ends(t, c);
        if (t->all && c->step != HULL_STEP_DONE) c->step = HULL_STEP_BELOW;
        break;
    case HULL_STEP_BELOW: hull_after_ends(t, c); break;
    case HULL_STEP_TAKE: hull_solve(c, HULL_KEPT, 0); break;
    case HULL_STEP_SAMPLE: hull_solve(c, HULL_SAMPLED, 0); break;
    case HULL_STEP_TILES:
        c->at = 1 - c->at;
        c->run = t->tile;
        hull_after_merge(t, c);
        break;
    case HULL_STEP_MERGE:
        c->at = 1 - c->at;
        c->run *= HULL_FAN;
        hull_after_merge(t, c);
        break;
    case HULL_STEP_LEAVES:
        c->at = 1 - c->at;
        hull_after_join(t, c);
        break;
    case HULL_STEP_JOIN: c->step = HULL_STEP_MOVE; break;
    case HULL_STEP_MOVE:
        c->at = 1 - c->at;
        c->level++;
        hull_after_join(t, c);
        break;
    case HULL_STEP_TABLE: c->step = HULL_STEP_PASS; break;
    case HULL_STEP_PASS: hull_after_pass(t, c); break;
    case HULL_STEP_GROW:
        c->round++;
        hull_solve(c, HULL_SAMPLED, 1 - c->at);
        break;
    case HULL_STEP_WRITE:
    case HULL_STEP_DONE: c->step = HULL_STEP_DONE; break;
    }
}

/** Before the first step. Without candidates there is none. */
HULL_FUNCTION hull_cursor hull_sorted_begin(uint32_t candidates) {
    hull_cursor c = {HULL_STEP_BEGIN, HULL_KEPT, 0, 0, 0, 0, 0, 0};
    c.before = candidates;
    if (candidates == 0) c.step = HULL_STEP_DONE;
    return c;
}

#endif
