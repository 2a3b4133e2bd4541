/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that are made of more than sizes and indices: read from memory, or what a loop has made of others by no rule that is known.
 * Arithmetic with them can wrap around.
 */
#ifndef RIFFLE_MACHINE_LINT_PROOFS_FOREIGN_H
#define RIFFLE_MACHINE_LINT_PROOFS_FOREIGN_H

#include "machine/lint/forms/form.h"

/** True if the polynomial has such a number in it, or in its quotients, remainders and bits. */
bool foreign_is_in(forms *s, const poly *a);

#endif
