/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled program for people.
 */
#ifndef RIFFLE_PROGRAM_EXPLAIN_H
#define RIFFLE_PROGRAM_EXPLAIN_H

#include "program/pass.h"

/** Prints passes, bound and stages, for people. */
void program_explain(const program_passes *passes, riffle_type type, riffle_program_algorithm algorithm,
                     const char *engine, FILE *stream);

/** The numbers of it as one JSON document. */
void program_explain_json(const program_passes *passes, riffle_type type, riffle_program_algorithm algorithm,
                          const char *engine, FILE *stream);

#endif
