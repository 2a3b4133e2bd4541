/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/record.h"

/* Every second of those that are kept makes room for as many. */
static void thin(record *own) {
    for (unsigned k = 0; k < RECORD_KEPT / 2; k++) own->access[k] = own->access[2 * k];
    own->kept = RECORD_KEPT / 2;
    own->every *= 2;
}

static void keep(record *own, const warp_access *access) {
    if (own->every == 0) own->every = 1;
    if (own->seen % own->every != 0) return;
    if (own->kept == RECORD_KEPT) thin(own);
    if (own->seen % own->every == 0) own->access[own->kept++] = *access;
}

void record_note(record *own, const warp_access *access, warp_cost cost, record_turn turn) {
    keep(own, access);
    if (own->seen++ == 0) {
        own->run_warp = turn.warp;
        own->block = turn.block;
    }
    if (own->run < RECORD_RUN && turn.warp == own->run_warp && turn.round == own->run)
        own->in_turn[own->run++] = *access;
    if (own->together < RECORD_TOGETHER && turn.block == own->block) own->of_block[own->together++] = *access;
    const unsigned wasted = cost.requests > cost.ideal_requests ? cost.requests - cost.ideal_requests : 0;
    if (wasted <= own->wasted) return;
    own->wasted = wasted;
    own->worst = *access;
}
