/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of forms: an instruction's form, of those of its operands.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_RULES_H
#define RIFFLE_MACHINE_LINT_FORMS_RULES_H

#include "machine/lint/forms/values.h"

/** The form of arithmetic, a cast, a comparison or a choice. */
form rules_apply(forms *s, unsigned value);

/** A thread's lane: its number in the block, modulo 32. */
poly rules_lane(symbols *s);

#endif
