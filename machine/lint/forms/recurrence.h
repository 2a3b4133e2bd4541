/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that come from several blocks: those of a loop's turns, and those of branches that meet.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_RECURRENCE_H
#define RIFFLE_MACHINE_LINT_FORMS_RECURRENCE_H

#include "machine/lint/forms/form.h"

/** The form of a phi. */
form recurrence_solve(forms *s, unsigned value);

/* What it takes of form.c. */

/** Keeps the form of a value, until forms_forget of a number of values that were kept before. */
void forms_keep(forms *s, unsigned value, const form *one);
void forms_forget(forms *s, size_t since);
/** A number of which only this is known. */
form forms_other(forms *s, unsigned value, unsigned depends);
unsigned forms_depends_of_operands(forms *s, const ir_value *v);

#endif
