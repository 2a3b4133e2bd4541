/* SPDX-License-Identifier: Apache-2.0
 *
 * For a kernel alone no host code is compiled. Bodies of functions that only the host can run (main, and functions that launch,
 * allocate, copy or use a host library) become blanks. All others compile as they are, for a kernel may call them.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_HOST_CODE_H
#define RIFFLE_MACHINE_LINT_SOURCE_HOST_CODE_H

#include <stddef.h>

/** Blanks them in preprocessed text, in place. */
void lint_blank_host_code(char *text, size_t length);

#endif
