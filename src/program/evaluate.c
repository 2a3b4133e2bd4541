/* SPDX-License-Identifier: Apache-2.0
 *
 * The meaning of a program: plain recursion over its terms. Everything else is compared with it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "program/op.h"
#include "program/term.h"

typedef struct evaluation {
    riffle_type type;
    size_t bytes; /* bytes of an element */
} evaluation;

/* `spare` has room for as many elements as `data`. */
static void evaluate(const evaluation *e, const riffle_program *program, char *data, char *spare);

static void evaluate_move(const evaluation *e, const riffle_program *program, char *data, char *spare) {
    const uint64_t n = (uint64_t)1 << program->n;
    for (uint64_t x = 0; x < n; x++)
        memcpy(spare + (gf2_apply(&program->map.a, x) ^ program->map.c) * e->bytes, data + x * e->bytes,
               e->bytes);
    memcpy(data, spare, n * e->bytes);
}

static void evaluate_apply(const evaluation *e, const riffle_program *program, char *data) {
    const uint64_t groups = (uint64_t)1 << (program->n - program->bits);
    for (uint64_t i = 0; i < groups; i++)
        op_apply(&program->op, e->type, i, data + (i << program->bits) * e->bytes);
}

/* The halves go to spare, one behind the other, are done there with data as their spare, and come back. */
static void evaluate_parm(const evaluation *e, const riffle_program *program, char *data, char *spare) {
    const uint64_t half = (uint64_t)1 << (program->n - 1);
    for (uint64_t k = 0; k < 2 * half; k++)
        memcpy(spare + k * e->bytes, data + parm_index(program->mask, k % half, k >= half) * e->bytes,
               e->bytes);
    evaluate(e, program->first, spare, data);
    evaluate(e, program->second, spare + half * e->bytes, data);
    for (uint64_t k = 0; k < 2 * half; k++)
        memcpy(data + parm_index(program->mask, k % half, k >= half) * e->bytes, spare + k * e->bytes,
               e->bytes);
}

static void evaluate(const evaluation *e, const riffle_program *program, char *data, char *spare) {
    switch (program->kind) {
    case PROGRAM_MOVE: evaluate_move(e, program, data, spare); break;
    case PROGRAM_APPLY: evaluate_apply(e, program, data); break;
    case PROGRAM_PARM: evaluate_parm(e, program, data, spare); break;
    case PROGRAM_THEN:
        evaluate(e, program->first, data, spare);
        evaluate(e, program->second, data, spare);
        break;
    }
}

riffle_status riffle_program_evaluate(const riffle_program *program, riffle_type type, void *data) {
    RETURN_IF_NULL(program, data);
    if (riffle_type_bytes(type) == 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no type with number %d", (int)type);
    riffle_status status = program_check_type(program, type);
    if (status == RIFFLE_OK) status = program_check_built_in(program);
    if (status != RIFFLE_OK) return status;
    const evaluation e = {type, riffle_type_bytes(type)};
    char *spare = malloc(e.bytes << program->n);
    if (spare == NULL) return fail_memory("a second array", (uint64_t)e.bytes << program->n);
    evaluate(&e, program, data, spare);
    free(spare);
    return RIFFLE_OK;
}
