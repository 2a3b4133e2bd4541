/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled program for people.
 */
#ifndef RIFFLE_PROGRAM_EXPLAIN_H
#define RIFFLE_PROGRAM_EXPLAIN_H

#include "program/pass.h"

/** Prints what the passes do; the caller asks the stream how that went. */
void program_explain(const program_passes *passes, riffle_type type, const char *engine, FILE *stream);

#endif
