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
} guard;

enum { MOST_GUARDS = 32 };

typedef struct guards {
    unsigned count;
    guard guard[MOST_GUARDS];
} guards;

/** The guards of a block, as far as they are comparisons of numbers; those that do not fit are left out. */
void guards_find(forms *s, unsigned block, guards *out);

/** True if the comparison holds for that value. */
bool guard_holds(ir_predicate predicate, int64_t value);

#endif
