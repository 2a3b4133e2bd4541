/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels and branches within one statement of PTX, as C++'s:
 *
 *     WAIT: mbarrier.try_wait ... P, ...; @P bra DONE; bra WAIT; DONE:    ->   riffle_l0_WAIT:; ... if (P) goto riffle_l0_DONE; ...
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_BRANCH_H
#define RIFFLE_MACHINE_LINT_PTX_BRANCH_H

#include <stdbool.h>
#include <stdio.h>

/** Behind the labels that stand here, which are written as those of statement `number`. */
char *ptx_write_labels(char *at, unsigned number, FILE *out);

/** Writes a branch if one stands here, up to the end of the text; false if it is something else. Changes the text then. */
bool ptx_write_branch(char *at, unsigned number, FILE *out);

#endif
