/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled program for people.
 */
#ifndef RIFFLE_PROGRAM_EXPLAIN_H
#define RIFFLE_PROGRAM_EXPLAIN_H

#include "base/processor/vectors.h"
#include "program/pass.h"

/** Prints passes, bound and stages, for people; `loops` are those of the host that run, LOOPS_PLAIN on a device. */
void program_explain(const program_passes *passes, riffle_type type, riffle_program_algorithm algorithm,
                     const char *engine, vector_loops loops, FILE *stream);

/** The numbers of it as members of a JSON object. */
void program_explain_members(const program_passes *passes, riffle_type type, riffle_program_algorithm algorithm,
                             const char *engine, FILE *stream);

#endif
