/* SPDX-License-Identifier: Apache-2.0
 *
 * #pragma within a line: nvcc takes what a macro's text has there, and no C++ compiler does.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_PRAGMAS_H
#define RIFFLE_MACHINE_LINT_SOURCE_PRAGMAS_H

#include <stddef.h>
#include <stdio.h>

/** Copies the text without "#pragma unroll" that does not begin a line, and the number behind it. */
void lint_pragmas_write(const char *text, size_t length, FILE *out);

#endif
