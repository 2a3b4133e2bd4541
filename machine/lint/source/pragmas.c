/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/pragmas.h"

#include <string.h>

#include "machine/lint/source/launches.h"
#include "machine/lint/source/text.h"

static const char *behind_blanks(const char *at) { return at + strspn(at, " \t"); }

/* Behind "# pragma unroll 4" that begins here; NULL for another. */
static const char *behind_unroll(const char *at) {
    static const char *const words[] = {"pragma", "unroll"};
    at++;
    for (size_t k = 0; k < 2; k++) {
        at = behind_blanks(at);
        if (!begins_with(at, words[k]) || is_word(at[strlen(words[k])])) return NULL;
        at += strlen(words[k]);
    }
    const char *number = behind_blanks(at), *end = number + strspn(number, "0123456789");
    return end > number ? end : at;
}

void lint_pragmas_write(const char *text, size_t length, FILE *out) {
    const char *end = text + length, *written = text;
    for (const char *at = text; at < end; at = lint_next_place(text, at, end)) {
        if (*at != '#') continue;
        if (at == text || at[-1] == '\n') {
            at += strcspn(at, "\n");
            if (at == end) break;
            continue;
        }
        const char *behind = behind_unroll(at);
        if (behind == NULL) continue;
        fwrite(written, 1, (size_t)(at - written), out);
        written = behind;
    }
    fwrite(written, 1, (size_t)(end - written), out);
}
