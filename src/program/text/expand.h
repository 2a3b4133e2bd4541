/* SPDX-License-Identifier: Apache-2.0
 *
 * From trees to programs: definitions are chosen by their patterns and put in place of their calls, until nothing but
 * operations, permutations and parm is left.
 */
#ifndef RIFFLE_PROGRAM_TEXT_EXPAND_H
#define RIFFLE_PROGRAM_TEXT_EXPAND_H

#include "program/text/tree.h"

/** The program of `program` for 2^n elements. Names are looked for in `definitions` (may be NULL), then in `library`. */
riffle_status text_expand(const text_unit *program, const text_unit *definitions, const text_unit *library,
                          unsigned n, riffle_program **out);

#endif
