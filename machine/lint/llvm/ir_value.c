/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/llvm/ir_read.h"

unsigned ir_add_value(ir_reader *r, ir_value value) {
    ir_function *f = r->function;
    if (!ir_grow((void **)&f->value, f->values, &f->value_capacity, sizeof *f->value)) {
        r->no_memory = true;
        return 0;
    }
    f->value[f->values] = value;
    return (unsigned)f->values++;
}

void ir_add_operand(ir_reader *r, unsigned value, int64_t scale) {
    ir_function *f = r->function;
    if (ir_grow((void **)&f->operand, f->operands, &f->operand_capacity, sizeof *f->operand))
        f->operand[f->operands++] = (ir_operand){value, scale};
    else
        r->no_memory = true;
}

static size_t hash(ir_name name) {
    size_t sum = 5381;
    for (unsigned k = 0; k < name.length; k++) sum = sum * 33 + (unsigned char)name.text[k];
    return sum;
}

/* Twice the slots. */
static bool widen(ir_reader *r) {
    const size_t slots = r->slots > 0 ? 2 * r->slots : 256;
    void *fresh = calloc(slots, sizeof *r->slot);
    if (fresh == NULL) return false;
    ir_reader old = *r;
    r->slot = fresh;
    r->slots = slots;
    for (size_t k = 0; k < old.slots; k++) {
        if (old.slot[k].value == 0) continue;
        size_t at = hash(old.slot[k].name) & (slots - 1);
        while (r->slot[at].value != 0) at = (at + 1) & (slots - 1);
        r->slot[at] = old.slot[k];
    }
    free(old.slot);
    return true;
}

unsigned ir_named_value(ir_reader *r, ir_name name) {
    if (2 * r->function->values >= r->slots && !widen(r)) {
        r->no_memory = true;
        return 0;
    }
    size_t at = hash(name) & (r->slots - 1);
    for (; r->slot[at].value != 0; at = (at + 1) & (r->slots - 1))
        if (ir_same_name(r->slot[at].name, name)) return r->slot[at].value - 1;
    const unsigned value = ir_add_value(r, (ir_value){.block = IR_NONE, .location = IR_NONE});
    r->slot[at].name = name;
    r->slot[at].value = value + 1;
    return value;
}

unsigned ir_named_block(ir_reader *r, ir_name name) {
    ir_function *f = r->function;
    for (size_t k = 0; k < f->blocks; k++)
        if (ir_same_name(f->block[k].name, name)) return (unsigned)k;
    if (!ir_grow((void **)&f->block, f->blocks, &f->block_capacity, sizeof *f->block)) {
        r->no_memory = true;
        return 0;
    }
    f->block[f->blocks] = (ir_block){.name = name, .condition = IR_NONE, .location = IR_NONE};
    return (unsigned)f->blocks++;
}

/* ---- operands */

static unsigned other(ir_reader *r) {
    return ir_add_value(r, (ir_value){.block = IR_NONE, .location = IR_NONE});
}

static unsigned constant(ir_reader *r, int64_t number, unsigned bits) {
    return ir_add_value(r, (ir_value){.op = IR_CONSTANT,
                                      .number = number,
                                      .bits = (uint16_t)bits,
                                      .block = IR_NONE,
                                      .location = IR_NONE});
}

static unsigned global(ir_reader *r, const char **at) {
    const ir_name name = ir_take_name(at);
    const ir_module *m = r->module;
    for (size_t k = 0; k < m->globals; k++) {
        if (!ir_same_name(m->global[k].name, name)) continue;
        return ir_add_value(
            r, (ir_value){
                   .op = IR_GLOBAL, .number = (int64_t)k, .name = name, .block = IR_NONE, .location = IR_NONE});
    }
    return other(r);
}

void ir_take_gep(ir_reader *r, const char **at, ir_value *v) {
    ir_types *t = r->module->types;
    unsigned type = ir_take_type(t, at), element;
    uint64_t offset;
    unsigned index[64];
    int64_t scale[64];
    unsigned count = 0;
    ir_take(at, ",");
    const unsigned pointer = ir_take_type(t, at);
    ir_skip_attributes(at);
    const unsigned base = ir_take_value(r, at, pointer);
    v->op = IR_GEP;
    for (bool first = true; ir_take(at, ",") && count < 64; first = false) {
        ir_skip_space(at);
        if (**at == '!') break;
        ir_take(at, "inrange");
        const unsigned of = ir_take_type(t, at), one = ir_take_value(r, at, of);
        if (r->no_memory) return;
        const ir_value *value = &r->function->value[one];
        if (first) {
            offset = t->type[type].bytes;
        } else if (!ir_element(t, type, value->op == IR_CONSTANT ? (uint64_t)value->number : 0, &element,
                               &offset)) {
            v->op = IR_OTHER;
            break;
        } else if (value->op != IR_CONSTANT) {
            offset = t->type[element].bytes;
        }
        if (!first) type = element;
        if (value->op == IR_CONSTANT) {
            v->number += first ? value->number * (int64_t)offset : (int64_t)offset;
            continue;
        }
        index[count] = one;
        scale[count++] = (int64_t)offset;
    }
    v->first = (unsigned)r->function->operands;
    v->operands = count + 1;
    ir_add_operand(r, base, 1);
    for (unsigned k = 0; k < count; k++) ir_add_operand(r, index[k], scale[k]);
}

/* getelementptr (T, T* @a, ...), bitcast (T v to T), ... */
static unsigned expression(ir_reader *r, const char **at) {
    const char *start = *at;
    ir_value v = {.block = IR_NONE, .location = IR_NONE};
    while (isalpha((unsigned char)**at)) (*at)++;
    const ir_name word = {start, (unsigned)(*at - start)};
    while (**at == ' ' || isalnum((unsigned char)**at)) (*at)++; /* its flags, or predicate */
    if (**at != '(') return other(r);
    const char *inside = *at + 1;
    ir_skip_bracket(at);
    const bool is_cast = strchr("bpa", *word.text) != NULL && word.length > 6;
    if (strncmp(word.text, "getelementptr", word.length) == 0) {
        ir_take_gep(r, &inside, &v);
    } else if (is_cast) { /* bitcast, ptrtoint, addrspacecast */
        const unsigned type = ir_take_type(r->module->types, &inside), one = ir_take_value(r, &inside, type);
        v.op = IR_CAST;
        v.first = (unsigned)r->function->operands;
        v.operands = 1;
        ir_add_operand(r, one, 1);
    } else if (strncmp(word.text, "icmp", 4) == 0 &&
               memmem(inside, (size_t)(*at - inside), "@_ZTH", 5) != NULL) {
        return constant(r, 0, 1); /* whether a thread_local variable has a constructor: no shared array has */
    }
    return ir_add_value(r, v);
}

unsigned ir_take_value(ir_reader *r, const char **at, unsigned type) {
    const unsigned bits = r->module->types->type[type].bits;
    ir_skip_space(at);
    const char *start = *at;
    if (**at == '%') {
        (*at)++;
        return ir_named_value(r, ir_take_name(at));
    }
    if (**at == '@') {
        (*at)++;
        return global(r, at);
    }
    if (isdigit((unsigned char)**at) || **at == '-') {
        char *behind;
        const int64_t number = strtoll(*at, &behind, 10);
        const bool is_whole = strchr(".xeE", *behind) == NULL || *behind == '\0';
        *at = behind;
        while (isalnum((unsigned char)**at) || (**at != '\0' && strchr("+-.", **at) != NULL)) (*at)++;
        return is_whole ? constant(r, number, bits) : other(r);
    }
    if (**at == '[' || **at == '{' || **at == '<') {
        ir_skip_bracket(at);
        return other(r);
    }
    if (ir_take(at, "true")) return constant(r, 1, 1);
    if (ir_take(at, "false") || ir_take(at, "null") || ir_take(at, "zeroinitializer"))
        return constant(r, 0, bits);
    if (isalpha((unsigned char)**at) && **at != 'c') {
        if (ir_take(at, "undef") || ir_take(at, "poison") || ir_take(at, "none")) return other(r);
        return expression(r, at);
    }
    if (*at == start && **at != '\0') (*at)++;
    return other(r);
}
