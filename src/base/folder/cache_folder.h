/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder in which riffle keeps what it compiled: $XDG_CACHE_HOME/riffle, else $HOME/.cache/riffle. It may be removed at any time, and who keeps
 * files there has a limit of them.
 */
#ifndef RIFFLE_BASE_FOLDER_CACHE_FOLDER_H
#define RIFFLE_BASE_FOLDER_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_FOLDER_NAMES = 64 /* bytes that are left for a name in it */ };

/** Makes the folder where it is missing; false where there is none to be had, or where others may write: code that is found there is run. */
bool cache_folder_find(char out[static PATH_MAX]);

/** Behind a sum of 16 digits: the ending of a file that is being written, or was left half made. mkstemp puts letters and digits for each X. */
#define CACHE_FOLDER_PART ".part-XXXXXX"

/** True if the name is the start, a sum of 16 digits, and the ending, in which an X is any letter or digit. */
bool cache_folder_names(const char *name, const char *start, const char *ending);

/** Files of one kind in the folder, and how many of them and of their bytes may be there. A file that a writer left half made is of its kind too.
 *  Links, folders and what else is no regular file are of none. */
typedef struct cache_files {
    bool (*is_one)(const char *path, const char *name);
    bool (*remove)(const char *path); /* true if it is gone, whoever removed it */
    size_t most;
    uint64_t bytes;
} cache_files;

/** Removes the files whose use is longest ago until there are no more than may be. Processes that do it at once remove the same ones; one
 *  that is killed leaves some for the next. */
void cache_folder_sweep(const char *folder, const cache_files *files);

/** Opens a kept file to be read, and returns its number, or -1: a pipe of such a name is not waited for, nor a link followed. */
int cache_folder_open(const char *path);

/** Notes a use, by the time of access alone: some compilers refuse files that were modified. False if there is no such file. */
bool cache_folder_note_use(const char *path);

#endif
