/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the readers of compilers' texts and names share.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_TEXT_H
#define RIFFLE_MACHINE_LINT_SOURCE_TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static inline bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/** `starts` ends with NULL. */
static inline bool begins_with_any(const char *text, const char *const *starts) {
    for (; *starts != NULL; starts++) {
        if (begins_with(text, *starts)) return true;
    }
    return false;
}

/** True if the character may be part of a name. */
static inline bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/** True if the word stands at `at` of the text as a whole word. */
static inline bool is_word_at(const char *text, const char *at, const char *word) {
    return begins_with(at, word) && !is_word(at[strlen(word)]) && (at == text || !is_word(at[-1]));
}

/** True if the line, '# 12 "/usr/include/x.h" 1 3 4', says that a header of the system's, or riffle's, follows. */
static inline bool enters_system(const char *line) {
    const char *quote = strchr(line + 1, '"'), *end = strchr(line, '\n');
    if (quote == NULL || end == NULL || quote > end) return false;
    const char *flags = strchr(quote + 1, '"');
    for (; flags != NULL && flags < end; flags++) {
        if (*flags == '3' && flags[-1] == ' ') return true;
    }
    return false;
}

/** Before the white space that ends at `at`. */
static inline const char *skip_back(const char *text, const char *at) {
    while (at > text && strchr(" \t\n", at[-1]) != NULL) at--;
    return at;
}

/** Behind the string or character that begins here, or the one character. */
static inline const char *behind_one(const char *at) {
    if (*at != '"' && *at != '\'') return at + 1;
    const char quote = *at++;
    while (*at != '\0' && *at != quote && *at != '\n') at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

/** Behind the bracket that closes the one here; the text's end if there is none. */
static inline const char *behind_brackets(const char *at) {
    int depth = 0;
    while (*at != '\0') {
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        at = behind_one(at);
        if (depth == 0) return at;
    }
    return at;
}

/** Behind white space. */
static inline const char *skip_blanks(const char *at) { return at + strspn(at, " \t\n"); }

/** Behind blanks, and lines by which a preprocessor tells where it is. */
static inline const char *skip_markers(const char *at) {
    for (at = skip_blanks(at); *at == '#'; at = skip_blanks(at)) at += strcspn(at, "\n");
    return at;
}

#endif
