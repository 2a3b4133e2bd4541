/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder in which riffle keeps what it compiled: $XDG_CACHE_HOME/riffle, else $HOME/.cache/riffle. It may be removed at any time.
 */
#ifndef RIFFLE_BASE_FOLDER_CACHE_FOLDER_H
#define RIFFLE_BASE_FOLDER_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>

enum { CACHE_FOLDER_NAMES = 64 /* bytes that are left for a name in it */ };

/** Makes the folder where it is missing; false where there is none to be had, or where others may write: code that is found there is run. */
bool cache_folder_find(char out[static PATH_MAX]);

#endif
