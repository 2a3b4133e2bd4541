/* SPDX-License-Identifier: Apache-2.0 */
#include "program/term.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "perm/kind.h"
#include "program/op.h"

static riffle_status create(program_kind kind, unsigned n, unsigned leaves, unsigned depth,
                            riffle_program **out) {
    if (n > RIFFLE_MAX_BITS)
        return fail(RIFFLE_ERROR_LENGTH, "program: an array of 2^%u elements; there are at most 2^%d", n,
                    RIFFLE_MAX_BITS);
    if (leaves > PROGRAM_MAX_LEAVES)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "program: more than %d operations and permutations",
                    PROGRAM_MAX_LEAVES);
    if (depth > PROGRAM_MAX_DEPTH)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "program: parts within parts, more than %d deep",
                    PROGRAM_MAX_DEPTH);
    riffle_program *program = calloc(1, sizeof *program);
    if (program == NULL) return fail_memory("a program", sizeof *program);
    *program = (riffle_program){.references = 1, .kind = kind, .n = n, .leaves = leaves, .depth = depth};
    *out = program;
    return RIFFLE_OK;
}

static riffle_status move_create(const perm_affine *map, riffle_program **out) {
    riffle_program *program = NULL;
    riffle_status status = create(PROGRAM_MOVE, map->a.m, 1, 1, &program);
    if (status != RIFFLE_OK) return status;
    program->map = *map;
    *out = program;
    return RIFFLE_OK;
}

riffle_status program_identity(unsigned n, riffle_program **out) {
    return move_create(&(perm_affine){.a = gf2_identity(n)}, out);
}

riffle_status riffle_program_move(const riffle_perm *perm, riffle_program **out) {
    RETURN_IF_NULL(perm, out);
    if (!perm_is_power_of_two(perm->n))
        return fail(RIFFLE_ERROR_LENGTH,
                    "program: a permutation of %" PRIu64 " elements, which is no power of two", perm->n);
    perm_affine map;
    bool is_affine;
    const riffle_status status = perm_find_affine(perm, &map, &is_affine);
    if (status != RIFFLE_OK) return status;
    if (!is_affine)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "this permutation is not affine over the index bits, and programs take no others");
    return move_create(&map, out);
}

static riffle_status check_parameter(const riffle_op *op, const op_record *record) {
    if ((record->properties & OP_PARAMETER) == 0) return RIFFLE_OK;
    if (!isfinite(op->parameter))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: its number is not finite", record->name);
    if (op->kind != RIFFLE_OP_SCALE &&
        (op->parameter != floor(op->parameter) || fabs(op->parameter) > RIFFLE_MAX_BITS))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: k is %g; it is an integer from -%d to %d", record->name,
                    op->parameter, RIFFLE_MAX_BITS, RIFFLE_MAX_BITS);
    return RIFFLE_OK;
}

static riffle_status check_op(unsigned n, unsigned bits, const riffle_op *op) {
    if (bits > RIFFLE_PROGRAM_GROUP_BITS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "group: of 2^%u neighbours; there are at most 2^%d", bits,
                    RIFFLE_PROGRAM_GROUP_BITS);
    if (bits > n)
        return fail(RIFFLE_ERROR_LENGTH, "an operation on %u neighbours, where the array has %u element%s",
                    1U << bits, 1U << n, n == 0 ? "" : "s");
    if (op->kind == RIFFLE_OP_OWN) {
        if (op->source != NULL) return RIFFLE_OK;
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a user's operation without a source");
    }
    const op_record *record = op_record_of(op->kind);
    if (record == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no operation %d", (int)op->kind);
    if (record->bits != bits)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is an operation on %u element%s, not on %u",
                    record->name, 1U << record->bits, record->bits == 0 ? "" : "s", 1U << bits);
    return check_parameter(op, record);
}

riffle_status program_apply_at(unsigned n, unsigned bits, const riffle_op *op, const program_place *place,
                               riffle_program **out) {
    riffle_status status = check_op(n, bits, op);
    riffle_program *program = NULL;
    if (status == RIFFLE_OK) status = create(PROGRAM_APPLY, n, 1, 1, &program);
    if (status != RIFFLE_OK) return status;
    program->op = (riffle_op){.kind = op->kind, .parameter = op->parameter};
    program->bits = bits;
    program->place = *place;
    if (op->kind == RIFFLE_OP_OWN && (program->op.source = strdup(op->source)) == NULL) {
        free(program);
        return fail_memory("an operation's source", strlen(op->source));
    }
    *out = program;
    return RIFFLE_OK;
}

riffle_status riffle_program_apply(unsigned n, unsigned bits, const riffle_op *op, riffle_program **out) {
    RETURN_IF_NULL(op, out);
    return program_apply_at(n, bits, op, &(program_place){0}, out);
}

static riffle_status create_of_two(program_kind kind, unsigned n, const riffle_program *first,
                                   const riffle_program *second, riffle_program **out) {
    const unsigned depth = 1 + (first->depth > second->depth ? first->depth : second->depth);
    const unsigned leaves = first->leaves + (second != first || kind == PROGRAM_THEN ? second->leaves : 0);
    riffle_program *program = NULL;
    riffle_status status = create(kind, n, leaves, depth, &program);
    if (status != RIFFLE_OK) return status;
    program->first = riffle_program_retain(first);
    program->second = riffle_program_retain(second);
    *out = program;
    return RIFFLE_OK;
}

riffle_status riffle_program_parm(uint64_t mask, const riffle_program *first, const riffle_program *second,
                                  riffle_program **out) {
    RETURN_IF_NULL(first, second, out);
    if (first->n != second->n)
        return fail(RIFFLE_ERROR_LENGTH, "parm: its two programs are for 2^%u and for 2^%u elements", first->n,
                    second->n);
    const unsigned n = first->n + 1;
    if (mask == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "parm: its mask is 0, which chooses no half");
    if (n <= RIFFLE_MAX_BITS && mask >> n != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "parm: its mask is %" PRIu64 ", but an array of 2^%u has masks from 1 to %" PRIu64, mask, n,
                    ((uint64_t)1 << n) - 1);
    riffle_program *program = NULL;
    riffle_status status = create_of_two(PROGRAM_PARM, n, first, second, &program);
    if (status != RIFFLE_OK) return status;
    program->mask = mask;
    *out = program;
    return RIFFLE_OK;
}

riffle_status riffle_program_then(const riffle_program *first, const riffle_program *then,
                                  riffle_program **out) {
    RETURN_IF_NULL(first, then, out);
    if (first->n == then->n) return create_of_two(PROGRAM_THEN, first->n, first, then, out);
    return fail(RIFFLE_ERROR_LENGTH, "then: programs for 2^%u and for 2^%u elements", first->n, then->n);
}

unsigned riffle_program_bits(const riffle_program *program) { return program != NULL ? program->n : 0; }

riffle_program *riffle_program_retain(const riffle_program *program) {
    if (program == NULL) return NULL;
    riffle_program *handle = (riffle_program *)(uintptr_t)program; /* only the count changes */
    atomic_fetch_add_explicit(&handle->references, 1, memory_order_relaxed);
    return handle;
}

void riffle_program_free(riffle_program *program) {
    if (program == NULL || atomic_fetch_sub_explicit(&program->references, 1, memory_order_acq_rel) != 1)
        return;
    if (program->kind == PROGRAM_PARM || program->kind == PROGRAM_THEN) {
        riffle_program_free(program->first);
        riffle_program_free(program->second);
    } else if (program->kind == PROGRAM_APPLY) {
        free((char *)(uintptr_t)program->op.source);
    }
    free(program);
}

/* The beginning of a message: "program, line 1, character 6: ". */
static void print_place(const program_place *place, size_t capacity, char *out) {
    out[0] = '\0';
    if (place->text != NULL)
        snprintf(out, capacity, "%s, line %u, character %u: ", place->text, place->line, place->column);
}

static riffle_status fail_type(const riffle_program *program, riffle_type type) {
    char place[96];
    print_place(&program->place, sizeof place, place);
    if (program->op.kind == RIFFLE_OP_OWN)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%sa user's operation takes integers, f32 and f64, not %s", place,
                    riffle_type_string(type));
    const op_record *record = op_record_of(program->op.kind);
    static const char *const sets[] = {[TYPES_INTEGER] = "integers",
                                       [TYPES_REAL] = "integers and floats",
                                       [TYPES_COMPLEX] = "complex elements (c64, c128)",
                                       [TYPES_FLOAT | TYPES_COMPLEX] = "floats and complex elements",
                                       [TYPES_ALL] = "all"};
    return fail(RIFFLE_ERROR_UNSUPPORTED, "%s%s is not defined for elements of type %s; it takes %s", place,
                record->name, riffle_type_string(type), sets[record->types]);
}

static riffle_status check_each(const riffle_program *program, riffle_type type,
                                riffle_status (*check)(const riffle_program *operation, riffle_type type)) {
    if (program->kind == PROGRAM_MOVE) return RIFFLE_OK;
    if (program->kind == PROGRAM_APPLY) return check(program, type);
    riffle_status status = check_each(program->first, type, check);
    if (status != RIFFLE_OK || program->first == program->second) return status;
    return check_each(program->second, type, check);
}

static riffle_status check_type(const riffle_program *operation, riffle_type type) {
    return op_takes(&operation->op, type) ? RIFFLE_OK : fail_type(operation, type);
}

riffle_status program_check_type(const riffle_program *program, riffle_type type) {
    return check_each(program, type, check_type);
}

static const riffle_program *find_source(const riffle_program *program, const char *source) {
    if (program->kind == PROGRAM_MOVE) return NULL;
    if (program->kind == PROGRAM_APPLY) return program->op.source == source ? program : NULL;
    const riffle_program *found = find_source(program->first, source);
    if (found != NULL || program->first == program->second) return found;
    return find_source(program->second, source);
}

void program_print_place_of(const riffle_program *program, const char *source, size_t room, char *out) {
    const riffle_program *found = find_source(program, source);
    print_place(found != NULL ? &found->place : &(program_place){0}, room, out);
}

static riffle_status check_built_in(const riffle_program *operation, riffle_type type) {
    (void)type;
    if (operation->op.kind != RIFFLE_OP_OWN) return RIFFLE_OK;
    char place[96];
    print_place(&operation->place, sizeof place, place);
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "%susers' operations are not run here in this version; use built-in ones", place);
}

riffle_status program_check_built_in(const riffle_program *program) {
    return check_each(program, RIFFLE_TYPE_I8, check_built_in);
}
