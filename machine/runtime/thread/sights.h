/* SPDX-License-Identifier: Apache-2.0
 *
 * What threads have found where they look for others' writes: by volatile reads of global memory, and reads with an order of their own. A thread
 * that finds the same at the same place again has looked in vain. Waiting blocks do little else, whatever they do between
 * their looks (barriers, other places, counts of their turns), so that spin.h does not see that they wait.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_SIGHTS_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_SIGHTS_H

#include <stdint.h>

enum { SIGHTS_KEPT_BITS = 11, SIGHTS_KEPT = 1 << SIGHTS_KEPT_BITS };

typedef enum sight { SIGHT_FIRST, SIGHT_SAME, SIGHT_NEW } sight;

/** The last ones; one that falls where another one was takes its place. */
typedef struct sights {
    struct {
        uint64_t who, found;
    } kept[SIGHTS_KEPT];
} sights;

/** A thread of a block finds something at an address, as spin_number has it. */
static inline sight sights_look(sights *all, uint64_t block, unsigned thread, uintptr_t address,
                                uint64_t found) {
    const uint64_t own = (block << 10 | thread) + 1;
    const uint64_t who = (own * UINT64_C(0xd6e8feb86659fd93)) ^ (address * UINT64_C(0x9e3779b97f4a7c15));
    const uint64_t at = (who * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - SIGHTS_KEPT_BITS);
    const uint64_t had_who = all->kept[at].who, had_found = all->kept[at].found;
    all->kept[at].who = who;
    all->kept[at].found = found;
    if (had_who != who) return SIGHT_FIRST;
    return had_found == found ? SIGHT_SAME : SIGHT_NEW;
}

#endif
