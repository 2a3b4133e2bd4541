/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/arguments/types.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char lint_type_examples[] =
    "char, short, int, unsigned, long long, size_t, float, double, uint8_t, float4";

typedef struct number {
    const char *name;
    lint_number number;
    unsigned bytes;
} number;

static const number numbers[] = {
    {"bool", NUMBER_BOOL, 1},
    {"char", NUMBER_SIGNED, 1},
    {"signed char", NUMBER_SIGNED, 1},
    {"unsigned char", NUMBER_UNSIGNED, 1},
    {"short", NUMBER_SIGNED, 2},
    {"unsigned short", NUMBER_UNSIGNED, 2},
    {"int", NUMBER_SIGNED, 4},
    {"unsigned", NUMBER_UNSIGNED, 4},
    {"unsigned int", NUMBER_UNSIGNED, 4},
    {"long", NUMBER_SIGNED, 8},
    {"unsigned long", NUMBER_UNSIGNED, 8},
    {"long long", NUMBER_SIGNED, 8},
    {"unsigned long long", NUMBER_UNSIGNED, 8},
    {"size_t", NUMBER_UNSIGNED, 8},
    {"ptrdiff_t", NUMBER_SIGNED, 8},
    {"int8_t", NUMBER_SIGNED, 1},
    {"uint8_t", NUMBER_UNSIGNED, 1},
    {"int16_t", NUMBER_SIGNED, 2},
    {"uint16_t", NUMBER_UNSIGNED, 2},
    {"int32_t", NUMBER_SIGNED, 4},
    {"uint32_t", NUMBER_UNSIGNED, 4},
    {"int64_t", NUMBER_SIGNED, 8},
    {"uint64_t", NUMBER_UNSIGNED, 8},
    {"float", NUMBER_FLOAT, 4},
    {"double", NUMBER_FLOAT, 8},
};

/* The part of a vector type's name before the number of components. */
static const number vectors[] = {
    {"char", NUMBER_SIGNED, 1},        {"uchar", NUMBER_UNSIGNED, 1}, {"short", NUMBER_SIGNED, 2},
    {"ushort", NUMBER_UNSIGNED, 2},    {"int", NUMBER_SIGNED, 4},     {"uint", NUMBER_UNSIGNED, 4},
    {"long", NUMBER_SIGNED, 8},        {"ulong", NUMBER_UNSIGNED, 8}, {"longlong", NUMBER_SIGNED, 8},
    {"ulonglong", NUMBER_UNSIGNED, 8}, {"float", NUMBER_FLOAT, 4},    {"double", NUMBER_FLOAT, 8},
};

/* Short names that systems and CUDA's samples have: the compiler may not know them, so it is told what they mean. */
static const struct {
    const char *name, *means;
} aliases[] = {{"uchar", "unsigned char"},
               {"ushort", "unsigned short"},
               {"uint", "unsigned int"},
               {"ulong", "unsigned long"}};

static void name_in_full(char name[static LINT_TYPE_NAME]) {
    for (size_t k = 0; k < sizeof aliases / sizeof aliases[0]; k++) {
        if (strcmp(name, aliases[k].name) == 0) snprintf(name, LINT_TYPE_NAME, "%s", aliases[k].means);
    }
}

/* Copies with runs of blanks as one and none at the ends; false if it is too long. */
static bool copy_words(const char *text, size_t length, char out[static LINT_TYPE_NAME]) {
    size_t used = 0;
    for (size_t k = 0; k < length; k++) {
        const bool blank = isspace((unsigned char)text[k]);
        if (blank && (used == 0 || out[used - 1] == ' ')) continue;
        if (used + 1 == LINT_TYPE_NAME) return false;
        out[used++] = blank ? ' ' : text[k];
    }
    if (used > 0 && out[used - 1] == ' ') used--;
    out[used] = '\0';
    return true;
}

static const number *find(const number *list, size_t count, const char *name, size_t length) {
    for (size_t k = 0; k < count; k++) {
        if (strlen(list[k].name) == length && memcmp(list[k].name, name, length) == 0) return &list[k];
    }
    return NULL;
}

bool lint_type_parse(const char *text, size_t length, lint_type *out) {
    char name[LINT_TYPE_NAME];
    if (!copy_words(text, length, name) || *name == '\0') return false;
    name_in_full(name);
    const size_t end = strlen(name) - 1;
    unsigned components = 1;
    const number *found = find(numbers, sizeof numbers / sizeof numbers[0], name, end + 1);
    if (found == NULL && name[end] >= '1' && name[end] <= '0' + LINT_MAX_COMPONENTS) {
        found = find(vectors, sizeof vectors / sizeof vectors[0], name, end);
        components = (unsigned)(name[end] - '0');
    }
    if (found == NULL) return false;
    *out = (lint_type){.number = found->number, .number_bytes = found->bytes, .components = components};
    memcpy(out->name, name, sizeof name);
    return true;
}
