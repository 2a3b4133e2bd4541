/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* open_memstream */
#include "machine/lint/compiler/foreign.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/compiler/sources.h"
#include "machine/lint/compiler/toolkit.h"
#include "machine/lint/object/undefined.h"
#include "machine/lint/source/text.h"

enum { MOST_BYTES = 1 << 22 };

/* A copy, since compilers look for what it includes beside the file that a link leads to. */
static riffle_status copy_header(const private_folder *folder, const char *path) {
    char name[FOLDER_PATH], *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return RIFFLE_OK; /* not for everybody: it is as though it were not there */
    size_t length = 0;
    const bool is_read = fseek(file, 0, SEEK_END) == 0 && (length = (size_t)ftell(file)) < MOST_BYTES &&
                         (text = malloc(length + 1)) != NULL && fseek(file, 0, SEEK_SET) == 0 &&
                         fread(text, 1, length, file) == length;
    fclose(file);
    snprintf(name, sizeof name, "cuda/%s", source_name(path));
    const riffle_status status = is_read ? folder_write(folder, name, text, length) : RIFFLE_OK;
    free(text);
    return status;
}

riffle_status foreign_copy_headers(const riffle_lint_job *job, const private_folder *folder) {
    char include[PATH_MAX], pattern[PATH_MAX];
    riffle_status status = RIFFLE_OK;
    if (!toolkit_find_headers(job, include)) return RIFFLE_OK;
    for (const char *const *start = toolkit_foreign; *start != NULL && status == RIFFLE_OK; start++) {
        glob_t found;
        if (snprintf(pattern, sizeof pattern, "%s/%s*.h", include, *start) >= PATH_MAX ||
            glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc && status == RIFFLE_OK; k++)
            status = copy_header(folder, found.gl_pathv[k]);
        globfree(&found);
    }
    return status;
}

/* The functions so far. */
typedef struct functions {
    FILE *stream;
    char **text; /* the stream's */
} functions;

/* One that is called without regard for its arguments. Those that say what went wrong say so. */
static void write_function(const char *name, void *context) {
    const functions *to = context;
    char head[512];
    if (!toolkit_is_foreign(name) || snprintf(head, sizeof head, " *%s() {", name) >= (int)sizeof head) return;
    fflush(to->stream);
    if (strstr(*to->text, head) != NULL) return;
    fprintf(to->stream, strstr(name, "String") != NULL || strstr(name, "GetLastError") != NULL
                            ? "const char%s return \"not supplied\"; }\n"
                            : "void%s return riffle_lint_foreign(__func__, __builtin_return_address(0)); }\n", head);
}

riffle_status foreign_write(const private_folder *folder, unsigned objects, bool *any) {
    char object[FOLDER_PATH], *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a source file", 1 << 12);
    fputs("extern \"C\" {\nvoid *riffle_lint_foreign(const char *, const void *);\n", stream);
    fflush(stream);
    const size_t before = length;
    functions to = {stream, &text};
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < objects && status == RIFFLE_OK; k++) {
        source_path_of(folder, k, "o", object);
        status = undefined_each(object, write_function, &to);
    }
    fflush(stream);
    *any = length > before;
    fputs("}\n", stream);
    const riffle_status written = source_write_stream(folder, LINT_FOREIGN, stream, &text, &length);
    return status == RIFFLE_OK ? written : status;
}
