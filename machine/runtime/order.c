/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/order.h"

#include <string.h>

static bool prepare(launch_state *l) {
    if (l->order.releases == NULL) l->order.releases = releases_create();
    return l->order.releases != NULL && ordering_keep(&l->order);
}

void order_know(launch_state *l) {
    const uint32_t by_fences = releases_acquired(&l->releasing, l->running);
    const uint32_t by_phases = clocks_acquired(&l->clocks, l->running);
    l->order.known = releases_known(&l->releasing, l->running);
    l->order.clock = clocks_of(&l->clocks, l->running);
    l->order.acquired = by_fences > by_phases ? by_fences : by_phases;
}

bool order_part(launch_state *l) {
    if (!ordering_exchange(&l->order, l->warp, 1u << l->lane, true)) return false;
    l->segment = ordering_segment(&l->order, l->running);
    return true;
}

/* A segment ends, which the fence stands behind. */
bool order_fence(launch_state *l) {
    ordering *o = &l->order;
    if (!prepare(l) || !order_part(l)) return false;
    l->current->fenced = true;
    release_fence fence = {.made = true, .epoch = o->block.epoch_base, .first = l->warp * o->width};
    memcpy(fence.seen, o->block.seen[ORDERING_OF_WRITES][l->running], sizeof fence.seen);
    const bool fenced = releases_fence(o->releases, &l->releasing, l->running, &fence, o->next);
    order_know(l);
    return fenced;
}

bool order_access(launch_state *l, uintptr_t address, unsigned how, bool *follows) {
    *follows = false;
    const unsigned kind = how & MACHINE_KIND;
    if (kind != MACHINE_ATOMIC && (how & MACHINE_STRONG) == 0) return true;
    if ((how & MACHINE_RELEASE) != 0 && !order_fence(l)) return false;
    if (l->order.releases == NULL || !releases_any(l->order.releases)) return true;
    const release_access one = {.address = address,
                                .reads = kind != MACHINE_WRITE && (how & MACHINE_STORE) == 0,
                                .writes = kind != MACHINE_READ && (how & MACHINE_LOAD) == 0,
                                .acquires = (how & MACHINE_ACQUIRE) != 0,
                                .ordered = (how & MACHINE_STRONG) != 0,
                                .block = l->block,
                                .now = l->order.next};
    *follows = one.writes && releases_follow(l->order.releases, &l->releasing, l->running, address);
    const bool done = releases_access(l->order.releases, &l->releasing, l->running, &one);
    order_know(l);
    return done;
}
