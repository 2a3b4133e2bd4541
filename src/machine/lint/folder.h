/* SPDX-License-Identifier: Apache-2.0
 *
 * The private folder in which a user's kernel is compiled, under $TMPDIR or /tmp. It goes away with all that is
 * in it.
 */
#ifndef RIFFLE_MACHINE_LINT_FOLDER_H
#define RIFFLE_MACHINE_LINT_FOLDER_H

#include <stddef.h>

#include "riffle.h"

typedef struct lint_folder {
    char path[2048];
} lint_folder;

enum { LINT_PATH = 2304 };

/** Makes the folder, readable by its owner only. RIFFLE_ERROR_IO if it cannot. */
riffle_status lint_folder_create(lint_folder *out);

/** Removes the folder and everything in it. */
void lint_folder_remove(const lint_folder *folder);

/** The path of `name` in the folder. */
void lint_folder_path(const lint_folder *folder, const char *name, char out[static LINT_PATH]);

riffle_status lint_folder_make(const lint_folder *folder, const char *name);

/** Writes the whole of a file. RIFFLE_ERROR_IO if it cannot. */
riffle_status lint_folder_write(const lint_folder *folder, const char *name, const char *text, size_t length);

/** Writes behind what the file has, if there is one. */
riffle_status lint_folder_append(const lint_folder *folder, const char *name, const char *text, size_t length);

/** Reads the whole of a file, with a NUL behind it; free *out. */
riffle_status lint_folder_read(const lint_folder *folder, const char *name, char **out, size_t *length);

#endif
