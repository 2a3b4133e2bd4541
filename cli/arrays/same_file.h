/* SPDX-License-Identifier: Apache-2.0
 *
 * Two names may be one file. A command finds that out before it writes, so as not to destroy its input.
 */
#ifndef RIFFLE_CLI_ARRAYS_SAME_FILE_H
#define RIFFLE_CLI_ARRAYS_SAME_FILE_H

#include <stdbool.h>

/** By device and inode, past links of both kinds. Two files that are not there yet are compared by folder and last name. */
bool is_same_file(const char *a, const char *b);

#endif
