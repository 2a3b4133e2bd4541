/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that a thread is in, from the kernel inward, and the block of code in each. Only functions that say when
 * they begin and end have a frame; the blocks of others are told by their stack and passed over.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_FRAMES_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_FRAMES_H

#include "machine/count/flow.h"

/** Where a thread is: the function's call path and the block in it. */
typedef struct code_place {
    uint32_t call, block;
} code_place;

typedef struct frame {
    code_place at;
    uintptr_t stack; /**< where it lies, as the hooks see it */
} frame;

typedef struct frames {
    frame *frame;
    unsigned depth, capacity;
} frames;

void frames_free(frames *all);

/** Where the thread is. */
static inline code_place frames_place(const frames *all) {
    return all->depth > 0 ? all->frame[all->depth - 1].at : (code_place){FLOW_KERNEL, FLOW_NO_BLOCK};
}

/** A function begins that returns to `site`. False without memory. */
bool frames_enter(frames *all, flow *f, const void *site, uintptr_t stack);

/** The innermost ends. */
void frames_leave(frames *all);

#endif
