/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath, open_memstream, posix_spawnp */
#include "machine/lint/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/declarations.h"
#include "machine/lint/gaps.h"
#include "machine/lint/headers.h"
#include "machine/lint/launches.h"
#include "machine/lint/messages.h"
#include "machine/lint/object.h"

/* What every step is told: accesses stay as they are written, one for one. */
static const char *const code_flags[] = {"-std=c++17",
                                         "-w",
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
static const char *const gcc_flags[] = {"-fsanitize-coverage=trace-pc",
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
                                        NULL};
static const char *const clang_flags[] = {"-fsanitize-coverage=trace-pc,no-prune",
                                          "-fno-verbose-asm", /* its comments may have NULs */
                                          "-gdwarf-aranges",
                                          "-mllvm",
                                          "-disable-vector-combine",
                                          "-mllvm",
                                          "-tsan-instrument-read-before-write=1",
                                          "-mllvm",
                                          "-disable-licm-promotion",
                                          "-mllvm",
                                          "-sink-common-insts=false",
                                          "-mllvm",
                                          "-simplifycfg-merge-cond-stores=false",
                                          "-mllvm",
                                          "-enable-tail-merge=false",
                                          NULL};
static const char *const link_flags[] = {
    "-std=c++17",     "-w",          "-O1", "-fPIC", "-fno-builtin", "-U_FORTIFY_SOURCE", "-shared",
    "-Wl,-Bsymbolic", "-Wl,-z,lazy", NULL};

/* ---- running the compiler */

enum { MAX_WORDS = 256 };

typedef struct command_line {
    char compiler[1024]; /* $CXX may hold several words */
    size_t count;
    bool full; /* a word was left out */
    const char *words[MAX_WORDS + 1];
} command_line;

static void add_word(command_line *line, const char *word) {
    if (line->count < MAX_WORDS)
        line->words[line->count++] = word;
    else
        line->full = true;
    line->words[line->count] = NULL;
}

static void add_words(command_line *line, const char *const *words, size_t count) {
    for (size_t k = 0; k < count && words[k] != NULL; k++) add_word(line, words[k]);
}

static const char *compiler_of(const riffle_lint_job *job) {
    if (job->compiler != NULL) return job->compiler;
    const char *named = getenv("CXX");
    return named != NULL && *named != '\0' ? named : "c++";
}

static void begin(command_line *line, const riffle_lint_job *job) {
    line->count = 0;
    line->full =
        snprintf(line->compiler, sizeof line->compiler, "%s", compiler_of(job)) >= (int)sizeof line->compiler;
    char *rest = NULL;
    for (char *word = strtok_r(line->compiler, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        add_word(line, word);
}

/* English messages, whatever the user speaks: they are looked into. */
static char **environment_in_english(void) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **changed = malloc((count + 2) * sizeof *changed);
    if (changed == NULL) return NULL;
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (strncmp(environ[k], "LC_ALL=", 7) != 0) changed[kept++] = environ[k];
    }
    static char english[] = "LC_ALL=C";
    changed[kept++] = english;
    changed[kept] = NULL;
    return changed;
}

/* Starts the line with its output in `messages` and waits for its end. */
static riffle_status spawn(const command_line *line, const char *messages, int *exit_status) {
    char **environment = environment_in_english();
    if (environment == NULL) return fail_memory("the compiler's environment", 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child;
    const int error = posix_spawnp(&child, line->words[0], &actions, NULL,
                                   (char *const *)(uintptr_t)line->words, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (error != 0) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the C++ compiler '%s' cannot be started: %s; install one or name it with CXX",
                    line->words[0], strerror(error));
    }
    while (waitpid(child, exit_status, 0) < 0) {
        if (errno != EINTR) return fail(RIFFLE_ERROR_IO, "the compiler's end was missed: %s", strerror(errno));
    }
    return RIFFLE_OK;
}

static riffle_status run(const riffle_lint_job *job, const command_line *line, const char *path,
                         const lint_folder *folder) {
    char messages[LINT_PATH], *text;
    if (line->full)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the compiler's name and flags are more than fit; give fewer");
    if (line->count == 0 || *line->words[0] == '-')
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the C++ compiler has no name; write g++ or clang++, say");
    lint_folder_path(folder, "messages", messages);
    int exit_status = 0;
    size_t length;
    riffle_status status = spawn(line, messages, &exit_status);
    if (status != RIFFLE_OK || exit_status == 0) return status;
    status = lint_folder_read(folder, "messages", &text, &length);
    if (status != RIFFLE_OK) return status;
    status = lint_fail_compile(job, path, folder->path, text);
    free(text);
    return status;
}

/* ---- what is compiled */

/* Closes a stream of open_memstream and writes its text. */
static riffle_status write_stream(const lint_folder *folder, const char *name, FILE *stream, char **text,
                                  const size_t *length) {
    const bool written = !ferror(stream);
    if (fclose(stream) != 0 || !written) {
        free(*text);
        return fail_memory("a source file", 1 << 12);
    }
    const riffle_status status = lint_folder_write(folder, name, *text, *length);
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
        fprintf(stream, "%s%s%s", k > 0 ? ", " : "", arguments[k].type.name, arguments[k].is_array ? " *" : "");
    fprintf(stream, ">(), riffle_lint_out, riffle_lint_capacity);\n}\n");
}

/* Of which main is run, and no kernel by itself. */
static bool is_program(const riffle_lint_job *job) { return job->is_program; }

/* All headers of the machine first, then the user's macros and file, then the functions that the machine calls:
 * those use names of riffle's own only. <assert.h> heeds NDEBUG whenever it is read. */
static riffle_status write_source(const riffle_lint_job *job, const lint_argument *arguments, const char *path,
                                  const lint_folder *folder) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, "#include \"riffle/device.h\"\n#include \"riffle/cooperative_groups.h\"\n"
                    "#include \"riffle/call.h\"\n");
    if (is_program(job)) fprintf(stream, "#include \"riffle/runtime.h\"\n");
    write_macros(job, stream);
    fprintf(stream, "#include <assert.h>\n#include \"%s\"\n", path);
    if (!is_program(job)) write_entries(job, arguments, stream);
    return write_stream(folder, "kernel.cpp", stream, &text, &length);
}

/* One place for all dynamic shared arrays of the kernel, which is what CUDA makes of them. */
static riffle_status write_dynamic_shared(const lint_folder *folder, size_t bytes) {
    char object[LINT_PATH], *text;
    size_t length;
    lint_folder_path(folder, "kernel.o", object);
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, ".section .tbss,\"awT\",%%nobits\n.balign 1024\n");
    riffle_status status = lint_object_each_undefined_shared(object, stream);
    fprintf(stream, ".zero %zu\n.section .note.GNU-stack,\"\",%%progbits\n", bytes);
    const bool written = !ferror(stream);
    if ((fclose(stream) != 0 || !written) && status == RIFFLE_OK)
        status = fail_memory("a source file", 1 << 12);
    if (status == RIFFLE_OK) status = lint_folder_write(folder, "dynamic.s", text, length);
    free(text);
    return status;
}

/* ---- the steps */

/* All of the user's but the macros that the source file defines. */
static void add_flags(command_line *line, const riffle_lint_job *job) {
    size_t words;
    for (size_t k = 0; k < job->flag_count; k += words) {
        if (users_macro(job, k, &words) == NULL) add_words(line, job->flags + k, words);
    }
}

typedef struct paths {
    char file[PATH_MAX], include[LINT_PATH], own_include[LINT_PATH], source[LINT_PATH], preprocessed[LINT_PATH],
        assembler[LINT_PATH], object[LINT_PATH], hooks[LINT_PATH], dynamic[LINT_PATH], shared[LINT_PATH],
        program[LINT_PATH];
} paths;

static riffle_status find_paths(const riffle_lint_job *job, const lint_folder *folder, paths *out) {
    if (realpath(job->file, out->file) == NULL)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be read: %s", job->file, strerror(errno));
    struct stat file;
    if (stat(out->file, &file) != 0)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be examined: %s", job->file, strerror(errno));
    if (S_ISDIR(file.st_mode)) return fail(RIFFLE_ERROR_IO, "%s is a folder, not a file", job->file);
    if (S_ISFIFO(file.st_mode)) /* a compiler would wait for its writer */
        return fail(RIFFLE_ERROR_IO, "%s is a pipe, and is read more than once; write it into a file",
                    job->file);
    if (strpbrk(out->file, "\"\n\\") != NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: a quote in a file's name is more than a compiler takes; rename it", job->file);
    lint_folder_path(folder, "cuda", out->include);
    lint_folder_path(folder, "cuda/riffle", out->own_include);
    lint_folder_path(folder, "kernel.cpp", out->source);
    lint_folder_path(folder, LINT_TEXT, out->preprocessed);
    lint_folder_path(folder, "kernel.s", out->assembler);
    lint_folder_path(folder, "kernel.o", out->object);
    lint_folder_path(folder, "cuda/riffle/hooks.cpp", out->hooks);
    lint_folder_path(folder, "cuda/riffle/program.cpp", out->program);
    lint_folder_path(folder, "dynamic.s", out->dynamic);
    lint_folder_path(folder, LINT_OBJECT, out->shared);
    return RIFFLE_OK;
}

static riffle_status preprocess(const riffle_lint_job *job, const paths *at, const lint_folder *folder) {
    command_line line;
    begin(&line, job);
    add_words(&line, code_flags, MAX_WORDS);
    add_flags(&line, job);
    const char *const rest[] = {"-isystem", at->include, "-E", at->source, "-o", at->preprocessed, NULL};
    add_words(&line, rest, MAX_WORDS);
    return run(job, &line, at->file, folder);
}

static riffle_status compile(const riffle_lint_job *job, const paths *at, bool clang,
                             const lint_folder *folder) {
    command_line line;
    begin(&line, job);
    add_words(&line, code_flags, MAX_WORDS);
    add_words(&line, clang ? clang_flags : gcc_flags, MAX_WORDS);
    add_flags(&line, job);
    const char *const rest[] = {"-S", at->preprocessed, "-o", at->assembler, NULL};
    add_words(&line, rest, MAX_WORDS);
    return run(job, &line, at->file, folder);
}

/* Variables apart from each other. */
static riffle_status separate_variables(const lint_folder *folder) {
    char *text, *apart;
    size_t length;
    const riffle_status status = lint_folder_read(folder, "kernel.s", &text, &length);
    if (status != RIFFLE_OK) return status;
    FILE *stream = open_memstream(&apart, &length);
    if (stream == NULL) {
        free(text);
        return fail_memory("a source file", length);
    }
    lint_gaps_write(text, stream);
    free(text);
    return write_stream(folder, "kernel.s", stream, &apart, &length);
}

static riffle_status assemble(const riffle_lint_job *job, const paths *at, const lint_folder *folder) {
    command_line line;
    begin(&line, job);
    const char *const rest[] = {"-w", "-c", at->assembler, "-o", at->object, NULL};
    add_words(&line, rest, MAX_WORDS);
    return run(job, &line, at->file, folder);
}

static riffle_status link_object(const riffle_lint_job *job, const paths *at, const lint_folder *folder) {
    command_line line;
    begin(&line, job);
    add_words(&line, link_flags, MAX_WORDS);
    if (is_program(job)) add_word(&line, at->program);
    const char *const rest[] = {"-I", at->own_include, at->object, at->hooks, at->dynamic,
                                "-o", at->shared,      NULL};
    add_words(&line, rest, MAX_WORDS);
    return run(job, &line, at->file, folder);
}

/* Rewrites declarations that C++ does not know. */
static riffle_status rewrite_declarations(const lint_folder *folder, const char *text) {
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
    const riffle_status status = write_stream(folder, LINT_TEXT, out, &rewritten, &length);
    const riffle_status named = write_stream(folder, LINT_CONSTANTS, names, &constants, &constants_length);
    return status == RIFFLE_OK ? named : status;
}

/* Has launches call the machine. */
static riffle_status rewrite_launches(char **text, size_t *length) {
    char *rewritten = NULL;
    size_t all;
    FILE *out = open_memstream(&rewritten, &all);
    if (out == NULL) return fail_memory("a source file", *length);
    lint_write_launches(*text, *length, out);
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
static riffle_status prepare(const riffle_lint_job *job, const paths *at, const lint_folder *folder,
                             bool *clang) {
    char *text;
    size_t length;
    if (access(at->preprocessed, R_OK) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "'%s' wrote nothing, so it is no C++ compiler; name one with CXX",
                    compiler_of(job));
    riffle_status status = lint_folder_read(folder, LINT_TEXT, &text, &length);
    if (status != RIFFLE_OK) return status;
    *clang = strstr(text, "riffle_lint_compiled_by_clang") != NULL;
    if (is_program(job)) status = rewrite_launches(&text, &length);
    if (status == RIFFLE_OK && !is_program(job)) lint_blank_launches(text, length);
    if (status == RIFFLE_OK) status = rewrite_declarations(folder, text);
    free(text);
    return status;
}

riffle_status lint_compile(const riffle_lint_job *job, const lint_argument *arguments, size_t shared_bytes,
                           const lint_folder *folder) {
    paths at;
    bool clang = false;
    riffle_status status = find_paths(job, folder, &at);
    if (status == RIFFLE_OK) status = lint_headers_write(folder);
    if (status == RIFFLE_OK) status = write_source(job, arguments, at.file, folder);
    if (status == RIFFLE_OK) status = preprocess(job, &at, folder);
    if (status == RIFFLE_OK) status = prepare(job, &at, folder, &clang);
    if (status == RIFFLE_OK) status = compile(job, &at, clang, folder);
    if (status == RIFFLE_OK) status = separate_variables(folder);
    if (status == RIFFLE_OK) status = assemble(job, &at, folder);
    if (status == RIFFLE_OK) status = write_dynamic_shared(folder, shared_bytes);
    if (status == RIFFLE_OK) status = link_object(job, &at, folder);
    return status;
}
