/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Dense matrices over F2, the field of 0 and 1, in host memory, and products and transposes on a GPU (docs/f2.md).
 *
 *  @code{.c}
 *  uint64_t words_of_a[999 * 16], words_of_x[999 * 16];            // 16 = riffle_f2_stride(999)
 *  const riffle_f2_matrix a = {999, 999, 16, words_of_a}, x = {999, 999, 16, words_of_x};
 *  riffle_f2_inverse(&x, &a, NULL);                                    // x a = a x = 1
 *  @endcode
 *
 *  Entry (i, j) is bit j % 64 of words[i * stride + j / 64], bit 0 the lowest: on a little-endian machine a row is what NumPy's
 *  packbits(..., bitorder="little") makes, filled up to whole words. Bits of a row's last word behind its last column, the rest, may
 *  be anything where a matrix is read, and are 0 where one is written. Words behind them are neither read nor written.
 *
 *  Results overlap nothing that is read. `options` may be NULL.
 *
 *  Each function fails with RIFFLE_ERROR_LENGTH for more than RIFFLE_F2_MAX rows or columns and for matrices whose sizes do not
 *  suit each other, RIFFLE_ERROR_INVALID_ARGUMENT for NULL, a stride that is too short and memory that overlaps,
 *  RIFFLE_ERROR_OUT_OF_MEMORY without room to work; nothing is written then. */
#ifndef RIFFLE_F2_H
#define RIFFLE_F2_H

#include "riffle/machine.h"

struct CUstream_st;

#ifdef __cplusplus
extern "C" {
#endif

/** Most rows and most columns of a matrix. */
#define RIFFLE_F2_MAX ((uint64_t)1 << 16)

/** A matrix that lies in words of somebody's. */
typedef struct riffle_f2_matrix {
    uint64_t rows;    /**< up to RIFFLE_F2_MAX */
    uint64_t columns; /**< up to RIFFLE_F2_MAX */
    size_t stride;    /**< words from a row to the next, riffle_f2_stride(columns) or more */
    uint64_t *words;  /**< row by row; NULL where there are no entries */
} riffle_f2_matrix;

/** Words that a row of so many columns takes. */
RIFFLE_API size_t riffle_f2_stride(uint64_t columns);

/** Writes the transpose of a to `to`, which has as many rows as a has columns, and as many columns as a has rows. */
RIFFLE_API riffle_status riffle_f2_transpose(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                             const riffle_call_options *options);

/** Writes the product a b to `to`: a is rows x inner, b inner x columns, `to` rows x columns. Tables of the sums of 7 rows
 *  (Arlazarov, Dinic, Kronrod, Faradzhev 1970), below the recursion of Strassen and Winograd where matrices are large. */
RIFFLE_API riffle_status riffle_f2_product(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                           const riffle_f2_matrix *b, const riffle_call_options *options);

/** Finds the rank of a and its profiles. *rank receives the rank. `rows`, unless NULL, receives the row rank profile, ascending:
 *  the rows that are no sum of rows above them. It has room for as many as a has rows or columns, whichever is less. `columns`, unless
 *  NULL, receives the same of columns and of those to their left. */
RIFFLE_API riffle_status riffle_f2_rank_profile(const riffle_f2_matrix *a, uint64_t *rank, uint64_t *rows,
                                                uint64_t *columns, const riffle_call_options *options);

/** Solves a to = b: a is rows x inner, b rows x columns, `to` inner x columns. It writes the solution whose rows are 0
 *  where a's column is not in the column rank profile. RIFFLE_ERROR_SINGULAR if there is none; the detail names a row of b in which
 *  a sum of equations contradicts itself. */
RIFFLE_API riffle_status riffle_f2_solve(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                         const riffle_f2_matrix *b, const riffle_call_options *options);

/** Writes the inverse of the square matrix a to `to`. RIFFLE_ERROR_SINGULAR, with the rank in the detail, if there is none. */
RIFFLE_API riffle_status riffle_f2_inverse(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                           const riffle_call_options *options);

/** Writes a basis of the kernel of a, the vectors x with a x = 0: row k of `to` is the one that has a 1 in the column behind the profile that is
 *  the k-th, and 0 in the others of these. `to` has as many columns as a, and rows for columns - rank of them, or more, which are
 *  left alone; *count receives how many there are. RIFFLE_ERROR_LENGTH names that number where `to` has fewer rows. */
RIFFLE_API riffle_status riffle_f2_kernel(const riffle_f2_matrix *to, uint64_t *count,
                                          const riffle_f2_matrix *a, const riffle_call_options *options);

/** @name On a GPU
 *  The words of all matrices lie in the current GPU's memory, the structs in the host's; strides are at least riffle_f2_stride(columns) there too. Calls are
 *  queued on the stream, allocate nothing, wait for nothing, and may be captured once they have been made. RIFFLE_ERROR_UNSUPPORTED without a GPU.
 *  @{ */

/** riffle_f2_product by tables of the sums of 8 rows in shared memory. */
RIFFLE_API riffle_status riffle_cuda_f2_product(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                                const riffle_f2_matrix *b, struct CUstream_st *stream);
/** riffle_f2_transpose. */
RIFFLE_API riffle_status riffle_cuda_f2_transpose(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                                  struct CUstream_st *stream);

/** Multiplies matrices of the host by the launch that a GPU gets, on the memory machine, compares the result with the host's (RIFFLE_ERROR_INTERNAL if it is
 *  another), and reports every round beside what was predicted. `machine` may be NULL: a machine of width 32. The caller frees *out. */
RIFFLE_API riffle_status riffle_simulate_f2_product(const riffle_f2_matrix *a, const riffle_f2_matrix *b,
                                                    const riffle_machine_options *machine, riffle_report **out);
/** The same of a transpose. */
RIFFLE_API riffle_status riffle_simulate_f2_transpose(const riffle_f2_matrix *a,
                                                      const riffle_machine_options *machine,
                                                      riffle_report **out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
