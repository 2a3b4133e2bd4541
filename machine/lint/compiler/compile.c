/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* open_memstream */
#include "machine/lint/compiler/compile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/compiler/compiler.h"
#include "machine/lint/compiler/flags.h"
#include "machine/lint/compiler/foreign.h"
#include "machine/lint/compiler/headers.h"
#include "machine/lint/compiler/linker.h"
#include "machine/lint/compiler/messages.h"
#include "machine/lint/compiler/parts.h"
#include "machine/lint/compiler/precompiled.h"
#include "machine/lint/compiler/sources.h"
#include "machine/lint/compiler/toolkit.h"
#include "machine/lint/ptx/statement.h"
#include "machine/lint/source/declarations.h"
#include "machine/lint/source/gaps.h"
#include "machine/lint/source/host_code.h"
#include "machine/lint/source/launches.h"
#include "machine/lint/source/lengths.h"
#include "machine/lint/source/pragmas.h"
#include "machine/lint/source/quiet.h"
#include "machine/lint/source/unused_bodies.h"

/* A toolkit's CCCL, where it stands for what the machine has of it. */
typedef struct cccl_headers {
    bool taken;
    char path[PATH_MAX];
} cccl_headers;

/* By the names of a toolkit's CCCL, without types that the machine's headers have not. */
static void add_cccl(compiler_line *line, const riffle_lint_job *job, const char *before, const char *include,
                     const char *path) {
    static const char *const lacks[] = {
        "-DCCCL_DISABLE_FP16_SUPPORT",
        "-DCCCL_DETAIL_KERNEL_ATTRIBUTES=__global__", /* hidden they have no name */
        "-D__CUDACC_VER_MINOR__=4",                   /* the first CUDA with such a CCCL: programs ask */
        "-DCUDART_VERSION=12040",
        "-DCUDA_VERSION=12040",
        "-D_LIBCUDACXX_FORCE_PTX_AUTOMATIC_STORAGE_PATH", /* no __isLocal is there */
        NULL};
    /* What CCCL has for newer GPUs the machine may not have; who names another one wants its code. */
    if (!flags_have_architecture(job)) compiler_add(line, "-D__CUDA_ARCH__=800");
    const char *const folders[] = {"-isystem", before, "-isystem", include, "-isystem", path, NULL};
    compiler_add_all(line, lacks, COMPILER_MAX_WORDS);
    compiler_add_all(line, folders, COMPILER_MAX_WORDS);
}

/* With a toolkit's CCCL, or NULL for what the machine has of it. */
static riffle_status preprocess(const riffle_lint_job *job, const source_paths *at, const char *cccl,
                                void (*add_flags)(compiler_line *, const riffle_lint_job *),
                                const private_folder *folder) {
    char libraries[FOLDER_PATH];
    compiler_line line;
    compiler_begin(&line, job);
    add_flags(&line, job);
    flags_add_users(&line, job);
    folder_path(folder, cccl != NULL ? "cccl" : "libraries", libraries);
    if (cccl != NULL) {
        add_cccl(&line, job, libraries, at->include, cccl);
    } else {
        const char *const own[] = {"-isystem", at->include, "-isystem", libraries, NULL};
        compiler_add_all(&line, own, COMPILER_MAX_WORDS);
    }
    const char *const rest[] = {"-E", at->source, "-o", at->preprocessed, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, at->file, at->shown, folder);
}

/* Which compiler it is, as its text says. */
typedef struct dialect {
    bool clang;
    bool tells_volatile; /* accesses to volatile memory from others: g++ from 11 on, and clang */
} dialect;

/* A compiler with all flags, and what it makes of a text. */
typedef struct compilation {
    compiler_line line;
    const char *language; /* a flag, or NULL: the assembler's */
    const char *out;
} compilation;

static void begin_compile(compiler_line *line, const riffle_lint_job *job, dialect of) {
    static const char *const tell[] = {"--param=tsan-distinguish-volatile=1", NULL};
    compiler_begin(line, job);
    flags_add_code(line, job);
    flags_add_compilers(line, of.clang);
    if (of.tells_volatile && !of.clang) compiler_add_all(line, tell, 1);
    flags_add_users(line, job);
}

static riffle_status compile_text(const riffle_lint_job *job, const source_paths *at, const char *text,
                                  const compilation *with, const private_folder *folder) {
    compiler_line line = with->line;
    const char *const rest[] = {"-S", text, "-o", with->out, with->language, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, at->file, at->shown, folder);
}

/* Makes assertions of the templates' bodies in which the compiler has found errors; false if one lies elsewhere. */
static bool leave_out_bodies(const source_paths *at, const private_folder *folder) {
    lint_place places[64];
    char *messages, *text, *rewritten = NULL;
    size_t length, all;
    if (folder_read(folder, "messages", &messages, &length) != RIFFLE_OK) return false;
    const size_t count = lint_error_places(messages, places);
    bool left_out =
        count > 0 && folder_read(folder, source_name(at->preprocessed), &text, &length) == RIFFLE_OK;
    if (left_out) {
        FILE *out = open_memstream(&rewritten, &all);
        left_out = out != NULL && lint_unused_bodies_write(text, length, places, count, out);
        if (left_out) {
            left_out =
                source_write_stream(folder, source_name(at->preprocessed), out, &rewritten, &all) == RIFFLE_OK;
        } else if (out != NULL) {
            fclose(out);
            free(rewritten);
        }
        free(text);
    }
    free(messages);
    return left_out;
}

/* True if what the compiler says is that a body which was left out is used. */
static bool uses_left_out(const private_folder *folder) {
    char *text;
    size_t length;
    if (folder_read(folder, "messages", &text, &length) != RIFFLE_OK) return false;
    const bool uses = strstr(text, LINT_UNUSED) != NULL;
    free(text);
    return uses;
}

/* Compiles a text that failed without bodies that nobody instantiates; new errors come where the first ones are gone. If it fails still, the
 * error of a body that is used stands, or the first one. */
static riffle_status compile_used(const riffle_lint_job *job, const source_paths *at, const compilation *whole,
                                  const private_folder *folder, riffle_status status) {
    enum { MOST_TIMES = 4 };
    char said[1024];
    uint64_t moment;
    if (status != RIFFLE_ERROR_FORMAT) return status;
    snprintf(said, sizeof said, "%s", status_last(&moment));
    for (int k = 0; k < MOST_TIMES && leave_out_bodies(at, folder); k++) {
        if (compile_text(job, at, at->preprocessed, whole, folder) == RIFFLE_OK) return RIFFLE_OK;
        if (uses_left_out(folder)) return status;
    }
    return fail(status, "%s", said);
}

/* With the headers that are compiled already, where there are some. What fails is compiled whole: it says what is wrong, and in which
 * header; if nothing is, the headers were at fault. */
static riffle_status compile(const riffle_lint_job *job, const source_paths *at, dialect of,
                             const compilation *whole, const private_folder *folder) {
    char headers[PATH_MAX], text[FOLDER_PATH];
    compilation rest = *whole;
    const bool found = precompiled_find(job, &whole->line, of.clang, at, folder, headers, text);
    if (found) {
        precompiled_add(&rest.line, of.clang, headers);
        if (compile_text(job, at, text, &rest, folder) == RIFFLE_OK) return RIFFLE_OK;
    }
    const riffle_status status = compile_text(job, at, at->preprocessed, whole, folder);
    if (found && status == RIFFLE_OK) precompiled_remove(headers);
    return compile_used(job, at, whole, folder, status);
}

/* Has a writer make another text of the assembler's. */
static riffle_status rewrite_assembler(const source_paths *at, const private_folder *folder,
                                       void (*write)(const char *text, FILE *assembler)) {
    const char *name = source_name(at->assembler);
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
    return source_write_stream(folder, name, stream, &rewritten, &length);
}

/* The first file's variables have a gap before them too. */
static void write_first_gaps(const char *text, FILE *assembler) {
    lint_gaps_write_front(assembler);
    lint_gaps_write(text, assembler);
}

static riffle_status assemble(const riffle_lint_job *job, const source_paths *at,
                              const private_folder *folder) {
    compiler_line line;
    compiler_begin(&line, job);
    const char *const rest[] = {"-w", "-c", at->assembler, "-o", at->object, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    return compiler_run(job, &line, at->file, at->shown, folder);
}

/* All files' objects in one. Names that two of them define are the first one's, as device code of CUDA has its own in each. */
static riffle_status link_objects(const riffle_lint_job *job, const source_paths *first, unsigned objects,
                                  bool has_foreign, const private_folder *folder) {
    char object[LINT_MAX_FILES][FOLDER_PATH], hooks[FOLDER_PATH], products[FOLDER_PATH], program[FOLDER_PATH],
        dynamic[FOLDER_PATH], foreign[FOLDER_PATH], shared[FOLDER_PATH];
    compiler_line line;
    folder_path(folder, LINT_HOOKS, hooks);
    folder_path(folder, LINT_PRODUCTS, products);
    folder_path(folder, LINT_PROGRAM, program);
    folder_path(folder, "dynamic.s", dynamic);
    folder_path(folder, LINT_OBJECT, shared);
    compiler_begin(&line, job);
    flags_add_link(&line);
    if (job->is_program) compiler_add(&line, program);
    for (unsigned k = 0; k < objects; k++) {
        source_path_of(folder, k, "o", object[k]);
        compiler_add(&line, object[k]);
    }
    folder_path(folder, LINT_FOREIGN, foreign);
    if (has_foreign) compiler_add(&line, foreign);
    const char *const rest[] = {hooks, products, dynamic, "-o", shared, NULL};
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    flags_add_libraries(&line, job);
    return linker_run(job, &line, first->file, first->shown, folder);
}

/* Rewrites declarations that C++ does not know, of the text in place; names of constants go behind those of other files. */
static riffle_status rewrite_declarations(const source_paths *at, const private_folder *folder,
                                          const char *text) {
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
        source_write_stream(folder, source_name(at->preprocessed), out, &rewritten, &length);
    const riffle_status named =
        source_append_stream(folder, LINT_CONSTANTS, names, &constants, &constants_length);
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
static riffle_status prepare(const riffle_lint_job *job, const source_paths *at, const private_folder *folder,
                             dialect *of) {
    char *text;
    size_t length;
    if (access(at->preprocessed, R_OK) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "'%s' wrote nothing, so it is no C++ compiler; name one with CXX",
                    compiler_of(job));
    riffle_status status = folder_read(folder, source_name(at->preprocessed), &text, &length);
    if (status != RIFFLE_OK) return status;
    *of = (dialect){.clang = strstr(text, "riffle_lint_compiled_by_clang") != NULL,
                    .tells_volatile = strstr(text, "riffle_lint_tells_volatile") != NULL};
    if (!job->is_program) lint_blank_host_code(text, length);
    status = rewrite(lint_pragmas_write, &text, &length);
    if (status == RIFFLE_OK) status = rewrite(lint_write_launches, &text, &length);
    if (status == RIFFLE_OK) status = rewrite(lint_ptx_write, &text, &length);
    if (status == RIFFLE_OK) status = rewrite_declarations(at, folder, text);
    free(text);
    return status;
}

/* From the text to the assembler's. */
static riffle_status make_assembler(const riffle_lint_job *job, const source_paths *at, const char *cccl,
                                    const private_folder *folder, dialect *of) {
    compilation with = {.out = at->assembler};
    riffle_status status = preprocess(job, at, cccl, flags_add_code, folder);
    if (status == RIFFLE_OK) status = prepare(job, at, folder, of);
    if (status != RIFFLE_OK) return status;
    begin_compile(&with.line, job, *of);
    return compile(job, at, *of, &with, folder);
}

/* True if the text that failed has one of CCCL's headers, or wants one that the machine has not. */
static bool wants_cccl(const source_paths *at, const private_folder *folder) {
    char libraries[FOLDER_PATH], *text;
    size_t length;
    bool wants = false;
    folder_path(folder, "libraries/", libraries);
    if (access(at->preprocessed, R_OK) == 0 &&
        folder_read(folder, source_name(at->preprocessed), &text, &length) == RIFFLE_OK) {
        wants = strstr(text, libraries) != NULL;
        free(text);
    }
    if (wants || folder_read(folder, "messages", &text, &length) != RIFFLE_OK) return wants;
    wants = lint_lacks_cccl(text);
    free(text);
    return wants;
}

/* From one of the files to its object. What the machine's part of CCCL is not enough for is compiled with a toolkit's, and so are the files
 * behind it. */
static riffle_status make_object(const riffle_lint_job *job, const lint_argument *arguments,
                                 const lint_constant *constants, const source_paths *at, cccl_headers *cccl,
                                 const private_folder *folder) {
    dialect of = {0};
    riffle_status status = source_write(job, arguments, constants, at, folder);
    if (status != RIFFLE_OK) return status;
    status = make_assembler(job, at, cccl->taken ? cccl->path : NULL, folder, &of);
    if (status == RIFFLE_ERROR_FORMAT && !cccl->taken && wants_cccl(at, folder) &&
        toolkit_find_cccl(job, cccl->path)) {
        cccl->taken = true;
        status = make_assembler(job, at, cccl->path, folder, &of);
    }
    if (status == RIFFLE_OK)
        status = rewrite_assembler(at, folder, at->number == 0 ? write_first_gaps : lint_gaps_write);
    if (status == RIFFLE_OK && of.tells_volatile) status = rewrite_assembler(at, folder, lint_quiet_write);
    return status == RIFFLE_OK ? assemble(job, at, folder) : status;
}

riffle_status lint_compile(const riffle_lint_job *job, const lint_argument *arguments,
                           const lint_constant *constants, size_t shared_bytes, const private_folder *folder) {
    const unsigned objects = (unsigned)job->more_count + 1;
    source_paths first, at;
    cccl_headers cccl = {0};
    if (objects > LINT_MAX_FILES)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%u files; %d are the most", objects, LINT_MAX_FILES);
    riffle_status status = flags_check(job);
    if (status == RIFFLE_OK) status = source_find_paths(job->file, 0, folder, &first);
    for (unsigned k = 1; k < objects && status == RIFFLE_OK; k++)
        status = source_find_paths(job->more[k - 1], k, folder, &at);
    if (status == RIFFLE_OK) status = lint_headers_write(folder, job->is_program);
    if (status == RIFFLE_OK) status = foreign_copy_headers(job, folder);
    if (status == RIFFLE_OK) status = make_object(job, arguments, constants, &first, &cccl, folder);
    for (unsigned k = 1; k < objects && status == RIFFLE_OK; k++) {
        status = source_find_paths(job->more[k - 1], k, folder, &at);
        if (status == RIFFLE_OK) status = make_object(job, arguments, constants, &at, &cccl, folder);
    }
    if (status == RIFFLE_OK) status = source_write_dynamic_shared(folder, objects, shared_bytes);
    bool has_foreign = false;
    if (status == RIFFLE_OK) status = foreign_write(folder, objects, &has_foreign);
    if (status == RIFFLE_OK) status = lint_parts_write(folder);
    return status == RIFFLE_OK ? link_objects(job, &first, objects, has_foreign, folder) : status;
}

/* What the job says parameters point to becomes a call in the kernels. */
static riffle_status rewrite_lengths(const riffle_lint_job *job, const source_paths *at,
                                     const private_folder *folder) {
    char *text, *rewritten = NULL;
    size_t length;
    riffle_status status = folder_read(folder, source_name(at->preprocessed), &text, &length);
    if (status != RIFFLE_OK) return status;
    FILE *out = open_memstream(&rewritten, &length);
    status = out != NULL ? lint_lengths_write(text, job, out) : fail_memory("a source file", length);
    free(text);
    const riffle_status written =
        out != NULL ? source_write_stream(folder, source_name(at->preprocessed), out, &rewritten, &length)
                    : status;
    return status == RIFFLE_OK ? written : status;
}

/* One of the files as LLVM's text. */
static riffle_status make_forms(const riffle_lint_job *job, const source_paths *at, cccl_headers *cccl,
                                const private_folder *folder) {
    char out[FOLDER_PATH];
    dialect of = {0};
    compilation with = {.language = "-emit-llvm", .out = out};
    riffle_status status = source_write(job, NULL, NULL, at, folder);
    if (status == RIFFLE_OK)
        status = preprocess(job, at, cccl->taken ? cccl->path : NULL, flags_add_forms, folder);
    if (status == RIFFLE_ERROR_FORMAT && !cccl->taken && wants_cccl(at, folder) &&
        toolkit_find_cccl(job, cccl->path)) {
        cccl->taken = true;
        status = preprocess(job, at, cccl->path, flags_add_forms, folder);
    }
    if (status == RIFFLE_OK) status = prepare(job, at, folder, &of);
    if (status == RIFFLE_OK && job->length_count > 0) status = rewrite_lengths(job, at, folder);
    if (status != RIFFLE_OK) return status;
    source_path_of(folder, at->number, "ll", out);
    compiler_begin(&with.line, job);
    flags_add_forms(&with.line, job);
    flags_add_users(&with.line, job);
    status = compile(job, at, of, &with, folder);
    if (status != RIFFLE_ERROR_FORMAT || job->length_count == 0) return status;
    char said[400];
    uint64_t moment;
    snprintf(said, sizeof said, "%s", status_last(&moment));
    return fail(status, "%s; --length is compiled in the kernel, too: its names are the kernel's parameters",
                said);
}

riffle_status lint_compile_forms(const riffle_lint_job *job, const private_folder *folder) {
    cccl_headers cccl = {0};
    source_paths at;
    if (job->more_count >= LINT_MAX_FILES)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%zu files; %d are the most", job->more_count + 1,
                    LINT_MAX_FILES);
    riffle_status status = flags_check(job);
    if (status == RIFFLE_OK) status = lint_headers_write(folder, true);
    if (status == RIFFLE_OK) status = foreign_copy_headers(job, folder);
    for (unsigned k = 0; k <= job->more_count && status == RIFFLE_OK; k++) {
        status = source_find_paths(k == 0 ? job->file : job->more[k - 1], k, folder, &at);
        if (status == RIFFLE_OK) status = make_forms(job, &at, &cccl, folder);
    }
    return status;
}
