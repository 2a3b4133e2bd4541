/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are being written, and how the command ends where it does not return from main: the temporary files
 * go, a compiler that runs is ended, and a line on stderr says what happened and that the file is as it was before, or, where another program has changed
 * it meanwhile, that this run has not.
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

/** The command is about to make the file `name`, and perhaps others: from now on all the ends above are caught, but no signal that
 *  is ignored (nohup). */
void unfinished_begin(const char *name);

/** Says what is true of the file that unfinished_begin was given, if it is not written: "is as it was before", or where another program
 *  has changed it, that this run has not. */
const char *unfinished_claim(void);

/** From now on the end of the command removes the hidden files of those of files[0 .. count-1] that are not NULL; whoever changes
 *  one of them sees to it that it leads to a file that is there, or is NULL. */
void unfinished_watch(riffle_npy_output *const *files, unsigned count);

/** Another process makes files, and may be killed: from now on a launcher's signal removes those of names[0 .. count-1] that are not NULL, ends
 *  this process, and says nothing. */
void unfinished_watch_others(const char *const *names, unsigned count);

/** The first signal from now on waits; a second one ends the command. */
void unfinished_hold_first(void);

/** Every signal from now on waits, for the moment that files take to come into their places. */
void unfinished_hold_all(void);

/** Signals wait no more; one that did ends the command now. */
void unfinished_release(void);

/** The files are written, or given up: the command ends as any other does. A signal that waits has come too
 *  late. */
void unfinished_end(void);

#endif
