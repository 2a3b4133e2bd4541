/* SPDX-License-Identifier: Apache-2.0
 *
 * Gaps between the variables of a user's file, so that an access beyond one is not one of the next.
 *
 * They are put into what the compiler wrote as assembler: behind the data of each object some bytes more, under
 * a name of riffle's own by which the loaded object's constants can be told apart.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_GAPS_H
#define RIFFLE_MACHINE_LINT_SOURCE_GAPS_H

#include <stdio.h>

enum { LINT_GAP_BYTES = 256 };

/** Prefix of the names of all gaps. */
extern const char lint_gap_name[];

/** Gaps that come first in each section, so that there is one before the first variable too. */
void lint_gaps_write_front(FILE *assembler);

/** Copies assembler text, with a gap behind each variable. Symbols keep their sizes. */
void lint_gaps_write(const char *text, FILE *assembler);

#endif
