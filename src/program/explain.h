/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled program for people.
 */
#ifndef RIFFLE_PROGRAM_EXPLAIN_H
#define RIFFLE_PROGRAM_EXPLAIN_H

#include "program/plan.h"

/** Prints passes, bound and stages, for people. */
void program_explain(const riffle_program_plan *plan, FILE *stream);

/** The numbers of it as members of a JSON object. */
void program_explain_members(const riffle_program_plan *plan, FILE *stream);

#endif
