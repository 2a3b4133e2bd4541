/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/thread/frames.h"

#include <stdlib.h>

void frames_free(frames *all) { free(all->frame); }

bool frames_enter(frames *all, flow *f, const void *site, uintptr_t stack) {
    if (all->depth == all->capacity) {
        const unsigned capacity = 2 * all->capacity + 4;
        frame *grown = realloc(all->frame, capacity * sizeof *grown);
        if (grown == NULL) return false;
        all->frame = grown;
        all->capacity = capacity;
    }
    const code_place from = frames_place(all);
    const uint32_t call = all->depth > 0 ? flow_call_at(f, from.call, from.block, site) : FLOW_KERNEL;
    all->frame[all->depth++] = (frame){{call, FLOW_NO_BLOCK}, stack};
    return all->depth == 1 || call != FLOW_KERNEL;
}

void frames_leave(frames *all) {
    if (all->depth > 0) all->depth--;
}
