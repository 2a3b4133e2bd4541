/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles on a GPU for the BMMC paper's way to do a program: passes that move, or do one operation.
 */
#ifndef RIFFLE_PROGRAM_FUSED_PAPER_H
#define RIFFLE_PROGRAM_FUSED_PAPER_H

#include "program/pass.h"

/** Compiles the program with tiles that fit a block: as fused_compile. */
riffle_status fused_compile_paper(const riffle_program *program, riffle_type type, size_t shared_bytes,
                                  unsigned block_threads, program_passes *out);

#endif
