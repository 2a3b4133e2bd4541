/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <ctype.h>

enum { LONGEST = 32 };

nearest nearest_to(const char *word, size_t length) {
    const size_t edits = length / 3 + 2; /* so many make another word of it */
    return (nearest){.word = word,
                     .length = length,
                     .edits = length > LONGEST ? 0
                              : edits < length ? edits
                                               : length};
}

static int lower(char c) { return tolower((unsigned char)c); }

/* Levenshtein's distance, in one row of his table. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            const size_t shorter = row[j - 1] < row[j] ? row[j - 1] : row[j];
            row[j] = shorter + 1 < replaced ? shorter + 1 : replaced;
        }
    }
    return row[b_length];
}

void nearest_try(nearest *n, const char *name, size_t length) {
    if (n->edits == 0 || length > LONGEST) return;
    const size_t edits = edit_distance(n->word, n->length, name, length);
    if (edits >= n->edits) return;
    n->edits = edits;
    n->name = name;
    n->name_length = length;
}
