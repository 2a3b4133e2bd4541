/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/object/symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/source/text.h"

/* True if only the end of a nested name follows, or the number that tells equal names apart. */
static bool ends_symbol(const char *rest) {
    while (*rest == 'E') rest++;
    return *rest == '\0' || *rest == '_' || *rest == '.';
}

/* True if the number is that of a type which was named before ("S6_", "S1A_"), or of a template's parameter ("T0_"): no length. */
static bool is_of_type(const char *symbol, const char *at) {
    return at > symbol && (at[-1] == 'S' || at[-1] == 'T') &&
           at[strspn(at, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_';
}

void lint_variable_name(const char *symbol, char out[static LINT_VARIABLE_NAME]) {
    const char *name = symbol;
    size_t length = strlen(symbol);
    for (const char *at = symbol; begins_with(symbol, "_Z") && *at != '\0'; at++) {
        if (!isdigit((unsigned char)*at) || (at > symbol && isdigit((unsigned char)at[-1])) ||
            is_of_type(symbol, at))
            continue;
        char *start;
        const unsigned long said = strtoul(at, &start, 10);
        if (said == 0 || said > strlen(start) || isdigit((unsigned char)*start) || !ends_symbol(start + said))
            continue;
        name = start;
        length = said;
        break;
    }
    snprintf(out, LINT_VARIABLE_NAME, "%.*s", (int)length, name);
}

size_t lint_function_name(const char *symbol, const char **name) {
    *name = symbol;
    if (!begins_with(symbol, "_Z")) return strlen(symbol);
    const char *at = symbol + 2;
    const bool nested = *at == 'N';
    size_t length = 0;
    at += nested;
    while (*at == 'L') at++;
    do {
        char *start;
        const unsigned long said = isdigit((unsigned char)*at) ? strtoul(at, &start, 10) : 0;
        if (said == 0 || said > strlen(start)) return nested ? length : 0;
        *name = start;
        length = said;
        at = start + said;
    } while (nested);
    return length;
}
