/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/ptx/warpgroup.h"

#include <ctype.h>
#include <string.h>

#include "machine/lint/ptx/operand.h"
#include "machine/lint/ptx/words.h"
#include "machine/lint/source/text.h"

enum { DEPTH_BITS = 256, MOST_COLUMNS = 256, COLUMNS_STEP = 8, INTEGERS_STEP = 16, A_WORDS = 4, THREADS = 128, ROWS = 64 };

/* Factors' types, the machine's name, bits, and the types of sums that there are. */
typedef struct factor {
    const char *type, *name;
    unsigned bits;
    const char *sums, *with; /* and the type of the other factor begins so */
} factor;

static const factor *factor_of(const char *type) {
    static const factor factors[] = {
        {"f16", "MACHINE_F16", 16, "f16 f32", "f16"}, {"bf16", "MACHINE_BF16", 16, "f32", "bf16"},
        {"tf32", "MACHINE_TF32", 32, "f32", "tf32"},  {"e4m3", "MACHINE_E4M3", 8, "f16 f32", "e"},
        {"e5m2", "MACHINE_E5M2", 8, "f16 f32", "e"},  {"s8", "MACHINE_S8", 8, "s32", ""},
        {"u8", "MACHINE_U8", 8, "s32", ""},
    };
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++)
        if (strcmp(type, factors[k].type) == 0) return &factors[k];
    return NULL;
}

typedef struct product {
    const factor *left, *right;
    const char *sum;
    unsigned columns, registers;
    bool saturates, is_integer;
} product;

static bool has_shape(const product *one, unsigned depth) {
    const unsigned n = one->columns;
    const bool known = n >= COLUMNS_STEP && n <= MOST_COLUMNS && n % COLUMNS_STEP == 0;
    const bool of_integers = n % INTEGERS_STEP == 0 || n == 8 || n == 24;
    return known && depth == DEPTH_BITS / one->left->bits && (!one->is_integer || of_integers);
}

/* m64n8k16.f32.f16.f16 */
static bool read_product(ptx_words *name, product *out) {
    unsigned depth;
    char behind;
    out->saturates = ptx_take(name, "satfinite");
    if (!ptx_take(name, "mma_async") || !ptx_take(name, "sync") || !ptx_take(name, "aligned") || name->count != 4)
        return false;
    out->sum = name->word[1];
    out->left = factor_of(name->word[2]), out->right = factor_of(name->word[3]);
    if (sscanf(name->word[0], "m64n%uk%u%c", &out->columns, &depth, &behind) != 2) return false;
    if (out->left == NULL || out->right == NULL || strstr(out->left->sums, out->sum) == NULL) return false;
    if (strcmp(out->left->sums, out->right->sums) != 0 || strcmp(out->left->with, out->right->with) != 0) return false;
    out->is_integer = strcmp(out->sum, "s32") == 0;
    out->registers = ROWS * out->columns / THREADS / (strcmp(out->sum, "f16") == 0 ? 2 : 1);
    return (!out->saturates || out->is_integer) && has_shape(out, depth);
}

/* Where the sums' variables are, which outlive the statement: its operands. */
static bool write_sums(char *text, unsigned registers, FILE *out) {
    char *part[PTX_MOST_PARTS];
    unsigned parts;
    bool written = ptx_parts_of(text, part, &parts) && parts == registers;
    fputs("void *const riffle_d[] = {", out);
    for (unsigned k = 0; k < parts && written; k++) {
        written = part[k][0] == '%' && isdigit((unsigned char)part[k][1]);
        fputs("(void *)&", out);
        written = written && ptx_write_operand(part[k], out);
        fputs(", ", out);
    }
    fputs("}; ", out);
    return written;
}

/* An operand as a number, or a constant where there is none. */
static bool write_number(const char *type, char **operand, unsigned operands, unsigned at, const char *otherwise, FILE *out) {
    const bool written = at < operands ? ptx_write_as(type, operand[at], out) : fputs(otherwise, out) >= 0;
    fputs(", ", out);
    return written;
}

/* {d}, a, b, scale of d; of floats the signs of a and b; of 16 bits whether a, in shared memory, and b are turned. */
static bool write_product(ptx_words *name, char **operand, unsigned operands, FILE *out) {
    product one;
    if (!read_product(name, &one) || operands < 4) return false;
    const bool in_words = *operand[1] == '{';
    const unsigned signs = one.is_integer ? 0 : 2, turns = one.left->bits != 16 ? 0 : in_words ? 1 : 2;
    const unsigned from = 4 + signs;
    if (operands != from + turns || !write_sums(operand[0], one.registers, out)) return false;
    if (in_words && !ptx_write_parts("unsigned", "riffle_a", operand[1], A_WORDS, out)) return false;
    fprintf(out, "::riffle_ptx::product_of_group({%s, %s, MACHINE_%c%s, %u, ", one.left->name, one.right->name,
            toupper((unsigned char)one.sum[0]), one.sum + 1, one.columns);
    bool written = write_number("bool", operand, operands, 3, "1", out);
    fprintf(out, "%d, ", one.saturates);
    written = write_number("int", operand, signs > 0 ? operands : 0, 4, "1", out) && written;
    written = write_number("int", operand, signs > 0 ? operands : 0, 5, "1", out) && written;
    written = write_number("int", operand, turns == 2 ? operands : 0, from, "0", out) && written;
    written = write_number("int", operand, turns > 0 ? operands : 0, from + turns - 1, "0", out) && written;
    written = write_number("unsigned long long", operand, in_words ? 0 : operands, 1, "0", out) && written;
    written = write_number("unsigned long long", operand, operands, 2, "0", out) && written;
    fprintf(out, "nullptr, riffle_d, %u}%s); ", one.registers, in_words ? ", riffle_a" : "");
    return written;
}

bool ptx_is_of_warpgroups(const char *name) { return begins_with(name, "wgmma."); }

bool ptx_write_warpgroup(char *name, char **operand, unsigned operands, FILE *out) {
    ptx_words all;
    if (!ptx_cut_name(name, &all) || !ptx_take(&all, "wgmma")) return false;
    const bool fences = ptx_take(&all, "fence"), commits = ptx_take(&all, "commit_group"), waits = ptx_take(&all, "wait_group");
    if (!fences && !commits && !waits) return write_product(&all, operand, operands, out);
    if (!ptx_take(&all, "sync") || !ptx_take(&all, "aligned") || all.count != 0 || operands != waits) return false;
    fprintf(out, "::riffle_lint_product_%s(", fences ? "fence" : commits ? "commit" : "wait");
    const bool written = !waits || ptx_write_as("unsigned", operand[0], out);
    fputs("); ", out);
    return written;
}
