/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of compilers' texts and names share.
 */
#ifndef RIFFLE_MACHINE_LINT_TEXT_H
#define RIFFLE_MACHINE_LINT_TEXT_H

#include <stdbool.h>
#include <string.h>

static inline bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

#endif
