/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

riffle_status tape_create(pattern *p, unsigned warps, tape *out) {
    *out =
        (tape){.p = p, .done = calloc(warps, sizeof *out->done), .at = calloc(PATTERN_SITES, sizeof *out->at)};
    if (out->done != NULL && out->at != NULL) return RIFFLE_OK;
    return fail_memory("a prediction's accesses", warps * sizeof *out->done + PATTERN_SITES * sizeof *out->at);
}

void tape_free(tape *t) {
    free(t->done);
    free(t->at);
    t->done = NULL;
    t->at = NULL;
}

void tape_begin_block(tape *t, unsigned warps) { memset(t->done, 0, warps * sizeof *t->done); }

void tape_lane(tape *t, unsigned warp) {
    t->warp = warp;
    memset(t->turns, 0, sizeof t->turns);
}

void tape_note(tape *t, unsigned site, uint64_t at) {
    if (t->turns[site] < TAPE_TURNS) pattern_lane(&t->at[site][t->turns[site]++], at);
}

void tape_meet(tape *t) {
    for (unsigned site = 0; site < PATTERN_SITES; site++)
        for (unsigned turn = 0; turn < TAPE_TURNS && t->at[site][turn].count > 0; turn++) {
            pattern_access(t->p, site, t->done[t->warp][site]++, &t->at[site][turn]);
            t->at[site][turn].count = 0;
        }
}
