/* SPDX-License-Identifier: Apache-2.0
 *
 * What a permutation means for the array of a .npy file: its units are the elements in C order, or with
 * --rows the rows x[0], x[1], ...; unit i goes to place P(i), and a permutation that comes with a shape
 * (transpose, axes) gives it to the output.
 */
#ifndef RIFFLE_CLI_ARRAY_H
#define RIFFLE_CLI_ARRAY_H

#include <stdbool.h>

#include "riffle.h"
#include "riffle/npy.h"

typedef struct array_units {
    uint64_t count; /**< n of the permutation */
    size_t bytes;   /**< of one unit; 0 where the array holds nothing */
} array_units;

/** The units of the array of `length` elements; for rows the rank must be 1 or more. */
array_units array_units_of(const riffle_npy_header *header, uint64_t length, bool rows);

/** True if the elements do not lie in C order. */
bool array_is_fortran(const riffle_npy_header *header);

/** The permutation that brings the elements of a Fortran-order array into C order. */
riffle_status array_to_c_order(const riffle_npy_header *header, riffle_perm **out);

/** The header of the array after `perm` moved its units. False if that has too many dimensions. */
bool array_output_header(const riffle_npy_header *header, const riffle_perm *perm, bool rows,
                         riffle_npy_header *out);

#endif
