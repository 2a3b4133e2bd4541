/* SPDX-License-Identifier: Apache-2.0
 *
 * A small process that waits for the end of this one, whatever ends it: a signal, also SIGKILL, a limit, a crash. Then it ends the
 * compiler that runs, if one does, and removes the private folder. A library can have no handlers of signals, and none runs
 * after SIGKILL.
 *
 *     this process ---------- keeper (leader of a group) ---- sleeps until its parent is gone
 *              \----------- compiler, in the keeper's group
 *
 * It is not among the children that wait() gives a host that waits for any. It begins as a copy of this process, whose page tables are
 * copied: some 35 ms for each GiB in small pages that a host holds (a Zen 3), less in huge ones, nothing for files that are mapped.
 */
#ifndef RIFFLE_BASE_FOLDER_KEEPER_H
#define RIFFLE_BASE_FOLDER_KEEPER_H

#include <sys/types.h>

#include "riffle.h"

/** Starts the keeper of a folder, which need not be there yet; *keeper is also its group, for those to end with it. A SIGTERM does
 *  what this process's end does. RIFFLE_ERROR_IO if there can be no process. The calling thread is taken for the process: it must outlive the keeper. */
riffle_status keeper_start(const char *folder, pid_t *keeper);

/** Ends it, and what is left of its group. */
void keeper_end(pid_t keeper);

#endif
