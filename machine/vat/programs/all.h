/* SPDX-License-Identifier: Apache-2.0
 *
 * All programs and the choice among them. Whoever includes this has defined
 *
 *     cells                                        the array, passed by value
 *     uint64_t load(cells, uint64_t i)             its element i
 *     void store(cells, uint64_t i, uint64_t v)
 *
 * and nothing but these touches the array.
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_ALL_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_ALL_H

#include "machine/vat/programs/heap.h"
#include "machine/vat/programs/introsort.h"
#include "machine/vat/programs/multiply.h"
#include "machine/vat/programs/permute.h"
#include "machine/vat/programs/program.h"
#include "machine/vat/programs/scan.h"
#include "machine/vat/programs/search.h"
#include "machine/vat/programs/transpose.h"

/** Runs a program that program_check has let pass; returns its checksum. */
static uint64_t run_program(riffle_vat_program program, uint64_t n, uint64_t seed, cells a) {
    const uint64_t size = program_size(program, n);
    switch (program) {
    case RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN: return sequential_scan(a, size);
    case RIFFLE_VAT_PROGRAM_RANDOM_SCAN: return random_scan(a, size, seed);
    case RIFFLE_VAT_PROGRAM_PERMUTE: return permute(a, size, seed);
    case RIFFLE_VAT_PROGRAM_BINARY_SEARCH: return binary_search(a, size, seed);
    case RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS: return van_emde_boas_search(a, size, n, seed);
    case RIFFLE_VAT_PROGRAM_HEAPIFY: return heapify(a, 0, size);
    case RIFFLE_VAT_PROGRAM_HEAPSORT: return heapsort(a, 0, size);
    case RIFFLE_VAT_PROGRAM_INTROSORT: return introsort(a, size);
    case RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS: return transpose_rows(a, program_side(n));
    case RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE: return transpose_recursive(a, size);
    case RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS: return multiply_rows(a, program_side(n));
    case RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE: return multiply_recursive(a, size);
    case RIFFLE_VAT_PROGRAM_COUNT: break;
    }
    return 0;
}

#endif
