/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/llvm/ir_types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"

bool ir_grow(void **list, size_t count, size_t *capacity, size_t bytes) {
    if (count < *capacity) return true;
    const size_t wanted = *capacity > 0 ? 2 * *capacity : 64;
    void *larger = realloc(*list, wanted * bytes);
    if (larger == NULL) return false;
    *list = larger;
    *capacity = wanted;
    return true;
}

/* ---- words */

void ir_skip_space(const char **at) {
    while (**at == ' ' || **at == '\t') (*at)++;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || (c != '\0' && strchr("_.$-", c) != NULL); }

bool ir_take(const char **at, const char *word) {
    const size_t length = strlen(word);
    ir_skip_space(at);
    if (strncmp(*at, word, length) != 0) return false;
    if (is_name(word[length - 1]) && is_name((*at)[length])) return false;
    *at += length;
    return true;
}

ir_name ir_take_name(const char **at) {
    if (**at == '"') {
        const char *start = ++*at;
        while (**at != '"' && **at != '\0' && **at != '\n') (*at)++;
        const ir_name name = {start, (unsigned)(*at - start)};
        if (**at == '"') (*at)++;
        return name;
    }
    const char *start = *at;
    while (is_name(**at)) (*at)++;
    return (ir_name){start, (unsigned)(*at - start)};
}

void ir_skip_bracket(const char **at) {
    int depth = 0;
    for (; **at != '\0' && **at != '\n'; (*at)++) {
        if (**at == '"') {
            (*at)++;
            while (**at != '"' && **at != '\0' && **at != '\n') (*at)++;
            if (**at != '"') return;
            continue;
        }
        if (strchr("([{<", **at) != NULL) depth++;
        if (strchr(")]}>", **at) != NULL && --depth <= 0) {
            (*at)++;
            return;
        }
    }
}

bool ir_same_name(ir_name a, ir_name b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

void ir_skip_attributes(const char **at) {
    static const char *const constants[] = {
        "true",          "false",   "null",          "undef",    "poison",       "zeroinitializer",
        "getelementptr", "bitcast", "addrspacecast", "ptrtoint", "inttoptr",     "trunc",
        "zext",          "sext",    "add",           "sub",      "mul",          "shl",
        "icmp",          "select",  "none",          "asm",      "blockaddress", NULL};
    for (;;) {
        ir_skip_space(at);
        if (!isalpha((unsigned char)**at)) return;
        if (**at == 'c' && (*at)[1] == '"') return;
        for (const char *const *word = constants; *word != NULL; word++) {
            const char *try = *at;
            if (ir_take(&try, *word)) return;
        }
        const bool is_align = strncmp(*at, "align ", 6) == 0;
        while (is_name(**at)) (*at)++;
        if (**at == '(') ir_skip_bracket(at);
        if (!is_align) continue;
        ir_skip_space(at);
        while (isdigit((unsigned char)**at)) (*at)++;
    }
}

/* ---- types */

static unsigned add_type(ir_types *t, ir_type type) {
    if (!ir_grow((void **)&t->type, t->types, &t->type_capacity, sizeof *t->type)) return 0;
    t->type[t->types] = type;
    return (unsigned)t->types++;
}

static unsigned pointer_type(ir_types *t) {
    return add_type(t, (ir_type){.kind = TYPE_POINTER, .bits = 64, .align = 8, .bytes = 8});
}

/* Fields up to the bracket that ends them. */
static unsigned take_structure(ir_types *t, const char **at, bool packed) {
    enum { MOST = 1024 };
    unsigned *field = malloc(MOST * sizeof *field), count = 0;
    ir_type all = {.kind = TYPE_STRUCTURE, .align = 1};
    ir_skip_space(at);
    while (field != NULL && **at != '}' && **at != '\0' && count < MOST) {
        field[count++] = ir_take_type(t, at);
        ir_skip_space(at);
        if (**at != ',') break;
        (*at)++;
    }
    if (field == NULL || **at != '}') {
        free(field);
        return 0;
    }
    (*at)++;
    all.first = (unsigned)t->fields;
    for (unsigned k = 0; k < count; k++) {
        const ir_type *one = &t->type[field[k]];
        const unsigned align = packed || one->align == 0 ? 1 : one->align;
        if (!ir_grow((void **)&t->field, t->fields, &t->field_capacity, sizeof *t->field)) break;
        all.bytes = round_up(all.bytes, (uint64_t)align);
        t->field[t->fields++] = (ir_field){field[k], all.bytes};
        all.bytes += one->bytes;
        if (align > all.align) all.align = align;
        all.count++;
    }
    free(field);
    all.bytes = round_up(all.bytes, (uint64_t)all.align);
    return all.count == count ? add_type(t, all) : 0;
}

/* "[4 x float]" and "<4 x float>" behind the bracket. */
static unsigned take_array(ir_types *t, const char **at, char end) {
    char *behind;
    const uint64_t count = strtoull(*at, &behind, 10);
    *at = behind;
    if (!ir_take(at, "x")) return 0;
    const unsigned element = ir_take_type(t, at);
    ir_skip_space(at);
    if (**at != end) return 0;
    (*at)++;
    const ir_type one = t->type[element];
    ir_type all = {
        .kind = TYPE_ARRAY, .align = one.align, .element = element, .count = count, .bytes = count * one.bytes};
    if (end == '>') { /* a vector lies by its size */
        all.align = 1;
        while (all.align < all.bytes) all.align *= 2;
        all.bytes = all.align;
    }
    return add_type(t, all);
}

static unsigned take_named(ir_types *t, const char **at) {
    const ir_name name = ir_take_name(at);
    for (size_t k = 0; k < t->named; k++) {
        if (!ir_same_name(t->name[k].name, name)) continue;
        const char *text = t->name[k].text;
        if (text != NULL) {
            t->name[k].text = NULL; /* within it, it is only pointed to */
            const unsigned type = ir_take_type(t, &text);
            t->name[k].type = type;
        }
        return t->name[k].type;
    }
    return 0;
}

static unsigned take_plain(ir_types *t, const char **at) {
    static const struct {
        const char *name;
        unsigned bytes;
    } floats[] = {{"half", 2}, {"bfloat", 2}, {"float", 4}, {"double", 8}, {"x86_fp80", 16}, {"fp128", 16}};
    if (**at == 'i' && isdigit((unsigned char)(*at)[1])) {
        char *behind;
        const unsigned bits = (unsigned)strtoul(*at + 1, &behind, 10);
        unsigned bytes = 1;
        *at = behind;
        while (bytes * 8 < bits && bytes < 16) bytes *= 2;
        return add_type(t, (ir_type){.kind = TYPE_INTEGER, .bits = bits, .align = bytes, .bytes = bytes});
    }
    for (size_t k = 0; k < sizeof floats / sizeof *floats; k++)
        if (ir_take(at, floats[k].name))
            return add_type(t, (ir_type){.align = floats[k].bytes, .bytes = floats[k].bytes});
    if (ir_take(at, "ptr")) return pointer_type(t);
    while (isalnum((unsigned char)**at) || **at == '_') (*at)++; /* void, label, metadata, opaque */
    return 0;
}

unsigned ir_take_type(ir_types *t, const char **at) {
    unsigned type;
    ir_skip_space(at);
    if (**at == '%') {
        (*at)++;
        type = take_named(t, at);
    } else if (strncmp(*at, "<{", 2) == 0) {
        *at += 2;
        type = take_structure(t, at, true);
        ir_take(at, ">");
    } else if (**at == '{' || **at == '[' || **at == '<') {
        const char open = *(*at)++;
        type = open == '{' ? take_structure(t, at, false) : take_array(t, at, open == '[' ? ']' : '>');
    } else {
        type = take_plain(t, at);
    }
    for (;;) { /* what makes pointers of it */
        ir_skip_space(at);
        if (ir_take(at, "addrspace")) {
            ir_skip_bracket(at);
        } else if (**at == '*') {
            (*at)++;
            type = pointer_type(t);
        } else if (**at == '(') {
            ir_skip_bracket(at);
            type = 0;
        } else {
            return type;
        }
    }
}

bool ir_element(const ir_types *t, unsigned type, uint64_t k, unsigned *element, uint64_t *offset) {
    const ir_type *one = &t->type[type];
    if (one->kind == TYPE_ARRAY) {
        *element = one->element;
        *offset = k * t->type[one->element].bytes;
        return true;
    }
    if (one->kind != TYPE_STRUCTURE || k >= one->count) return false;
    *element = t->field[one->first + k].type;
    *offset = t->field[one->first + k].offset;
    return true;
}
