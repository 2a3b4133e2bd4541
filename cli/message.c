/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "nearest.h"

enum { LONGEST_LIST = 512 };

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("riffle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* "a, b, c" */
static void join(const char *const *words, char list[static LONGEST_LIST]) {
    size_t used = 0;
    list[0] = '\0';
    for (size_t k = 0; words[k] != NULL && used < LONGEST_LIST; ++k)
        used += (size_t)snprintf(list + used, LONGEST_LIST - used, "%s%s", k > 0 ? ", " : "", words[k]);
}

void complain_unknown(const char *kind, const char *word, const char *const *words) {
    const char *nearest = nearest_word(word, words);
    if (nearest != NULL) {
        complain("%s '%s': unknown; did you mean '%s'?", kind, word, nearest);
    } else {
        char list[LONGEST_LIST];
        join(words, list);
        complain("%s '%s': unknown; the choices are %s", kind, word, list);
    }
}

/* What to do about a status whose detail only says what was wrong. */
static const char *remedy(riffle_status status) {
    switch (status) {
    case RIFFLE_ERROR_LENGTH: return "choose a SPEC that fits the array";
    case RIFFLE_ERROR_NOT_A_PERMUTATION: return "a table must hold each of 0..n-1 once";
    case RIFFLE_ERROR_SINGULAR: return "choose linearly independent rows";
    case RIFFLE_ERROR_FORMAT: return "write it anew with numpy.save";
    case RIFFLE_ERROR_OUT_OF_MEMORY: return "free memory or move a smaller array";
    default: return NULL;
    }
}

int complain_status(const char *place, riffle_status status) {
    const char *detail = riffle_error_detail();
    const char *what = *detail != '\0' ? detail : riffle_status_string(status);
    size_t length = strlen(place);
    bool named = strncmp(what, place, length) == 0 && (what[length] == ':' || what[length] == ' ');
    const char *todo = strchr(what, ';') == NULL ? remedy(status) : NULL;
    complain("%s%s%s%s%s", named ? "" : place, named ? "" : ": ", what, todo ? "; " : "", todo ? todo : "");
    return EXIT_FAILED;
}

/* The 1-based character that "spec, character N: ..." names; 0 if the detail names none. */
static unsigned character_of(const char *detail) {
    unsigned character;
    return sscanf(detail, "spec, character %u:", &character) == 1 ? character : 0;
}

/* The spec on a line of its own and a caret under its character number `character`. */
static void point_at(const char *spec, unsigned character) {
    fputs("  ", stderr);
    for (const char *c = spec; *c != '\0'; ++c) fputc((unsigned char)*c < ' ' ? '?' : *c, stderr);
    fprintf(stderr, "\n  %*s^\n", (int)character - 1, "");
}

int complain_spec(const char *spec, riffle_status status) {
    unsigned character = character_of(riffle_error_detail());
    complain_status("--by", status);
    if (character > 0) point_at(spec, character);
    return status == RIFFLE_ERROR_SYNTAX || status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}
