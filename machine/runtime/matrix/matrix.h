/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix in shared memory as wgmma's descriptors tell it (PTX, "Matrix Descriptor Format"): pieces of 16 bytes, eight to a core matrix, at distances that the
 * descriptor has, their places turned about within rows of 32, 64 or 128 bytes by bits of the address.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_MATRIX_MATRIX_H
#define RIFFLE_MACHINE_RUNTIME_MATRIX_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/** Bits of an address in shared memory that a descriptor has; the lowest four are 0. */
enum { MATRIX_ADDRESS = 0x3ffff, MATRIX_PIECE = 16 };

typedef struct matrix {
    uintptr_t start;
    unsigned lead, stride; /**< bytes between core matrices, along k and across it, or the other way */
    unsigned swizzle;      /**< bytes of a row: 32, 64, 128; 0: as they lie */
    unsigned bytes;        /**< of an element */
    bool turned;           /**< rows of A, or columns of B, are neighbours, in place of k */
} matrix;

/** What a descriptor says, but for where the matrix begins; *address has the bits of that. False if it has an offset of its pattern, which the machine lacks. */
bool matrix_read(uint64_t descriptor, unsigned bytes, bool turned, matrix *out, unsigned *address);

/** Where the element k of a row of A, or a column of B, is. */
uintptr_t matrix_place(const matrix *m, unsigned line, unsigned k);

#endif
