/* SPDX-License-Identifier: Apache-2.0
 *
 * Which file a name leads to, and when that was written last: whether it is as it was before.
 */
#ifndef RIFFLE_CLI_ARRAYS_FILE_STATE_H
#define RIFFLE_CLI_ARRAYS_FILE_STATE_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

typedef struct file_state {
    bool exists; /**< else the rest is 0 */
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec written;
} file_state;

/** The file that the name leads to now, past links. Safe in the handler of a signal. */
file_state file_state_now(const char *path);

/** True if the name leads to the same file, of the same size, that nobody has written since; or to none, as before. Safe in
 *  the handler of a signal. */
bool file_state_is(const file_state *before, const char *path);

#endif
