/* SPDX-License-Identifier: Apache-2.0
 *
 * The files in the private folder: the text that is compiled for each of the user's, and what is linked beside them.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_SOURCES_H
#define RIFFLE_MACHINE_LINT_COMPILER_SOURCES_H

#include <limits.h>
#include <stdio.h>

#include "base/folder/folder.h"
#include "machine/lint/arguments/arguments.h"
#include "riffle/machine.h"

/** Paths of one of the job's files; names without a number are the same for all files. */
typedef struct source_paths {
    const char *shown; /**< as the user names it */
    unsigned number;
    char file[PATH_MAX], include[FOLDER_PATH], source[FOLDER_PATH], preprocessed[FOLDER_PATH],
        assembler[FOLDER_PATH], object[FOLDER_PATH];
} source_paths;

/** The path of file `number` with an ending. */
void source_path_of(const private_folder *folder, unsigned number, const char *ending,
                    char out[static FOLDER_PATH]);

/** RIFFLE_ERROR_IO for what is no file that can be read, RIFFLE_ERROR_INVALID_ARGUMENT for a name that no compiler takes. */
riffle_status source_find_paths(const char *shown, unsigned number, const private_folder *folder,
                                source_paths *out);

/** The name in the folder of a path there. */
const char *source_name(const char *path);

/** Closes a stream of open_memstream and writes its text. */
riffle_status source_write_stream(const private_folder *folder, const char *name, FILE *stream, char **text,
                                  const size_t *length);

/** The same, behind what the file has already. */
riffle_status source_append_stream(const private_folder *folder, const char *name, FILE *stream, char **text,
                                   const size_t *length);

/** All headers of the machine first, then the user's macros and file, then the functions that the machine calls:
 *  they use names of riffle's own only. <assert.h> heeds NDEBUG whenever it is read. */
riffle_status source_write(const riffle_lint_job *job, const lint_argument *arguments,
                           const lint_constant *constants, const source_paths *at,
                           const private_folder *folder);

/** One place for all dynamic shared arrays of the files' kernels, which is what CUDA makes of them. */
riffle_status source_write_dynamic_shared(const private_folder *folder, unsigned objects, size_t bytes);

#endif
