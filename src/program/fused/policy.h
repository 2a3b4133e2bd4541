/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles for a GPU: which sizes let a program be done fastest.
 */
#ifndef RIFFLE_PROGRAM_FUSED_POLICY_H
#define RIFFLE_PROGRAM_FUSED_POLICY_H

#include "program/fused/fused.h"

/** Compiles the program for the best of the policies whose tiles fit a block: as program_compile. */
riffle_status fused_compile(const riffle_program *program, riffle_type type, size_t shared_bytes,
                            unsigned block_threads, program_passes *out);

#endif
