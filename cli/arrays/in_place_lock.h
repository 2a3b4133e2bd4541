/* SPDX-License-Identifier: Apache-2.0
 *
 * One process at a time replaces a file by what it makes of it. The lock is the system's flock, on the file itself; a process
 * that ends in any way lets it go. Replacing is a rename, after which the name leads to a file that nobody has locked: who has
 * waited looks whether the name still leads to what he has locked, and begins again if not.
 */
#ifndef RIFFLE_CLI_ARRAYS_IN_PLACE_LOCK_H
#define RIFFLE_CLI_ARRAYS_IN_PLACE_LOCK_H

#include <stdbool.h>

enum { NO_LOCK = -1 };

/** Waits at most `seconds` for the lock on the file. False where another process has it still; *holder is that process's number
 *  then, or 0 where it is not known. True with *lock NO_LOCK where the file cannot be opened, which whoever opens it next will
 *  say, or lies where there are no locks. */
bool in_place_lock(const char *path, double seconds, int *lock, long *holder);

/** NO_LOCK is allowed. */
void in_place_unlock(int lock);

#endif
