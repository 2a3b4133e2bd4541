/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a polynomial of integers is at least 0 where others are. The term that may be below 0 is put away by one of the others, times
 * what is not below 0: with i < h and j < w
 *
 *     h w - 1 - i w - j  =  w (h - 1 - i)  +  (w - 1 - j)
 *
 * A small search of such sums, of few steps; what it does not find may yet be so.
 */
#ifndef RIFFLE_MACHINE_LINT_PROOFS_PROVE_H
#define RIFFLE_MACHINE_LINT_PROOFS_PROVE_H

#include "machine/lint/forms/symbols.h"

enum { MOST_FACTS = 96 };

/** Polynomials that are at least 0. */
typedef struct facts {
    unsigned side[3]; /**< of the block, zeros: any */
    unsigned count;
    poly fact[MOST_FACTS];
} facts;

/** Adds one, as integers have it: 3 a - 4 >= 0 is a - 2 >= 0. Those that do not fit are left out. */
void facts_put(facts *known, const poly *a);

/** True if they cannot all hold: one is a number below 0, or two add up to one. */
bool facts_are_vain(const facts *known);

/** True if the polynomial is found to be at least 0. */
bool prove(const symbols *s, const facts *given, const poly *a);

#endif
