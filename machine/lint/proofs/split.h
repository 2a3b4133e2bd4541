/* SPDX-License-Identifier: Apache-2.0
 *
 * Symbols that stand for one of several values: of a choice, of branches that meet, or of a loop that doubles or halves a number.
 */
#ifndef RIFFLE_MACHINE_LINT_PROOFS_SPLIT_H
#define RIFFLE_MACHINE_LINT_PROOFS_SPLIT_H

#include "machine/lint/forms/guards.h"
#include "machine/lint/proofs/prove.h"

enum { MOST_POWERS = 31 };

typedef struct split {
    uint16_t symbol;
    unsigned value, count;
    unsigned powers;              /**< 0: `value` says what the cases are */
    int64_t number[MOST_POWERS + 1]; /**< else each case's */
} split;

/** True for a call of "llvm.smin" and its like: which of two is taken where the first is the smaller. */
bool split_is_extreme(const ir_value *v, bool *least, bool *is_unsigned);

/** The first symbol of the polynomial, or of the facts, that has cases. False if there is none. */
bool split_find(forms *s, const poly *a, const facts *known, split *out);

/** The symbol's value in case k, and what holds then. False if it is no polynomial. */
bool split_case(forms *s, const split *of, unsigned k, poly *value, guards *out);

#endif
