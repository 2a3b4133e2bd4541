/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles on a GPU for the BMMC paper's way to do a program: passes that move, or do one operation.
 */
#ifndef RIFFLE_PAPERS_PROGRAM_TILES_H
#define RIFFLE_PAPERS_PROGRAM_TILES_H

#include "program/pass.h"

/** Compiles the program with tiles that fit a block: as fused_compile. */
riffle_status paper_compile_tiles(const riffle_program *program, riffle_type type, size_t shared_bytes,
                                  unsigned block_threads, program_passes *out);

#endif
