/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath, open_memstream, posix_spawnp */
#include "engines/machine/lint_compile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "engines/machine/lint_headers.h"
#include "engines/machine/lint_launches.h"
#include "engines/machine/lint_messages.h"
#include "engines/machine/lint_object.h"

/* CUDA's names that lead to all of cuda/device.h. */
static const char *const standard_names[] = {
    "cuda.h",           "cuda_runtime.h",     "cuda_runtime_api.h",        "device_launch_parameters.h",
    "device_types.h",   "device_functions.h", "device_atomic_functions.h", "driver_types.h",
    "vector_types.h",   "vector_functions.h", "vector_functions.hpp",      "math_functions.h",
    "math_constants.h", "host_defines.h",     "sm_20_intrinsics.h",        "sm_30_intrinsics.h",
};

/* What else a kernel may ask for, said to be missing before a toolkit in a system folder half answers. */
static const char *const missing_folders[] = {"cooperative_groups", "cub", "cuda", "thrust"};
static const char *const missing_names[] = {
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cub/cub.cuh",
    "cublas_v2.h",
    "cuda/atomic",
    "cuda/barrier",
    "cuda/pipeline",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_fp8.h",
    "cuda_pipeline.h",
    "cufft.h",
    "curand.h",
    "curand_kernel.h",
    "mma.h",
    "nvToolsExt.h",
    "thrust/complex.h",
    "thrust/device_vector.h",
    "thrust/host_vector.h",
    "thrust/reduce.h",
    "thrust/scan.h",
    "thrust/sort.h",
};

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
                                         "-fno-unroll-loops",
                                         "-fno-tree-vectorize",
                                         "-fno-tree-slp-vectorize",
                                         "-fno-stack-protector",
                                         "-U_FORTIFY_SOURCE",
                                         NULL};
/* gcc does not see accesses that are arguments or results of a call, so calls are inlined. */
static const char *const gcc_flags[] = {"-fno-store-merging",
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
static const char *const clang_flags[] = {"-gdwarf-aranges",
                                          "-mllvm",
                                          "-disable-vector-combine",
                                          "-mllvm",
                                          "-tsan-instrument-read-before-write=1",
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
    const char *words[MAX_WORDS + 1];
} command_line;

static void add_word(command_line *line, const char *word) {
    if (line->count < MAX_WORDS) line->words[line->count++] = word;
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
    snprintf(line->compiler, sizeof line->compiler, "%s", compiler_of(job));
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

static riffle_status write_missing(const lint_folder *folder) {
    char name[LINT_PATH], text[256];
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < sizeof missing_folders / sizeof missing_folders[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", missing_folders[k]);
        status = lint_folder_make(folder, name);
    }
    for (size_t k = 0; k < sizeof missing_names / sizeof missing_names[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", missing_names[k]);
        const int length = snprintf(text, sizeof text, "#error " LINT_LACKS " '%s'\n", missing_names[k]);
        status = lint_folder_write(folder, name, text, (size_t)length);
    }
    return status;
}

static riffle_status write_headers(const lint_folder *folder) {
    char name[LINT_PATH];
    riffle_status status = lint_folder_make(folder, "cuda");
    if (status == RIFFLE_OK) status = lint_folder_make(folder, "cuda/riffle");
    for (const embedded_text *one = lint_headers; one->name != NULL && status == RIFFLE_OK; one++) {
        snprintf(name, sizeof name, "cuda/riffle/%s", one->name);
        status = lint_folder_write(folder, name, one->text, strlen(one->text));
    }
    static const char all[] = "#include \"riffle/device.h\"\n";
    for (size_t k = 0; k < sizeof standard_names / sizeof standard_names[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", standard_names[k]);
        status = lint_folder_write(folder, name, all, sizeof all - 1);
    }
    static const char groups[] = "#include \"riffle/cooperative_groups.h\"\n";
    if (status == RIFFLE_OK)
        status = lint_folder_write(folder, "cuda/cooperative_groups.h", groups, sizeof groups - 1);
    return status == RIFFLE_OK ? write_missing(folder) : status;
}

/* The user's file between the machine's headers and the functions that the machine calls. */
static riffle_status write_source(const riffle_lint_job *job, const lint_argument *arguments, const char *path,
                                  const lint_folder *folder) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, "#include \"riffle/device.h\"\n#include \"%s\"\n#include \"riffle/call.h\"\n", path);
    fprintf(stream,
            "extern \"C\" __attribute__((no_sanitize_thread)) void riffle_lint_entry(void *const *args) {\n"
            "#line 1 \"" LINT_ENTRY_FILE "\"\n"
            "    riffle_lint::call_kernel(%s, args);\n}\n",
            job->kernel);
    fprintf(stream,
            "extern \"C\" __attribute__((no_sanitize_thread)) unsigned "
            "riffle_lint_describe(riffle_lint::parameter *out,"
            " unsigned capacity) {\n#line 1 \"" LINT_ENTRY_FILE "\"\n"
            "    return riffle_lint::describe_kernel(%s, riffle_lint::given<",
            job->kernel);
    for (size_t k = 0; k < job->argument_count; k++)
        fprintf(stream, "%s%s%s", k > 0 ? ", " : "", arguments[k].type.name, arguments[k].is_array ? " *" : "");
    fprintf(stream, ">(), out, capacity);\n}\n");
    const bool written = !ferror(stream);
    if (fclose(stream) != 0 || !written) return fail_memory("a source file", 1 << 12);
    const riffle_status status = lint_folder_write(folder, "kernel.cpp", text, length);
    free(text);
    return status;
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

typedef struct paths {
    char file[PATH_MAX], include[LINT_PATH], own_include[LINT_PATH], source[LINT_PATH], preprocessed[LINT_PATH],
        object[LINT_PATH], hooks[LINT_PATH], dynamic[LINT_PATH], shared[LINT_PATH];
} paths;

static riffle_status find_paths(const riffle_lint_job *job, const lint_folder *folder, paths *out) {
    if (realpath(job->file, out->file) == NULL)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be read: %s", job->file, strerror(errno));
    if (strpbrk(out->file, "\"\n\\") != NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: a quote in a file's name is more than a compiler takes; rename it", job->file);
    lint_folder_path(folder, "cuda", out->include);
    lint_folder_path(folder, "cuda/riffle", out->own_include);
    lint_folder_path(folder, "kernel.cpp", out->source);
    lint_folder_path(folder, "kernel.ii", out->preprocessed);
    lint_folder_path(folder, "kernel.o", out->object);
    lint_folder_path(folder, "cuda/riffle/hooks.cpp", out->hooks);
    lint_folder_path(folder, "dynamic.s", out->dynamic);
    lint_folder_path(folder, LINT_OBJECT, out->shared);
    return RIFFLE_OK;
}

static riffle_status preprocess(const riffle_lint_job *job, const paths *at, const lint_folder *folder) {
    command_line line;
    begin(&line, job);
    add_words(&line, code_flags, MAX_WORDS);
    add_words(&line, job->flags, job->flag_count);
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
    add_words(&line, job->flags, job->flag_count);
    const char *const rest[] = {"-c", at->preprocessed, "-o", at->object, NULL};
    add_words(&line, rest, MAX_WORDS);
    return run(job, &line, at->file, folder);
}

static riffle_status link_object(const riffle_lint_job *job, const paths *at, const lint_folder *folder) {
    command_line line;
    begin(&line, job);
    add_words(&line, link_flags, MAX_WORDS);
    const char *const rest[] = {"-I", at->own_include, at->object, at->hooks, at->dynamic,
                                "-o", at->shared,      NULL};
    add_words(&line, rest, MAX_WORDS);
    return run(job, &line, at->file, folder);
}

/* Blanks the launches of the preprocessed file; says which compiler wrote it. */
static riffle_status prepare(const lint_folder *folder, bool *clang) {
    char *text;
    size_t length;
    riffle_status status = lint_folder_read(folder, "kernel.ii", &text, &length);
    if (status != RIFFLE_OK) return status;
    *clang = strstr(text, "riffle_lint_compiled_by_clang") != NULL;
    lint_blank_launches(text, length);
    status = lint_folder_write(folder, "kernel.ii", text, length);
    free(text);
    return status;
}

riffle_status lint_compile(const riffle_lint_job *job, const lint_argument *arguments, size_t shared_bytes,
                           const lint_folder *folder) {
    paths at;
    bool clang = false;
    riffle_status status = find_paths(job, folder, &at);
    if (status == RIFFLE_OK) status = write_headers(folder);
    if (status == RIFFLE_OK) status = write_source(job, arguments, at.file, folder);
    if (status == RIFFLE_OK) status = preprocess(job, &at, folder);
    if (status == RIFFLE_OK) status = prepare(folder, &clang);
    if (status == RIFFLE_OK) status = compile(job, &at, clang, folder);
    if (status == RIFFLE_OK) status = write_dynamic_shared(folder, shared_bytes);
    if (status == RIFFLE_OK) status = link_object(job, &at, folder);
    return status;
}
