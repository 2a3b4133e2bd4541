/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps that each lane of a warp took, and which of them the lanes took together. As on a GPU, lanes that
 * took different branches meet again where the branches do, and those that turn a loop meet at its head in each turn.
 *
 *     lane 0:  A  turn     turn  A  turn           lane 0 alone, both turn, lane 1 alone,
 *     lane 1:     turn  A  turn  A  turn     ->    both turn, both, both turn
 *
 * The lanes whose next step is the first in the order of the code (flow.h) go on, all at once those that take the same
 * step; who turns a loop waits for all that are still in that turn. A step's place is that in the kernel first, of a step
 * in a function that is called there the call's, and then the place in the function.
 */
#ifndef RIFFLE_MACHINE_COUNT_STEPS_H
#define RIFFLE_MACHINE_COUNT_STEPS_H

#include "machine/count/account.h"
#include "machine/count/flow.h"

/** Access, at a site; or turns of a loop, with no access between. */
typedef struct step {
    uint32_t is_turn : 1, what : 31; /**< the site's number, or that of the loop's head */
    uint32_t call;
    uint64_t at; /**< where it accesses, or how many turns */
} step;

/** A lane's steps; those before `first` are taken. */
typedef struct lane_steps {
    step *step;
    uint32_t first, count, capacity;
} lane_steps;

typedef struct warp_steps {
    lane_steps lane[MACHINE_MAX_WIDTH];
} warp_steps;

void steps_free(warp_steps *w);

/** Notes a step. False without memory. */
bool steps_access(lane_steps *lane, uint32_t call, uint32_t site, place at);
bool steps_turn(lane_steps *lane, const flow *f, uint32_t call, uint32_t head);

/** True if any step is noted. */
bool steps_any(const warp_steps *w);

/** Where a site is. */
typedef struct site_place {
    const void *pc;
    uint32_t block;
} site_place;

/** Where a lane's next step is: `index` in the order of blocks, that of its head too if it turns a loop, else 0. */
typedef struct step_place {
    uint32_t call, index, head;
    const void *pc;
} step_place;

/** How lanes are being matched. */
typedef struct step_match {
    warp_steps *steps;
    const flow *flow;
    const site_place *site;
    unsigned live;    /**< lanes that may still take earlier steps than those that are noted */
    unsigned pending; /**< lanes that have a step to take */
    unsigned placed;  /**< lanes whose `at` is known */
    step_place at[MACHINE_MAX_WIDTH];
} step_match;

void steps_begin(step_match *m);

/** Takes the next access off the lanes that make it at once: the lanes and places of `out`, and the step of one of them.
 *  False if there is none. */
bool steps_next(step_match *m, step *first, warp_access *out);

#endif
