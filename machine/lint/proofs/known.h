/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of symbols wherever they are: threadIdx is below blockDim, a remainder below its divisor, and so on.
 */
#ifndef RIFFLE_MACHINE_LINT_PROOFS_KNOWN_H
#define RIFFLE_MACHINE_LINT_PROOFS_KNOWN_H

#include "machine/lint/forms/form.h"
#include "machine/lint/proofs/prove.h"

/** Adds what is known of the symbols of a polynomial and of the facts that there are. */
void known_add(forms *s, const poly *a, facts *out);

/** True if a value of a loop's turns is a number that each turn divides: of *first the next ones are *first / *by, ... */
bool known_shrinks(forms *s, uint16_t symbol, poly *first, int64_t *by);

#endif
