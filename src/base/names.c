/* SPDX-License-Identifier: Apache-2.0 */
#include "base/names.h"

#include <string.h>

#include "base/status.h"

const char *name_of(const name_table *table, unsigned value) {
    return value < table->count ? table->names[value] : "unknown";
}

/* "auto, copy and scatter" */
static void join(const name_table *table, char *text, size_t capacity) {
    size_t length = 0;
    for (unsigned k = 0; k < table->count && length < capacity; k++) {
        const char *const separator = k == 0 ? "" : k + 1 == table->count ? " and " : ", ";
        length += (size_t)snprintf(text + length, capacity - length, "%s%s", separator, table->names[k]);
    }
}

riffle_status name_parse(const name_table *table, const char *name, unsigned *out) {
    char names[512];
    RETURN_IF_NULL(name, out);
    for (unsigned k = 0; k < table->count; k++) {
        if (strcmp(name, table->names[k]) != 0) continue;
        *out = k;
        return RIFFLE_OK;
    }
    join(table, names, sizeof names);
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "unknown %s '%s'; there are %s", table->what, name, names);
}

size_t name_list(const name_table *table, unsigned *out, size_t capacity) {
    for (unsigned k = 0; out != NULL && k < capacity && k < table->count; k++) out[k] = k;
    return table->count;
}

const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }
