/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath, open_memstream, posix_spawnp */
#include "machine/lint/compiler/compile.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/compiler/compiler.h"
#include "machine/lint/compiler/headers.h"
#include "machine/lint/compiler/messages.h"
#include "machine/lint/object/object.h"
#include "machine/lint/source/declarations.h"
#include "machine/lint/source/gaps.h"
#include "machine/lint/source/host_code.h"
#include "machine/lint/source/launches.h"
#include "machine/lint/source/ptx.h"
#include "machine/lint/source/quiet.h"

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

/* ---- what is compiled */

/* Paths of one of the job's files; names without a number are the same for all files. */
typedef struct paths {
    const char *shown; /* as the user names it */
    unsigned number;
    char file[PATH_MAX], include[FOLDER_PATH], source[FOLDER_PATH], preprocessed[FOLDER_PATH],
        assembler[FOLDER_PATH], object[FOLDER_PATH];
} paths;

static void path_of(const private_folder *folder, unsigned number, const char *ending,
                    char out[static FOLDER_PATH]) {
    char name[32];
    snprintf(name, sizeof name, "kernel-%u.%s", number, ending);
    folder_path(folder, name, out);
}

static riffle_status find_paths(const char *shown, unsigned number, const private_folder *folder, paths *out) {
    out->shown = shown;
    out->number = number;
    if (realpath(shown, out->file) == NULL)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be read: %s", shown, strerror(errno));
    struct stat file;
    if (stat(out->file, &file) != 0)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be examined: %s", shown, strerror(errno));
    if (S_ISDIR(file.st_mode)) return fail(RIFFLE_ERROR_IO, "%s is a folder, not a file", shown);
    if (S_ISFIFO(file.st_mode)) /* a compiler would wait for its writer */
        return fail(RIFFLE_ERROR_IO, "%s is a pipe, and is read more than once; write it into a file", shown);
    if (strpbrk(out->file, "\"\n\\") != NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: a %s in a file's name is more than a compiler takes; rename it", shown,
                    strchr(out->file, '\n') != NULL  ? "line's end"
                    : strchr(out->file, '"') != NULL ? "quote"
                                                     : "backslash");
    folder_path(folder, "cuda", out->include);
    path_of(folder, number, "cpp", out->source);
    path_of(folder, number, "ii", out->preprocessed);
    path_of(folder, number, "s", out->assembler);
    path_of(folder, number, "o", out->object);
    return RIFFLE_OK;
}

/* The name in the folder of a path there. */
static const char *name_in_folder(const char *path) { return strrchr(path, '/') + 1; }

/* Closes a stream of open_memstream and writes its text. */
static riffle_status write_stream(const private_folder *folder, const char *name, FILE *stream, char **text,
                                  const size_t *length) {
    const bool written = !ferror(stream);
    if (fclose(stream) != 0 || !written) {
        free(*text);
        return fail_memory("a source file", 1 << 12);
    }
    const riffle_status status = folder_write(folder, name, *text, *length);
    free(*text);
    return status;
}

/* The same, behind what the file has already. */
static riffle_status append_stream(const private_folder *folder, const char *name, FILE *stream, char **text,
                                   const size_t *length) {
    const bool written = !ferror(stream);
    if (fclose(stream) != 0 || !written) {
        free(*text);
        return fail_memory("a source file", 1 << 12);
    }
    const riffle_status status = folder_append(folder, name, *text, *length);
    free(*text);
    return status;
}

/* Macros whose names are the implementation's own are meant for its headers too; the others must not change
 * riffle's, so they are defined behind them. */
static bool is_users_macro(const char *definition) {
    return definition[0] != '\0' && strchr(definition, '\n') == NULL &&
           !(definition[0] == '_' && (definition[1] == '_' || (definition[1] >= 'A' && definition[1] <= 'Z')));
}

/* The NAME=VALUE of flag k if it is for the source file, else NULL; *words: how many flags it takes. */
static const char *users_macro(const riffle_lint_job *job, size_t k, size_t *words) {
    const char *flag = job->flags[k];
    *words = 1;
    if (strncmp(flag, "-D", 2) != 0) return NULL;
    const char *definition = flag + 2;
    if (*definition == '\0' && k + 1 < job->flag_count) {
        definition = job->flags[k + 1];
        *words = 2;
    }
    return is_users_macro(definition) ? definition : NULL;
}

static void write_macros(const riffle_lint_job *job, FILE *stream) {
    size_t words;
    for (size_t k = 0; k < job->flag_count; k += words) {
        const char *macro = users_macro(job, k, &words);
        if (macro == NULL) continue;
        const int name = (int)strcspn(macro, "=");
        fprintf(stream, "#define %.*s %s\n", name, macro, macro[name] == '=' ? macro + name + 1 : "1");
    }
}

static void write_entries(const riffle_lint_job *job, const lint_argument *arguments, FILE *stream) {
    static const char *const plain = "extern \"C\" __attribute__((no_sanitize_thread))";
    fprintf(stream,
            "%s void riffle_lint_entry(void *const *riffle_lint_args) {\n#line 1 \"" LINT_ENTRY_FILE
            "\"\n    riffle_lint_call(%s, riffle_lint_args);\n}\n",
            plain, job->kernel);
    fprintf(stream,
            "%s const void *riffle_lint_kernel() {\n#line 1 \"" LINT_ENTRY_FILE
            "\"\n    return riffle_lint_address(%s);\n}\n",
            plain, job->kernel);
    fprintf(stream,
            "%s unsigned riffle_lint_describe(riffle_lint_parameter *riffle_lint_out, unsigned "
            "riffle_lint_capacity) {\n#line 1 \"" LINT_ENTRY_FILE
            "\"\n    return riffle_lint_describe_kernel(%s, riffle_lint_given<",
            plain, job->kernel);
    for (size_t k = 0; k < job->argument_count; k++)
        fprintf(stream, "%s%s%s", k > 0 ? ", " : "",
                arguments[k].is_structure ? arguments[k].structure : arguments[k].type.name,
                arguments[k].is_array ? " *" : "");
    fprintf(stream, ">(), riffle_lint_out, riffle_lint_capacity);\n}\n");
}

/* Writes the code that gives structures and constants their values. */
static void write_settings(const riffle_lint_job *job, const lint_argument *arguments,
                           const lint_constant *constants, FILE *stream) {
    static const char *const plain = "extern \"C\" __attribute__((no_sanitize_thread))";
    unsigned arrays = 0;
    fprintf(stream,
            "%s const void *riffle_lint_structure(unsigned riffle_lint_k, void *const *riffle_lint_arrays) {\n"
            "#line 1 \"" LINT_ENTRY_FILE "\"\n",
            plain);
    for (size_t k = 0; k < job->argument_count; k++) {
        if (!arguments[k].is_structure) continue;
        fprintf(stream, "  if (riffle_lint_k == %zu) {\n    static %s riffle_lint_v{};\n", k,
                arguments[k].structure);
        lint_settings_write(&arguments[k].fields, "riffle_lint_v", &arrays, stream);
        fprintf(stream, "    return &riffle_lint_v;\n  }\n");
    }
    fprintf(stream,
            "  return nullptr;\n}\n%s void riffle_lint_constants(void *const *riffle_lint_arrays, void "
            "(*riffle_lint_say)(void *, const void *, unsigned long), void *riffle_lint_to) {\n"
            "#line 1 \"" LINT_ENTRY_FILE "\"\n"
            "  const auto riffle_lint_tell = [=](const auto &riffle_lint_at) { "
            "riffle_lint_say(riffle_lint_to, &riffle_lint_at, sizeof riffle_lint_at); };\n"
            "  (void)riffle_lint_tell;\n",
            plain);
    for (size_t k = 0; k < job->constant_count; k++) lint_constant_write(&constants[k], &arrays, stream);
    fprintf(stream, "}\n");
}

/* True if main is run, rather than one kernel by itself. */
static bool is_program(const riffle_lint_job *job) { return job->is_program; }

/* All headers of the machine first, then the user's macros and file, then the functions that the machine calls:
 * those use names of riffle's own only. <assert.h> heeds NDEBUG whenever it is read. */
static riffle_status write_source(const riffle_lint_job *job, const lint_argument *arguments,
                                  const lint_constant *constants, const paths *at,
                                  const private_folder *folder) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, "#include \"riffle/device.h\"\n#include \"riffle/cooperative_groups.h\"\n"
                    "#include \"riffle/call.h\"\n");
    write_macros(job, stream);
    fprintf(stream, "#include <assert.h>\n#include \"%s\"\n", at->file);
    if (!is_program(job) && at->number == 0) {
        write_entries(job, arguments, stream);
        write_settings(job, arguments, constants, stream);
    }
    return write_stream(folder, name_in_folder(at->source), stream, &text, &length);
}

/* One place for all dynamic shared arrays of the files' kernels, which is what CUDA makes of them. */
static riffle_status write_dynamic_shared(const private_folder *folder, unsigned objects, size_t bytes) {
    char object[FOLDER_PATH], *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, ".section .tbss,\"awT\",%%nobits\n.balign 1024\n");
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < objects && status == RIFFLE_OK; k++) {
        path_of(folder, k, "o", object);
        status = lint_object_each_undefined_shared(object, &text, stream);
    }
    fprintf(stream, ".zero %zu\n.section .note.GNU-stack,\"\",%%progbits\n", bytes);
    const bool written = !ferror(stream);
    if ((fclose(stream) != 0 || !written) && status == RIFFLE_OK)
        status = fail_memory("a source file", 1 << 12);
    if (status == RIFFLE_OK) status = folder_write(folder, "dynamic.s", text, length);
    free(text);
    return status;
}

/* Gaps that come first in each section, so that there is one before the first variable too. */
static riffle_status write_front(const private_folder *folder) {
    static const char *const sections[] = {".tdata,\"awT\",%progbits", ".tbss,\"awT\",%nobits",
                                           ".data,\"aw\",%progbits", ".bss,\"aw\",%nobits"};
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    for (unsigned k = 0; k < sizeof sections / sizeof sections[0]; k++)
        fprintf(
            stream,
            ".section %s\n.balign 64\n.type %sfront_%u, %%%s\n%sfront_%u:\n.zero %d\n.size %sfront_%u, %d\n",
            sections[k], lint_gap_name, k, k < 2 ? "tls_object" : "object", lint_gap_name, k, LINT_GAP_BYTES,
            lint_gap_name, k, LINT_GAP_BYTES);
    fprintf(stream, ".section .note.GNU-stack,\"\",%%progbits\n");
    return write_stream(folder, "front.s", stream, &text, &length);
}

/* ---- the steps */

/* All of the user's but the macros that the source file defines. */
static void add_flags(compiler_line *line, const riffle_lint_job *job) {
    size_t words;
    for (size_t k = 0; k < job->flag_count; k += words) {
        if (users_macro(job, k, &words) == NULL) compiler_add_all(line, job->flags + k, words);
    }
}

static riffle_status preprocess(const riffle_lint_job *job, const paths *at, const private_folder *folder) {
    compiler_line line;
    compiler_begin(&line, job);
    compiler_add(&line, standard_of(job));
    compiler_add_all(&line, code_flags, COMPILER_MAX_WORDS);
    add_flags(&line, job);
    const char *const rest[] = {"-isystem", at->include, "-E", at->source, "-o", at->preprocessed, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, at->file, at->shown, folder);
}

/* Which compiler it is, as its text says. */
typedef struct dialect {
    bool clang;
    bool tells_volatile; /* accesses to volatile memory from others: g++ from 11 on, and clang */
} dialect;

static riffle_status compile(const riffle_lint_job *job, const paths *at, dialect of,
                             const private_folder *folder) {
    static const char *const tell[] = {"--param=tsan-distinguish-volatile=1", NULL};
    compiler_line line;
    compiler_begin(&line, job);
    compiler_add(&line, standard_of(job));
    compiler_add_all(&line, code_flags, COMPILER_MAX_WORDS);
    compiler_add_all(&line, of.clang ? clang_flags : gcc_flags, COMPILER_MAX_WORDS);
    if (of.tells_volatile && !of.clang) compiler_add_all(&line, tell, 1);
    add_flags(&line, job);
    const char *const rest[] = {"-S", at->preprocessed, "-o", at->assembler, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, at->file, at->shown, folder);
}

/* Has a writer make another text of the assembler's. */
static riffle_status rewrite_assembler(const paths *at, const private_folder *folder,
                                       void (*write)(const char *text, FILE *assembler)) {
    const char *name = name_in_folder(at->assembler);
    char *text, *rewritten;
    size_t length;
    const riffle_status status = folder_read(folder, name, &text, &length);
    if (status != RIFFLE_OK) return status;
    FILE *stream = open_memstream(&rewritten, &length);
    if (stream == NULL) {
        free(text);
        return fail_memory("a source file", length);
    }
    write(text, stream);
    free(text);
    return write_stream(folder, name, stream, &rewritten, &length);
}

static riffle_status assemble(const riffle_lint_job *job, const paths *at, const private_folder *folder) {
    compiler_line line;
    compiler_begin(&line, job);
    const char *const rest[] = {"-w", "-c", at->assembler, "-o", at->object, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, at->file, at->shown, folder);
}

/* All files' objects in one. Names that two of them define are the first one's, as device code of CUDA has its own in each. */
static riffle_status link_objects(const riffle_lint_job *job, const paths *first, unsigned objects,
                                  const private_folder *folder) {
    char object[LINT_MAX_FILES][FOLDER_PATH], hooks[FOLDER_PATH], program[FOLDER_PATH], dynamic[FOLDER_PATH],
        shared[FOLDER_PATH], front[FOLDER_PATH];
    compiler_line line;
    folder_path(folder, "front.s", front);
    folder_path(folder, "cuda/riffle/hooks.s", hooks);
    folder_path(folder, "cuda/riffle/program.s", program);
    folder_path(folder, "dynamic.s", dynamic);
    folder_path(folder, LINT_OBJECT, shared);
    compiler_begin(&line, job);
    compiler_add_all(&line, link_flags, COMPILER_MAX_WORDS);
    compiler_add(&line, front);
    if (is_program(job)) compiler_add(&line, program);
    for (unsigned k = 0; k < objects; k++) {
        path_of(folder, k, "o", object[k]);
        compiler_add(&line, object[k]);
    }
    const char *const rest[] = {hooks, dynamic, "-o", shared, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, first->file, first->shown, folder);
}

/* Rewrites declarations that C++ does not know, of the text in place; names of constants go behind those of other files. */
static riffle_status rewrite_declarations(const paths *at, const private_folder *folder, const char *text) {
    char *rewritten = NULL, *constants = NULL;
    size_t length, constants_length;
    FILE *out = open_memstream(&rewritten, &length), *names = open_memstream(&constants, &constants_length);
    if (out == NULL || names == NULL) {
        if (out != NULL) fclose(out);
        if (names != NULL) fclose(names);
        free(rewritten);
        free(constants);
        return fail_memory("a source file", 1 << 12);
    }
    lint_declarations_write(text, out, names);
    riffle_status status = ferror(out) || fflush(out) != 0 ? fail_memory("a source file", length) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = folder_append(folder, LINT_TEXT, rewritten, length);
    const riffle_status written =
        write_stream(folder, name_in_folder(at->preprocessed), out, &rewritten, &length);
    const riffle_status named = append_stream(folder, LINT_CONSTANTS, names, &constants, &constants_length);
    if (status == RIFFLE_OK) status = written;
    return status == RIFFLE_OK ? named : status;
}

/* Makes the text what `write` makes of it. */
static riffle_status rewrite(void (*write)(const char *text, size_t length, FILE *out), char **text,
                             size_t *length) {
    char *rewritten = NULL;
    size_t all;
    FILE *out = open_memstream(&rewritten, &all);
    if (out == NULL) return fail_memory("a source file", *length);
    write(*text, *length, out);
    const bool written = !ferror(out);
    if (fclose(out) != 0 || !written) {
        free(rewritten);
        return fail_memory("a source file", *length);
    }
    free(*text);
    *text = rewritten;
    *length = all;
    return RIFFLE_OK;
}

/* Makes C++ of the preprocessed file; says which compiler wrote it. */
static riffle_status prepare(const riffle_lint_job *job, const paths *at, const private_folder *folder,
                             dialect *of) {
    char *text;
    size_t length;
    if (access(at->preprocessed, R_OK) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "'%s' wrote nothing, so it is no C++ compiler; name one with CXX",
                    compiler_of(job));
    riffle_status status = folder_read(folder, name_in_folder(at->preprocessed), &text, &length);
    if (status != RIFFLE_OK) return status;
    *of = (dialect){.clang = strstr(text, "riffle_lint_compiled_by_clang") != NULL,
                    .tells_volatile = strstr(text, "riffle_lint_tells_volatile") != NULL};
    if (!is_program(job)) {
        lint_blank_host_code(text, length);
        lint_blank_launches(text, length);
    }
    if (is_program(job)) status = rewrite(lint_write_launches, &text, &length);
    if (status == RIFFLE_OK) status = rewrite(lint_ptx_write, &text, &length);
    if (status == RIFFLE_OK) status = rewrite_declarations(at, folder, text);
    free(text);
    return status;
}

/* From one of the files to its object. */
static riffle_status make_object(const riffle_lint_job *job, const lint_argument *arguments,
                                 const lint_constant *constants, const paths *at,
                                 const private_folder *folder) {
    dialect of = {0};
    riffle_status status = write_source(job, arguments, constants, at, folder);
    if (status == RIFFLE_OK) status = preprocess(job, at, folder);
    if (status == RIFFLE_OK) status = prepare(job, at, folder, &of);
    if (status == RIFFLE_OK) status = compile(job, at, of, folder);
    if (status == RIFFLE_OK) status = rewrite_assembler(at, folder, lint_gaps_write);
    if (status == RIFFLE_OK && of.tells_volatile) status = rewrite_assembler(at, folder, lint_quiet_write);
    return status == RIFFLE_OK ? assemble(job, at, folder) : status;
}

riffle_status lint_compile(const riffle_lint_job *job, const lint_argument *arguments,
                           const lint_constant *constants, size_t shared_bytes, const private_folder *folder) {
    const unsigned objects = (unsigned)job->more_count + 1;
    paths first, at;
    if (objects > LINT_MAX_FILES)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%u files; %d are the most", objects, LINT_MAX_FILES);
    riffle_status status = check_standard(job);
    if (status == RIFFLE_OK) status = find_paths(job->file, 0, folder, &first);
    for (unsigned k = 1; k < objects && status == RIFFLE_OK; k++)
        status = find_paths(job->more[k - 1], k, folder, &at);
    if (status == RIFFLE_OK) status = lint_headers_write(folder, is_program(job));
    if (status == RIFFLE_OK) status = make_object(job, arguments, constants, &first, folder);
    for (unsigned k = 1; k < objects && status == RIFFLE_OK; k++) {
        status = find_paths(job->more[k - 1], k, folder, &at);
        if (status == RIFFLE_OK) status = make_object(job, arguments, constants, &at, folder);
    }
    if (status == RIFFLE_OK) status = write_dynamic_shared(folder, objects, shared_bytes);
    if (status == RIFFLE_OK) status = write_front(folder);
    return status == RIFFLE_OK ? link_objects(job, &first, objects, folder) : status;
}
