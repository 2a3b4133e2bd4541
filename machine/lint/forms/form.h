/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of a kernel's values.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_FORM_H
#define RIFFLE_MACHINE_LINT_FORMS_FORM_H

#include "machine/lint/forms/values.h"

riffle_status forms_begin(forms *s, const ir_module *m, const ir_function *f, const char *folder);
void forms_free(forms *s);

/** The form of a value; the pointer holds until the next call. */
form forms_of(forms *s, unsigned value);

/** The same of a form where it is used, in that block: a value of a loop that its threads leave in different turns depends on them. */
unsigned forms_depends_at(forms *s, const form *one, unsigned block);

#endif
