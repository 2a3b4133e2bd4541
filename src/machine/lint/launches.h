/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel launches in a file's host code, k<<<grid, block>>>(args), which no C++ compiler knows. Host code only
 * has to compile, so what stands from <<< to >>> is blanked: a plain call is left.
 */
#ifndef RIFFLE_MACHINE_LINT_LAUNCHES_H
#define RIFFLE_MACHINE_LINT_LAUNCHES_H

#include <stddef.h>

/** Blanks the launches of preprocessed C++ in place; newlines stay. Strings, character constants and
 *  `operator<<<` are left alone. */
void lint_blank_launches(char *text, size_t length);

#endif
