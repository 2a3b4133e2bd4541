/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/compiler/flags.h"

#include <string.h>

#include "base/status.h"
#include "machine/lint/architecture/architecture.h"
#include "machine/lint/compiler/toolkit.h"

/* Flags of every step: accesses stay as they are written, one for one. */
static const char *const code_flags[] = {"-w",
                                         "-g",
                                         "-O1",
                                         "-fPIC",
                                         "-fsanitize=thread",
                                         "-fno-optimize-sibling-calls",
                                         "-fno-strict-aliasing",
                                         "-fwrapv",
                                         "-fno-builtin", /* else memset and memcpy escape the hooks */
                                         "-fno-unroll-loops",
                                         "-fno-tree-vectorize",
                                         "-fno-tree-slp-vectorize",
                                         "-fno-stack-protector",
                                         "-U_FORTIFY_SOURCE",
                                         NULL};
/* gcc does not see accesses that are arguments or results of a call, so calls are inlined. */
static const char *const gcc_flags[] = {
    "-fsanitize-coverage=trace-pc",
    "-fsanitize=unreachable", /* functions that end without their value return, as with nvcc */
    "-fno-sanitize=return",
    "-fpermissive", /* nvcc only warns of "return;" where a value is due */
    "-fsanitize-undefined-trap-on-error",
    "-fno-store-merging",
    "-fno-tree-sink", /* else stores stand on other lines */
    "-fno-tree-cselim",
    "-fno-tree-sra",
    "-fno-tree-loop-distribute-patterns",
    "-fno-tree-phiprop",
    "-fno-tree-ch",
    "-fno-thread-jumps",
    "-fno-crossjumping",
    "-fno-tree-tail-merge",
    "-fno-peel-loops",
    "-fno-ipa-modref",
    "-fno-ipa-reference",
    "-fno-ipa-pure-const",
    "-fno-gnu-unique",
    "-fno-extern-tls-init",
    "-fno-semantic-interposition",
    "-finline-functions",
    "-finline-small-functions",
    "--param=max-inline-insns-auto=10000",
    "--param=max-inline-insns-small=10000",
    "--param=early-inlining-insns=10000",
    "--param=inline-unit-growth=10000",
    "--param=large-function-growth=10000",
    "--param=max-inline-recursive-depth-auto=0", /* else std::sort grows for minutes */
    NULL};
static const char *const clang_flags[] = {
    "-fsanitize-coverage=trace-pc,no-prune",
    "-fno-strict-return", /* functions that end without their value return */
    "-Wno-return-type",   /* nvcc only warns of "return;" where a value is due */
    "-fno-verbose-asm",   /* its comments may have NULs */
    "-gdwarf-aranges",
    "-mllvm",
    "-disable-vector-combine",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-mllvm",
    "-tsan-distinguish-volatile=1",
    "-mllvm",
    "-disable-licm-promotion",
    "-mllvm",
    "-sink-common-insts=false",
    "-mllvm",
    "-simplifycfg-merge-cond-stores=false",
    "-mllvm",
    "-enable-tail-merge=false",
    NULL};
/* Signed indices do not wrap here, as CUDA has it. */
static const char *const form_flags[] = {"-w",
                                         "-gline-tables-only",
                                         "-O1",
                                         "-DRIFFLE_LINT_FORMS",
                                         "-finline-functions",
                                         "-fno-discard-value-names",
                                         "-fno-builtin",
                                         "-fno-unroll-loops",
                                         "-fno-vectorize",
                                         "-fno-slp-vectorize",
                                         "-fno-strict-return",
                                         "-Wno-return-type",
                                         "-U_FORTIFY_SOURCE",
                                         "-mllvm",
                                         "-inline-threshold=100000",
                                         "-mllvm",
                                         "-disable-lftr", /* a loop's end stays a comparison of its counter */
                                         NULL};
static const char *const link_flags[] = {"-w",
                                         "-shared",
                                         "-Wl,-Bsymbolic",
                                         "-Wl,-z,lazy",
                                         "-Wl,-z,muldefs",
                                         "-Wl,--wrap=malloc",
                                         "-Wl,--wrap=free", /* a kernel's are the machine's */
                                         NULL};

/* ---- the standard */

/* Standards that nvcc has; the machine's headers want C++17. */
static const struct {
    const char *name, *flag;
} standards[] = {{"c++03", "-std=c++17"},     {"c++11", "-std=c++17"},     {"c++14", "-std=c++17"},
                 {"c++17", "-std=c++17"},     {"c++20", "-std=c++20"},     {"gnu++03", "-std=gnu++17"},
                 {"gnu++11", "-std=gnu++17"}, {"gnu++14", "-std=gnu++17"}, {"gnu++17", "-std=gnu++17"},
                 {"gnu++20", "-std=gnu++20"}};
enum { STANDARDS = sizeof standards / sizeof standards[0] };

/* NULL if nvcc has no such standard. */
static const char *standard_of(const riffle_lint_job *job) {
    if (job->standard == NULL) return "-std=c++17";
    for (unsigned k = 0; k < STANDARDS; k++)
        if (strcmp(job->standard, standards[k].name) == 0) return standards[k].flag;
    return NULL;
}

static riffle_status check_standard(const riffle_lint_job *job) {
    if (standard_of(job) != NULL) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "'%s' is no standard of C++ that nvcc compiles; write c++17 or c++20",
                job->standard);
}

/* Macros whose names are the implementation's own are meant for its headers too; the others must not change
 * riffle's, so they are defined behind them. */
static bool is_users_macro(const char *definition) {
    return definition[0] != '\0' && strchr(definition, '\n') == NULL &&
           !(definition[0] == '_' && (definition[1] == '_' || (definition[1] >= 'A' && definition[1] <= 'Z')));
}

typedef enum flag_kind { FLAG_PLAIN, FLAG_MACRO, FLAG_LINKER, FLAG_ARCHITECTURE } flag_kind;

/* A flag with its value, which stands in the same word or in the next. */
typedef struct user_flag {
    flag_kind kind;
    const char *value;
    size_t words;
} user_flag;

static user_flag read_flag(const riffle_lint_job *job, size_t k) {
    static const struct {
        const char *name;
        flag_kind kind;
    } names[] = {{"-arch", FLAG_ARCHITECTURE},
                 {"--gpu-architecture", FLAG_ARCHITECTURE},
                 {"-D", FLAG_MACRO},
                 {"-l", FLAG_LINKER},
                 {"-L", FLAG_LINKER}};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const size_t length = strlen(names[n].name);
        const char *rest = job->flags[k] + length;
        const bool is_long = names[n].kind == FLAG_ARCHITECTURE;
        if (strncmp(job->flags[k], names[n].name, length) != 0 || (is_long && *rest != '\0' && *rest != '=')) continue;
        if (*rest == '\0' && k + 1 < job->flag_count) return (user_flag){names[n].kind, job->flags[k + 1], 2};
        return (user_flag){names[n].kind, rest + (is_long && *rest == '='), 1};
    }
    return (user_flag){FLAG_PLAIN, job->flags[k], 1};
}

const char *flags_users_macro(const riffle_lint_job *job, size_t k, size_t *words) {
    const user_flag one = read_flag(job, k);
    *words = one.words;
    return one.kind == FLAG_MACRO && is_users_macro(one.value) ? one.value : NULL;
}

riffle_status flags_check(const riffle_lint_job *job) {
    riffle_status status = check_standard(job);
    user_flag one;
    for (size_t k = 0; k < job->flag_count && status == RIFFLE_OK; k += one.words) {
        one = read_flag(job, k);
        if (one.kind == FLAG_ARCHITECTURE) status = architecture_check(one.value);
        if (one.kind == FLAG_MACRO) status = architecture_check_macro(one.value);
    }
    return status;
}

bool flags_have_architecture(const riffle_lint_job *job) {
    static const char name[] = "__CUDA_ARCH__";
    user_flag one;
    for (size_t k = 0; k < job->flag_count; k += one.words) {
        one = read_flag(job, k);
        if (one.kind == FLAG_ARCHITECTURE) return true;
        const char *rest = one.value + sizeof name - 1;
        if (one.kind == FLAG_MACRO && strncmp(one.value, name, sizeof name - 1) == 0 && (*rest == '=' || *rest == '\0'))
            return true;
    }
    return false;
}

void flags_add_code(compiler_line *line, const riffle_lint_job *job) {
    compiler_add(line, standard_of(job));
    compiler_add_all(line, code_flags, COMPILER_MAX_WORDS);
}

void flags_add_compilers(compiler_line *line, bool is_clang) {
    compiler_add_all(line, is_clang ? clang_flags : gcc_flags, COMPILER_MAX_WORDS);
}

void flags_add_forms(compiler_line *line, const riffle_lint_job *job) {
    compiler_add(line, standard_of(job));
    compiler_add_all(line, form_flags, COMPILER_MAX_WORDS);
}

void flags_add_link(compiler_line *line) { compiler_add_all(line, link_flags, COMPILER_MAX_WORDS); }

void flags_add_users(compiler_line *line, const riffle_lint_job *job) {
    user_flag one;
    for (size_t k = 0; k < job->flag_count; k += one.words) {
        one = read_flag(job, k);
        const bool is_macro = one.kind == FLAG_MACRO && is_users_macro(one.value);
        if (one.kind == FLAG_ARCHITECTURE)
            compiler_add_all(line, architecture_macros(one.value), ARCHITECTURE_MACROS);
        else if (!is_macro && one.kind != FLAG_LINKER)
            compiler_add_all(line, job->flags + k, one.words);
    }
}

/* Libraries of CUDA's that the machine's headers stand for, or whose functions say that they are not supplied. */
static bool is_supplied(const char *library) {
    static const char *const names[] = {"cuda",          "cudart",        "cudart_static", "cudadevrt",
                                        "cublas",        "cublas_static", "cublasLt",      "curand",
                                        "curand_static", "cufft",         "nvToolsExt", "nvidia-ml",    NULL};
    for (const char *const *name = names; *name != NULL; name++)
        if (strcmp(library, *name) == 0) return true;
    return toolkit_is_foreign(library);
}

void flags_add_libraries(compiler_line *line, const riffle_lint_job *job) {
    user_flag one;
    for (size_t k = 0; k < job->flag_count; k += one.words) {
        one = read_flag(job, k);
        const bool is_library = job->flags[k][1] == 'l';
        if (one.kind == FLAG_LINKER && !(is_library && is_supplied(one.value)))
            compiler_add_all(line, job->flags + k, one.words);
    }
}
