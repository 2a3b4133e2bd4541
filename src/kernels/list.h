/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel, a line each:
 *
 *     KERNEL(name, bytes, arguments)                      the template of that name, for elements of so many bytes
 *     KERNEL_AS(id, name, instance, bytes, arguments)     the same where one template makes several kernels
 *
 * `bytes` is a sum of powers of two, as 4 | 8. A kernel takes b and a, pointers to its elements, and then the
 * arguments, each ARGUMENT(type, name). From here follow enumerators, names and arguments (kernels/kernel.h),
 * and each kernel's instances for GPUs and for the memory machine (kernels/instances.h).
 *
 * Who wants the lines defines KERNEL_AS and ARGUMENT before; without them there are only the types. Kernels of hulls are
 * objects of their own, for which there is ONLY_HULL_KERNELS, and NO_HULL_KERNELS for the others.
 */
#ifndef KERNEL_AS

#include "kernels/affine/affine_exchange.h"
#include "kernels/affine/affine_tile.h"
#include "kernels/axes/axes_box.h"
#include "kernels/axes/strided.h"
#include "kernels/direct/rows.h"
#include "kernels/fused/fused.h"
#include "kernels/hull/hull.h"
#include "kernels/matrix/in_place_lines.h"
#include "kernels/once/once.h"
#include "papers/kernels/bmmc.h"

/* What several kernels take. */
#define ALONG_A_MAP ARGUMENT(const uint32_t *, map) ARGUMENT(uint64_t, n) ARGUMENT(uint32_t, moves)
#define OF_PIECES ARGUMENT(const uint16_t *, order) ARGUMENT(uint64_t, n) ARGUMENT(uint32_t, piece)
#define OF_CHUNKS                                                                                              \
    ARGUMENT(const uint16_t *, order)                                                                          \
    ARGUMENT(const uint32_t *, chunks)                                                                         \
    ARGUMENT(const uint32_t *, first_chunk)                                                                    \
    ARGUMENT(uint64_t, n) ARGUMENT(uint32_t, piece)
#define OF_ROWS ARGUMENT(rows_table, table) ARGUMENT(const void *, map)
#define ONCE ARGUMENT(once_table, table)
#define IN_BLOCK ARGUMENT(uint32_t, n) ARGUMENT(uint32_t, cells) ARGUMENT(uint64_t, repetitions)

/* Without groups, and with (kernels/fused/fused.cu). */
#define FUSED(type, bytes)                                                                                     \
    KERNEL_AS(fused_##type, fused, fused<plain_##type>, bytes, ARGUMENT(fused_table, table))                   \
    KERNEL_AS(fused_##type##_groups, fused, fused<group_##type>, bytes, ARGUMENT(fused_table, table))

#define KERNEL(name, bytes, ...) KERNEL_AS(name, name, name, bytes, __VA_ARGS__)

#else

#ifndef ONLY_HULL_KERNELS
KERNEL(copy, 4 | 8, ARGUMENT(uint64_t, n) ARGUMENT(uint64_t, offset) ARGUMENT(uint32_t, reflected))
KERNEL(scatter, 4 | 8, ALONG_A_MAP)
KERNEL(gather, 4 | 8, ALONG_A_MAP)
KERNEL(reverse_ends, 1 | 2 | 4 | 8 | 16, ARGUMENT(uint64_t, n) ARGUMENT(uint64_t, first))
KERNEL(transpose, 4 | 8, ARGUMENT(uint64_t, rows) ARGUMENT(uint64_t, cols))
KERNEL(row_wise, 4 | 8,
       ARGUMENT(const uint16_t *, s) ARGUMENT(const uint16_t *, d) ARGUMENT(uint32_t, cols)
           ARGUMENT(uint64_t, readable) ARGUMENT(uint64_t, writable))

KERNEL(in_rows, 1 | 2 | 4 | 8 | 16, ARGUMENT(in_rows_table, table))
KERNEL(in_columns, 1 | 2 | 4 | 8 | 16, ARGUMENT(in_columns_table, table))

/* By accesses of 16 bytes, within 4 GiB or more; units are accesses of one element. */
KERNEL_AS(affine_tile_32, affine_tile, affine_tile<vector16>, 1 | 2 | 4 | 8 | 16,
          ARGUMENT(affine_table_32, table))
KERNEL_AS(affine_tile_64, affine_tile, affine_tile<vector16>, 1 | 2 | 4 | 8 | 16,
          ARGUMENT(affine_table_64, table))
KERNEL_AS(affine_units, affine_tile, affine_tile<element>, 1 | 2 | 4 | 8, ARGUMENT(affine_table_64, table))
KERNEL_AS(affine_tile_pair_32, affine_tile_pair, affine_tile_pair<vector16>, 1 | 2 | 4 | 8 | 16,
          ARGUMENT(affine_table_32, table))
KERNEL_AS(affine_tile_pair_64, affine_tile_pair, affine_tile_pair<vector16>, 1 | 2 | 4 | 8 | 16,
          ARGUMENT(affine_table_64, table))
KERNEL_AS(affine_units_pair, affine_tile_pair, affine_tile_pair<element>, 1 | 2 | 4 | 8,
          ARGUMENT(affine_table_64, table))

/* By accesses of 16 bytes, of arrays that do not begin on one. */
KERNEL_AS(affine_shifted_32, affine_shifted, affine_shifted, 1 | 2 | 4 | 8, ARGUMENT(affine_table_32, table))
KERNEL_AS(affine_shifted_64, affine_shifted, affine_shifted, 1 | 2 | 4 | 8, ARGUMENT(affine_table_64, table))
KERNEL_AS(affine_shifted_pair_32, affine_shifted_pair, affine_shifted_pair, 1 | 2 | 4 | 8,
          ARGUMENT(affine_table_32, table))
KERNEL_AS(affine_shifted_pair_64, affine_shifted_pair, affine_shifted_pair, 1 | 2 | 4 | 8,
          ARGUMENT(affine_table_64, table))

KERNEL_AS(affine_exchange_32, affine_exchange, affine_exchange, 16, ARGUMENT(affine_exchange_table_32, table))
KERNEL_AS(affine_exchange_64, affine_exchange, affine_exchange, 16, ARGUMENT(affine_exchange_table_64, table))

/* By elements; by words of several. */
KERNEL(axes_box, 1 | 2 | 4 | 8 | 16, ARGUMENT(axes_table, table))
KERNEL(axes_words, 1 | 2, ARGUMENT(axes_table, table))
KERNEL(axes_vectors, 4 | 8, ARGUMENT(axes_table, table))

/* By accesses of 16 bytes; units are accesses of one element where the array read, or written, begins on no more. */
KERNEL_AS(bucket_first, bucket_first, bucket_first<by_vectors>, 1 | 2 | 4 | 8 | 16, OF_PIECES)
KERNEL_AS(bucket_first_units, bucket_first, bucket_first<by_units>, 1 | 2 | 4 | 8, OF_PIECES)
KERNEL_AS(bucket_first_from_units, bucket_first, bucket_first<from_units>, 1 | 2 | 4 | 8, OF_PIECES)
KERNEL_AS(bucket_next, bucket_next, bucket_next<by_vectors>, 1 | 2 | 4 | 8 | 16, OF_CHUNKS)
KERNEL_AS(bucket_next_from_units, bucket_next, bucket_next<from_units>, 1 | 2 | 4 | 8, OF_CHUNKS)
KERNEL_AS(bucket_next_to_units, bucket_next, bucket_next<to_units>, 1 | 2 | 4 | 8, OF_CHUNKS)

/* Of units as long as an element; words are for rows of units of less than 16 bytes. */
KERNEL(scatter_rows, 1 | 2 | 4 | 8 | 16, OF_ROWS)
KERNEL(gather_rows, 1 | 2 | 4 | 8 | 16, OF_ROWS)
KERNEL(scatter_row_words, 1 | 2 | 4 | 8, OF_ROWS)
KERNEL(gather_row_words, 1 | 2 | 4 | 8, OF_ROWS)

/* Of units, within 2 GiB or more; packed are those of 1 byte, by words those of 1 and 2. */
KERNEL(strided_row, 1 | 2 | 4 | 8 | 16, ARGUMENT(strided_table, table))
KERNEL_AS(strided_parts_32, strided_parts, strided_parts<int32_t>, 1 | 2 | 4 | 8 | 16,
          ARGUMENT(strided_table, table))
KERNEL_AS(strided_parts_64, strided_parts, strided_parts<int64_t>, 1 | 2 | 4 | 8 | 16,
          ARGUMENT(strided_table, table))
KERNEL_AS(strided_packed, strided_packed, strided_packed<uint32_t>, 1, ARGUMENT(strided_table, table))
KERNEL(strided_words, 1 | 2, ARGUMENT(strided_table, table))

/* Along indices used once: of 4 bytes, of 8, or computed. Elements of the first two are low parts. */
KERNEL_AS(once_requests_32, once_requests, once_requests<once_given<uint32_t>>, 2, ONCE)
KERNEL_AS(once_requests_64, once_requests, once_requests<once_given<uint64_t>>, 2, ONCE)
KERNEL_AS(once_indices_32, once_indices, once_indices<once_given<uint32_t>>, 4, ONCE)
KERNEL_AS(once_indices_64, once_indices, once_indices<once_given<uint64_t>>, 4, ONCE)
KERNEL_AS(once_values_32, once_values, once_values<once_given<uint32_t>>, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL_AS(once_values_64, once_values, once_values<once_given<uint64_t>>, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL_AS(once_values_random, once_values, once_values<once_random>, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL(once_span_sums, 4, ONCE)
KERNEL(once_tile_sums, 4, ONCE)
KERNEL(once_tile_begins, 4, ONCE)
KERNEL(once_run_begins, 4, ONCE)
KERNEL(once_run_lists, 4, ONCE)
KERNEL(once_answer, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL(once_look_up, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL(once_collect, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL(once_place, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL_AS(once_mark_32, once_mark, once_mark<uint32_t>, 4, ONCE)
KERNEL_AS(once_mark_64, once_mark, once_mark<uint64_t>, 4, ONCE)
KERNEL_AS(once_gather_32, once_gather, once_gather<uint32_t>, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL_AS(once_gather_64, once_gather, once_gather<uint64_t>, 1 | 2 | 4 | 8 | 16, ONCE)
KERNEL(once_write_random, 4, ONCE)
/* A fused pass of an array program, for each type of elements. */
FUSED(i8, 1)
FUSED(i16, 2)
FUSED(i32, 4)
FUSED(i64, 8)
FUSED(u8, 1)
FUSED(u16, 2)
FUSED(u32, 4)
FUSED(u64, 8)
FUSED(f16, 2)
FUSED(f32, 4)
FUSED(f64, 8)
FUSED(c64, 8)
FUSED(c128, 16)
KERNEL_AS(fused_f16_pairs, fused, fused<plain_f16_pair>, 4, ARGUMENT(fused_table, table))

KERNEL(bmmc_naive, 4 | 8, ARGUMENT(bmmc_table, table))
KERNEL(bmmc_tile, 4 | 8, ARGUMENT(bmmc_table, table))
KERNEL(bmmc_tile_banks, 4 | 8, ARGUMENT(bmmc_table, table))
KERNEL(bmmc_tile_iters, 4 | 8, ARGUMENT(bmmc_table, table))
KERNEL(bmmc_tile_banks_iters, 4 | 8, ARGUMENT(bmmc_table, table))

KERNEL(copy_in_block, 4 | 8, IN_BLOCK)
KERNEL(scatter_in_block, 4 | 8, ARGUMENT(const uint16_t *, map) IN_BLOCK)
KERNEL(gather_in_block, 4 | 8, ARGUMENT(const uint16_t *, map) IN_BLOCK)
KERNEL(conflict_free_in_block, 4 | 8, ARGUMENT(const uint16_t *, s) ARGUMENT(const uint16_t *, d) IN_BLOCK)
#endif

#ifndef NO_HULL_KERNELS
#include "kernels/hull/list.h"
#endif

#undef KERNEL_AS
#undef ARGUMENT
#endif
