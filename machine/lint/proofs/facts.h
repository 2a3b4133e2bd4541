/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of a kernel's integers where one of its blocks runs: its guards, what each turn of a loop has found, and what CUDA says of
 * threads and blocks. Nothing is taken from a comparison of unsigned numbers that may have wrapped around below 0.
 */
#ifndef RIFFLE_MACHINE_LINT_PROOFS_FACTS_H
#define RIFFLE_MACHINE_LINT_PROOFS_FACTS_H

#include "machine/lint/forms/form.h"
#include "machine/lint/proofs/prove.h"

/** All facts where the block runs, in thread blocks of these sides (zeros: any). */
void facts_find(forms *s, unsigned block, const unsigned side[3], facts *out);

/** True if the polynomial is found to be at least 0: for either side of a choice, and for each way by which branches meet. */
bool facts_prove(forms *s, const facts *known, const poly *a);

/** True if no number that the value is made of is below 0 where it counts as an unsigned one. */
bool facts_never_wrap(forms *s, const facts *known, unsigned value);

#endif
