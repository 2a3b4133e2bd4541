/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "program/fused/own_source.h"

#include <stdlib.h>

#include "base/status.h"
#include "program/fused/code.h"

/* The built-in operations that the program has, as bits. */
static uint32_t built_in_of(const program_passes *passes) {
    uint32_t all = 0;
    for (size_t p = 0; p < passes->count; p++)
        for (size_t k = 0; k < passes->passes[p].stage_count; k++)
            all |= (uint32_t)1 << fused_op_of(passes->passes[p].stages[k].op.kind);
    return all & (((uint32_t)1 << FUSED_OWN) - 1);
}

static const char *numbers_of(riffle_type type) {
    static const char *const numbers[] = {
        [RIFFLE_TYPE_I8] = "fused_integer<int8_t, uint8_t>",
        [RIFFLE_TYPE_I16] = "fused_integer<int16_t, uint16_t>",
        [RIFFLE_TYPE_I32] = "fused_integer<int32_t, uint32_t>",
        [RIFFLE_TYPE_I64] = "fused_integer<int64_t, uint64_t>",
        [RIFFLE_TYPE_U8] = "fused_integer<uint8_t, uint8_t>",
        [RIFFLE_TYPE_U16] = "fused_integer<uint16_t, uint16_t>",
        [RIFFLE_TYPE_U32] = "fused_integer<uint32_t, uint32_t>",
        [RIFFLE_TYPE_U64] = "fused_integer<uint64_t, uint64_t>",
        [RIFFLE_TYPE_F32] = "fused_real<float>",
        [RIFFLE_TYPE_F64] = "fused_real<double>",
    };
    return numbers[type];
}

static void print_kind(const program_passes *passes, riffle_type type, FILE *out) {
    fprintf(
        out,
        "#line 1 \"own_kind\"\n"
        "typedef %s element;\n"
        "template <uint32_t size> struct own_list { enum : uint32_t { count = size }; element of[size]; };\n"
        "template <class... all> static __device__ inline own_list<sizeof...(all)> own_values(all... values) "
        "{ return {{(element)values...}}; }\n"
        "struct own_kind : %s {\n"
        "    enum : uint32_t { has_groups = 1, ops = %uu, owns = %u };\n"
        "    template <uint32_t number> struct own;\n"
        "};\n",
        program_own_element(type), numbers_of(type), built_in_of(passes), passes->own_count);
}

/* The expressions have a line of their own, whose file is the operation's name (custom_find_error). */
static void print_operation(const program_own *own, unsigned number, FILE *out) {
    fprintf(out,
            "#line 1 \"own_kind\"\n"
            "template <> struct own_kind::own<%u> { enum { bits = %u };\n"
            "static __device__ inline void apply(element *x, uint64_t i) { (void)i; ",
            number, own->bits);
    program_own_print_names(own, out);
    fprintf(
        out,
        "\n#line 1 \"operation%u\"\nconst auto r = own_values(%s); static_assert(decltype(r)::count == %u, \"",
        number, own->source, 1U << own->bits);
    program_own_print_count(own, out);
    fprintf(out, "\");\n#line 2 \"own_kind\"\n"
                 "UNROLL for (uint32_t k = 0; k < decltype(r)::count; ++k) x[k] = r.of[k]; } };\n");
}

static void print(const program_passes *passes, riffle_type type, FILE *out) {
    const embedded_text *text = fused_texts;
    fprintf(out,
            "#ifdef RIFFLE_LINT\n#undef __CUDACC__ /* the machine's words, as it compiles its own kernels */\n"
            "#endif\n"
            "#ifdef __CUDACC_RTC__\n#define __builtin_memcpy memcpy\n#endif\n"
            "#define FUSED_WITHOUT_HALVES\n");
    for (; text[1].name != NULL; text++) embedded_print(text, out);
    print_kind(passes, type, out);
    for (unsigned k = 0; k < passes->own_count; k++) print_operation(&passes->own[k], k, out);
    embedded_print(text, out);
    fprintf(out, "#line 1 \"own_kind\"\n"
                 "template __global__ void " FUSED_OWN_KERNEL
                 "(element *, const element *, const GRID_CONSTANT fused_table);\n");
}

riffle_status fused_own_source(const program_passes *passes, riffle_type type, char **out) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a kernel's source", 0);
    print(passes, type, stream);
    const bool is_whole = !ferror(stream);
    if (fclose(stream) == 0 && is_whole) {
        *out = text;
        return RIFFLE_OK;
    }
    free(text);
    return fail_memory("a kernel's source", length);
}
