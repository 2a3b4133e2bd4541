/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX in preprocessed text, made C++:
 *
 *     asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
 *     ->  do { auto &riffle_p0 = (d); auto riffle_p1 = (a); ...
 *              riffle_p0 = to<...>(lop3(as<unsigned>(riffle_p1), ...)); } while (0);
 *
 * A statement with an instruction that is not known becomes a call of a function that is declared as an error, so that it is one
 * only where it would be compiled. Assembler of the host's is left as it is.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_STATEMENT_H
#define RIFFLE_MACHINE_LINT_PTX_STATEMENT_H

#include <stddef.h>
#include <stdio.h>

/** Copies the text, which ends with a NUL, rewritten; each line stays where it is. */
void lint_ptx_write(const char *text, size_t length, FILE *out);

/** In a compiler's error of such a call: what stands before the instruction, and behind it. */
#define LINT_PTX_LACKS "inline PTX `"
#define LINT_PTX_LACKS_END "` is not supported"

/** Prefixes of the names of operands (a number follows) and of registers. A missing operand is a register without a name. */
#define LINT_PTX_OPERAND "riffle_p"
#define LINT_PTX_REGISTER "riffle_r_"

#endif
