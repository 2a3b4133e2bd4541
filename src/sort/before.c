/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/before.h"

#include <stdbool.h>

static bool is_plain(const riffle_sort_key *key) { return key->fields == 1 && key->field[0].name == NULL; }

static bool is_half(const riffle_sort_field *field) {
    return field->kind == RIFFLE_SORT_KEY_FLOAT && field->bytes == 2;
}

static const char *type_of(const riffle_sort_field *field) {
    const bool is_signed = field->kind == RIFFLE_SORT_KEY_SIGNED;
    if (field->kind == RIFFLE_SORT_KEY_FLOAT) return field->bytes == 8 ? "double" : "float";
    switch (field->bytes) {
    case 1: return is_signed ? "int8_t" : "uint8_t";
    case 2: return is_signed ? "int16_t" : "uint16_t";
    case 4: return is_signed ? "int32_t" : "uint32_t";
    case 8: return is_signed ? "int64_t" : "uint64_t";
    default: return is_signed ? "__int128" : "unsigned __int128";
    }
}

/* A half's float, for compilers that know no halves. */
static const char half_text[] =
    " float half_float(const unsigned char *from) {\n"
    "    const uint32_t half = from[0] | (uint32_t)from[1] << 8, sign = (half & 0x8000) << 16, rest = half & "
    "0x7fff;\n"
    "    uint32_t bits = rest >= 0x7c00 ? sign | 0x7f800000 | (rest & 0x3ff) << 13 : sign | ((rest << 13) + "
    "(112 << 23));\n"
    "    float value;\n"
    "    memcpy(&value, &bits, sizeof value);\n"
    "    return rest >= 0x400 ? value : (float)rest * (sign ? -0x1p-24f : 0x1p-24f);\n"
    "}\n";

static void print_name(const riffle_sort_key *key, unsigned k, FILE *out) {
    if (key->field[k].name != NULL)
        fprintf(out, "%s", key->field[k].name);
    else
        fprintf(out, "f%u", k);
}

static void print_members(const riffle_sort_key *key, FILE *out) {
    for (unsigned k = 0; k < key->fields; k++) {
        const riffle_sort_field *const field = &key->field[k];
        fprintf(out, "%s ", field->kind == RIFFLE_SORT_KEY_BYTES ? "unsigned char" : type_of(field));
        print_name(key, k, out);
        if (field->kind == RIFFLE_SORT_KEY_BYTES) fprintf(out, "[%zu]", field->bytes);
        fprintf(out, "; ");
    }
}

/* Reads field k to `place` and the member's name. */
static void print_load(const riffle_sort_key *key, unsigned k, const char *place, FILE *out) {
    const riffle_sort_field *const field = &key->field[k];
    fprintf(out, is_half(field) ? "    %s" : "    memcpy(&%s", place);
    if (!is_plain(key)) print_name(key, k, out);
    if (is_half(field))
        fprintf(out, " = half_float(from + %zu);\n", field->offset);
    else
        fprintf(out, ", from + %zu, %zu);\n", field->offset, field->bytes);
}

void sort_before_print(const riffle_sort_key *key, const char *function, FILE *out) {
    fprintf(out, "%s%s", function, half_text);
    if (is_plain(key) && key->field[0].kind != RIFFLE_SORT_KEY_BYTES) {
        fprintf(out, "typedef %s element;\n", type_of(&key->field[0]));
    } else if (is_plain(key)) {
        fprintf(out, "typedef unsigned char element[%zu];\n", key->field[0].bytes);
    } else {
        fprintf(out, "typedef struct element { ");
        print_members(key, out);
        fprintf(out, "} element;\n");
    }
    fprintf(out, "%s void load(const unsigned char *from, element *to) {\n", function);
    for (unsigned k = 0; k < key->fields; k++) print_load(key, k, is_plain(key) ? "*to" : "to->", out);
    fprintf(out, "}\n%s int compare(const unsigned char *x, const unsigned char *y) {\n    element a, b;\n",
            function);
    fprintf(out, "    load(x, &a);\n    load(y, &b);\n# 1 \"operation0\"\n    return (%s) != 0;\n}\n",
            key->before);
}
