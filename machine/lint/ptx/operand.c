/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/ptx/operand.h"

#include <ctype.h>
#include <string.h>

#include "machine/lint/ptx/statement.h"

const char *ptx_type(const char *word) {
    static const char *const names[][2] = {{"u8", "unsigned char"}, {"s8", "signed char"},
                                           {"b8", "unsigned char"}, {"u16", "unsigned short"},
                                           {"s16", "short"},        {"b16", "unsigned short"},
                                           {"u32", "unsigned"},     {"s32", "int"},
                                           {"b32", "unsigned"},     {"u64", "unsigned long long"},
                                           {"s64", "long long"},    {"b64", "unsigned long long"},
                                           {"f32", "float"},        {"f64", "double"},
                                           {"f16", "::riffle_ptx::number_f16"}, {"bf16", "::riffle_ptx::number_bf16"},
                                           {"pred", "bool"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(word, names[k][0]) == 0) return names[k][1];
    return NULL;
}

char *ptx_trim(char *text) {
    text += strspn(text, " \t\n\r");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
    return text;
}

bool ptx_cut(char *list, char **out, unsigned most, unsigned *count) {
    int depth = 0;
    list = ptx_trim(list);
    for (*count = 0; *list != '\0';) {
        char *at = list;
        for (; *at != '\0' && (*at != ',' || depth > 0); at++)
            depth += strchr("{[(", *at) != NULL ? 1 : strchr("}])", *at) != NULL ? -1 : 0;
        const bool more = *at == ',';
        *at = '\0';
        if (*count == most) return false;
        out[(*count)++] = ptx_trim(list);
        list = at + more;
    }
    return true;
}

bool ptx_parts_of(char *text, char **out, unsigned *count) {
    const size_t length = strlen(text);
    if (*text != '{') {
        out[0] = text;
        *count = 1;
        return true;
    }
    if (text[length - 1] != '}') return false;
    text[length - 1] = '\0';
    return ptx_cut(text + 1, out, PTX_MOST_PARTS, count);
}

static const char *special_register(const char *name) {
    static const char *const names[][2] = {{"tid.x", "::threadIdx.x"},
                                           {"tid.y", "::threadIdx.y"},
                                           {"tid.z", "::threadIdx.z"},
                                           {"ntid.x", "::blockDim.x"},
                                           {"ntid.y", "::blockDim.y"},
                                           {"ntid.z", "::blockDim.z"},
                                           {"ctaid.x", "::blockIdx.x"},
                                           {"ctaid.y", "::blockIdx.y"},
                                           {"ctaid.z", "::blockIdx.z"},
                                           {"nctaid.x", "::gridDim.x"},
                                           {"nctaid.y", "::gridDim.y"},
                                           {"nctaid.z", "::gridDim.z"},
                                           {"cluster_ctaid.x", "::riffle_lint::place_in_cluster().x"},
                                           {"cluster_ctaid.y", "::riffle_lint::place_in_cluster().y"},
                                           {"cluster_ctaid.z", "::riffle_lint::place_in_cluster().z"},
                                           {"cluster_nctaid.x", "::riffle_lint::cluster_shape().x"},
                                           {"cluster_nctaid.y", "::riffle_lint::cluster_shape().y"},
                                           {"cluster_nctaid.z", "::riffle_lint::cluster_shape().z"},
                                           {"clusterid.x", "::riffle_lint::cluster_index().x"},
                                           {"clusterid.y", "::riffle_lint::cluster_index().y"},
                                           {"clusterid.z", "::riffle_lint::cluster_index().z"},
                                           {"nclusterid.x", "::riffle_lint::grid_in_clusters().x"},
                                           {"nclusterid.y", "::riffle_lint::grid_in_clusters().y"},
                                           {"nclusterid.z", "::riffle_lint::grid_in_clusters().z"},
                                           {"cluster_ctarank", "::riffle_lint::rank_in_cluster()"},
                                           {"cluster_nctarank", "::riffle_lint::cluster_size()"},
                                           {"is_explicit_cluster", "(::riffle_lint::cluster_size() > 1)"},
                                           {"laneid", "::riffle_lint_lane()"},
                                           {"warpid", "::riffle_ptx::warp()"},
                                           {"nwarpid", "::riffle_ptx::warps()"},
                                           {"smid", "0u"},
                                           {"nsmid", "132u"},
                                           {"gridid", "0ull"},
                                           {"lanemask_eq", "(1u << ::riffle_lint_lane())"},
                                           {"lanemask_lt", "((1u << ::riffle_lint_lane()) - 1u)"},
                                           {"lanemask_le", "((2u << ::riffle_lint_lane()) - 1u)"},
                                           {"lanemask_gt", "~((2u << ::riffle_lint_lane()) - 1u)"},
                                           {"lanemask_ge", "~((1u << ::riffle_lint_lane()) - 1u)"},
                                           {"clock", "(unsigned)::riffle_lint_clock()"},
                                           {"clock64", "::riffle_lint_clock()"},
                                           {"clock_hi", "(unsigned)(::riffle_lint_clock() >> 32)"},
                                           {"globaltimer", "::riffle_lint_clock()"},
                                           {"globaltimer_lo", "(unsigned)::riffle_lint_clock()"},
                                           {"globaltimer_hi", "(unsigned)(::riffle_lint_clock() >> 32)"},
                                           {"current_graph_exec", "0ull"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k][0]) == 0) return names[k][1];
    return NULL;
}

/* Registers of the hardware's that the machine has not. */
static bool is_missing_register(const char *name) {
    static const char *const names[] = {"dynamic_smem_size", "total_smem_size", "aggr_smem_size", NULL};
    for (const char *const *one = names; *one != NULL; one++)
        if (strcmp(name, *one) == 0) return true;
    return false;
}

static bool is_number(const char *text) {
    text += *text == '-';
    const bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const size_t length =
        is_hexadecimal ? 2 + strspn(text + 2, "0123456789abcdefABCDEF") : strspn(text, "0123456789");
    return length > 2u * is_hexadecimal && strcmp(text + length + (text[length] == 'U'), "") == 0;
}

/* 1.5 or 2e-3. */
static bool is_decimal(const char *text) {
    const size_t length = strspn(text, "0123456789.eE+-");
    return isdigit((unsigned char)text[*text == '-']) && strchr(text, '.') != NULL && text[length] == '\0';
}

/* 0f3F800000 and 0d3FF0000000000000 are the bits of a number. */
static bool write_bits(const char *text, FILE *out) {
    if (text[0] != '0' || strchr("fFdD", text[1]) == NULL || text[1] == '\0') return false;
    if (text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] != '\0') return false;
    const bool is_wide = tolower((unsigned char)text[1]) == 'd';
    fprintf(out, "::riffle_ptx::as<%s>(0x%s%s)", is_wide ? "double" : "float", text + 2, is_wide ? "ull" : "u");
    return true;
}

bool ptx_write_register(const char *text, FILE *out) {
    if (!isalpha((unsigned char)*text) && strchr("_%$", *text) == NULL) return false;
    fputs(LINT_PTX_REGISTER, out);
    for (; *text != '\0'; text++) {
        if (!isalnum((unsigned char)*text) && strchr("_%$", *text) == NULL) return false;
        fputc(isalnum((unsigned char)*text) ? *text : '_', out);
    }
    return true;
}

bool ptx_write_operand(const char *text, FILE *out) {
    if (text[0] == '%' && isdigit((unsigned char)text[1]) && text[1 + strspn(text + 1, "0123456789")] == '\0')
        return fprintf(out, LINT_PTX_OPERAND "%s", text + 1) > 0;
    const char *special = special_register(text + strspn(text, "%"));
    if (text[0] == '%' && special != NULL) return fputs(special, out) >= 0;
    if (text[0] == '%' && is_missing_register(text + 1)) return false;
    if (is_number(text)) return fputs(text, out) >= 0;
    return write_bits(text, out) || ptx_write_register(text, out);
}

bool ptx_write_as(const char *type, const char *text, FILE *out) {
    if (is_decimal(text)) return fprintf(out, "((%s)%s)", type, text) > 0;
    fprintf(out, "::riffle_ptx::as<%s>(", type);
    const bool written = ptx_write_operand(text, out);
    fputc(')', out);
    return written;
}

bool ptx_write_address(char *text, bool shared, FILE *out) {
    const size_t length = strlen(text);
    if (length < 3 || *text != '[' || text[length - 1] != ']') return false;
    text[length - 1] = '\0';
    char *base = ptx_trim(text + 1), *sign = strpbrk(base, "+-");
    const bool is_below = sign != NULL && *sign == '-';
    if (sign != NULL) *sign = '\0';
    fprintf(out, "::riffle_ptx::%s(", shared ? "at_shared" : "at");
    const bool written = ptx_write_operand(ptx_trim(base), out);
    const char *offset = sign != NULL ? ptx_trim(sign + 1) : "0";
    fprintf(out, ", %s%s)", is_below ? "-" : "", offset);
    return written && is_number(offset);
}

bool ptx_begin_target(const char *text, FILE *out) {
    if (strcmp(text, "_") == 0) return fputs("(void)(", out) >= 0;
    bool written = ptx_write_operand(text, out);
    fputs(" = ::riffle_ptx::to<decltype(", out);
    written = ptx_write_operand(text, out) && written;
    fputs(")>(", out);
    return written;
}

bool ptx_write_parts(const char *type, const char *name, char *text, unsigned parts, FILE *out) {
    char *part[PTX_MOST_PARTS];
    unsigned found;
    if (!ptx_parts_of(text, part, &found) || found != parts) return false;
    fprintf(out, "const %s %s[] = {", type, name);
    bool written = true;
    for (unsigned k = 0; k < parts; k++) {
        written = ptx_write_as(type, part[k], out) && written;
        fputs(", ", out);
    }
    fputs("}; ", out);
    return written;
}

bool ptx_write_targets(char **part, unsigned parts, FILE *out) {
    bool written = true;
    for (unsigned k = 0; k < parts; k++) {
        written = ptx_begin_target(part[k], out) && written;
        fprintf(out, "riffle_v[%u]); ", k);
    }
    return written;
}
