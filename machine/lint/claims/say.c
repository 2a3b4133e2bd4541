/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/claims/say.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned line_of(const forms *s, unsigned value) {
    return ir_place_of(s->m, s->f->value[value].location, s->folder).line;
}

/* "s" of "s.068", which the compiler has made of the source's s; none of names that are its own. */
static ir_name source_name(ir_name name) {
    static const char *const own[] = {"add",  "mul",     "sub",      "div", "rem", "call",    "conv",
                                      "cond", "indvars", "arrayidx", "cmp", "tmp", "idxprom", "narrow", NULL};
    unsigned length = 0;
    while (length < name.length && name.text[length] != '.') length++;
    if (length == 0 || isdigit((unsigned char)name.text[0])) return (ir_name){"", 0};
    for (const char *const *word = own; *word != NULL; word++)
        if (strncmp(name.text, *word, strlen(*word)) == 0) return (ir_name){"", 0};
    return (ir_name){name.text, length};
}

/* The line of the first value of a block that has one. */
static unsigned line_of_block(const forms *s, unsigned block) {
    for (unsigned k = 0; k < s->f->values; k++)
        if (s->f->value[k].block == block && line_of(s, k) > 0) return line_of(s, k);
    return 0;
}

/* The line of a loop's header, or if that has none of a block from which it goes on with the next turn, or of any in it. */
static unsigned line_of_loop(const forms *s, unsigned header) {
    const graph *g = &s->g;
    unsigned line = line_of_block(s, header);
    for (unsigned k = g->first_before[header]; line == 0 && k < g->first_before[header + 1]; k++)
        if (graph_is_inside(g, header, g->before[k])) line = line_of_block(s, g->before[k]);
    for (unsigned block = 0; line == 0 && block < g->blocks; block++)
        if (graph_is_inside(g, header, block)) line = line_of_block(s, block);
    return line;
}

/* In brackets, where it is a sum. */
static void say_side(const forms *s, const poly *a, FILE *out) {
    if (a->terms > 1) fputc('(', out);
    say_poly(s, a, out);
    if (a->terms > 1) fputc(')', out);
}

static void say_node(const forms *s, const symbol *one, FILE *out) {
    const poly by = poly_constant(one->by);
    const char *bits = one->op == IR_XOR ? "^" : one->op == IR_AND ? "&" : "|";
    fputc('(', out);
    say_side(s, one->a, out);
    fprintf(out, " %s ", one->kind == SYMBOL_DIVIDE ? "/" : one->kind == SYMBOL_MODULO ? "%" : bits);
    say_side(s, one->kind == SYMBOL_BITS ? one->b : &by, out);
    fputc(')', out);
}

static void say_symbol(const forms *s, uint16_t number, FILE *out) {
    static const char *const indices[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const symbol *one = &s->symbols.entry[number];
    if (one->kind <= SYMBOL_GRID_DIM) {
        fprintf(out, "%s.%c", indices[one->kind], "xyz"[one->value]);
    } else if (one->kind == SYMBOL_ARGUMENT) {
        const ir_name name = s->f->value[one->value].name;
        fprintf(out, "%.*s", (int)name.length, name.text);
    } else if (one->kind == SYMBOL_TURN) {
        fprintf(out, "turn@%u", line_of_loop(s, one->value));
    } else if (one->kind == SYMBOL_ROW) {
        fprintf(out, "threadIdx.x/32");
    } else if (one->kind == SYMBOL_ROWS) {
        fprintf(out, "blockDim.x/32");
    } else if (one->a != NULL) {
        say_node(s, one, out);
    } else {
        const ir_name name = source_name(s->f->value[one->value].name);
        if (name.length > 0)
            fprintf(out, "%.*s", (int)name.length, name.text);
        else
            fprintf(out, "value@%u", line_of(s, one->value));
    }
}

static void say_term(const forms *s, const poly_term *term, bool first, FILE *out) {
    const uint64_t size = term->factor < 0 ? -(uint64_t)term->factor : (uint64_t)term->factor;
    bool any = false;
    if (first && term->factor < 0) fputc('-', out);
    if (!first) fprintf(out, term->factor < 0 ? " - " : " + ");
    if (size != 1 || term->symbol[POLY_DEGREE - 1] == 0) any = fprintf(out, "%" PRIu64, size) > 0;
    for (unsigned d = 0; d < POLY_DEGREE; d++) {
        if (term->symbol[d] == 0) continue;
        if (any) fputc('*', out);
        say_symbol(s, term->symbol[d], out);
        any = true;
    }
}

void say_poly(const forms *s, const poly *a, FILE *out) {
    for (unsigned k = a->terms; k-- > 0;) say_term(s, &a->term[k], k + 1 == a->terms, out);
    if (a->terms == 0) fputc('0', out);
}

void say_index(const forms *s, const poly *a, unsigned bytes, FILE *out) {
    poly index = *a;
    for (unsigned k = 0; k < a->terms; k++) {
        if (a->term[k].factor % (int64_t)bytes != 0) {
            say_poly(s, a, out);
            fprintf(out, " bytes");
            return;
        }
        index.term[k].factor /= (int64_t)bytes;
    }
    say_poly(s, &index, out);
}

void say_example(const forms *s, const example *one, FILE *out) {
    for (unsigned k = 0; k < one->count; k++) {
        if (k > 0) fprintf(out, ", ");
        say_symbol(s, one->symbol[k], out);
        fprintf(out, " = %" PRId64, one->value[k]);
    }
}

/* "tile" of "_ZZ9transposePfE4tile_0" and of "_ZL4tile": the last name that its length stands before. */
static ir_name own_name(ir_name symbol_name) {
    ir_name found = symbol_name;
    const char *end = symbol_name.text + symbol_name.length;
    if (symbol_name.length < 3 || memcmp(symbol_name.text, "_Z", 2) != 0) return symbol_name;
    for (const char *at = symbol_name.text; at < end; at++) {
        char *behind;
        if (!isdigit((unsigned char)*at) || isdigit((unsigned char)at[-1])) continue;
        const size_t length = strtoul(at, &behind, 10);
        if (length == 0 || behind + length > end) continue;
        if (behind + length == end || behind[length] == '_' || behind[length] == 'E')
            found = (ir_name){behind, (unsigned)length};
        at = behind + length - 1;
    }
    return found;
}

void say_array(const forms *s, const form *address, FILE *out) {
    ir_name name = {"", 0};
    if (address->base == BASE_GLOBAL) name = own_name(s->m->global[address->number].name);
    if (address->base == BASE_ARGUMENT) name = s->f->value[address->number].name;
    if (name.length > 0)
        fprintf(out, "%.*s", (int)name.length, name.text);
    else if (address->base == BASE_LOADED)
        fprintf(out, "*value@%u", line_of(s, address->number));
    else
        fprintf(out, "?");
}
