/* SPDX-License-Identifier: Apache-2.0
 *
 * How many accesses of each kernel have been counted and checked, where a machine does so with only so many. A kernel's accesses beyond
 * them are unseen: its blocks run, so that what they compute is there, and the hooks pass over their accesses.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LIMITS_BUDGET_H
#define RIFFLE_MACHINE_RUNTIME_LIMITS_BUDGET_H

#include <stddef.h>
#include <stdint.h>

typedef struct budget_entry {
    const char *kernel;
    uint64_t counted, checked; /**< accesses */
    uint64_t checked_blocks;
} budget_entry;

typedef struct budget {
    budget_entry *entry;
    size_t count;
} budget;

/** Units of work: what a thread, an access, one that is looked at, and a thread that goes on after it has waited take of a processor's time,
 *  2 to 7 ns each. */
enum { BUDGET_THREAD = 16, BUDGET_ACCESS = 1, BUDGET_SEEN_ACCESS = 8, BUDGET_WAIT = 16 };

/** The accesses of a block that nobody sees: as many as those that were checked made on average. */
static inline uint64_t budget_mean(const budget_entry *own) {
    return own->checked_blocks > 0 ? own->checked / own->checked_blocks : 0;
}

/** Of so many accesses, 0 for all, those that are left. */
static inline uint64_t budget_left(uint64_t most, uint64_t spent) {
    if (most == 0) return UINT64_MAX;
    return most > spent ? most - spent : 0;
}

/** The entry of a kernel by its name, which it keeps; NULL without memory. */
budget_entry *budget_of(budget *all, const char *kernel);
void budget_free(budget *all);

#endif
