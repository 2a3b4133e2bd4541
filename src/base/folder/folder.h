/* SPDX-License-Identifier: Apache-2.0
 *
 * The private folder in which a user's text is compiled, under $TMPDIR or /tmp. It goes away with all that is in it, also where this
 * process ends before it removes it, by a signal or otherwise, and the compiler with it (keeper.h).
 */
#ifndef RIFFLE_BASE_FOLDER_FOLDER_H
#define RIFFLE_BASE_FOLDER_FOLDER_H

#include <stddef.h>
#include <sys/types.h>

#include "riffle.h"

typedef struct private_folder {
    char path[2048];
    pid_t keeper;
} private_folder;

enum { FOLDER_PATH = 2304 };

/** Makes the folder, readable by its owner only. RIFFLE_ERROR_IO if it cannot. The calling thread must outlive it. */
riffle_status folder_create(private_folder *out);

/** Removes the folder and everything in it. */
void folder_remove(const private_folder *folder);

/** The path of `name` in the folder. */
void folder_path(const private_folder *folder, const char *name, char out[static FOLDER_PATH]);

riffle_status folder_make(const private_folder *folder, const char *name);

/** Writes the whole of a file. RIFFLE_ERROR_IO if it cannot. */
riffle_status folder_write(const private_folder *folder, const char *name, const char *text, size_t length);

/** Writes behind what the file has, if there is one. */
riffle_status folder_append(const private_folder *folder, const char *name, const char *text, size_t length);

/** Reads the whole of a file, with a NUL behind it; free *out. */
riffle_status folder_read(const private_folder *folder, const char *name, char **out, size_t *length);

#endif
