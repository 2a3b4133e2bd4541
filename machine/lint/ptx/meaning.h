/* SPDX-License-Identifier: Apache-2.0
 *
 * The meanings of plain instructions, as C++. In a text, $k is operand k in the instruction's first type, #k as an unsigned number,
 * !k as a truth, %k as it is, ^k the address in its brackets; @ and & are the first and the second type.
 * A key that ends in ~ is that of .rz, .rm, .rp, and in its text ~ is how to round:
 *
 *     mad.lo.u32 %0, %1, %2, 5      "mad.lo"  $1 * $2 + $3      riffle_p0 = ... as<unsigned>(riffle_p1) * ...
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_MEANING_H
#define RIFFLE_MACHINE_LINT_PTX_MEANING_H

#include <stdbool.h>

/** Operand 0 is the target; where `target` is false there is none. */
typedef struct ptx_meaning {
    const char *key; /**< the instruction's name without its types, spaces and hints */
    unsigned operands;
    bool target;
    const char *text;
} ptx_meaning;

/** NULL if the instruction with so many operands is none of these. */
const ptx_meaning *ptx_meaning_of(const char *key, unsigned operands);

#endif
