/* SPDX-License-Identifier: Apache-2.0
 *
 * Work over MPI's ranks, of which this process is one: libriffle-mpi is loaded for it.
 */
#ifndef RIFFLE_CLI_RANKS_RANKS_H
#define RIFFLE_CLI_RANKS_RANKS_H

#include <stdbool.h>

#include "frame/command.h"
#include "riffle/mpi_files.h"

/** A command begins. Where it has --mpi, and a launcher has started this process beside others, only the first of them says what is wrong. */
void ranks_begin(const command *asked);

/** It has come to `exit_status`, which is returned, or another where another rank says why. Processes that wait for this one's part of their work, which it has
 *  not begun, are told that there is none. */
int ranks_end(int exit_status);

/** The number of processes that a launcher (mpirun, srun) has started this one among, as its environment says; 1 if it says none. */
unsigned ranks_launched(void);

/** True where this process is one alone; false after a complaint, for processes that a launcher has started must not each write `out`. */
bool ranks_are_one(const char *name, const char *out);

/** Moves a file over all ranks; rank 0 says what is wrong, and, if that is asked for, what was done. Returns the exit status. */
int ranks_permute(const riffle_mpi_files *ask, bool verbose);

/** The same of a sort. */
int ranks_sort(const riffle_mpi_files_sort *ask, bool verbose);

/** The same of a grouping. */
int ranks_group(const riffle_mpi_files_group *ask, bool verbose);

#endif
