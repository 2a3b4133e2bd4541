/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction's name without its types, spaces and hints about caches and rounding is its key: "ld.global.nc.v4.f32" is ld with
 * the type float and four parts. A table gives the key's meaning, as an expression of its operands.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "machine/lint/source/ptx_instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/source/ptx.h"
#include "machine/lint/source/text.h"

enum { MOST_OPERANDS = 8, MOST_PARTS = 8, MOST_TYPES = 4, KEY_BYTES = 64, MOST_REGISTERS = 256 };

typedef struct instruction {
    char key[KEY_BYTES];
    const char *type[MOST_TYPES]; /* C++'s names, in the order in which they stand */
    unsigned types, parts;
    bool shared; /* an address of 32 bits, in shared memory */
    char *operand[MOST_OPERANDS];
    unsigned operands;
} instruction;

/* ---- the name */

static const char *type_named(const char *word) {
    static const char *const names[][2] = {{"u8", "unsigned char"}, {"s8", "signed char"},
                                           {"b8", "unsigned char"}, {"u16", "unsigned short"},
                                           {"s16", "short"},        {"b16", "unsigned short"},
                                           {"u32", "unsigned"},     {"s32", "int"},
                                           {"b32", "unsigned"},     {"u64", "unsigned long long"},
                                           {"s64", "long long"},    {"b64", "unsigned long long"},
                                           {"f32", "float"},        {"f64", "double"},
                                           {"pred", "bool"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(word, names[k][0]) == 0) return names[k][1];
    return NULL;
}

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

static bool read_name(char *name, instruction *out) {
    char *rest = NULL;
    for (char *word = strtok_r(name, ".", &rest); word != NULL; word = strtok_r(NULL, ".", &rest)) {
        const char *type = out->key[0] != '\0' ? type_named(word) : NULL;
        if (type != NULL) {
            if (out->types == MOST_TYPES) return false;
            out->type[out->types++] = type;
        } else if (strcmp(word, "shared") == 0 || strcmp(word, "shared::cta") == 0) {
            out->shared = true;
        } else if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0) {
            out->parts = (unsigned)(word[1] - '0');
        } else if (out->key[0] == '\0' || !is_hint(word)) {
            if (strlen(out->key) + strlen(word) + 2 > KEY_BYTES) return false;
            if (out->key[0] != '\0') strcat(out->key, ".");
            strcat(out->key, word);
        }
    }
    return true;
}

/* ---- operands */

static char *trim(char *text) {
    text += strspn(text, " \t\n\r");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
    return text;
}

/* Cuts a list at its commas, but for those in brackets. */
static bool cut(char *list, char **out, unsigned most, unsigned *count) {
    int depth = 0;
    list = trim(list);
    for (*count = 0; *list != '\0';) {
        char *at = list;
        for (; *at != '\0' && (*at != ',' || depth > 0); at++)
            depth += strchr("{[(", *at) != NULL ? 1 : strchr("}])", *at) != NULL ? -1 : 0;
        const bool more = *at == ',';
        *at = '\0';
        if (*count == most) return false;
        out[(*count)++] = trim(list);
        list = at + more;
    }
    return true;
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
                                           {"globaltimer", "::riffle_lint_clock()"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k][0]) == 0) return names[k][1];
    return NULL;
}

static bool is_number(const char *text) {
    text += *text == '-';
    const bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const size_t length =
        is_hexadecimal ? 2 + strspn(text + 2, "0123456789abcdefABCDEF") : strspn(text, "0123456789");
    return length > 2u * is_hexadecimal && strcmp(text + length + (text[length] == 'U'), "") == 0;
}

/* 0f3F800000 and 0d3FF0000000000000 are the bits of a number. */
static bool write_bits(const char *text, FILE *out) {
    if (text[0] != '0' || strchr("fFdD", text[1]) == NULL || text[1] == '\0') return false;
    if (text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] != '\0') return false;
    const bool is_wide = tolower((unsigned char)text[1]) == 'd';
    fprintf(out, "::riffle_ptx::as<%s>(0x%s%s)", is_wide ? "double" : "float", text + 2, is_wide ? "ull" : "u");
    return true;
}

/* A register of the statement's own, in which % and $ may stand. */
static bool write_register(const char *text, FILE *out) {
    if (!isalpha((unsigned char)*text) && strchr("_%$", *text) == NULL) return false;
    fputs(LINT_PTX_REGISTER, out);
    for (; *text != '\0'; text++) {
        if (!isalnum((unsigned char)*text) && strchr("_%$", *text) == NULL) return false;
        fputc(isalnum((unsigned char)*text) ? *text : '_', out);
    }
    return true;
}

/* As it is, of whatever type. */
static bool write_operand(const char *text, FILE *out) {
    if (text[0] == '%' && isdigit((unsigned char)text[1]) && text[1 + strspn(text + 1, "0123456789")] == '\0')
        return fprintf(out, LINT_PTX_OPERAND "%s", text + 1) > 0;
    const char *special = special_register(text + strspn(text, "%"));
    if (text[0] == '%' && special != NULL) return fputs(special, out) >= 0;
    if (is_number(text)) return fputs(text, out) >= 0;
    return write_bits(text, out) || write_register(text, out);
}

static bool write_as(const char *type, const char *text, FILE *out) {
    fprintf(out, "::riffle_ptx::as<%s>(", type);
    const bool written = write_operand(text, out);
    fputc(')', out);
    return written;
}

/* "[%1+16]" */
static bool write_address(char *text, bool shared, FILE *out) {
    const size_t length = strlen(text);
    if (length < 3 || *text != '[' || text[length - 1] != ']') return false;
    text[length - 1] = '\0';
    char *base = trim(text + 1), *sign = strpbrk(base, "+");
    if (sign != NULL) *sign = '\0';
    fprintf(out, "::riffle_ptx::%s(", shared ? "at_shared" : "at");
    const bool written = write_operand(trim(base), out);
    const char *offset = sign != NULL ? trim(sign + 1) : "0";
    fprintf(out, ", %s)", offset);
    return written && is_number(offset);
}

/* "TARGET = to<its type>(", to be closed; "_" is nobody. */
static bool begin_target(const char *text, FILE *out) {
    if (strcmp(text, "_") == 0) return fputs("(void)(", out) >= 0;
    bool written = write_operand(text, out);
    fputs(" = ::riffle_ptx::to<decltype(", out);
    written = write_operand(text, out) && written;
    fputs(")>(", out);
    return written;
}

/* ---- what instructions mean */

/* $k is operand k in the instruction's first type, #k as an unsigned number, !k as a truth, %k as it is; @ and & are the first and the
 * second type. Operand 0 is the target; where `target` is false there is none. */
typedef struct meaning {
    const char *key;
    unsigned operands;
    bool target;
    const char *text;
} meaning;

static const meaning meanings[] = {
    {"mov", 2, true, "$1"},
    {"add", 3, true, "$1 + $2"},
    {"sub", 3, true, "$1 - $2"},
    {"mul", 3, true, "$1 * $2"},
    {"mul.lo", 3, true, "$1 * $2"},
    {"mul24.lo", 3, true, "$1 * $2"},
    {"mul.hi", 3, true, "::riffle_ptx::high($1, $2)"},
    {"mul.wide", 3, true, "::riffle_ptx::wide($1, $2)"},
    {"mad", 4, true, "$1 * $2 + $3"},
    {"mad.lo", 4, true, "$1 * $2 + $3"},
    {"mad.hi", 4, true, "::riffle_ptx::high($1, $2) + $3"},
    {"mad.wide", 4, true, "::riffle_ptx::wide($1, $2) + ::riffle_ptx::as<unsigned long long>(%3)"},
    {"fma", 4, true, "::std::fma($1, $2, $3)"},
    {"add.cc", 3, true, "::riffle_ptx::add($1, $2, false, riffle_carry)"},
    {"addc.cc", 3, true, "::riffle_ptx::add($1, $2, riffle_carry, riffle_carry)"},
    {"addc", 3, true, "::riffle_ptx::add($1, $2, riffle_carry, riffle_carry)"},
    {"sub.cc", 3, true, "::riffle_ptx::subtract($1, $2, false, riffle_carry)"},
    {"subc.cc", 3, true, "::riffle_ptx::subtract($1, $2, riffle_carry, riffle_carry)"},
    {"subc", 3, true, "::riffle_ptx::subtract($1, $2, riffle_carry, riffle_carry)"},
    {"div", 3, true, "$1 / $2"},
    {"rem", 3, true, "$1 % $2"},
    {"min", 3, true, "::riffle_ptx::least($1, $2)"},
    {"max", 3, true, "::riffle_ptx::greatest($1, $2)"},
    {"neg", 2, true, "-$1"},
    {"abs", 2, true, "::riffle_ptx::magnitude($1)"},
    {"sad", 4, true, "::riffle_ptx::magnitude($1 - $2) + $3"},
    {"and", 3, true, "$1 & $2"},
    {"or", 3, true, "$1 | $2"},
    {"xor", 3, true, "$1 ^ $2"},
    {"not", 2, true, "::riffle_ptx::inverse($1)"},
    {"cnot", 2, true, "$1 == 0"},
    {"shl", 3, true, "::riffle_ptx::left($1, #2)"},
    {"shr", 3, true, "::riffle_ptx::right($1, #2)"},
    {"shf.l", 4, true, "::__funnelshift_l($1, $2, #3)"},
    {"shf.r", 4, true, "::__funnelshift_r($1, $2, #3)"},
    {"shf.l.clamp", 4, true, "::__funnelshift_lc($1, $2, #3)"},
    {"shf.r.clamp", 4, true, "::__funnelshift_rc($1, $2, #3)"},
    {"lop3", 5, true, "::riffle_ptx::lop3($1, $2, $3, #4)"},
    {"bfe", 4, true, "::riffle_ptx::extract($1, #2, #3)"},
    {"bfi", 5, true, "::riffle_ptx::insert($1, $2, #3, #4)"},
    {"brev", 2, true, "::riffle_ptx::reversed($1)"},
    {"popc", 2, true, "::__popcll($1)"},
    {"clz", 2, true, "::riffle_ptx::zeros($1)"},
    {"prmt", 4, true, "::__byte_perm($1, $2, #3)"},
    {"dp4a", 4, true, "::riffle_ptx::dot<@, &>(#1, #2, #3)"},
    {"vabsdiff4", 4, true, "::riffle_ptx::apart<&>(#1, #2)"},
    {"vabsdiff4.add", 4, true, "::riffle_ptx::sum_apart<&>(#1, #2) + #3"},
    {"ex2", 2, true, "::exp2f($1)"},
    {"lg2", 2, true, "::log2f($1)"},
    {"rcp", 2, true, "1 / $1"},
    {"sqrt", 2, true, "::std::sqrt($1)"},
    {"rsqrt", 2, true, "1 / ::std::sqrt($1)"},
    {"sin", 2, true, "::sinf($1)"},
    {"cos", 2, true, "::cosf($1)"},
    {"tanh", 2, true, "::tanhf($1)"},
    {"copysign", 3, true, "::std::copysign($2, $1)"},
    {"cvt", 2, true, "::riffle_ptx::convert<@>(::riffle_ptx::as<&>(%1))"},
    {"cvt.rzi", 2, true, "::riffle_ptx::convert<@>(::std::trunc(::riffle_ptx::as<&>(%1)))"},
    {"cvt.rni", 2, true, "::riffle_ptx::convert<@>(::std::rint(::riffle_ptx::as<&>(%1)))"},
    {"cvt.rmi", 2, true, "::riffle_ptx::convert<@>(::std::floor(::riffle_ptx::as<&>(%1)))"},
    {"cvt.rpi", 2, true, "::riffle_ptx::convert<@>(::std::ceil(::riffle_ptx::as<&>(%1)))"},
    {"cvta", 2, true, "$1"},
    {"cvta.to", 2, true, "$1"},
    {"setp.lt", 3, true, "$1 < $2"},
    {"setp.lo", 3, true, "$1 < $2"},
    {"setp.le", 3, true, "$1 <= $2"},
    {"setp.ls", 3, true, "$1 <= $2"},
    {"setp.gt", 3, true, "$1 > $2"},
    {"setp.hi", 3, true, "$1 > $2"},
    {"setp.ge", 3, true, "$1 >= $2"},
    {"setp.hs", 3, true, "$1 >= $2"},
    {"setp.eq", 3, true, "$1 == $2"},
    {"setp.ne", 3, true, "$1 != $2"},
    {"selp", 4, true, "!3 ? $1 : $2"},
    {"activemask", 1, true, "::__activemask()"},
    {"vote.sync.ballot", 3, true, "::__ballot_sync(#2, !1)"},
    {"vote.sync.all", 3, true, "::__all_sync(#2, !1)"},
    {"vote.sync.any", 3, true, "::__any_sync(#2, !1)"},
    {"match.any.sync", 3, true, "::__match_any_sync(#2, $1)"},
    {"redux.sync.add", 3, true, "::__reduce_add_sync(#2, $1)"},
    {"redux.sync.min", 3, true, "::__reduce_min_sync(#2, $1)"},
    {"redux.sync.max", 3, true, "::__reduce_max_sync(#2, $1)"},
    {"redux.sync.and", 3, true, "::__reduce_and_sync(#2, $1)"},
    {"redux.sync.or", 3, true, "::__reduce_or_sync(#2, $1)"},
    {"redux.sync.xor", 3, true, "::__reduce_xor_sync(#2, $1)"},
    {"shfl.sync.idx", 5, true, "::__shfl_sync(#4, $1, (int)#2, ::riffle_ptx::width(#3))"},
    {"shfl.sync.up", 5, true, "::__shfl_up_sync(#4, $1, #2, ::riffle_ptx::width(#3))"},
    {"shfl.sync.down", 5, true, "::__shfl_down_sync(#4, $1, #2, ::riffle_ptx::width(#3))"},
    {"shfl.sync.bfly", 5, true, "::__shfl_xor_sync(#4, $1, (int)#2, ::riffle_ptx::width(#3))"},
    {"bar.sync", 1, false, "::__syncthreads()"},
    {"barrier.sync", 1, false, "::__syncthreads()"},
    {"bar.warp.sync", 1, false, "::__syncwarp(#0)"},
    {"membar", 0, false, "::__threadfence()"},
    {"membar.gl", 0, false, "::__threadfence()"},
    {"fence", 0, false, "::__threadfence()"},
    {"fence.sc", 0, false, "::__threadfence()"},
    {"prefetch", 1, false, ""},
    {"prefetchu", 1, false, ""},
    {"nanosleep", 1, false, ""},
    {"brkpt", 0, false, ""},
    {"trap", 0, false, "::__trap()"},
    {"cp.async.commit_group", 0, false, "::riffle_ptx::copy_commit()"},
    {"cp.async.wait_group", 1, false, "::riffle_ptx::copy_wait(#0)"},
    {"cp.async.wait_all", 0, false, "::riffle_ptx::copy_wait_all()"},
};

static const meaning *find_meaning(const char *key) {
    for (size_t k = 0; k < sizeof meanings / sizeof meanings[0]; k++)
        if (strcmp(key, meanings[k].key) == 0) return &meanings[k];
    return NULL;
}

static const char *type_of(const instruction *one, unsigned k) {
    return k < one->types ? one->type[k] : "unsigned";
}

static bool write_by(const meaning *by, const instruction *one, FILE *out) {
    bool written = true;
    for (const char *at = by->text; *at != '\0'; at++) {
        const bool numbered = isdigit((unsigned char)at[1]);
        if (*at == '@' || (*at == '&' && at[1] == '>')) {
            fputs(type_of(one, *at == '&'), out);
        } else if (numbered && strchr("$#!%", *at) != NULL) {
            const char *operand = one->operand[at[1] - '0'];
            const char *type = *at == '$' ? type_of(one, 0) : *at == '#' ? "unsigned" : "bool";
            written = (*at == '%' ? write_operand(operand, out) : write_as(type, operand, out)) && written;
            at++;
        } else {
            fputc(*at, out);
        }
    }
    return written;
}

static bool write_plain(const instruction *one, FILE *out) {
    const meaning *by = find_meaning(one->key);
    if (by == NULL || one->operands != by->operands) return false;
    if (by->target && !begin_target(one->operand[0], out)) return false;
    const bool written = write_by(by, one, out);
    fputs(by->target ? "); " : "; ", out);
    return written;
}

/* ---- memory */

/* The parts of "{%0, %1}", or the one. */
static bool parts_of(char *text, char **out, unsigned *count) {
    const size_t length = strlen(text);
    if (*text != '{') {
        out[0] = text;
        *count = 1;
        return true;
    }
    if (text[length - 1] != '}') return false;
    text[length - 1] = '\0';
    return cut(text + 1, out, MOST_PARTS, count);
}

/* "const TYPE NAME[] = {...};" of the parts. */
static bool write_parts(const char *type, const char *name, char *text, FILE *out) {
    char *part[MOST_PARTS];
    unsigned parts;
    if (!parts_of(text, part, &parts)) return false;
    fprintf(out, "const %s %s[] = {", type, name);
    bool written = true;
    for (unsigned k = 0; k < parts; k++) {
        written = write_as(type, part[k], out) && written;
        fputs(", ", out);
    }
    fputs("}; ", out);
    return written;
}

/* Assigns riffle_v to the instruction's targets. */
static bool write_targets(char **part, unsigned parts, FILE *out) {
    bool written = true;
    for (unsigned k = 0; k < parts; k++) {
        written = begin_target(part[k], out) && written;
        fprintf(out, "riffle_v[%u]); ", k);
    }
    return written;
}

static bool write_load(instruction *one, FILE *out) {
    char *part[MOST_PARTS];
    unsigned parts;
    if (one->operands != 2 || !parts_of(one->operand[0], part, &parts) || parts != one->parts) return false;
    fprintf(out, "{ %s riffle_v[%u]; ::riffle_ptx::load(", type_of(one, 0), parts);
    bool written = write_address(one->operand[1], one->shared, out);
    fputs(", riffle_v); ", out);
    written = write_targets(part, parts, out) && written;
    fputs("} ", out);
    return written;
}

static bool write_store(instruction *one, FILE *out) {
    char *part[MOST_PARTS];
    unsigned parts;
    if (one->operands != 2 || !parts_of(one->operand[1], part, &parts) || parts != one->parts) return false;
    fprintf(out, "{ const %s riffle_v[] = {", type_of(one, 0));
    bool written = true;
    for (unsigned k = 0; k < parts; k++) {
        written = write_as(type_of(one, 0), part[k], out) && written;
        fputs(", ", out);
    }
    fputs("}; ::riffle_ptx::store(", out);
    written = write_address(one->operand[0], one->shared, out) && written;
    fputs(", riffle_v); } ", out);
    return written;
}

/* mov.b64 {%0, %1}, %2 and the other way. */
static bool write_halves(instruction *one, FILE *out) {
    char *part[MOST_PARTS];
    unsigned parts;
    const bool takes_apart = *one->operand[0] == '{';
    if (!parts_of(one->operand[takes_apart ? 0 : 1], part, &parts) || parts != 2) return false;
    bool written = true;
    for (unsigned k = 0; takes_apart && k < 2; k++) {
        written = begin_target(part[k], out) && written;
        fprintf(out, "::riffle_ptx::half<%u>(", k);
        written = write_as(type_of(one, 0), one->operand[1], out) && written;
        fputs(")); ", out);
    }
    if (takes_apart) return written;
    written = begin_target(one->operand[0], out);
    fprintf(out, "::riffle_ptx::join<%s>(", type_of(one, 0));
    written = write_operand(part[0], out) && written;
    fputs(", ", out);
    written = write_operand(part[1], out) && written;
    fputs(")); ", out);
    return written;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}; */
static bool write_product(instruction *one, FILE *out) {
    static const char *const kinds[][3] = {
        {"m16n8k16.row.col.f16.f16", "f16", "16"},  {"m16n8k16.row.col.bf16.bf16", "bf16", "16"},
        {"m16n8k8.row.col.f16.f16", "f16", "8"},    {"m16n8k8.row.col.bf16.bf16", "bf16", "8"},
        {"m16n8k8.row.col.tf32.tf32", "tf32", "8"}, {"m16n8k4.row.col.tf32.tf32", "tf32", "4"}};
    char *part[MOST_PARTS];
    unsigned parts;
    const char *kind = one->key + strlen("mma.sync."), *const *found = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(kind, kinds[k][0]) == 0) found = kinds[k];
    if (found == NULL || one->operands != 4 || one->types != 2 || strcmp(one->type[0], "float") != 0)
        return false;
    if (!parts_of(one->operand[0], part, &parts) || parts != 4) return false;
    bool written = write_parts("unsigned", "riffle_a", one->operand[1], out);
    written = write_parts("unsigned", "riffle_b", one->operand[2], out) && written;
    written = write_parts("float", "riffle_c", one->operand[3], out) && written;
    fprintf(out,
            "float riffle_v[4]; ::riffle_ptx::multiply<::riffle_ptx::%s, %s>(riffle_v, riffle_a, riffle_b, "
            "riffle_c); ",
            found[1], found[2]);
    return write_targets(part, parts, out) && written;
}

/* ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r}, [p]; */
static bool write_matrices(instruction *one, FILE *out) {
    char *part[MOST_PARTS];
    unsigned parts;
    const char *count = one->key + strlen("ldmatrix.sync.m8n8.x");
    const bool turned = strcmp(count + (*count != '\0'), ".trans") == 0;
    if (!begins_with(one->key, "ldmatrix.sync.m8n8.x") || (!turned && strlen(count) != 1)) return false;
    if (one->operands != 2 || !parts_of(one->operand[0], part, &parts) || parts != (unsigned)(*count - '0'))
        return false;
    fprintf(out, "unsigned riffle_v[%u]; ::riffle_ptx::load_matrices<%s>(", parts, turned ? "true" : "false");
    bool written = write_address(one->operand[1], one->shared, out);
    fputs(", riffle_v); ", out);
    return write_targets(part, parts, out) && written;
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
    if (is_atom && !begin_target(one->operand[0], out)) return false;
    fprintf(out, "::atomic%s((%s *)", name, type_of(one, 0));
    bool written = write_address(one->operand[is_atom], one->shared, out);
    for (unsigned k = is_atom + 1u; k < one->operands; k++) {
        fputs(", ", out);
        written = write_as(type_of(one, 0), one->operand[k], out) && written;
    }
    fputs(is_atom ? ")); " : "); ", out);
    return written;
}

/* cp.async.cg.shared.global [%0], [%1], 16, %2; */
static bool write_copy(instruction *one, FILE *out) {
    if (one->operands != 3 && one->operands != 4) return false;
    fputs("::riffle_ptx::copy(", out);
    bool written = write_address(one->operand[0], true, out);
    fputs(", ", out);
    written = write_address(one->operand[1], false, out) && written;
    for (unsigned k = 2; k < 4; k++) {
        fputs(", ", out);
        written = write_as("unsigned", one->operand[k < one->operands ? k : 2], out) && written;
    }
    fputs("); ", out);
    return written;
}

static bool write_instruction(instruction *one, FILE *out) {
    const char *key = one->key;
    if (strcmp(key, "ld") == 0 || strcmp(key, "ldu") == 0) return write_load(one, out);
    if (strcmp(key, "st") == 0) return write_store(one, out);
    if (begins_with(key, "mma.sync.")) return write_product(one, out);
    if (begins_with(key, "ldmatrix.")) return write_matrices(one, out);
    if (begins_with(key, "atom.") || begins_with(key, "red.")) return write_atomic(one, out);
    if (strcmp(key, "cp.async") == 0) return write_copy(one, out);
    const bool has_parts = one->operands == 2 && (*one->operand[0] == '{' || *one->operand[1] == '{');
    if (strcmp(key, "mov") == 0 && has_parts) return write_halves(one, out);
    return write_plain(one, out);
}

/* ---- all of it */

/* "a", or "a<4>" for a0 to a3. */
static bool write_declaration(const char *type, char *name, FILE *out) {
    char *open = strchr(name, '<'), numbered[KEY_BYTES];
    if (open == NULL) {
        fprintf(out, "%s ", type);
        return write_register(name, out) && fputs(" = {}; ", out) >= 0;
    }
    const unsigned long count = strtoul(open + 1, NULL, 10);
    *open = '\0';
    if (count > MOST_REGISTERS) return false;
    for (unsigned long k = 0; k < count; k++) {
        fprintf(out, "%s ", type);
        if (snprintf(numbered, sizeof numbered, "%s%lu", name, k) >= KEY_BYTES ||
            !write_register(numbered, out))
            return false;
        fputs(" = {}; ", out);
    }
    return true;
}

/* ".reg .u32 a, b": false too if it is of another kind. */
static bool write_registers(char *text, FILE *out) {
    char *list[MOST_PARTS * 4];
    unsigned count;
    text += strspn(text, " \t\n.");
    char *end = text + strcspn(text, " \t\n");
    if (*end == '\0') return false;
    *end = '\0';
    const char *type = type_named(text);
    if (type == NULL || !cut(end + 1, list, MOST_PARTS * 4, &count)) return false;
    for (unsigned k = 0; k < count; k++)
        if (!write_declaration(type, list[k], out)) return false;
    return true;
}

bool lint_ptx_instruction(char *text, FILE *out) {
    instruction one = {.parts = 1};
    text = trim(text);
    if (begins_with(text, ".reg")) return write_registers(text + 4, out);
    if (*text == '@') {
        const bool inverted = text[1] == '!';
        char *name = text + 1 + inverted;
        text = name + strcspn(name, " \t\n");
        if (*text == '\0') return false;
        *text++ = '\0';
        fprintf(out, "if (%s", inverted ? "!" : "");
        if (!write_as("bool", name, out)) return false;
        fputs(") ", out);
        text = trim(text);
    }
    char *list = text + strcspn(text, " \t\n");
    if (*list != '\0') *list++ = '\0';
    if (!read_name(text, &one) || !cut(list, one.operand, MOST_OPERANDS, &one.operands)) return false;
    fputs("{ ", out);
    const bool written = write_instruction(&one, out);
    fputs("} ", out);
    return written;
}
