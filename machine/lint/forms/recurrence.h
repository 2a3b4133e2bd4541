/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that come from several blocks: those of a loop's turns, and those of branches that meet.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_RECURRENCE_H
#define RIFFLE_MACHINE_LINT_FORMS_RECURRENCE_H

#include "machine/lint/forms/values.h"

/** The form of a phi. */
form recurrence_solve(forms *s, unsigned value);

#endif
