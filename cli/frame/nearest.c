/* SPDX-License-Identifier: Apache-2.0
 *
 * Which word was meant: the Damerau-Levenshtein distance, three rows of its table at a time. Row i, column j
 * holds the edits from the first i letters of one word to the first j of the other.
 */
#include "frame/nearest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Letters to insert, delete, replace or swap with their neighbour; b has at most LONGEST. */
static size_t distance(const char *a, const char *b) {
    size_t rows[3][LONGEST + 1];
    const size_t height = strlen(a), width = strlen(b);
    for (size_t j = 0; j <= width; ++j) rows[0][j] = j;
    for (size_t i = 1; i <= height; ++i) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= width; ++j) {
            size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[height % 3][width];
}

const char *nearest_word(const char *word, const char *const *words) {
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST) return NULL;
    const char *nearest = NULL;
    size_t fewest = length / 3 + 2; /* one more than the edits that still count as near */
    for (; *words != NULL; ++words) {
        if (length >= 2 && strncmp(word, *words, length) == 0) return *words;
        size_t edits = distance(*words, word);
        if (edits < fewest && edits < length) {
            nearest = *words;
            fewest = edits;
        }
    }
    return nearest;
}
