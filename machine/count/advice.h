/* SPDX-License-Identifier: Apache-2.0
 *
 * Remedies for a wasteful site. Each is tried before it is told: the site's kept accesses, and those of all other sites to the
 * same array, are counted again as they would be with the remedy.
 */
#ifndef RIFFLE_MACHINE_COUNT_ADVICE_H
#define RIFFLE_MACHINE_COUNT_ADVICE_H

#include "machine/count/rounds.h"

enum { ADVICE_TEXT = 320 };

/** An array that a site accesses. */
typedef struct advice_array {
    const char *name;
    uint64_t bytes;
} advice_array;

/** One or two clauses, "" if nothing is known. The rounds are over. */
void advice_say(const rounds *r, const site *s, const advice_array *array, char out[static ADVICE_TEXT]);

#endif
