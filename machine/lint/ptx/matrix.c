/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/ptx/matrix.h"

#include <string.h>

#include "machine/lint/ptx/operand.h"
#include "machine/lint/ptx/words.h"
#include "machine/lint/source/text.h"

enum { WARP = 32, COLUMNS = 8 };

/* ---- products */

/* A word of `shapes` or `sums`, which a blank parts. */
static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* Factors' types, with the bits of one and what products of them there are. */
typedef struct factor {
    const char *type;
    unsigned bits;
    const char *shapes, *sums;
} factor;

static const factor *factor_of(const char *type) {
    static const factor factors[] = {
        {"f16", 16, "m16n8k8 m16n8k16", "f32 f16"},       {"bf16", 16, "m16n8k8 m16n8k16", "f32"},
        {"tf32", 32, "m16n8k4 m16n8k8", "f32"},           {"f64", 64, "m8n8k4 m16n8k4 m16n8k8 m16n8k16", "f64"},
        {"e4m3", 8, "m16n8k16 m16n8k32", "f32 f16"},      {"e5m2", 8, "m16n8k16 m16n8k32", "f32 f16"},
        {"s8", 8, "m8n8k16 m16n8k16 m16n8k32", "s32"},    {"u8", 8, "m8n8k16 m16n8k16 m16n8k32", "s32"},
        {"s4", 4, "m8n8k32 m16n8k32 m16n8k64", "s32"},    {"u4", 4, "m8n8k32 m16n8k32 m16n8k64", "s32"},
        {"b1", 1, "m8n8k128 m16n8k128 m16n8k256", "s32"},
    };
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++)
        if (strcmp(type, factors[k].type) == 0) return &factors[k];
    return NULL;
}

/* The shape, types of result, factors and summand; C++'s name of how bits are multiplied and numbers summed. */
typedef struct product {
    unsigned rows, depth;
    const factor *left, *right;
    const char *sum, *times;
} product;

static bool read_product(ptx_words *name, product *out) {
    static const char *const sums[][2] = {
        {"f32", "f32"}, {"f16", "halves"}, {"f64", "f64"}, {"s32", "s32"}, {"s32.satfinite", "s32_satfinite"}};
    const bool saturates = ptx_take(name, "satfinite"), is_xor = ptx_take(name, "xor"),
               is_and = ptx_take(name, "and");
    if (!ptx_take(name, "sync") || !ptx_take(name, "aligned") || !ptx_take(name, "row") ||
        !ptx_take(name, "col"))
        return false;
    if (ptx_take(name, "popc") != (is_xor || is_and) || name->count != 5) return false;
    const char *shape = name->word[0], *sum = name->word[1];
    out->left = factor_of(name->word[2]), out->right = factor_of(name->word[3]);
    if (out->left == NULL || out->right == NULL || strcmp(sum, name->word[4]) != 0) return false;
    const bool alike =
        strcmp(out->left->shapes, out->right->shapes) == 0 && strcmp(out->left->sums, out->right->sums) == 0;
    if (!alike || !has_word(out->left->shapes, shape) || !has_word(out->left->sums, sum)) return false;
    if ((out->left->bits == 1) != (is_xor || is_and)) return false;
    if (saturates && (strcmp(sum, "s32") != 0 || out->left->bits == 1)) return false;
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++)
        if (strcmp(sums[k][0], saturates ? "s32.satfinite" : sum) == 0) out->sum = sums[k][1];
    out->times = is_xor ? "differ" : "product";
    return sscanf(shape, "m%un8k%u", &out->rows, &out->depth) == 2;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}; a register has 32 bits, or a double. */
static bool write_product(ptx_words *name, char **operand, unsigned operands, FILE *out) {
    product one;
    char *part[PTX_MOST_PARTS];
    unsigned parts;
    if (operands != 4 || !read_product(name, &one)) return false;
    const unsigned register_bits = one.left->bits == 64 ? 64 : 32;
    const unsigned columns = COLUMNS * one.depth * one.left->bits / (WARP * register_bits);
    const unsigned sums = one.rows * COLUMNS / WARP / (strcmp(one.sum, "halves") == 0 ? 2 : 1);
    const char *const word = register_bits == 64 ? "double" : "unsigned";
    if (!ptx_parts_of(operand[0], part, &parts) || parts != sums) return false;
    bool written = ptx_write_parts(word, "riffle_a", operand[1], columns * one.rows / COLUMNS, out);
    written = ptx_write_parts(word, "riffle_b", operand[2], columns, out) && written;
    fprintf(out, "typedef ::riffle_ptx::%s riffle_sum; ", one.sum);
    written = ptx_write_parts("riffle_sum::word", "riffle_c", operand[3], sums, out) && written;
    fprintf(
        out,
        "riffle_sum::word riffle_v[%u]; ::riffle_ptx::multiply<::riffle_ptx::%s, ::riffle_ptx::%s, riffle_sum, "
        "::riffle_ptx::%s, %u, %u>(riffle_v, riffle_a, riffle_b, riffle_c); ",
        sums, one.left->type, one.right->type, one.times, one.rows, one.depth);
    return ptx_write_targets(part, parts, out) && written;
}

/* ---- moves */

/* How many matrices of 8 rows of 16 bytes; 0 for another name. */
static unsigned matrices_of(ptx_words *name) {
    const unsigned count = ptx_take(name, "x1") ? 1 : ptx_take(name, "x2") ? 2 : ptx_take(name, "x4") ? 4 : 0;
    const bool known =
        ptx_take(name, "sync") && ptx_take(name, "aligned") && ptx_take(name, "m8n8") && ptx_take(name, "b16");
    return known && name->count == 0 ? count : 0;
}

/* ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r}, [p]; and stmatrix, whose operands change places. */
static bool write_matrices(ptx_words *name, char **operand, unsigned operands, bool stores, FILE *out) {
    char *part[PTX_MOST_PARTS];
    unsigned parts = 0;
    const char *const turned = ptx_take(name, "trans") ? "true" : "false";
    const bool is_shared = ptx_take(name, "shared") || ptx_take(name, "shared::cta");
    const unsigned count = matrices_of(name);
    if (count == 0 || operands != 2) return false;
    if (stores) {
        if (!ptx_write_parts("unsigned", "riffle_v", operand[1], count, out)) return false;
    } else {
        if (!ptx_parts_of(operand[0], part, &parts) || parts != count) return false;
        fprintf(out, "unsigned riffle_v[%u]; ", count);
    }
    fprintf(out, "::riffle_ptx::%s_matrices<%s>(", stores ? "store" : "load", turned);
    const bool written = ptx_write_address(operand[stores ? 0 : 1], is_shared, out);
    fputs(", riffle_v); ", out);
    return ptx_write_targets(part, parts, out) && written;
}

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a; */
static bool write_transpose(ptx_words *name, char **operand, unsigned operands, FILE *out) {
    const bool known = ptx_take(name, "sync") && ptx_take(name, "aligned") && ptx_take(name, "m8n8") &&
                       ptx_take(name, "trans") && ptx_take(name, "b16");
    if (!known || name->count != 0 || operands != 2 || !ptx_begin_target(operand[0], out)) return false;
    fputs("::riffle_ptx::transposed(", out);
    const bool written = ptx_write_as("unsigned", operand[1], out);
    fputs(")); ", out);
    return written;
}

/* ---- all */

bool ptx_is_of_matrices(const char *name) {
    static const char *const names[] = {"mma.", "ldmatrix.", "stmatrix.", "movmatrix.", NULL};
    return begins_with_any(name, names);
}

bool ptx_write_matrices(char *name, char **operand, unsigned operands, FILE *out) {
    ptx_words all;
    if (!ptx_cut_name(name, &all)) return false;
    if (ptx_take(&all, "mma")) return write_product(&all, operand, operands, out);
    if (ptx_take(&all, "movmatrix")) return write_transpose(&all, operand, operands, out);
    const bool stores = ptx_take(&all, "stmatrix");
    return (stores || ptx_take(&all, "ldmatrix")) && write_matrices(&all, operand, operands, stores, out);
}
