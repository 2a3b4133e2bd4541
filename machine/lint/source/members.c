/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/members.h"

#include <string.h>

#include "machine/lint/source/text.h"

static size_t word_length(const char *at) {
    size_t length = 0;
    while (is_word(at[length])) length++;
    return length;
}

/* Where in braces a structure's members stand. */
typedef struct nesting {
    int depth, structure; /* depth of braces, and of the innermost structure's; 0 for none */
    int outer[64];
    bool begins; /* the word struct, class or union has come, and no brace or semicolon yet */
} nesting;

static void read_brace(nesting *n, char c) {
    if (c == '{' && n->depth < 63) {
        n->outer[n->depth++] = n->structure;
        n->structure = n->begins ? n->depth : 0;
        n->begins = false;
    } else if (c == '}' && n->depth > 0) {
        n->structure = n->outer[--n->depth];
    } else if (strchr(";()=>", c) != NULL) {
        n->begins = false;
    }
}

/* "x" of "float x, y;" where members stand */
static bool declares_x(const nesting *n, const char *text, const char *word) {
    if (n->structure == 0 || n->structure != n->depth || *word != 'x' || is_word(word[1]) || word == text)
        return false;
    const char *behind = word + 1 + strspn(word + 1, " ");
    return strchr(" *,", word[-1]) != NULL && *behind != '\0' && strchr(",;=[{", *behind) != NULL;
}

bool lint_declares_member_x(const char *text) {
    nesting n = {0};
    bool system = false;
    for (const char *at = text; *at != '\0';) {
        if (*at == '#' && (at == text || at[-1] == '\n')) {
            system = enters_system(at);
            at += strcspn(at, "\n");
        } else if (system) {
            at += strcspn(at, "\n");
            at += *at == '\n';
        } else if (is_word(*at)) {
            if (declares_x(&n, text, at)) return true;
            n.begins |= begins_with(at, "struct ") || begins_with(at, "class ") || begins_with(at, "union ");
            at += word_length(at);
        } else {
            read_brace(&n, *at);
            at++;
        }
    }
    return false;
}
