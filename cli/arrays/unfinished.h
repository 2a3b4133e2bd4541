/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that is being written, and how the command ends where it does not return from main: the temporary file
 * goes, and a line on stderr says what happened and that the file is as it was before.
 *
 *     INT, TERM, HUP, QUIT, PIPE         "OUT: interrupted; ..."                 dies by the signal
 *     XCPU                               "OUT: its CPU time is up; ..."          dies by the signal
 *     FPE, ILL, SEGV, ABRT               what it was, perhaps an operation's    dies by the signal
 *     BUS, a mapped file was cut short   "FILE: was cut short...; ..."           EXIT_FAILED
 *     exit(), called by OpenMP's         "OUT: the run ended before it was       the caller's status
 *     runtime, that lost a thread        written; ..."
 *
 * All of it happens where it comes up, in the signal's handler or in exit(), and by functions that are safe
 * there.
 */
#ifndef RIFFLE_CLI_ARRAYS_UNFINISHED_H
#define RIFFLE_CLI_ARRAYS_UNFINISHED_H

#include <stdbool.h>

#include "riffle/npy.h"

/** From now on a mapped file that is cut short ends the command with a message that names it. */
void unfinished_catch_lost_files(void);

/** The command is about to make the file `name`: from now on all the ends above are caught, but no signal that
 *  is ignored (nohup). */
void unfinished_begin(const char *name);

/** The first signal from now on waits for unfinished_watch; a second one kills as usual. */
void unfinished_hold(void);

/** From now on the end of the command removes the temporary files of `output` and of `second`, where they are not NULL; at
 *  once, if a signal waits. */
void unfinished_watch(const riffle_npy_output *output, const riffle_npy_output *second);

/** The file is written, or given up: the command ends as any other does. A signal that waits has come too
 *  late. */
void unfinished_end(void);

/** Puts *output into its file's place, past any signal, and sets *output to NULL. *changes_owner says whether the
 *  file had an owner or group that could not be kept, for complain_changed_owner when all else has been said. */
riffle_status unfinished_commit(riffle_npy_output **output, bool *changes_owner);

void complain_changed_owner(const char *name);

#endif
