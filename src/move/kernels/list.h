/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of moves, a line each:
 *
 *     KERNEL(name, bytes, takes)                      the template of that name, for elements of so many bytes
 *     KERNEL_AS(id, name, instance, bytes, takes)     the same where one template makes several kernels
 *     SIGNATURE(takes)                                what some of them take behind the arrays: TAKES_takes
 *
 * `bytes` is a sum of powers of two, as 4 | 8. A kernel takes b and a, pointers to its elements, and then the arguments of
 * TAKES_takes, each ARGUMENT(type, name). From here follow records, arguments and a function that appends a launch
 * (move/kernels/kernel.h), and each kernel's instances for GPUs and for the memory machine (device/kernels/instances.h). The lists of
 * the other families (device/families.h) are written likewise.
 *
 * Who wants the lines defines KERNEL_AS, SIGNATURE and ARGUMENT before; without them there are only the types.
 */
#ifndef KERNEL_AS

#include "device/kernels/rows.h"
#include "move/kernels/affine/affine_checked.h"
#include "move/kernels/affine/affine_exchange.h"
#include "move/kernels/affine/affine_tile.h"
#include "move/kernels/axes/axes_box.h"
#include "move/kernels/axes/strided.h"
#include "move/kernels/bucket/bucket_between.h"
#include "move/kernels/matrix/in_place_lines.h"
#include "papers/kernels/bmmc.h"

#define TAKES_copy ARGUMENT(uint64_t, n) ARGUMENT(uint64_t, offset) ARGUMENT(uint32_t, reflected)
#define TAKES_map ARGUMENT(const uint32_t *, map) ARGUMENT(uint64_t, n) ARGUMENT(uint32_t, moves)
#define TAKES_reverse_ends ARGUMENT(uint64_t, n) ARGUMENT(uint64_t, first)
#define TAKES_transpose ARGUMENT(uint64_t, rows) ARGUMENT(uint64_t, cols)
#define TAKES_row_wise                                                                                         \
    ARGUMENT(const uint16_t *, s)                                                                              \
    ARGUMENT(const uint16_t *, d)                                                                              \
    ARGUMENT(uint32_t, cols) ARGUMENT(uint64_t, readable) ARGUMENT(uint64_t, writable)
#define TAKES_in_rows ARGUMENT(in_rows_table, table)
#define TAKES_in_columns ARGUMENT(in_columns_table, table)
#define TAKES_affine_32 ARGUMENT(affine_table_32, table)
#define TAKES_affine_64 ARGUMENT(affine_table_64, table)
#define TAKES_affine_checked_32 ARGUMENT(affine_checked_table_32, table)
#define TAKES_affine_checked_64 ARGUMENT(affine_checked_table_64, table)
#define TAKES_affine_parts ARGUMENT(affine_parts_table, table)
#define TAKES_exchange_32 ARGUMENT(affine_exchange_table_32, table)
#define TAKES_exchange_64 ARGUMENT(affine_exchange_table_64, table)
#define TAKES_axes ARGUMENT(axes_table, table)
#define TAKES_pieces ARGUMENT(const uint16_t *, order) ARGUMENT(uint64_t, n) ARGUMENT(uint32_t, piece)
#define TAKES_chunks                                                                                           \
    ARGUMENT(const uint16_t *, order)                                                                          \
    ARGUMENT(const uint32_t *, chunks)                                                                         \
    ARGUMENT(const uint32_t *, first_chunk)                                                                    \
    ARGUMENT(uint64_t, n) ARGUMENT(uint32_t, piece)
#define TAKES_pieces_checked TAKES_pieces ARGUMENT(bucket_between, between)
#define TAKES_chunks_checked TAKES_chunks ARGUMENT(bucket_between, between)
#define TAKES_rows ARGUMENT(rows_table, table) ARGUMENT(const void *, map)
#define TAKES_strided ARGUMENT(strided_table, table)
#define TAKES_bmmc ARGUMENT(bmmc_table, table)
#define TAKES_copy_in_block ARGUMENT(uint32_t, n) ARGUMENT(uint32_t, cells) ARGUMENT(uint64_t, repetitions)
#define TAKES_map_in_block ARGUMENT(const uint16_t *, map) TAKES_copy_in_block
#define TAKES_order_in_block ARGUMENT(const uint16_t *, s) ARGUMENT(const uint16_t *, d) TAKES_copy_in_block

#define KERNEL(name, bytes, takes) KERNEL_AS(name, name, name, bytes, takes)

#else

SIGNATURE(copy)
SIGNATURE(map)
SIGNATURE(reverse_ends)
SIGNATURE(transpose)
SIGNATURE(row_wise)
SIGNATURE(in_rows)
SIGNATURE(in_columns)
SIGNATURE(affine_32)
SIGNATURE(affine_64)
SIGNATURE(affine_checked_32)
SIGNATURE(affine_checked_64)
SIGNATURE(affine_parts)
SIGNATURE(exchange_32)
SIGNATURE(exchange_64)
SIGNATURE(axes)
SIGNATURE(pieces)
SIGNATURE(chunks)
SIGNATURE(pieces_checked)
SIGNATURE(chunks_checked)
SIGNATURE(rows)
SIGNATURE(strided)
SIGNATURE(bmmc)
SIGNATURE(copy_in_block)
SIGNATURE(map_in_block)
SIGNATURE(order_in_block)

KERNEL(copy, 1 | 2 | 4 | 8 | 16, copy)
KERNEL(scatter, 4 | 8, map)
KERNEL(gather, 4 | 8, map)
KERNEL(reverse_ends, 1 | 2 | 4 | 8 | 16, reverse_ends)
KERNEL(transpose, 4 | 8, transpose)
KERNEL(row_wise, 4 | 8, row_wise)

KERNEL(in_rows, 1 | 2 | 4 | 8 | 16, in_rows)
KERNEL(in_columns, 1 | 2 | 4 | 8 | 16, in_columns)

/* By accesses of 16 bytes, within 4 GiB or more; units are accesses of one element. */
KERNEL_AS(affine_tile_32, affine_tile, affine_tile<vector16>, 1 | 2 | 4 | 8 | 16, affine_32)
KERNEL_AS(affine_tile_64, affine_tile, affine_tile<vector16>, 1 | 2 | 4 | 8 | 16, affine_64)
KERNEL_AS(affine_units, affine_tile, affine_tile<element>, 1 | 2 | 4 | 8, affine_64)
KERNEL_AS(affine_tile_pair_32, affine_tile_pair, affine_tile_pair<vector16>, 1 | 2 | 4 | 8 | 16, affine_32)
KERNEL_AS(affine_tile_pair_64, affine_tile_pair, affine_tile_pair<vector16>, 1 | 2 | 4 | 8 | 16, affine_64)
KERNEL_AS(affine_units_pair, affine_tile_pair, affine_tile_pair<element>, 1 | 2 | 4 | 8, affine_64)

/* The same, whose words are added to a check's record as they are read. */
KERNEL_AS(affine_checked_32, affine_checked, affine_checked, 1 | 2 | 4 | 8 | 16, affine_checked_32)
KERNEL_AS(affine_checked_64, affine_checked, affine_checked, 1 | 2 | 4 | 8 | 16, affine_checked_64)

/* The same of a part of an array, into all parts. */
KERNEL_AS(affine_to_parts, affine_to_parts, affine_to_parts<vector16>, 1 | 2 | 4 | 8 | 16, affine_parts)
KERNEL_AS(affine_units_to_parts, affine_to_parts, affine_to_parts<element>, 1 | 2 | 4 | 8, affine_parts)
KERNEL_AS(affine_send, affine_send, affine_send<vector16>, 1 | 2 | 4 | 8 | 16, affine_parts)
KERNEL_AS(affine_units_send, affine_send, affine_send<element>, 1 | 2 | 4 | 8, affine_parts)

/* By accesses of 16 bytes, of arrays that do not begin on one. */
KERNEL_AS(affine_shifted_32, affine_shifted, affine_shifted, 1 | 2 | 4 | 8, affine_32)
KERNEL_AS(affine_shifted_64, affine_shifted, affine_shifted, 1 | 2 | 4 | 8, affine_64)
KERNEL_AS(affine_shifted_pair_32, affine_shifted_pair, affine_shifted_pair, 1 | 2 | 4 | 8, affine_32)
KERNEL_AS(affine_shifted_pair_64, affine_shifted_pair, affine_shifted_pair, 1 | 2 | 4 | 8, affine_64)

KERNEL_AS(affine_exchange_32, affine_exchange, affine_exchange, 16, exchange_32)
KERNEL_AS(affine_exchange_64, affine_exchange, affine_exchange, 16, exchange_64)

/* By elements; by words of several. */
KERNEL(axes_box, 1 | 2 | 4 | 8 | 16, axes)
KERNEL(axes_words, 1 | 2, axes)
KERNEL(axes_vectors, 4 | 8, axes)

/* By accesses of 16 bytes; units are accesses of one element where the array read, or written, begins on no more. */
KERNEL_AS(bucket_first, bucket_first, bucket_first<by_vectors>, 1 | 2 | 4 | 8 | 16, pieces)
KERNEL_AS(bucket_first_units, bucket_first, bucket_first<by_units>, 1 | 2 | 4 | 8, pieces)
KERNEL_AS(bucket_first_from_units, bucket_first, bucket_first<from_units>, 1 | 2 | 4 | 8, pieces)
KERNEL_AS(bucket_next, bucket_next, bucket_next<by_vectors>, 1 | 2 | 4 | 8 | 16, chunks)
KERNEL_AS(bucket_next_from_units, bucket_next, bucket_next<from_units>, 1 | 2 | 4 | 8, chunks)
KERNEL_AS(bucket_next_to_units, bucket_next, bucket_next<to_units>, 1 | 2 | 4 | 8, chunks)

/* The same, whose vectors between passes are added to a check's record. */
KERNEL_AS(bucket_first_checked, bucket_first_checked, bucket_first_checked<by_vectors>, 1 | 2 | 4 | 8 | 16,
          pieces_checked)
KERNEL_AS(bucket_first_checked_units, bucket_first_checked, bucket_first_checked<by_units>, 1 | 2 | 4 | 8,
          pieces_checked)
KERNEL_AS(bucket_next_checked, bucket_next_checked, bucket_next_checked<by_vectors>, 1 | 2 | 4 | 8 | 16,
          chunks_checked)
KERNEL_AS(bucket_next_checked_from_units, bucket_next_checked, bucket_next_checked<from_units>, 1 | 2 | 4 | 8,
          chunks_checked)
KERNEL_AS(bucket_last_checked, bucket_last_checked, bucket_last_checked<by_vectors>, 1 | 2 | 4 | 8 | 16,
          chunks_checked)
KERNEL_AS(bucket_last_checked_to_units, bucket_last_checked, bucket_last_checked<to_units>, 1 | 2 | 4 | 8,
          chunks_checked)

/* Units as long as an element; words are for rows of units of less than 16 bytes. */
KERNEL(scatter_rows, 1 | 2 | 4 | 8 | 16, rows)
KERNEL(gather_rows, 1 | 2 | 4 | 8 | 16, rows)
KERNEL(scatter_row_words, 1 | 2 | 4 | 8, rows)
KERNEL(gather_row_words, 1 | 2 | 4 | 8, rows)

/* Units, within 2 GiB or more; packed ones have 1 byte, those by words 1 or 2. */
KERNEL(strided_row, 1 | 2 | 4 | 8 | 16, strided)
KERNEL_AS(strided_parts_32, strided_parts, strided_parts<int32_t>, 1 | 2 | 4 | 8 | 16, strided)
KERNEL_AS(strided_parts_64, strided_parts, strided_parts<int64_t>, 1 | 2 | 4 | 8 | 16, strided)
KERNEL_AS(strided_packed, strided_packed, strided_packed<uint32_t>, 1, strided)
KERNEL(strided_words, 1 | 2, strided)

KERNEL(bmmc_naive, 4 | 8, bmmc)
KERNEL(bmmc_tile, 4 | 8, bmmc)
KERNEL(bmmc_tile_banks, 4 | 8, bmmc)
KERNEL(bmmc_tile_iters, 4 | 8, bmmc)
KERNEL(bmmc_tile_banks_iters, 4 | 8, bmmc)

KERNEL(copy_in_block, 4 | 8, copy_in_block)
KERNEL(scatter_in_block, 4 | 8, map_in_block)
KERNEL(gather_in_block, 4 | 8, map_in_block)
KERNEL(conflict_free_in_block, 4 | 8, order_in_block)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
