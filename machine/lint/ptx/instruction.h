/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction of PTX as C++ on the functions of cuda/ptx.h.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_INSTRUCTION_H
#define RIFFLE_MACHINE_LINT_PTX_INSTRUCTION_H

#include <stdbool.h>
#include <stdio.h>

/** Writes an instruction without its ';', "add.u32 %0, %1, 5", or a declaration of registers; false if it is not known, and
 *  something of it may have been written. Changes the text. */
bool lint_ptx_instruction(char *text, FILE *out);

#endif
