/* SPDX-License-Identifier: Apache-2.0
 *
 * The BMMC paper's own way to do a program: operations one by one, and BMMCs between them.
 */
#ifndef RIFFLE_PAPERS_PROGRAM_PAPER_H
#define RIFFLE_PAPERS_PROGRAM_PAPER_H

#include "program/pass.h"

/** Passes with stages move nothing, and any other pass moves. */
program_compiler paper_compile;

#endif
