/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "machine/lint/ptx/words.h"

#include <string.h>

bool ptx_cut_name(char *name, ptx_words *out) {
    char *rest = NULL;
    out->count = 0;
    for (char *word = strtok_r(name, ".", &rest); word != NULL; word = strtok_r(NULL, ".", &rest)) {
        if (out->count == PTX_MOST_WORDS) return false;
        out->word[out->count++] = word;
    }
    return true;
}

bool ptx_take(ptx_words *of, const char *word) {
    for (unsigned k = 0; k < of->count; k++) {
        if (strcmp(of->word[k], word) != 0) continue;
        of->count--;
        for (; k < of->count; k++) of->word[k] = of->word[k + 1];
        return true;
    }
    return false;
}
