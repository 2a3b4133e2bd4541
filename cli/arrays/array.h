/* SPDX-License-Identifier: Apache-2.0
 *
 * A permutation moves the units of a .npy file's array: the elements in C order, or with --rows the rows x[0], x[1], ...
 * Unit i goes to place P(i). A permutation that comes with a shape (transpose, axes) gives it to the output.
 */
#ifndef RIFFLE_CLI_ARRAYS_ARRAY_H
#define RIFFLE_CLI_ARRAYS_ARRAY_H

#include <stdbool.h>

#include "riffle.h"
#include "riffle/npy.h"

/** An array as it lies in its file, or a part of it. Element i0, i1, ... is the file's number
 *  first + i0 * strides[0] + i1 * strides[1] + ... */
typedef struct array_part {
    riffle_npy_header header; /**< the header of a file that would hold this part and no more, in C order */
    uint64_t length;
    int64_t strides[RIFFLE_MAX_RANK];
    int64_t first;
} array_part;

/** The whole array. */
array_part array_whole(const riffle_npy_header *header, uint64_t length);

/** True if the elements lie one behind the other in C order, from the first on. */
bool array_is_in_c_order(const array_part *part);

typedef struct array_units {
    uint64_t count; /**< n of the permutation */
    size_t bytes;   /**< bytes per unit; 0 where the array holds nothing */
} array_units;

/** The part's first element; the array's elements are at `data`. */
const void *array_first(const array_part *part, const void *data);

/** Copies the part to `to`, in C order. */
riffle_status array_copy(const array_part *part, const void *data, unsigned threads, void *to);

/** Fills *out with the part's elements in C order at a multiple of `align`, a power of two to 64: where they lie, or if they lie otherwise in *copy,
 *  array_bytes from riffle_buffer_create. */
riffle_status array_aligned(const array_part *part, const void *data, size_t align, unsigned threads,
                            void **copy, const void **out);

/** Bytes of the part. */
size_t array_bytes(const array_part *part);

/** The units of the array; for rows the rank must be 1 or more. */
array_units array_units_of(const array_part *part, bool rows);

/** The permutation that brings the elements of a whole array in Fortran order into C order. */
riffle_status array_to_c_order(const riffle_npy_header *header, riffle_perm **out);

/** The header of the array after `perm` moved its units. False if that has too many dimensions. */
bool array_output_header(const riffle_npy_header *header, const riffle_perm *perm, bool rows,
                         riffle_npy_header *out);

/** True if elements are bytes, of dtype uint8, as packed ones are. */
bool array_is_of_bytes(const riffle_npy_header *header);

/** Makes the last axis one of bytes that have elements of so many bits. False where these fill no whole bytes. */
bool array_pack_last_axis(riffle_npy_header *header, unsigned elem_bits);

#endif
