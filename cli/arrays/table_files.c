/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/table_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"
#include "frame/readers.h"

static const char blanks[] = " \t\r\n";

static const char *past_blanks(const char *at) { return at + strspn(at, blanks); }

/* The text behind the first "table:" that no bracket follows; NULL if there is none. */
static const char *find_table(const char *spec) {
    while ((spec = strstr(spec, "table")) != NULL) {
        spec = past_blanks(spec + strlen("table"));
        if (*spec != ':') continue;
        spec = past_blanks(spec + 1);
        if (*spec != '[') return spec;
    }
    return NULL;
}

static const char *copy_quoted(const char *at, char *name) {
    while (*at != '"' && *at != '\0') {
        if (*at == '\\' && at[1] != '\0') at++;
        *name++ = *at++;
    }
    *name = '\0';
    return at;
}

static const char *copy_plain(const char *at, char *name) {
    const char *const end = at + strcspn(at, "|)");
    size_t length = (size_t)(end - at);
    while (length > 0 && strchr(blanks, at[length - 1]) != NULL) length--;
    memcpy(name, at, length);
    name[length] = '\0';
    return end;
}

bool option_spec(const command_option *option, const char *text, void *field) {
    char place[64];
    snprintf(place, sizeof place, "--%s: table:", option->name);
    char *const name = malloc(strlen(text) + 1);
    bool has_names = name != NULL;
    if (name == NULL) complain("no memory for the names of tables");
    for (const char *rest = text; has_names && (rest = table_files_next(rest, name)) != NULL;)
        has_names = check_file_name(place, name);
    free(name);
    return has_names && option_text(option, text, field);
}

const char *table_files_next(const char *spec, char *name) {
    const char *const at = find_table(spec);
    if (at == NULL) return NULL;
    return *at == '"' ? copy_quoted(at + 1, name) : copy_plain(at, name);
}
