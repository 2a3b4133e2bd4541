/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of several names a word that is none of them was meant to be.
 */
#ifndef RIFFLE_BASE_NEAREST_H
#define RIFFLE_BASE_NEAREST_H

#include <stddef.h>

typedef struct nearest {
    const char *word;
    size_t length;
    const char *name; /**< the nearest so far, NULL while none is near enough to be meant */
    size_t name_length;
    size_t edits; /**< fewer than this turn the word into a name that is near enough */
} nearest;

/** No name is near yet; words of more than 32 characters are not guessed. */
nearest nearest_to(const char *word, size_t length);

/** Takes a name of at most 32 characters if it is nearer than those before it; upper and lower case count as the same. */
void nearest_try(nearest *n, const char *name, size_t length);

#endif
