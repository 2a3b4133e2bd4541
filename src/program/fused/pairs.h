/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass said of pairs of neighbours, of elements that are so short that two of them are worth one register: bit 0 of
 * every index goes. That can be done where no stage looks at it, but for those between the two elements of all pairs.
 */
#ifndef RIFFLE_PROGRAM_FUSED_PAIRS_H
#define RIFFLE_PROGRAM_FUSED_PAIRS_H

#include "program/pass.h"

/** True if the pass can be said of pairs. */
bool pairs_can(const program_pass *pass);

/** Makes it; a stage between the elements of pairs has 0 bits there. out->stages is to be freed. */
riffle_status pairs_make(const program_pass *pass, program_pass *out);

#endif
