/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of a kernel's parameters, read from its declaration in preprocessed text. Reports use them as names of arrays.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_PARAMETERS_H
#define RIFFLE_MACHINE_LINT_SOURCE_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** True if a kernel of this name is declared in the preprocessed text. */
bool lint_has_kernel(const char *text, const char *name, size_t length);

/** Writes "out,in,n" for the kernel whose name has `length` characters, template arguments not among them; one without a name
 *  is empty. Nothing where no declaration is found. */
void lint_parameters_write(const char *text, const char *end, const char *name, size_t length, FILE *out);

#endif
