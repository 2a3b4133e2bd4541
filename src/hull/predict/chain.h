/* SPDX-License-Identifier: Apache-2.0
 *
 * The boundary of points in order as a team of a block's threads finds it (hull/kernels/hull_chain.h), followed step by step, and what it
 * accesses meanwhile.
 */
#ifndef RIFFLE_HULL_PREDICT_CHAIN_H
#define RIFFLE_HULL_PREDICT_CHAIN_H

#include "device/predict/tape.h"
#include "hull/predicates.h"

enum {
    HULL_CHAIN_TEAMS = 2,
    HULL_CHAIN_PLACE_SITES =
        3, /* sites of a point: its word in the order, x, y; those of another team are others */
    HULL_CHAIN_LOOK_SITES = 1 + HULL_CHAIN_TEAMS * HULL_CHAIN_PLACE_SITES,
    HULL_CHAIN_SITES = 3 * HULL_CHAIN_LOOK_SITES + 7 /* sites of a chain */
};

typedef struct hull_team_points hull_team_points;

/** The points that words stand for. */
struct hull_team_points {
    hull_f64 (*at)(const hull_team_points *points,
                   uint32_t word); /**< as the boundary sees it: turned, if it is the upper one */
    uint32_t (*name)(const hull_team_points *points,
                     uint32_t word); /**< number of the point in shared memory */
    uint64_t (*order)(const hull_team_points *points,
                      uint32_t word); /**< where its number is read, UINT64_MAX: it is the word */
    uint64_t places;                  /**< where places begin */
};

/** A team: threads first .. first + size - 1 of a block. */
typedef struct hull_followed_team {
    uint32_t first, size;
    uint32_t number; /**< 0, or 1 of the second team */
    const hull_team_points *points;
    uint64_t list[2]; /**< where its lists begin, of words of 2 bytes */
    uint16_t *words;  /**< list 0 */
    uint32_t length;
    bool all;
} hull_followed_team;

/** Declares the sites of a chain, from `site` on. */
void hull_chain_declare(pattern *p, unsigned site);

/** Follows teams of all threads of a block, which find their boundaries at the same time. They have their boundaries in `words` then. */
void hull_chain_follow(tape *t, unsigned site, hull_followed_team *teams, unsigned count, uint32_t threads);

/** Notes the accesses of a sum of all threads, of warps each for itself; sites `site` and the next one. */
void hull_note_sum(tape *t, unsigned site, uint32_t threads);

#endif
