/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a kernel alone no host code is compiled: bodies of functions that can be the host's only (main, and what launches, allocates,
 * copies or uses a library of the host's) become blanks. What does none of that compiles as it is, for a kernel may call it.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_HOST_CODE_H
#define RIFFLE_MACHINE_LINT_SOURCE_HOST_CODE_H

#include <stddef.h>

/** Blanks them in preprocessed text, in place. */
void lint_blank_host_code(char *text, size_t length);

#endif
