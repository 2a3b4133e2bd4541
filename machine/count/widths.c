/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/widths.h"

#include <stdlib.h>
#include <string.h>

static line_width *find(const line_widths *w, const char *file, unsigned line) {
    for (size_t k = 0; k < w->count; k++) {
        if (w->line[k].line == line && strcmp(w->line[k].file, file) == 0) return &w->line[k];
    }
    return NULL;
}

static line_width *append(line_widths *w, const char *file, unsigned line) {
    if (w->count == w->capacity) {
        const size_t capacity = 2 * w->capacity + 64;
        line_width *grown = realloc(w->line, capacity * sizeof *grown);
        if (grown == NULL) return NULL;
        w->line = grown;
        w->capacity = capacity;
    }
    char *copy = strdup(file);
    if (copy == NULL) return NULL;
    w->line[w->count] = (line_width){.file = copy, .line = line};
    return &w->line[w->count++];
}

bool widths_add(line_widths *w, const char *file, unsigned line, report_space space, report_op op,
                unsigned bytes, bool again) {
    const char *slash = strrchr(file, '/');
    if (slash != NULL) file = slash + 1;
    line_width *known = find(w, file, line);
    if (known == NULL) known = append(w, file, line);
    if (known == NULL) return false;
    code_width *of = &known->of[space][op];
    if (bytes > of->widest) of->widest = bytes;
    of->again |= again;
    of->sum = of->again ? 0 : of->sum + bytes;
    return true;
}

code_width widths_find(const line_widths *w, const char *file, unsigned line, report_space space,
                       report_op op) {
    const line_width *known = find(w, file, line);
    return known != NULL ? known->of[space][op] : (code_width){0};
}

enum { NEAR_LINES = 4 };

unsigned widths_near(const line_widths *w, const char *file, unsigned line, report_space space, report_op op) {
    for (unsigned away = 1; away <= NEAR_LINES; away++) {
        const unsigned after = widths_find(w, file, line + away, space, op).widest;
        const unsigned before = line > away ? widths_find(w, file, line - away, space, op).widest : 0;
        if (after + before > 0) return after > before ? after : before;
    }
    return 0;
}

void widths_free(line_widths *w) {
    for (size_t k = 0; k < w->count; k++) free(w->line[k].file);
    free(w->line);
    *w = (line_widths){0};
}
