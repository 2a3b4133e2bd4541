/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a program has structures of its own with a member x, so that ".x" in its source may be another's than that of
 * CUDA's vectors, which a compiler knows to be aligned.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_MEMBERS_H
#define RIFFLE_MACHINE_LINT_SOURCE_MEMBERS_H

#include <stdbool.h>

/** Of preprocessed text: what stands in the system's headers does not count. */
bool lint_declares_member_x(const char *text);

#endif
