/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole text is put into a file's place: written beside it under a hidden name, synced and renamed, so that the name
 * holds the old file or all of the new one at every moment.
 */
#ifndef RIFFLE_CLI_ARRAYS_REPLACE_H
#define RIFFLE_CLI_ARRAYS_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/** False if that failed: the file is as it was, and errno says why. A link stays, and the file that it leads to is
 *  replaced; the new one has the old one's permissions, owner and group, but *changes_owner says whether the last two
 *  could not be kept. What is there and no regular file, such as a pipe, is written itself. */
bool replace_file(const char *path, const char *text, size_t bytes, bool *changes_owner);

#endif
