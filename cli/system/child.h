/* SPDX-License-Identifier: Apache-2.0
 *
 * Work in a process of its own, because it may crash or never end: somebody else's code. Whatever becomes of
 * it, the command lives on to say so and to clean up.
 */
#ifndef RIFFLE_CLI_SYSTEM_CHILD_H
#define RIFFLE_CLI_SYSTEM_CHILD_H

/** Runs work(context) in a child and returns its exit status; where it crashes or is not done some time after `seconds`,
 *  at which it should end by itself, complains at `place` of `what`, a kernel or a program, and returns EXIT_FAILED. The child has a folder of its own in
 *  TMPDIR, which is removed at the end, and what it has started and left running is killed. A SIGINT, SIGTERM or SIGHUP ends the
 *  child, and then this process. */
int run_child(const char *place, const char *what, int (*work)(void *context), void *context, unsigned seconds);

/** In the child: when the work has returned, it ends without the goodbyes of libraries, for threads may still run. */
void leave_at_once(void);

#endif
