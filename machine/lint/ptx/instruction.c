/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction's name without its types, spaces and hints about caches and rounding is its key: "ld.global.nc.v4.f32" is ld with
 * the type float and four parts. A table gives the key's meaning, as an expression of its operands.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "machine/lint/ptx/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/ptx/bulk.h"
#include "machine/lint/ptx/matrix.h"
#include "machine/lint/ptx/meaning.h"
#include "machine/lint/ptx/operand.h"
#include "machine/lint/ptx/warpgroup.h"
#include "machine/lint/source/text.h"

enum { MOST_OPERANDS = 8, MOST_TYPES = 4, KEY_BYTES = 64, NAME_BYTES = 192, MOST_REGISTERS = 256 };

typedef struct instruction {
    char key[KEY_BYTES];
    const char *type[MOST_TYPES]; /* C++'s names, in the order in which they stand */
    unsigned types, parts;
    const char *rounding; /* of .rz, .rm, .rp the type that says it; NULL for others */
    bool shared;                                            /* an address of 32 bits, in shared memory */
    bool strong, is_volatile, acquires, releases, of_block; /* its order, and that its scope is a block */
    bool has_policy;                                        /* of the cache: the last operand */
    char *operand[MOST_OPERANDS];
    unsigned operands;
} instruction;

/* ---- the name */

static bool is_hint(const char *word) {
    static const char *const hints[] = {
        "rn",     "rz",    "rm",    "rp",       "ftz",     "noftz",   "approx",  "full",
        "global", "local", "const", "volatile", "relaxed", "acquire", "release", "acq_rel",
        "gpu",    "sys",   "cta",   "weak",     "nc",      "ca",      "cg",      "cs",
        "lu",     "cv",    "wb",    "wt",       "aligned", "uni",     "wrap",    NULL};
    for (const char *const *one = hints; *one != NULL; one++)
        if (strcmp(word, *one) == 0) return true;
    return begins_with(word, "L1::") || begins_with(word, "L2::") || begins_with(word, "L2");
}

/* True if a word says nothing that the key has to tell. A barrier's "cluster" and "relaxed" do. */
static bool is_passed_over(const char *word, const char *key) {
    if (strcmp(key, "isspacep") == 0 || begins_with(key, "barrier.cluster"))
        return strcmp(word, "aligned") == 0;
    if (strcmp(word, "cluster") == 0) return strcmp(key, "barrier") != 0;
    return is_hint(word);
}

/* An order is a hint too, but for what it does to others. */
static void note_order(const char *word, instruction *out) {
    const bool both = strcmp(word, "acq_rel") == 0;
    const bool acquires = both || strcmp(word, "acquire") == 0, releases = both || strcmp(word, "release") == 0;
    out->acquires |= acquires;
    out->releases |= releases;
    out->is_volatile |= strcmp(word, "volatile") == 0;
    out->strong |= acquires || releases || strcmp(word, "relaxed") == 0;
    out->of_block |= strcmp(word, "cta") == 0;
    out->has_policy |= strcmp(word, "L2::cache_hint") == 0;
}

static const char *rounding_of(const char *word) {
    return strcmp(word, "rz") == 0   ? "::riffle_lint::to_zero"
           : strcmp(word, "rm") == 0 ? "::riffle_lint::downwards"
           : strcmp(word, "rp") == 0 ? "::riffle_lint::upwards"
                                     : NULL;
}

/* A fence beside an instruction, where that has an order. */
static void write_fence(bool wanted, const instruction *one, FILE *out) {
    if (wanted && !one->of_block) fputs("::__threadfence(); ", out);
}

static bool read_name(char *name, instruction *out) {
    char *rest = NULL;
    for (char *word = strtok_r(name, ".", &rest); word != NULL; word = strtok_r(NULL, ".", &rest)) {
        note_order(word, out);
        if (rounding_of(word) != NULL) out->rounding = rounding_of(word);
        const char *type = out->key[0] != '\0' ? ptx_type(word) : NULL;
        if (type != NULL) {
            if (out->types == MOST_TYPES) return false;
            out->type[out->types++] = type;
        } else if (strcmp(word, "shared") == 0 || strcmp(word, "shared::cta") == 0 ||
                   strcmp(word, "shared::cluster") == 0) {
            out->shared = true;
        } else if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0) {
            out->parts = (unsigned)(word[1] - '0');
        } else if (out->key[0] == '\0' || !is_passed_over(word, out->key)) {
            if (strlen(out->key) + strlen(word) + 2 > KEY_BYTES) return false;
            if (out->key[0] != '\0') strcat(out->key, ".");
            strcat(out->key, word);
        }
    }
    return true;
}

/* ---- plain ones */

static const char *type_of(const instruction *one, unsigned k) {
    return k < one->types ? one->type[k] : "unsigned";
}

static bool write_by(const ptx_meaning *by, const instruction *one, FILE *out) {
    bool written = true;
    for (const char *at = by->text; *at != '\0'; at++) {
        const bool numbered = isdigit((unsigned char)at[1]);
        if (*at == '^' && numbered) {
            written = ptx_write_address(one->operand[*++at - '0'], one->shared, out) && written;
            continue;
        }
        if (*at == '@' || (*at == '&' && at[1] == '>')) {
            fputs(type_of(one, *at == '&'), out);
        } else if (*at == '~' && one->rounding != NULL) {
            fputs(one->rounding, out);
        } else if (numbered && strchr("$#!%", *at) != NULL) {
            const char *operand = one->operand[at[1] - '0'];
            const char *type = *at == '$' ? type_of(one, 0) : *at == '#' ? "unsigned" : "bool";
            written =
                (*at == '%' ? ptx_write_operand(operand, out) : ptx_write_as(type, operand, out)) && written;
            at++;
        } else {
            fputc(*at, out);
        }
    }
    return written;
}

static bool write_plain_of(const char *key, const instruction *one, FILE *out) {
    const ptx_meaning *by = NULL;
    if (one->rounding != NULL) {
        char directed[KEY_BYTES + 1];
        snprintf(directed, sizeof directed, "%s~", key);
        by = ptx_meaning_of(directed, one->operands);
    }
    if (by == NULL) by = ptx_meaning_of(key, one->operands);
    if (by == NULL) return false;
    if (by->target && !ptx_begin_target(one->operand[0], out)) return false;
    const bool written = write_by(by, one, out);
    fputs(by->target ? "); " : "; ", out);
    return written;
}

/* "d|p" is two targets, and the second has a meaning of its own. */
static bool write_plain(instruction *one, FILE *out) {
    const bool fences = begins_with(one->key, "membar") || begins_with(one->key, "fence");
    char *first = one->operands > 0 ? one->operand[0] : NULL, *bar = first != NULL ? strchr(first, '|') : NULL;
    if (bar != NULL) {
        char key[KEY_BYTES + 1];
        *bar = '\0';
        snprintf(key, sizeof key, "%s|", one->key);
        one->operand[0] = ptx_trim(bar + 1);
        if (!write_plain_of(key, one, out)) return false;
        one->operand[0] = ptx_trim(first);
    }
    return write_plain_of(fences && one->of_block ? "fence.cta" : one->key, one, out);
}

/* ---- comparisons */

/* The operator by which a comparison and a truth are combined, whose word is cut off: "setp.lt.and" is setp.lt with &&. NULL: there is none. */
static const char *cut_combination(char *key) {
    static const char *const words[][2] = {{".and", " && "}, {".or", " || "}, {".xor", " != "}};
    char *last = strrchr(key, '.');
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (strcmp(last, words[k][0]) != 0) continue;
        *last = '\0';
        return words[k][1];
    }
    return NULL;
}

/* setp.lt.or.u32 p|q, %0, %1, r: p is of the comparison, q of its opposite. set.lt.u32.f32 has the type of its truth before that of what it compares. */
static bool write_comparison(instruction *one, FILE *out) {
    const char *combined = cut_combination(one->key), *truth = type_of(one, 0);
    const bool is_set = begins_with(one->key, "set.");
    char compares[KEY_BYTES + 1], *target[2] = {one->operand[0], NULL};
    snprintf(compares, sizeof compares, "setp%s", strchr(one->key, '.'));
    const ptx_meaning *by = ptx_meaning_of(compares, 3);
    if (by == NULL || one->operands != 3u + (combined != NULL) || (is_set && one->types != 2)) return false;
    if (is_set) one->type[0] = one->type[1];
    char *bar = strchr(target[0], '|');
    if (bar != NULL) {
        *bar = '\0';
        target[1] = bar + 1;
    }
    fputs("const bool riffle_is = ", out);
    bool written = write_by(by, one, out);
    fputs("; ", out);
    if (combined != NULL) {
        fputs("const bool riffle_with = ", out);
        const bool inverted = *one->operand[3] == '!';
        fputs(inverted ? "!" : "", out);
        written = ptx_write_as("bool", one->operand[3] + inverted, out) && written;
        fputs("; ", out);
    }
    for (unsigned k = 0; k < 2 && target[k] != NULL; k++) {
        written = ptx_begin_target(ptx_trim(target[k]), out) && written;
        if (is_set) fprintf(out, "::riffle_ptx::truth<%s>(", truth);
        fprintf(out, "%sriffle_is%s%s", k > 0 ? "!" : "", combined != NULL ? combined : "", combined != NULL ? "riffle_with" : "");
        fputs(is_set ? ")); " : "); ", out);
    }
    return written;
}

/* ---- memory */

static bool write_load(instruction *one, FILE *out) {
    char *part[PTX_MOST_PARTS];
    unsigned parts;
    if (one->operands != 2 || !ptx_parts_of(one->operand[0], part, &parts) || parts != one->parts) return false;
    fprintf(out, "{ %s riffle_v[%u]; ::riffle_ptx::load<%s>(", type_of(one, 0), parts,
            one->strong || one->is_volatile ? "MACHINE_STRONG" : "0");
    bool written = ptx_write_address(one->operand[1], one->shared, out);
    fputs(", riffle_v); ", out);
    written = ptx_write_targets(part, parts, out) && written;
    write_fence(one->acquires, one, out);
    fputs("} ", out);
    return written;
}

static bool write_store(instruction *one, FILE *out) {
    if (one->operands != 2) return false;
    fputs("{ ", out);
    write_fence(one->releases, one, out);
    bool written = ptx_write_parts(type_of(one, 0), "riffle_v", one->operand[1], one->parts, out);
    fprintf(out, "::riffle_ptx::store<%s>(",
            one->strong        ? "MACHINE_STRONG | MACHINE_STORE"
            : one->is_volatile ? "MACHINE_STRONG"
                               : "0");
    written = ptx_write_address(one->operand[0], one->shared, out) && written;
    fputs(", riffle_v); } ", out);
    return written;
}

/* st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [to], {a, b}, [mbarrier] */
static bool write_store_async(instruction *one, FILE *out) {
    if (one->operands != 3 || !one->shared) return false;
    fputs("{ ", out);
    bool written = ptx_write_parts(type_of(one, 0), "riffle_v", one->operand[1], one->parts, out);
    fputs("::riffle_ptx::store_async(", out);
    written = ptx_write_address(one->operand[0], true, out) && written;
    fputs(", riffle_v, ", out);
    written = ptx_write_address(one->operand[2], true, out) && written;
    fputs("); } ", out);
    return written;
}

/* mov.b64 {%0, %1}, %2 and the other way, of two parts or four. */
static bool write_pieces(instruction *one, FILE *out) {
    char *part[PTX_MOST_PARTS];
    unsigned parts;
    const bool takes_apart = *one->operand[0] == '{';
    if (!ptx_parts_of(one->operand[takes_apart ? 0 : 1], part, &parts) || (parts != 2 && parts != 4))
        return false;
    bool written = true;
    for (unsigned k = 0; takes_apart && k < parts; k++) {
        written = ptx_begin_target(part[k], out) && written;
        fprintf(out, "::riffle_ptx::piece<%u, %u>(", k, parts);
        written = ptx_write_as(type_of(one, 0), one->operand[1], out) && written;
        fputs(")); ", out);
    }
    if (takes_apart) return written;
    written = ptx_begin_target(one->operand[0], out);
    fprintf(out, "::riffle_ptx::join<%s>(", type_of(one, 0));
    for (unsigned k = 0; k < parts; k++) {
        fputs(k > 0 ? ", " : "", out);
        written = ptx_write_operand(part[k], out) && written;
    }
    fputs(")); ", out);
    return written;
}

/* atom.add.u32 %0, [%1], %2; red has no target. */
static bool write_atomic(instruction *one, FILE *out) {
    static const char *const names[][2] = {{"add", "Add"}, {"min", "Min"}, {"max", "Max"},   {"and", "And"},
                                           {"or", "Or"},   {"xor", "Xor"}, {"exch", "Exch"}, {"cas", "CAS"},
                                           {"inc", "Inc"}, {"dec", "Dec"}};
    const bool is_atom = begins_with(one->key, "atom.");
    const char *name = NULL, *operation = strchr(one->key, '.') + 1;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(operation, names[k][0]) == 0) name = names[k][1];
    if (name == NULL || one->operands < is_atom + 2u) return false;
    write_fence(one->releases, one, out);
    if (is_atom && !ptx_begin_target(one->operand[0], out)) return false;
    fprintf(out, "::atomic%s((%s *)", name, type_of(one, 0));
    bool written = ptx_write_address(one->operand[is_atom], one->shared, out);
    for (unsigned k = is_atom + 1u; k < one->operands; k++) {
        fputs(", ", out);
        written = ptx_write_as(type_of(one, 0), one->operand[k], out) && written;
    }
    fputs(is_atom ? ")); " : "); ", out);
    write_fence(one->acquires, one, out);
    return written;
}

/* cp.async.cg.shared.global [%0], [%1], 16, %2; */
static bool write_copy(instruction *one, FILE *out) {
    if (one->operands != 3 && one->operands != 4) return false;
    fputs("::riffle_ptx::copy(", out);
    bool written = ptx_write_address(one->operand[0], true, out);
    fputs(", ", out);
    written = ptx_write_address(one->operand[1], false, out) && written;
    for (unsigned k = 2; k < 4; k++) {
        fputs(", ", out);
        written = ptx_write_as("unsigned", one->operand[k < one->operands ? k : 2], out) && written;
    }
    fputs("); ", out);
    return written;
}

static bool write_instruction(instruction *one, FILE *out) {
    const char *key = one->key;
    if (one->has_policy && one->operands > 0) one->operands--;
    if (strcmp(key, "ld") == 0 || strcmp(key, "ldu") == 0) return write_load(one, out);
    if (strcmp(key, "st") == 0) return write_store(one, out);
    if (strcmp(key, "st.async.mbarrier::complete_tx::bytes") == 0) return write_store_async(one, out);
    if (begins_with(key, "atom.") || begins_with(key, "red.")) return write_atomic(one, out);
    if (strcmp(key, "cp.async") == 0) return write_copy(one, out);
    if (begins_with(key, "set.") || begins_with(key, "setp.")) return write_comparison(one, out);
    const bool has_parts = one->operands == 2 && (*one->operand[0] == '{' || *one->operand[1] == '{');
    if (strcmp(key, "mov") == 0 && has_parts) return write_pieces(one, out);
    return write_plain(one, out);
}

/* ---- all of it */

/* "a", or "a<4>" for a0 to a3. */
static bool write_declaration(const char *type, char *name, FILE *out) {
    char *open = strchr(name, '<'), numbered[KEY_BYTES];
    if (open == NULL) {
        fprintf(out, "%s ", type);
        return ptx_write_register(name, out) && fputs(" = {}; ", out) >= 0;
    }
    const unsigned long count = strtoul(open + 1, NULL, 10);
    *open = '\0';
    if (count > MOST_REGISTERS) return false;
    for (unsigned long k = 0; k < count; k++) {
        fprintf(out, "%s ", type);
        if (snprintf(numbered, sizeof numbered, "%s%lu", name, k) >= KEY_BYTES ||
            !ptx_write_register(numbered, out))
            return false;
        fputs(" = {}; ", out);
    }
    return true;
}

/* ".reg .u32 a, b": false too if it is of another kind. */
static bool write_registers(char *text, FILE *out) {
    char *list[PTX_MOST_PARTS * 4];
    unsigned count;
    text += strspn(text, " \t\n.");
    char *end = text + strcspn(text, " \t\n");
    if (*end == '\0') return false;
    *end = '\0';
    const bool is_pair = strcmp(text, "f16x2") == 0 || strcmp(text, "bf16x2") == 0;
    const char *type = is_pair ? "unsigned" : ptx_type(text);
    if (type == NULL || !ptx_cut(end + 1, list, PTX_MOST_PARTS * 4, &count)) return false;
    for (unsigned k = 0; k < count; k++)
        if (!write_declaration(type, list[k], out)) return false;
    return true;
}

bool lint_ptx_instruction(char *text, FILE *out) {
    instruction one = {.parts = 1};
    text = ptx_trim(text);
    if (begins_with(text, ".reg")) return write_registers(text + 4, out);
    if (*text == '@') {
        const bool inverted = text[1] == '!';
        char *name = text + 1 + inverted;
        text = name + strcspn(name, " \t\n");
        if (*text == '\0') return false;
        *text++ = '\0';
        fprintf(out, "if (%s", inverted ? "!" : "");
        if (!ptx_write_as("bool", name, out)) return false;
        fputs(") ", out);
        text = ptx_trim(text);
    }
    char *list = text + strcspn(text, " \t\n{["), name[NAME_BYTES];
    if (snprintf(name, sizeof name, "%.*s", (int)(list - text), text) >= NAME_BYTES) return false;
    if (!ptx_cut(list, one.operand, MOST_OPERANDS, &one.operands)) return false;
    fputs("{ ", out);
    const bool written = ptx_is_of_warpgroups(name) ? ptx_write_warpgroup(name, one.operand, one.operands, out)
                         : ptx_is_of_matrices(name) ? ptx_write_matrices(name, one.operand, one.operands, out)
                         : ptx_is_bulk(name)      ? ptx_write_bulk(name, one.operand, one.operands, out)
                                                  : read_name(name, &one) && write_instruction(&one, out);
    fputs("} ", out);
    return written;
}
