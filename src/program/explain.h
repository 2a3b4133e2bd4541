/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of a compiled program.
 */
#ifndef RIFFLE_PROGRAM_EXPLAIN_H
#define RIFFLE_PROGRAM_EXPLAIN_H

#include "program/plan.h"

/** The numbers of riffle_program_plan_explain_json as members of a JSON object. */
void program_explain_members(const riffle_program_plan *plan, FILE *stream);

#endif
