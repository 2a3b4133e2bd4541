/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath, open_memstream */
#include "machine/lint/compiler/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "machine/lint/compiler/flags.h"
#include "machine/lint/compiler/messages.h"
#include "machine/lint/object/object.h"

void source_path_of(const private_folder *folder, unsigned number, const char *ending,
                    char out[static FOLDER_PATH]) {
    char name[32];
    snprintf(name, sizeof name, "kernel-%u.%s", number, ending);
    folder_path(folder, name, out);
}

riffle_status source_find_paths(const char *shown, unsigned number, const private_folder *folder,
                                source_paths *out) {
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
    source_path_of(folder, number, "cpp", out->source);
    source_path_of(folder, number, "ii", out->preprocessed);
    source_path_of(folder, number, "s", out->assembler);
    source_path_of(folder, number, "o", out->object);
    return RIFFLE_OK;
}

/* The name in the folder of a path there. */
const char *source_name(const char *path) { return strrchr(path, '/') + 1; }

/* Has `put` write the text of a stream of open_memstream, which it closes. */
static riffle_status
put_stream(const private_folder *folder, const char *name, FILE *stream, char **text, const size_t *length,
           riffle_status (*put)(const private_folder *, const char *, const char *, size_t)) {
    const bool written = !ferror(stream);
    const riffle_status status = fclose(stream) != 0 || !written ? fail_memory("a source file", 1 << 12)
                                                                 : put(folder, name, *text, *length);
    free(*text);
    return status;
}

riffle_status source_write_stream(const private_folder *folder, const char *name, FILE *stream, char **text,
                                  const size_t *length) {
    return put_stream(folder, name, stream, text, length, folder_write);
}

riffle_status source_append_stream(const private_folder *folder, const char *name, FILE *stream, char **text,
                                   const size_t *length) {
    return put_stream(folder, name, stream, text, length, folder_append);
}

static void write_macros(const riffle_lint_job *job, FILE *stream) {
    size_t words;
    for (size_t k = 0; k < job->flag_count; k += words) {
        const char *macro = flags_users_macro(job, k, &words);
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

/* All headers of the machine first, then the user's macros and file, then the functions that the machine calls:
 * those use names of riffle's own only. <assert.h> heeds NDEBUG whenever it is read. */
riffle_status source_write(const riffle_lint_job *job, const lint_argument *arguments,
                           const lint_constant *constants, const source_paths *at,
                           const private_folder *folder) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, "#include \"riffle/device.h\"\n#include \"riffle/cooperative_groups.h\"\n"
                    "#include \"riffle/call.h\"\n");
    write_macros(job, stream);
    fprintf(stream, "#include <assert.h>\n#include \"%s\"\n", at->file);
    if (!job->is_program && at->number == 0) {
        write_entries(job, arguments, stream);
        write_settings(job, arguments, constants, stream);
    }
    return source_write_stream(folder, source_name(at->source), stream, &text, &length);
}

riffle_status source_write_dynamic_shared(const private_folder *folder, unsigned objects, size_t bytes) {
    char object[FOLDER_PATH], *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fprintf(stream, ".section .tbss,\"awT\",%%nobits\n.balign 1024\n");
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < objects && status == RIFFLE_OK; k++) {
        source_path_of(folder, k, "o", object);
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
