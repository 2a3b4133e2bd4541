/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a .npy file, from and to memory (NEP 1, numpy.lib.format):
 *
 *     93 N U M P Y | major minor | length, little endian: 2 bytes in 1.0, 4 in 2.0 and 3.0
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   spaces   newline
 *     elements, from a multiple of 64 on where NumPy 1.16 or later or this library wrote it
 */
#ifndef RIFFLE_NPY_HEADER_H
#define RIFFLE_NPY_HEADER_H

#include "riffle/npy.h"

/** Reads the header that the `available` bytes begin with. *data_at is where the elements begin, at most
 *  `available`. `name` stands in messages. Free *out with npy_header_free. */
riffle_status npy_header_read(const char *name, const void *bytes, size_t available, riffle_npy_header *out,
                              size_t *data_at);

/** The bytes of a header as NumPy writes them, in the oldest version that can hold it; free *bytes with
 *  free(). RIFFLE_ERROR_INVALID_ARGUMENT if the fields contradict each other or are out of range. */
riffle_status npy_header_write(const char *name, const riffle_npy_header *header, char **bytes, size_t *length);

/** The product of the shape, and the bytes of so many elements. Fails with `failure` where they are beyond
 *  what a file can hold, even where a dimension of 0 would hide it. */
riffle_status npy_header_size(riffle_status failure, const char *name, const riffle_npy_header *header,
                              uint64_t *length, size_t *bytes);

void npy_header_free(riffle_npy_header *header);

#endif
