/* SPDX-License-Identifier: Apache-2.0
 *
 * The BMMC paper's own way to do a program: operations one by one, and BMMCs between them.
 */
#ifndef RIFFLE_PROGRAM_COMPILE_PAPER_H
#define RIFFLE_PROGRAM_COMPILE_PAPER_H

#include "program/compile/normal.h"
#include "program/pass.h"

/** Its passes, of a normal form in which nothing has cancelled yet. */
size_t paper_count(const program_normal *normal);

/** Passes with stages move nothing, and any other pass moves. */
program_compiler paper_compile;

#endif
