/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "machine/lint/llvm/ir.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/llvm/ir_read.h"

static const char *next_line(const char *at) {
    const char *end = strchr(at, '\n');
    return end != NULL ? end + 1 : at + strlen(at);
}

static bool starts(const char *at, const char *word) { return strncmp(at, word, strlen(word)) == 0; }

/* Where the word stands in the line; NULL if it does not. */
static const char *find_in_line(const char *line, const char *word) {
    return memmem(line, (size_t)(next_line(line) - line), word, strlen(word));
}

/* ---- what stands outside of functions */

static bool add_named(ir_types *t, const char *line) {
    const char *at = line + 1;
    const ir_name name = ir_take_name(&at);
    if (!ir_take(&at, "=") || !ir_take(&at, "type")) return true;
    if (!ir_grow((void **)&t->name, t->named, &t->named_capacity, sizeof *t->name)) return false;
    t->name[t->named++] = (ir_named){name, at, 0};
    return true;
}

static bool add_global(ir_module *m, const char *line) {
    const char *at = line + 1, *end = next_line(line);
    ir_global one = {.name = ir_take_name(&at)};
    while (at < end && !(starts(at, " global ") || starts(at, " constant "))) {
        one.is_shared |= starts(at, " thread_local");
        at++;
    }
    if (at >= end) return true;
    one.is_constant = starts(at, " constant");
    at += one.is_constant ? 10 : 8;
    const unsigned type = ir_take_type(m->types, &at); /* which may move the table */
    one.bytes = m->types->type[type].bytes;
    if (!ir_grow((void **)&m->global, m->globals, &m->global_capacity, sizeof *m->global)) return false;
    m->global[m->globals++] = one;
    return true;
}

static bool add_metadata(ir_module *m, size_t *capacity, const char *line) {
    char *behind;
    const size_t number = strtoul(line + 1, &behind, 10);
    if (behind == line + 1 || !starts(behind, " = ")) return true;
    while (number >= *capacity) {
        const size_t before = *capacity;
        if (!ir_grow((void **)&m->meta, before, capacity, sizeof *m->meta)) return false;
        memset(m->meta + before, 0, (*capacity - before) * sizeof *m->meta);
    }
    m->meta[number] = behind + 3;
    if (number >= m->metadata) m->metadata = number + 1;
    return true;
}

/* ---- functions */

static void take_arguments(ir_reader *r, const char *line) {
    const char *at = strchr(line, '@') + 1;
    int64_t number = 0;
    r->function->name = ir_take_name(&at);
    if (*at++ != '(') return;
    while (!ir_take(&at, ")") && *at != '\n' && *at != '\0') {
        const unsigned type = ir_take_type(r->module->types, &at);
        const char *attributes = at;
        ir_skip_attributes(&at);
        const bool is_copy = memmem(attributes, (size_t)(at - attributes), "byval", 5) != NULL;
        if (*at == '%') {
            at++;
            const ir_name name = ir_take_name(&at);
            const unsigned value = ir_named_value(r, name);
            const ir_type *of = &r->module->types->type[type];
            if (r->no_memory) return;
            r->function->value[value] = (ir_value){.op = IR_ARGUMENT,
                                                   .number = number++,
                                                   .name = name,
                                                   .is_copy = is_copy,
                                                   .bits = of->kind == TYPE_INTEGER ? (uint16_t)of->bits : 0,
                                                   .block = IR_NONE,
                                                   .location = IR_NONE};
        }
        if (!ir_take(&at, ",") && *at != ')') return;
    }
}

/* Lines up to "}"; where the next function may begin. */
static const char *take_function(ir_module *m, const char *line, bool *no_memory) {
    ir_reader r = {.module = m, .function = &m->function[m->functions++]};
    *r.function = (ir_function){.location = IR_NONE, .is_read = true};
    const char *dbg = find_in_line(line, "!dbg !");
    if (dbg != NULL) r.function->location = (unsigned)strtoul(dbg + 6, NULL, 10);
    take_arguments(&r, line);
    bool is_first = true;
    for (line = next_line(line); *line != '}' && *line != '\0' && !r.no_memory; line = next_line(line)) {
        if (*line == '\n' || *line == ';') continue;
        if (*line != ' ') { /* a label */
            const char *at = line;
            r.block = ir_named_block(&r, ir_take_name(&at));
        } else {
            if (is_first) r.block = ir_named_block(&r, (ir_name){"", 0});
            ir_take_instruction(&r, line);
        }
        is_first = false;
    }
    free(r.slot);
    *no_memory = r.no_memory;
    return line;
}

riffle_status ir_read(const char *text, const char *section, ir_module *out) {
    *out = (ir_module){.text = text, .types = calloc(1, sizeof *out->types)};
    size_t metadata_capacity = 0;
    bool right = out->types != NULL &&
                 ir_grow((void **)&out->types->type, 0, &out->types->type_capacity, sizeof *out->types->type);
    if (right) out->types->type[out->types->types++] = (ir_type){.kind = TYPE_OTHER};
    for (const char *line = text; right && *line != '\0'; line = next_line(line)) {
        if (*line == '%') right = add_named(out->types, line);
        if (*line == '!') right = add_metadata(out, &metadata_capacity, line);
    }
    for (const char *line = text; right && *line != '\0'; line = next_line(line)) {
        if (*line == '@') right = add_global(out, line);
        if (!starts(line, "define ") || find_in_line(line, section) == NULL) continue;
        bool no_memory = false;
        right =
            ir_grow((void **)&out->function, out->functions, &out->function_capacity, sizeof *out->function);
        if (right) line = take_function(out, line, &no_memory);
        right = right && !no_memory;
    }
    return right ? RIFFLE_OK : fail_memory("the text of kernels", strlen(text));
}

void ir_free(ir_module *m) {
    for (size_t k = 0; k < m->functions; k++) {
        free(m->function[k].value);
        free(m->function[k].operand);
        free(m->function[k].block);
        free(m->function[k].next);
    }
    if (m->types != NULL) {
        free(m->types->type);
        free(m->types->field);
        free(m->types->name);
    }
    free(m->types);
    free(m->function);
    free(m->global);
    free(m->meta);
    *m = (ir_module){0};
}

/* ---- places */

/* Behind "name: " of a node; NULL if it has none. */
static const char *field_of(const ir_module *m, unsigned node, const char *name) {
    if (node >= m->metadata || m->meta[node] == NULL) return NULL;
    const char *end = next_line(m->meta[node]);
    for (const char *at = m->meta[node]; at < end; at++)
        if (starts(at, name) && (at[-1] == ' ' || at[-1] == '(')) return at + strlen(name);
    return NULL;
}

static unsigned node_of(const ir_module *m, unsigned node, const char *name) {
    const char *at = field_of(m, node, name);
    return at != NULL && *at == '!' ? (unsigned)strtoul(at + 1, NULL, 10) : IR_NONE;
}

static ir_name text_of(const ir_module *m, unsigned node, const char *name) {
    const char *at = field_of(m, node, name);
    return at != NULL ? ir_take_name(&at) : (ir_name){"", 0};
}

static bool has(ir_name file, const char *part) {
    return memmem(file.text, file.length, part, strlen(part)) != NULL;
}

/* True if the folder's own name is in the file's, which clang may have made shorter by the directory that it ran in, or the name that
 * stands for any such folder in headers that are compiled already (compiler/precompiled.c). */
static bool is_below(ir_name file, const char *folder) {
    const char *slash = strrchr(folder, '/');
    return has(file, slash != NULL ? slash + 1 : folder) || has(file, "riffle-lint/cuda/riffle/");
}

ir_place ir_place_of(const ir_module *m, unsigned location, const char *folder) {
    ir_place place = {.file = {"", 0}};
    for (bool first = true; location != IR_NONE; first = false) {
        const char *line = field_of(m, location, "line: ");
        unsigned scope = node_of(m, location, "scope: "), file = node_of(m, location, "file: ");
        for (; scope != IR_NONE && file == IR_NONE; scope = node_of(m, scope, "scope: "))
            file = node_of(m, scope, "file: ");
        place.file = text_of(m, file, "filename: ");
        place.line = line != NULL ? (unsigned)strtoul(line, NULL, 10) : 0;
        if (!is_below(place.file, folder)) return place;
        if (first) place.header = place.file;
        place.in_header |= first;
        location = node_of(m, location, "inlinedAt: ");
    }
    return place;
}

ir_name ir_source_name(const ir_module *m, const ir_function *f) {
    const ir_name name = text_of(m, f->location, "name: ");
    return name.length > 0 ? name : f->name;
}

bool ir_begins_with(const ir_value *v, const char *name) {
    return v->name.length >= strlen(name) && memcmp(v->name.text, name, strlen(name)) == 0;
}

bool ir_is_named(const ir_value *v, const char *name) {
    return v->name.length == strlen(name) && ir_begins_with(v, name);
}
