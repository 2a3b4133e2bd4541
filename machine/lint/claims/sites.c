/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/claims/sites.h"

#include <string.h>

#include "base/status.h"
#include "machine/device/device_api.h"
#include "machine/lint/llvm/ir_types.h"

static bool is_named(ir_name name, const char *start) {
    return name.length >= strlen(start) && memcmp(name.text, start, strlen(start)) == 0;
}

static report_op op_of(int64_t op) {
    static const report_op ops[] = {
        [MACHINE_READ] = OP_READ, [MACHINE_WRITE] = OP_WRITE, [MACHINE_ATOMIC] = OP_ATOMIC, OP_ATOMIC};
    return ops[op & 3];
}

/* CUDA's indices are no memory, nor are tables that the compiler makes of a switch. */
static bool is_index(const forms *s, const form *address) {
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "switch.table", NULL};
    if (address->base != BASE_GLOBAL) return false;
    for (const char *const *name = names; *name != NULL; name++)
        if (is_named(s->m->global[address->number].name, *name)) return true;
    return false;
}

static bool has(const sites *all, const access_site *one) {
    for (size_t k = 0; k < all->count; k++)
        if (all->site[k].value == one->value && all->site[k].op == one->op) return true;
    return false;
}

/* An access of up to 16 bytes at the address, or of what pieces a GPU would move. */
static bool add(forms *s, sites *out, unsigned value, report_op op, int64_t bytes, unsigned address) {
    access_site one = {
        .value = value, .op = op, .pointer = address, .extent = bytes, .address = forms_of(s, address)};
    if (bytes <= 0 || one.address.base == BASE_OWN || one.address.base == BASE_COPY ||
        is_index(s, &one.address))
        return true;
    one.bytes = (unsigned)(bytes & -bytes);
    if (one.bytes > 16) one.bytes = 16;
    const bool is_global = one.address.base == BASE_GLOBAL;
    one.space = is_global && s->m->global[one.address.number].is_shared ? SPACE_SHARED : SPACE_GLOBAL;
    if (has(out, &one)) return true;
    if (!ir_grow((void **)&out->site, out->count, &out->capacity, sizeof *out->site)) return false;
    out->site[out->count++] = one;
    return true;
}

static unsigned operand(const forms *s, const ir_value *v, unsigned k) {
    return ir_operand_of(s->f, v, k)->value;
}

static int64_t number_of(const forms *s, unsigned value) {
    return s->f->value[value].op == IR_CONSTANT ? s->f->value[value].number : 0;
}

/* What the machine's functions tell of accesses, and copies of structures. */
static bool add_call(forms *s, sites *out, unsigned value) {
    const ir_value *v = &s->f->value[value];
    if (is_named(v->name, "riffle_lint_access") && v->operands >= 3)
        return add(s, out, value, op_of(number_of(s, operand(s, v, 2))), number_of(s, operand(s, v, 1)),
                   operand(s, v, 0));
    if (ir_is_named(v, "riffle_lint_copy") && v->operands >= 3)
        return add(s, out, value, OP_WRITE, number_of(s, operand(s, v, 2)), operand(s, v, 0)) &&
               add(s, out, value, OP_READ, number_of(s, operand(s, v, 2)), operand(s, v, 1));
    if (!is_named(v->name, "llvm.mem") || v->operands < 3 ||
        ir_place_of(s->m, v->location, s->folder).in_header)
        return true;
    const int64_t bytes = number_of(s, operand(s, v, 2));
    if (!add(s, out, value, OP_WRITE, bytes, operand(s, v, 0))) return false;
    return is_named(v->name, "llvm.memset") || add(s, out, value, OP_READ, bytes, operand(s, v, 1));
}

/* Headers whose functions access what they are given by reference, as a kernel's own code would; others tell what they access. */
static bool is_of_values(ir_name header) {
    static const char *const names[] = {"vectors.h", "vector_math.h", "half.h", "short_float.h",
                                        "complex.h", "samples.h",     NULL};
    for (const char *const *name = names; *name != NULL; name++) {
        const size_t length = strlen(*name);
        if (header.length >= length && memcmp(header.text + header.length - length, *name, length) == 0)
            return true;
    }
    return false;
}

/* What a function of the machine's does there it has told before, if a GPU does it. */
static bool is_told(forms *s, const sites *all, unsigned value, unsigned address) {
    const ir_place at = ir_place_of(s->m, s->f->value[value].location, s->folder);
    if (!at.in_header) return false;
    if (!is_of_values(at.header)) return true;
    const form one = forms_of(s, address);
    for (size_t k = 0; k < all->count; k++) {
        const access_site *told = &all->site[k];
        if (s->f->value[told->value].op != IR_CALL || !poly_equal(&told->address.at, &one.at)) continue;
        if (ir_place_of(s->m, s->f->value[told->value].location, s->folder).line == at.line) return true;
    }
    return false;
}

static bool add_value(forms *s, sites *out, unsigned value, bool calls) {
    const ir_value *v = &s->f->value[value];
    if (v->block == IR_NONE || s->g.order[v->block] == IR_NONE) return true;
    if (v->op == IR_CALL) return !calls || add_call(s, out, value);
    if (calls || (v->op != IR_LOAD && v->op != IR_STORE && v->op != IR_ATOMIC) || v->operands == 0) return true;
    const unsigned address = operand(s, v, v->op == IR_STORE ? 1 : 0);
    if (is_told(s, out, value, address)) return true;
    return add(s, out, value,
               v->op == IR_LOAD    ? OP_READ
               : v->op == IR_STORE ? OP_WRITE
                                   : OP_ATOMIC,
               v->number, address);
}

riffle_status sites_find(forms *s, sites *out) {
    *out = (sites){0};
    for (unsigned calls = 2; calls-- > 0;)
        for (unsigned k = 0; k < s->f->values; k++)
            if (!add_value(s, out, k, calls == 1)) return fail_memory("a kernel's accesses", out->count);
    return RIFFLE_OK;
}

static bool takes(const forms *s, unsigned user, unsigned value) {
    const ir_value *v = &s->f->value[user];
    for (unsigned k = 0; k < v->operands; k++)
        if (operand(s, v, k) == value) return true;
    return false;
}

static ir_place place_of(const forms *s, unsigned value) {
    return ir_place_of(s->m, s->f->value[value].location, s->folder);
}

/* Where the branch is that the block is under; the kernel's own place if none has one. */
static ir_place place_of_guard(const forms *s, unsigned block) {
    while (block != s->g.dominator[block]) {
        block = s->g.dominator[block];
        const ir_place at = ir_place_of(s->m, s->f->block[block].location, s->folder);
        if (at.line > 0) return at;
    }
    return ir_place_of(s->m, s->f->location, s->folder);
}

ir_place sites_place(const forms *s, unsigned value) {
    const ir_place own = place_of(s, value);
    if (own.line > 0) return own;
    for (unsigned k = 0; k < s->f->values; k++) {
        const ir_place users = takes(s, k, value) ? place_of(s, k) : own;
        if (users.line > 0) return users;
    }
    return place_of_guard(s, s->f->value[value].block);
}

ir_name sites_call_unseen(const forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    const bool is_reached = v->op == IR_CALL && v->block != IR_NONE && s->g.order[v->block] != IR_NONE;
    if (!is_reached || !is_named(v->name, "_Z") || is_named(v->name, "_ZT")) return (ir_name){"", 0};
    return v->name;
}
