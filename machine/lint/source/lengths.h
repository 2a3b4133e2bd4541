/* SPDX-License-Identifier: Apache-2.0
 *
 * What a job says of lengths, in preprocessed text: "a=n*m" becomes a call at the begin of each kernel that has a parameter a.
 *
 *     void k(float *a, int n, int m) { ... }   ->   void k(float *a, int n, int m) { riffle_lint_length(a, sizeof *a * (n*m)); ... }
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_LENGTHS_H
#define RIFFLE_MACHINE_LINT_SOURCE_LENGTHS_H

#include <stdbool.h>
#include <stdio.h>

#include "riffle/machine.h"

/** True if a job's kernel, "n::transpose<float, 32>", is the one of that name, "transpose", or NULL. */
bool lint_is_asked(const char *kernel, const char *name, size_t length);

/** Copies the text with the calls. RIFFLE_ERROR_SYNTAX for a length that is not NAME=EXPRESSION, RIFFLE_ERROR_INVALID_ARGUMENT where no
 *  kernel that is asked for has such a parameter. */
riffle_status lint_lengths_write(const char *text, const riffle_lint_job *job, FILE *out);

#endif
