/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds whether a program declares structures with a member x. Then ".x" in its source need not be a member of CUDA's vectors,
 * which a compiler knows to be aligned.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_MEMBERS_H
#define RIFFLE_MACHINE_LINT_SOURCE_MEMBERS_H

#include <stdbool.h>

/** Takes preprocessed text. Declarations in system headers do not count. */
bool lint_declares_member_x(const char *text);

#endif
