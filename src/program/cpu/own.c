/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* open_memstream */
#include "program/cpu/own.h"

#include <stdlib.h>

#include "base/status.h"
#include "custom/kept.h"
#include "custom/messages.h"
#include "program/own.h"

struct own_operations {
    void *object;
    line_own *function[];
};

/* ------------------------------------------------------------------ source */

static void print_lines(const program_own *own, const char *form, FILE *out) {
    for (unsigned k = 0; k < 1U << own->bits; k++) fprintf(out, form, k, k);
}

/* Each operation is a line of its own name, so that messages say which one is wrong. */
static void print_source(const program_passes *passes, riffle_type type, FILE *out) {
    fprintf(out, "#include <math.h>\n#include <stdint.h>\ntypedef %s element;\n", program_own_element(type));
    for (unsigned k = 0; k < passes->own_count; k++) {
        const program_own *own = &passes->own[k];
        fprintf(out,
                "# 1 \"operation%u\"\n"
                "void operation%u(void *const *line, const uint64_t *lane, uint64_t base) { ",
                k, k);
        print_lines(own, "element *restrict const line%u = line[%u]; ", out);
        fprintf(out, "for (unsigned l = 0; l < 64 / sizeof(element); l++) { const uint64_t i = base ^ lane[l]; "
                     "(void)i; const element x[] = {");
        print_lines(own, "line%u[l], ", out);
        fprintf(out, "}; ");
        program_own_print_names(own, out);
        fprintf(out, "const element r[] = {%s}; _Static_assert(sizeof r == sizeof x, \"", own->source);
        program_own_print_count(own, out);
        fprintf(out, "\"); ");
        print_lines(own, "line%u[l] = r[%u]; ", out);
        fprintf(out, "} }\n");
    }
}

static riffle_status find_functions(unsigned count, own_operations *own) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) {
        char name[32];
        snprintf(name, sizeof name, "operation%u", k);
        status = own_find(own->object, name, &own->function[k]);
    }
    return status;
}

/* The first message that tells an operation's error, with the operation's place. */
static riffle_status refuse(const void *context, const char *messages) {
    const program_passes *const passes = context;
    char words[200], why[256];
    const int which = custom_find_error(messages, sizeof words, words);
    snprintf(why, sizeof why, "the compiler refuses this operation: %s", words);
    return which >= 0 && which < (int)passes->own_count
               ? program_own_fail(passes, (unsigned)which, RIFFLE_ERROR_SYNTAX, why)
               : fail(RIFFLE_ERROR_UNSUPPORTED, "%s", why);
}

static riffle_status build(const program_passes *passes, riffle_type type, own_operations *own) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return fail_memory("users' operations", 0);
    print_source(passes, type, out);
    const riffle_status status = fclose(out) == 0 ? own_borrow(text, length, refuse, passes, &own->object)
                                                  : fail_memory("users' operations", length);
    free(text);
    return status == RIFFLE_OK ? find_functions(passes->own_count, own) : status;
}

riffle_status own_operations_compile(const program_passes *passes, riffle_type type, own_operations **out) {
    *out = NULL;
    if (passes->own_count == 0) return RIFFLE_OK;
    const size_t bytes = sizeof **out + passes->own_count * sizeof *(*out)->function;
    own_operations *own = calloc(1, bytes);
    if (own == NULL) return fail_memory("users' operations", bytes);
    const riffle_status status = build(passes, type, own);
    if (status == RIFFLE_OK) {
        *out = own;
    } else {
        own_operations_free(own);
    }
    return status;
}

line_own *own_operations_find(const own_operations *own, const program_stage *stage) {
    return stage->op.kind == RIFFLE_OP_OWN ? own->function[stage->own] : NULL;
}

void own_operations_free(own_operations *own) {
    if (own == NULL) return;
    own_release(own->object);
    free(own);
}
