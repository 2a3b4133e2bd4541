/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction of LLVM's text.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/llvm/ir_read.h"

static ir_types *types(ir_reader *r) { return r->module->types; }

/* Adds an operand; all of an instruction's lie side by side, behind those of expressions among them. */
static void add_operand(ir_reader *r, unsigned one, int64_t scale, ir_value *v) {
    const unsigned before = v->first, last = (unsigned)r->function->operands;
    if (v->operands == 0 || before + v->operands != last) v->first = last;
    for (unsigned k = 0; k < v->operands && v->first == last && !r->no_memory; k++) {
        const ir_operand old = r->function->operand[before + k];
        ir_add_operand(r, old.value, old.scale);
    }
    v->operands++;
    ir_add_operand(r, one, scale);
}

static void take_operand(ir_reader *r, const char **at, unsigned type, ir_value *v) {
    add_operand(r, ir_take_value(r, at, type), 1, v);
}

/* "type a, b" */
static void take_pair(ir_reader *r, const char **at, ir_value *v) {
    const unsigned type = ir_take_type(types(r), at);
    v->bits = types(r)->type[type].kind == TYPE_INTEGER ? (uint16_t)types(r)->type[type].bits : 0;
    take_operand(r, at, type, v);
    if (!ir_take(at, ",")) return;
    take_operand(r, at, type, v);
}

static bool take_arithmetic(ir_reader *r, const char **at, ir_value *v) {
    static const struct {
        const char *word;
        ir_op op;
    } ops[] = {{"add", IR_ADD},   {"sub", IR_SUB},   {"mul", IR_MUL},  {"shl", IR_SHL}, {"lshr", IR_LSHR},
               {"ashr", IR_ASHR}, {"and", IR_AND},   {"or", IR_OR},    {"xor", IR_XOR}, {"udiv", IR_UDIV},
               {"sdiv", IR_SDIV}, {"urem", IR_UREM}, {"srem", IR_SREM}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (!ir_take(at, ops[k].word)) continue;
        bool exact;
        while ((exact = ir_take(at, "nsw")) || ir_take(at, "nuw") || ir_take(at, "exact") || ir_take(at, "disjoint"))
            v->is_exact |= exact;
        v->op = ops[k].op;
        take_pair(r, at, v);
        return true;
    }
    return false;
}

static bool take_cast(ir_reader *r, const char **at, ir_value *v) {
    static const char *const words[] = {"sext",     "zext",     "trunc",  "bitcast", "addrspacecast",
                                        "ptrtoint", "inttoptr", "freeze", NULL};
    for (const char *const *word = words; *word != NULL; word++) {
        if (!ir_take(at, *word)) continue;
        while (ir_take(at, "nneg") || ir_take(at, "nuw") || ir_take(at, "nsw")) continue;
        v->op = IR_CAST;
        v->is_unsigned = **word == 'z';
        unsigned type = ir_take_type(types(r), at);
        take_operand(r, at, type, v);
        if (ir_take(at, "to")) type = ir_take_type(types(r), at);
        v->bits = types(r)->type[type].kind == TYPE_INTEGER ? (uint16_t)types(r)->type[type].bits : 0;
        return true;
    }
    return false;
}

static void take_compare(ir_reader *r, const char **at, ir_value *v) {
    static const struct {
        const char *word;
        ir_predicate predicate;
        bool is_unsigned;
    } words[] = {{"eq", IR_EQ, false},  {"ne", IR_NE, false},  {"slt", IR_LT, false}, {"sle", IR_LE, false},
                 {"sgt", IR_GT, false}, {"sge", IR_GE, false}, {"ult", IR_LT, true},  {"ule", IR_LE, true},
                 {"ugt", IR_GT, true},  {"uge", IR_GE, true}};
    ir_take(at, "samesign");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (!ir_take(at, words[k].word)) continue;
        v->op = IR_COMPARE;
        v->predicate = (uint8_t)words[k].predicate;
        v->is_unsigned = words[k].is_unsigned;
        take_pair(r, at, v);
        v->bits = 1;
        return;
    }
}

static void take_phi(ir_reader *r, const char **at, ir_value *v) {
    const unsigned type = ir_take_type(types(r), at);
    v->op = IR_PHI;
    v->bits = (uint16_t)types(r)->type[type].bits;
    do {
        if (!ir_take(at, "[")) break;
        const unsigned one = ir_take_value(r, at, type);
        if (!ir_take(at, ",") || !ir_take(at, "%")) break;
        add_operand(r, one, ir_named_block(r, ir_take_name(at)), v);
        ir_take(at, "]");
    } while (ir_take(at, ","));
}

static void take_memory(ir_reader *r, const char **at, ir_op op, ir_value *v) {
    ir_take(at, "atomic");
    v->is_volatile = ir_take(at, "volatile");
    const unsigned type = ir_take_type(types(r), at);
    v->op = op;
    v->number = (int64_t)types(r)->type[type].bytes;
    if (op == IR_LOAD && types(r)->type[type].kind == TYPE_INTEGER)
        v->bits = (uint16_t)types(r)->type[type].bits;
    if (op == IR_STORE) take_operand(r, at, type, v);
    ir_take(at, ",");
    const unsigned pointer = ir_take_type(types(r), at);
    take_operand(r, at, pointer, v);
}

/* "atomicrmw add T* p, T v ..." behind the operation, "cmpxchg T* p, T a, T b ..." */
static void take_atomic(ir_reader *r, const char **at, ir_value *v) {
    const unsigned pointer = ir_take_type(types(r), at);
    take_operand(r, at, pointer, v);
    if (!ir_take(at, ",")) return;
    const unsigned type = ir_take_type(types(r), at);
    v->op = IR_ATOMIC;
    v->number = (int64_t)types(r)->type[type].bytes;
}

/* "[cc] [attributes] type @name(type value, ...)" */
static void take_call(ir_reader *r, const char **at, ir_value *v) {
    v->op = IR_CALL;
    ir_skip_attributes(at);
    const unsigned type = ir_take_type(types(r), at);
    v->bits = types(r)->type[type].kind == TYPE_INTEGER ? (uint16_t)types(r)->type[type].bits : 0;
    ir_skip_space(at);
    if (**at != '@') return;
    (*at)++;
    v->name = ir_take_name(at);
    ir_skip_space(at);
    if (**at != '(') return;
    (*at)++;
    while (!ir_take(at, ")") && **at != '\0' && **at != '\n') {
        const unsigned of = ir_take_type(types(r), at);
        ir_skip_attributes(at);
        take_operand(r, at, of, v);
        if (!ir_take(at, ",") && **at != ')') return;
    }
}

static void add_next(ir_reader *r, const char **at) {
    ir_function *f = r->function;
    if (!ir_take(at, "%")) return;
    const unsigned next = ir_named_block(r, ir_take_name(at));
    if (r->no_memory || !ir_grow((void **)&f->next, f->nexts, &f->next_capacity, sizeof *f->next)) {
        r->no_memory = true;
        return;
    }
    ir_block *b = &f->block[r->block];
    if (b->nexts++ == 0) b->first_next = (unsigned)f->nexts;
    f->next[f->nexts++] = next;
}

/* All labels that are left of the line, and of those below it of a switch. */
static void add_labels(ir_reader *r, const char *at, const char *end) {
    while (at < end) {
        const char *label = strstr(at, "label %");
        if (label == NULL || label >= end) return;
        at = label + 6;
        add_next(r, &at);
    }
}

static const char *end_of_line(const char *at) {
    while (*at != '\n' && *at != '\0') at++;
    return at;
}

static bool take_terminator(ir_reader *r, const char **at) {
    if (ir_take(at, "br")) {
        const char *start = *at;
        if (ir_take(at, "i1")) {
            const unsigned condition = ir_take_value(r, at, 0);
            if (!r->no_memory) r->function->block[r->block].condition = condition;
            start = *at;
        }
        add_labels(r, start, end_of_line(start));
        return true;
    }
    if (ir_take(at, "switch") || ir_take(at, "indirectbr")) {
        const char *end = strchr(*at, '[');
        while (end != NULL && *end != ']' && *end != '\0') end++;
        if (end != NULL) add_labels(r, *at, end);
        return true;
    }
    return ir_take(at, "ret") || ir_take(at, "unreachable") || ir_take(at, "resume");
}

static void take_other(ir_reader *r, const char **at, ir_value *v) {
    for (const char *end = end_of_line(*at); *at < end; (*at)++) {
        if (**at == '!') return;
        if (**at == '%') {
            (*at)++;
            ir_name name = ir_take_name(at);
            if (strncmp(name.text, "struct.", 7) == 0 || strncmp(name.text, "class.", 6) == 0 ||
                strncmp(name.text, "union.", 6) == 0)
                continue;
            const unsigned one = ir_named_value(r, name);
            if (v->operands == 0) v->first = (unsigned)r->function->operands;
            v->operands++;
            ir_add_operand(r, one, 1);
        }
    }
}

static void take_body(ir_reader *r, const char **at, ir_value *v) {
    while (ir_take(at, "tail") || ir_take(at, "musttail") || ir_take(at, "notail")) continue;
    if (ir_take(at, "getelementptr")) {
        while (ir_take(at, "inbounds") || ir_take(at, "nuw") || ir_take(at, "nusw")) continue;
        ir_take_gep(r, at, v);
    } else if (ir_take(at, "load")) {
        take_memory(r, at, IR_LOAD, v);
    } else if (ir_take(at, "store")) {
        take_memory(r, at, IR_STORE, v);
    } else if (ir_take(at, "atomicrmw")) {
        ir_take(at, "volatile");
        ir_skip_space(at);
        while (isalpha((unsigned char)**at) || **at == '_') (*at)++;
        take_atomic(r, at, v);
    } else if (ir_take(at, "cmpxchg")) {
        while (ir_take(at, "weak") || ir_take(at, "volatile")) continue;
        take_atomic(r, at, v);
    } else if (ir_take(at, "phi")) {
        take_phi(r, at, v);
    } else if (ir_take(at, "icmp")) {
        take_compare(r, at, v);
    } else if (ir_take(at, "alloca")) {
        v->op = IR_ALLOCA;
    } else if (ir_take(at, "select")) {
        v->op = IR_SELECT;
        do {
            const unsigned type = ir_take_type(types(r), at);
            v->bits = (uint16_t)types(r)->type[type].bits;
            take_operand(r, at, type, v);
        } while (ir_take(at, ",") && v->operands < 3);
    } else if (ir_take(at, "call")) {
        take_call(r, at, v);
    } else if (ir_take(at, "invoke")) {
        const char *start = *at, *end = end_of_line(start);
        take_call(r, at, v);
        add_labels(r, start, end_of_line(*end == '\n' ? end + 1 : end)); /* they stand on the next line */
    } else if (!take_arithmetic(r, at, v) && !take_cast(r, at, v)) {
        take_other(r, at, v);
    }
}

static unsigned location_of(const char *line) {
    const char *end = end_of_line(line);
    for (const char *at = end; at > line + 5; at--)
        if (strncmp(at - 5, "!dbg !", 6) == 0) return (unsigned)strtoul(at + 1, NULL, 10);
    return IR_NONE;
}

void ir_take_instruction(ir_reader *r, const char *line) {
    const char *at = line;
    ir_value v = {.block = r->block, .location = location_of(line)};
    ir_skip_space(&at);
    ir_name name = {NULL, 0};
    if (*at == '%') {
        at++;
        name = ir_take_name(&at);
        ir_skip_space(&at);
        if (*at == '=') at++;
        ir_skip_space(&at);
    }
    if (name.text == NULL && take_terminator(r, &at)) {
        if (!r->no_memory) r->function->block[r->block].location = v.location;
        return;
    }
    const unsigned number = name.text != NULL ? ir_named_value(r, name) : IR_NONE;
    take_body(r, &at, &v);
    if (r->no_memory) return;
    if (v.name.length == 0) v.name = name;
    if (number == IR_NONE)
        ir_add_value(r, v);
    else
        r->function->value[number] = v;
}
