/* SPDX-License-Identifier: Apache-2.0 */
#include "program/own.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "program/term.h"

static unsigned find(const program_passes *passes, const program_stage *stage) {
    unsigned k = 0;
    while (k < passes->own_count &&
           (passes->own[k].bits != stage->bits || strcmp(passes->own[k].source, stage->op.source) != 0))
        k++;
    return k;
}

static riffle_status add(program_passes *out, const program_stage *stage) {
    program_own *const more = realloc(out->own, (out->own_count + 1) * sizeof *more);
    if (more == NULL) return fail_memory("users' operations", (out->own_count + 1) * sizeof *more);
    out->own = more;
    out->own[out->own_count++] = (program_own){stage->op.source, stage->bits};
    if (out->own_count <= PROGRAM_MOST_OWN) return RIFFLE_OK;
    char why[64];
    snprintf(why, sizeof why, "more than %d different users' operations", PROGRAM_MOST_OWN);
    return program_own_fail(out, out->own_count - 1, RIFFLE_ERROR_UNSUPPORTED, why);
}

static riffle_status number_stages(program_passes *out, program_pass *pass) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; status == RIFFLE_OK && k < pass->stage_count; k++) {
        program_stage *const stage = &pass->stages[k];
        if (stage->op.kind != RIFFLE_OP_OWN) continue;
        stage->own = find(out, stage);
        if (stage->own == out->own_count) status = add(out, stage);
    }
    return status;
}

riffle_status program_own_number(program_passes *out) {
    riffle_status status = RIFFLE_OK;
    for (size_t p = 0; status == RIFFLE_OK && p < out->count; p++) status = number_stages(out, &out->passes[p]);
    return status;
}

riffle_status program_own_fail(const program_passes *passes, unsigned number, riffle_status status,
                               const char *why) {
    char place[96];
    program_print_place_of(passes->program, passes->own[number].source, sizeof place, place);
    return fail(status, "%s%s", place, why);
}

void program_own_print_names(const program_own *own, FILE *out) {
    for (unsigned k = 0; k < 1U << own->bits; k++) {
        const char letter = k == 0 ? 'a' : 'b';
        if (own->bits <= 1) fprintf(out, "const element %c = x[%u]; (void)%c; ", letter, k, letter);
        if (own->bits > 1) fprintf(out, "const element a%u = x[%u]; (void)a%u; ", k, k, k);
    }
}

void program_own_print_count(const program_own *own, FILE *out) {
    static const char *const few[] = {"an operation on elements has one expression",
                                      "an operation on pairs has two expressions"};
    if (own->bits <= 1) fputs(few[own->bits], out);
    if (own->bits > 1)
        fprintf(out, "an operation on groups of %u has %u expressions", 1U << own->bits, 1U << own->bits);
}

const char *program_own_element(riffle_type type) {
    static const char *const names[] = {
        [RIFFLE_TYPE_I8] = "int8_t",    [RIFFLE_TYPE_I16] = "int16_t",  [RIFFLE_TYPE_I32] = "int32_t",
        [RIFFLE_TYPE_I64] = "int64_t",  [RIFFLE_TYPE_U8] = "uint8_t",   [RIFFLE_TYPE_U16] = "uint16_t",
        [RIFFLE_TYPE_U32] = "uint32_t", [RIFFLE_TYPE_U64] = "uint64_t", [RIFFLE_TYPE_F32] = "float",
        [RIFFLE_TYPE_F64] = "double",
    };
    return names[type];
}
