/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/ptx/branch.h"

#include <string.h>

#include "machine/lint/ptx/operand.h"
#include "machine/lint/source/text.h"

static const char blanks[] = " \t\n";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";

/* The length of a label's name here; 0 if there is none. A word with two dots behind it is the scope of another. */
static size_t label_length(const char *at) {
    const size_t length = strspn(at, letters);
    return length > 0 && at[length] == ':' && at[length + 1] != ':' ? length : 0;
}

static void write_label(const char *name, size_t length, unsigned number, FILE *out) {
    fprintf(out, "riffle_l%u_", number);
    for (size_t k = 0; k < length; k++) fputc(name[k] == '$' ? '_' : name[k], out);
}

char *ptx_write_labels(char *at, unsigned number, FILE *out) {
    for (size_t length; (length = label_length(at)) > 0;) {
        write_label(at, length, number, out);
        fputs(":; ", out);
        at += length + 1;
        at += strspn(at, blanks);
    }
    return at;
}

bool ptx_write_branch(char *at, unsigned number, FILE *out) {
    char *branch = at;
    if (*at == '@') branch += strcspn(branch, blanks), branch += strspn(branch, blanks);
    if (!begins_with(branch, "bra") || (branch[3] != '.' && strchr(blanks, branch[3]) == NULL)) return false;
    char *name = branch + strcspn(branch, blanks);
    name = ptx_trim(name);
    if (*at == '@') {
        const bool inverted = at[1] == '!';
        at[strcspn(at, blanks)] = '\0';
        fprintf(out, "if (%s", inverted ? "!" : "");
        if (!ptx_write_as("bool", at + 1 + inverted, out)) return false;
        fputs(") ", out);
    }
    fputs("goto ", out);
    write_label(name, strspn(name, letters), number, out);
    fputs("; ", out);
    return true;
}
