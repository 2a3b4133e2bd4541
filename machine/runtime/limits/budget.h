/* SPDX-License-Identifier: Apache-2.0
 *
 * How many accesses of each kernel have been counted, where a machine counts only so many. A kernel's accesses beyond them are
 * unseen: its blocks run, so that what they compute is there, and the hooks pass over their accesses.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LIMITS_BUDGET_H
#define RIFFLE_MACHINE_RUNTIME_LIMITS_BUDGET_H

#include <stddef.h>
#include <stdint.h>

typedef struct budget_entry {
    const char *kernel;
    uint64_t spent;
} budget_entry;

typedef struct budget {
    budget_entry *entry;
    size_t count;
} budget;

/** The entry of a kernel by its name, which it keeps; NULL without memory. */
budget_entry *budget_of(budget *all, const char *kernel);
void budget_free(budget *all);

#endif
