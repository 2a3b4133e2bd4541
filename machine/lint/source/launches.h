/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel launches, k<<<grid, block>>>(args), which no C++ compiler knows.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_LAUNCHES_H
#define RIFFLE_MACHINE_LINT_SOURCE_LAUNCHES_H

#include <stddef.h>
#include <stdio.h>

/** Copies the text with each launch as a call of cuda/launch.h's configure, and with the names of kernels that a call takes by their
 *  addresses. Strings, character constants and `operator<<<` are left alone. */
void lint_write_launches(const char *text, size_t length, FILE *out);

/** Behind the string or character constant that begins at `at` of a text, which can hold no code; `at` itself if none does. */
const char *lint_behind_constant(const char *text, const char *at, const char *end);

/** The next place after `at` that is within no constant: behind the one that begins here, or the next character. */
static inline const char *lint_next_place(const char *text, const char *at, const char *end) {
    const char *behind = lint_behind_constant(text, at, end);
    return behind > at ? behind : at + 1;
}

#endif
