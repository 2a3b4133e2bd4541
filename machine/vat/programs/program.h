/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the full-speed run and the reporting replay of a program share: its limits and its shape.
 *
 * Each program is one source (scan.h, permute.h, search.h, heap.h, introsort.h, transpose.h, multiply.h, gathered by
 * all.h), written in terms of load() and store(). run.c compiles them with plain array accesses, replay.c with
 * accesses that are reported to the model besides. Locals and the call stack are registers to the model: they
 * are not reported.
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_PROGRAM_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_PROGRAM_H

#include "riffle/vat.h"

/** RIFFLE_ERROR_INVALID_ARGUMENT if there is no such program, RIFFLE_ERROR_LENGTH if n > RIFFLE_MAX_LENGTH. */
riffle_status program_check(riffle_vat_program program, uint64_t n);

/** The largest size up to n that the program has: n, the largest square for what goes row by row, the
 *  largest power of four for what is recursive, 2^h - 1 keys for the van Emde Boas layout (which is still
 *  searched n times). */
uint64_t program_size(riffle_vat_program program, uint64_t n);

/** How many arrays of that size the program works on; of several the last is written. */
unsigned program_arrays(riffle_vat_program program);

/** The side of the largest square matrix with at most n elements. */
uint64_t program_side(uint64_t n);

#endif
