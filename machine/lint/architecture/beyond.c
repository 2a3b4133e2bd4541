/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* getdelim */
#include "machine/lint/architecture/beyond.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/source/text.h"

/* PTX ISA 8.6 to 9.0 has them for sm_100 or later. */
static const char *const modifiers[] = {
    "tcgen05.",  "clusterlaunchcontrol.", ".cta_group::", ".kind::",   ".f32x2",    ".e2m1x2", ".e2m3x2",
    ".e3m2x2",   ".ue8m0x2",              "::gather4",    "::scatter4", "st.bulk.", NULL};

bool beyond_is_instruction(const char *instruction) {
    for (const char *const *one = modifiers; *one != NULL; one++)
        if (strstr(instruction, *one) != NULL) return true;
    return false;
}

/* True if it stands at `at` of a name, as CUTLASS writes it: "SM100_MMA_S8_SS", "tmem_allocator_sm100", "ARCH_MMA_SM103A_ENABLED", "MainloopSm100Tma".
   A count of multiprocessors is another thing: "kNumSM120", "sm120". */
static bool is_architecture(const char *name, size_t length, size_t at) {
    static const char *const known[] = {"100", "101", "103", "110", "120", "121", NULL};
    const bool camel = begins_with(name + at, "Sm"), small = begins_with(name + at, "sm");
    if (!camel && !small && !begins_with(name + at, "SM")) return false;
    const size_t digits = at + 2 + (name[at + 2] == '_');
    if (digits + 3 > length || !begins_with_any(name + digits, known)) return false;
    if (camel) return digits + 3 == length || name[digits + 3] == '_' || isupper((unsigned char)name[digits + 3]);
    const size_t end = digits + 3 + (digits + 3 < length && strchr("aAfF", name[digits + 3]) != NULL);
    const bool alone = at == 0 && end == length && digits == at + 2;
    return (at == 0 || name[at - 1] == '_') && (end == length || name[end] == '_') && !(small && alone);
}

static bool has_architecture(const char *name, size_t length) {
    for (size_t k = 0; k + 5 <= length; k++)
        if (is_architecture(name, length, k)) return true;
    return false;
}

static bool is_beyond(const char *name, size_t length) {
    static const char *const starts[] = {"tcgen05", "clusterlaunchcontrol", "clusterLaunchControl", NULL};
    return begins_with_any(name, starts) || has_architecture(name, length);
}

/* Behind the comment that begins here, or the same place. */
static const char *behind_comment(const char *at) {
    if (begins_with(at, "//")) return at + strcspn(at, "\n");
    if (!begins_with(at, "/*")) return at;
    const char *end = strstr(at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen(at);
}

bool beyond_find(const char *text, beyond_name *out) {
    unsigned line = 1;
    for (const char *at = text; *at != '\0';) {
        const char *behind = behind_comment(at);
        for (; at < behind; at++) line += *at == '\n';
        size_t length = 0;
        while (is_word(at[length])) length++;
        if (length > 0 && is_beyond(at, length)) {
            snprintf(out->word, sizeof out->word, "%.*s", (int)length, at);
            out->line = line;
            return true;
        }
        line += length == 0 && *at == '\n';
        at += length > 0 ? length : *at != '\0';
    }
    return false;
}

/* Line `line` of the text, which it cuts; the text where that is 0. */
static char *cut_line(char *text, unsigned line) {
    if (line == 0) return text;
    for (unsigned k = 1; k < line && text != NULL; k++) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    if (text != NULL) text[strcspn(text, "\n")] = '\0';
    return text;
}

bool beyond_find_in_file(const char *path, unsigned line, beyond_name *out) {
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    if (file == NULL) return false;
    const bool read = getdelim(&text, &capacity, '\0', file) > 0;
    fclose(file);
    const char *looked_at = read ? cut_line(text, line) : NULL;
    const bool found = looked_at != NULL && beyond_find(looked_at, out);
    if (found && line > 0) out->line = line;
    free(text);
    return found;
}
