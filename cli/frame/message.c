/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/message.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "frame/exit.h"
#include "frame/nearest.h"

enum { LONGEST_LIST = 512, LONGEST_NAME = 4096, LONGEST_LINE = 2 * LONGEST_NAME };

/* Where messages go instead of stderr; NULL: nowhere else. */
static char *kept;
static size_t kept_capacity;

void complain_into(char *words, size_t capacity) {
    kept = words;
    kept_capacity = capacity;
}

void complain_list(const char *format, va_list arguments) {
    char line[LONGEST_LINE], shown[LONGEST_LINE];
    vsnprintf(line, sizeof line, format, arguments);
    if (kept != NULL) {
        if (*kept == '\0') snprintf(kept, kept_capacity, "%s", line);
        return;
    }
    fprintf(stderr, "%s: %s\n", program_name, riffle_printable(line, shown, sizeof shown));
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(format, arguments);
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
    complain_meant(kind, word, nearest_word(word, words), words);
}

void complain_meant(const char *kind, const char *word, const char *nearest, const char *const *words) {
    if (nearest != NULL) {
        complain("%s '%s': unknown; did you mean '%s'?", kind, word, nearest);
    } else {
        char list[LONGEST_LIST];
        join(words, list);
        complain("%s '%s': unknown; the choices are %s", kind, word, list);
    }
}

void complain_ambiguous(const char *kind, const char *word, const char *const *words) {
    char list[LONGEST_LIST];
    join(words, list);
    complain("%s '%s': ambiguous; it may be %s", kind, word, list);
}

/* The advice for a status whose detail only says what was wrong. */
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
    char shown[LONGEST_LINE];
    const size_t length = strlen(riffle_printable(place, shown, sizeof shown));
    bool named = strncmp(what, shown, length) == 0 && (what[length] == ':' || what[length] == ' ');
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
    char before[LONGEST_LINE], shown[LONGEST_LINE], rest[LONGEST_LINE];
    if (kept != NULL) return;
    snprintf(before, sizeof before, "%.*s", (int)character - 1, spec);
    riffle_printable(before, shown, sizeof shown);
    riffle_printable(spec + strlen(before), rest, sizeof rest);
    fprintf(stderr, "  %s%s\n  %*s^\n", shown, rest, (int)strlen(shown), "");
}

int complain_spec(const char *spec, riffle_status status) {
    unsigned character = character_of(riffle_error_detail());
    complain_status("--by", status);
    if (character > 0) point_at(spec, character);
    return status == RIFFLE_ERROR_SYNTAX || status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

void complain_left_out(const char *out, uint64_t groups, uint64_t outside, uint64_t full) {
    if (outside > 0)
        complain("%s: rows left out for keys outside 0 to %" PRIu64 ": %" PRIu64, out, groups - 1, outside);
    if (full > 0) complain("%s: rows left out for full groups: %" PRIu64, out, full);
}

const char *plural_of(uint64_t count) { return count == 1 ? "" : "s"; }

int finish_stdout(int exit_status) { return finish_stream(stdout, exit_status); }

int finish_stream(FILE *stream, int exit_status) {
    if (fflush(stream) == 0 && !ferror(stream)) return exit_status;
    complain("standard output: cannot be written; is its disk full or its reader gone?");
    return EXIT_FAILED;
}
