/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks whether a file can be read or written, before work begins whose results would be lost.
 */
#ifndef RIFFLE_CLI_SYSTEM_WRITABLE_H
#define RIFFLE_CLI_SYSTEM_WRITABLE_H

#include <stdbool.h>

/** True if the file can be written, and replaced in its folder, or made there; else false, with errno set. Nothing is made, opened or changed, so a disk that
 *  becomes full is not foreseen. */
bool is_writable(const char *path);

/** False, with errno set, if a regular file is there that this process may not write; a new one in its place needs its folder's leave only. */
bool is_replaceable(const char *path);

/** True if the file is there, is no folder, and can be read; else false, with errno set. */
bool is_readable(const char *path);

#endif
