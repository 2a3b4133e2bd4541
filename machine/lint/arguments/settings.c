/* SPDX-License-Identifier: Apache-2.0
 *
 * Only names and numbers are written into the source.
 */
#include "machine/lint/arguments/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/arguments/arguments.h"
#include "machine/lint/source/text.h"

/* "n::name", how long it is; 0 if none begins here. */
static size_t name_length(const char *text) {
    size_t length = 0;
    if (isdigit((unsigned char)*text)) return 0;
    while (is_word(text[length]) || (begins_with(text + length, "::") && is_word(text[length + 2])))
        length += text[length] == ':' ? 2 : 1;
    return length;
}

/* A name, with fields and indices behind it. */
static bool is_place(const char *text) {
    size_t length = name_length(text);
    if (length == 0) return false;
    for (text += length; *text != '\0'; text += length) {
        if (*text == '.') {
            length = 1 + name_length(text + 1);
            if (length == 1) return false;
        } else {
            length = 1 + strspn(text + 1, "0123456789");
            if (*text != '[' || length == 1 || text[length++] != ']') return false;
        }
    }
    return true;
}

/* ---- values */

static bool is_number(const char *text) {
    char *end;
    if (strspn(text, "0123456789+-.eExXabcdefABCDEFuUlL") != strlen(text)) return false;
    if (!isdigit((unsigned char)text[strspn(text, "+-.")])) return false;
    strtod(text, &end);
    if (*end == 'f' && end[1] == '\0') return strpbrk(text, ".eE") != NULL;
    return end[strspn(end, "uUlL")] == '\0';
}

/* "2^20" */
static bool is_power(const char *text, unsigned *exponent) {
    char *end;
    if (!begins_with(text, "2^") || !isdigit((unsigned char)text[2])) return false;
    *exponent = (unsigned)strtoul(text + 2, &end, 10);
    return *end == '\0' && *exponent < 64;
}

static bool read_literal(const char *text, lint_setting *setting) {
    char *const out = setting->value;
    unsigned exponent;
    setting->is_number = isdigit((unsigned char)text[strspn(text, "+-.")]) != 0;
    if (strcmp(text, "null") == 0 || strcmp(text, "NULL") == 0)
        strcpy(out, "nullptr");
    else if (is_power(text, &exponent))
        snprintf(out, LINT_VALUE, "(1ull << %u)", exponent);
    else if (is_number(text) || (*text != '\0' && text[name_length(text)] == '\0'))
        strcpy(out, text);
    else
        return false;
    return true;
}

static riffle_status read_array(const char *what, const char *text, lint_setting *out) {
    out->array = calloc(1, sizeof *out->array);
    if (out->array == NULL) return fail_memory("an argument", sizeof *out->array);
    riffle_status status = lint_argument_parse(0, text, out->array);
    if (status == RIFFLE_OK && out->array->is_array && out->array->fill != FILL_FILE) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_SYNTAX, "%s: '%s' is no array; write TYPE:LENGTH[:FILL], as float:1024:random",
                what, text);
}

/* ---- settings */

static riffle_status read_one(const char *what, const char *text, bool named, lint_setting *out) {
    const char *equals = strchr(text, '='), *value = named && equals != NULL ? equals + 1 : text;
    if (strlen(text) >= LINT_VALUE) return fail(RIFFLE_ERROR_SYNTAX, "%s: '%.40s...' is too long", what, text);
    if (named) {
        snprintf(out->place, sizeof out->place, "%.*s", (int)strcspn(text, "="), text);
        if (equals == NULL || !is_place(out->place))
            return fail(RIFFLE_ERROR_SYNTAX,
                        "%s: '%s' is no FIELD=VALUE; write n=128, at[2].x=0.5 or next=null", what, text);
    }
    const size_t length = name_length(value);
    if (length > 0 && value[length] == ':') return read_array(what, value, out);
    if (read_literal(value, out)) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_SYNTAX,
                "%s: '%s' is no value; write a number, true, null, a name or TYPE:LENGTH[:FILL]", what, value);
}

/* That the last of the settings is not a place that another has set. */
static riffle_status look_for_twice(const char *what, const lint_settings *settings) {
    const char *last = settings->setting[settings->count - 1].place;
    for (size_t k = 0; k + 1 < settings->count; k++) {
        if (strcmp(settings->setting[k].place, last) == 0)
            return fail(RIFFLE_ERROR_SYNTAX, "%s: '%s' is set twice; leave one out", what, last);
    }
    return RIFFLE_OK;
}

riffle_status lint_settings_parse(const char *what, const char *text, size_t length, bool named,
                                  lint_settings *out) {
    riffle_status status = RIFFLE_OK;
    out->count = 0;
    out->setting = calloc(LINT_MAX_SETTINGS, sizeof *out->setting);
    if (out->setting == NULL) return fail_memory("an argument", sizeof *out->setting);
    const char *end = text + length;
    while (text < end && status == RIFFLE_OK) {
        char item[LINT_VALUE + 1];
        size_t own = 0;
        while (text + own < end && text[own] != ',') own++;
        snprintf(item, sizeof item, "%.*s", (int)own, text);
        if (out->count == LINT_MAX_SETTINGS)
            return fail(RIFFLE_ERROR_SYNTAX, "%s: more than %d values", what, LINT_MAX_SETTINGS);
        status = read_one(what, item, named, &out->setting[out->count++]);
        if (status == RIFFLE_OK && named) status = look_for_twice(what, out);
        text += own + 1;
    }
    return status;
}

void lint_settings_free(lint_settings *settings) {
    for (size_t k = 0; k < settings->count; k++) free(settings->setting[k].array);
    free(settings->setting);
    *settings = (lint_settings){0};
}

riffle_status lint_constant_parse(const char *text, lint_constant *out) {
    char what[LINT_PLACE + 32];
    const size_t name = strcspn(text, "="), length = strlen(text);
    snprintf(out->name, sizeof out->name, "%.*s", (int)name, text);
    snprintf(what, sizeof what, "constant '%s'", out->name);
    if (text[name] == '\0' || name >= LINT_PLACE || !is_place(out->name))
        return fail(RIFFLE_ERROR_SYNTAX, "constant '%.60s': no NAME=VALUE; write weights=1,2,3 or p={n=4}",
                    text);
    const char *rest = text + name + 1;
    if (*rest == '{' && text[length - 1] != '}')
        return fail(RIFFLE_ERROR_SYNTAX, "%s: no '}' at the end; write p={n=4}, in quotes for the shell", what);
    out->has_fields = *rest == '{';
    if (out->has_fields)
        return lint_settings_parse(what, rest + 1, (size_t)(text + length - 1 - (rest + 1)), true,
                                   &out->settings);
    if (*rest == '\0') return fail(RIFFLE_ERROR_SYNTAX, "%s: no value; write %s=0", what, out->name);
    return lint_settings_parse(what, rest, strlen(rest), false, &out->settings);
}

/* ---- as C++ */

/* An index that an array does not have is an error of the compiler. */
static void check_indices(const char *object, const char *place, FILE *stream) {
    for (const char *open = strchr(place, '['); open != NULL; open = strchr(open + 1, '[')) {
        const int before = (int)(open - place), digits = (int)strcspn(open, "]") - 1;
        fprintf(stream, "    static_assert(riffle_lint_has<decltype(%s.%.*s)>(%.*s), \"%s is not there\");\n",
                object, before, place, digits, open + 1, place);
    }
}

/* And so is a number that an integer does not hold. */
static void check_number(const char *object, const lint_setting *one, FILE *stream) {
    const char *dot = *one->place != '\0' ? "." : "";
    if (one->is_number)
        fprintf(stream, "    static_assert(riffle_lint_fits<decltype(%s%s%s)>(%s), \"%s does not fit %s\");\n",
                object, dot, one->place, one->value, one->value, *dot != '\0' ? one->place : object);
}

static void write_value(const lint_setting *one, unsigned *arrays, FILE *stream) {
    if (one->array == NULL)
        fprintf(stream, "%s", one->value);
    else
        fprintf(stream, "static_cast<%s *>(riffle_lint_arrays[%u])", one->array->type.name, (*arrays)++);
}

/* And so is a value that a constant cannot have. */
static void check_value(const char *constant, const lint_setting *one, FILE *stream) {
    if (one->array != NULL) return;
    fprintf(
        stream,
        "    static_assert(riffle_lint_takes<std::remove_all_extents<decltype(%s)>::type, decltype(%s)>(0), "
        "\"constant '%s': its type takes no %s; a structure is written %s={FIELD=VALUE,...}\");\n",
        constant, one->value, constant, strcmp(one->value, "nullptr") == 0 ? "null" : one->value, constant);
}

void lint_settings_write(const lint_settings *settings, const char *object, unsigned *arrays, FILE *stream) {
    for (size_t k = 0; k < settings->count; k++) {
        check_indices(object, settings->setting[k].place, stream);
        check_number(object, &settings->setting[k], stream);
        fprintf(stream, "    %s.%s = ", object, settings->setting[k].place);
        write_value(&settings->setting[k], arrays, stream);
        fprintf(stream, ";\n");
    }
}

void lint_constant_write(const lint_constant *constant, unsigned *arrays, FILE *stream) {
    const lint_settings *settings = &constant->settings;
    if (constant->has_fields) {
        lint_settings_write(settings, constant->name, arrays, stream);
        for (size_t k = 0; k < settings->count; k++)
            fprintf(stream, "    riffle_lint_tell(%s.%s);\n", constant->name, settings->setting[k].place);
        return;
    }
    const bool is_array = settings->count == 1 && settings->setting[0].array != NULL;
    for (size_t k = 0; k < settings->count; k++) {
        check_value(constant->name, &settings->setting[k], stream);
        check_number(constant->name, &settings->setting[k], stream);
    }
    fprintf(stream, "    riffle_lint_%s(%s, riffle_lint_tell", is_array ? "copy" : "fill", constant->name);
    for (size_t k = 0; k < settings->count; k++) {
        fprintf(stream, ", ");
        write_value(&settings->setting[k], arrays, stream);
    }
    if (is_array) fprintf(stream, ", %llu", (unsigned long long)settings->setting[0].array->length);
    fprintf(stream, ");\n");
}
