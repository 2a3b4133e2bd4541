/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program: its main is run in this process, and what its host code asks of CUDA's runtime is the machine's to do, for
 * one of its threads at a time. A kernel by hand has no host code, but may launch others.
 */
#ifndef RIFFLE_MACHINE_LINT_PROGRAM_H
#define RIFFLE_MACHINE_LINT_PROGRAM_H

#include "machine/lint/object/object.h"
#include "machine/runtime/machine.h"
#include "riffle/machine.h"

/** Runs main of the object with the job's arguments. Where the program ends otherwise than by main's return, this does not, and
 *  lint_apart_end is called. */
riffle_status lint_program_run(const riffle_lint_job *job, const lint_object *object, machine *m);

/** Runs one kernel by hand, and the launches that it asks for. Returns as machine_run does. */
riffle_status lint_program_run_kernel(const lint_object *object, machine *m, const machine_launch *work);

/** CUDA's limits of single dimensions; products of them are the machine's to check. */
riffle_status lint_program_check_sides(const unsigned grid[static 3], const unsigned block[static 3]);

/** How it went, so far. The names last until the next call. */
machine_program lint_program_summary(void);

#endif
