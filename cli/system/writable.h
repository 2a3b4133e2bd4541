/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a file can be read or written, asked before work begins whose fruit would be lost.
 */
#ifndef RIFFLE_CLI_SYSTEM_WRITABLE_H
#define RIFFLE_CLI_SYSTEM_WRITABLE_H

#include <stdbool.h>

/** Whether the file can be written, or made in its folder; else false, with errno set. Nothing is made, opened or changed, so a disk that
 *  becomes full is not foreseen. */
bool is_writable(const char *path);

/** Whether it is there, is no folder, and can be read; else false, with errno set. */
bool is_readable(const char *path);

#endif
