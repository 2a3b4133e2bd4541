/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_BASE_FOLDER_REMOVE_H
#define RIFFLE_BASE_FOLDER_REMOVE_H

#include <stdbool.h>

/** Removes a folder and all that is in it, to a few levels; follows no links. True if it is gone, or was not there. Safe where only a
 *  signal's handler's functions are. */
bool remove_tree(const char *folder);

#endif
