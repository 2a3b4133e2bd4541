/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operations of a compiled program, each of them once. Engines have them compiled; a stage says which is its own by
 * number.
 */
#ifndef RIFFLE_PROGRAM_OWN_H
#define RIFFLE_PROGRAM_OWN_H

#include <stdio.h>

#include "program/pass.h"

/** Numbers the users' operations of all passes: out->own, and `own` of their stages. RIFFLE_ERROR_UNSUPPORTED for more than
 *  PROGRAM_MOST_OWN different ones. */
riffle_status program_own_number(program_passes *out);

/** Fails with the place of operation `number` before `why`. */
riffle_status program_own_fail(const program_passes *passes, unsigned number, riffle_status status,
                               const char *why);

/** Prints, of C, what an operation's expressions may name: `element`s a and b, or a0, a1, ..., from an array x of them. */
void program_own_print_names(const program_own *own, FILE *out);

/** Prints the message for an operation of another number of expressions: "an operation on pairs has two expressions". */
void program_own_print_count(const program_own *own, FILE *out);

/** The C type of the elements of a type that users' operations take. */
const char *program_own_element(riffle_type type);

#endif
