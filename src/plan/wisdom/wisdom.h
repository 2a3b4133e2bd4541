/* SPDX-License-Identifier: Apache-2.0
 *
 * Wisdom, which measuring finds, by key: one table a process, which files fill and keep (riffle_wisdom_load, riffle_wisdom_save).
 * A key is a hash of a move and of the processor, so an entry that fits nothing here is never found. An entry is advice: a plan checks
 * whether its algorithm can do the move, as it does for a caller's.
 */
#ifndef RIFFLE_PLAN_WISDOM_WISDOM_H
#define RIFFLE_PLAN_WISDOM_WISDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle.h"

typedef struct wisdom_entry {
    uint64_t key;
    riffle_algorithm algorithm;
    unsigned threads;     /**< at most */
    unsigned stores;      /**< plan_stores */
    uint64_t picoseconds; /**< an execution's, when it was measured */
} wisdom_entry;

enum { WISDOM_MOST = 1 << 14 };

/** True, and *out, if there is an entry. */
bool wisdom_find(uint64_t key, wisdom_entry *out);

/** Takes entries in, each in the place of one with its key; beyond WISDOM_MOST the oldest ones go. Where there is no memory for all
 *  it takes none, and fails. */
riffle_status wisdom_keep(const wisdom_entry *entries, size_t count);

/** Copies the table to *out, for free(), and its length to *count. */
riffle_status wisdom_all(wisdom_entry **out, size_t *count);

#endif
