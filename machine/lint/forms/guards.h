/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds where a block of a kernel runs: the conditions of branches that lead to it, as comparisons of a polynomial with 0.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_GUARDS_H
#define RIFFLE_MACHINE_LINT_FORMS_GUARDS_H

#include "machine/lint/forms/form.h"

typedef struct guard {
    poly a;
    ir_predicate predicate; /**< between a and 0 */
    unsigned value;         /**< the comparison */
    bool is_unsigned;
    poly larger; /**< of unsigned numbers the greater: where it can be below 0, the comparison says nothing of integers */
} guard;

enum { MOST_GUARDS = 32 };

typedef struct guards {
    unsigned count;
    guard guard[MOST_GUARDS];
} guards;

/** The guards of a block, as far as they are comparisons of numbers; those that do not fit are left out. What the source assumes
 *  (__builtin_assume) on the way there is one of them. */
void guards_find(forms *s, unsigned block, guards *out);

/** Adds what follows from a condition that holds, or does not. */
void guards_add(forms *s, unsigned condition, bool holds, guards *out);

/** Adds what decides that a block goes on to the next, where two are ahead of it. */
void guards_add_edge(forms *s, unsigned from, unsigned to, guards *out);

/** True if the comparison holds for that value. */
bool guard_holds(ir_predicate predicate, int64_t value);

#endif
