/* SPDX-License-Identifier: Apache-2.0
 *
 * A file is not replaced while another process makes something of it that will replace it too. The lock is the system's flock,
 * on the file itself; a process that ends in any way lets it go. Whoever reads a file to replace it has the file alone; those
 * that only replace it share it. Replacing is a rename, after which the name leads to a file that nobody has locked: who has
 * waited looks whether the name still leads to what he has locked, and begins again if not.
 */
#ifndef RIFFLE_CLI_ARRAYS_OUTPUT_LOCK_H
#define RIFFLE_CLI_ARRAYS_OUTPUT_LOCK_H

#include <stdbool.h>

enum { NO_LOCK = 0 };

/** A file that is locked, by its descriptor and 1 more. */
typedef int output_lock;

typedef enum output_lock_kind { LOCK_ALONE, LOCK_SHARED } output_lock_kind;

/** Waits at most `seconds` for the lock on the file. False where another process has it still; *holder is that process's number
 *  then, or 0 where it is not known. True with *lock NO_LOCK where the file is no regular one or cannot be opened, which whoever
 *  opens it next will say, or lies where there are no locks. */
bool output_lock_take(const char *path, output_lock_kind kind, double seconds, output_lock *lock, long *holder);

/** NO_LOCK is allowed. */
void output_lock_release(output_lock lock);

#endif
