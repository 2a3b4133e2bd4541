/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Arrays of bits: elements of 1, 2 or 4 bits, packed into bytes, and the bits of longer elements as planes (docs/bits.md).
 *
 *  @code{.c}
 *  uint8_t planes[32 * 1000];                                         // 32 planes of 8,000 bits
 *  riffle_bitshuffle(8000, 32, planes, floats, NULL);                 // bit i of plane p: bit p of floats[i]
 *  riffle_bitunshuffle(8000, 32, floats, planes, NULL);
 *  @endcode
 *
 *  An array of n elements of b bits takes ceil(n b / 8) bytes (riffle_bits_bytes), at any address. Element i of fewer than 8 bits lies in
 *  byte i b / 8. The bits of the last byte that are no element's are the rest: anything where they are read, 0 where they are written.
 */
#ifndef RIFFLE_BITS_H
#define RIFFLE_BITS_H

#include "riffle/machine.h"

struct CUstream_st;

#ifdef __cplusplus
extern "C" {
#endif

/** Which end of a byte its first element lies at. */
typedef enum riffle_bit_order {
    RIFFLE_BIT_ORDER_LITTLE = 0, /**< the lowest bits, as of NumPy's packbits with bitorder "little" */
    RIFFLE_BIT_ORDER_BIG,        /**< the highest bits, as of packbits by default */
} riffle_bit_order;

/** "little", "big". */
RIFFLE_API const char *riffle_bit_order_string(riffle_bit_order order);
/** The order of that name. */
RIFFLE_API riffle_status riffle_bit_order_parse(const char *name, riffle_bit_order *out);
/** Both orders. */
RIFFLE_API size_t riffle_bit_order_list(riffle_bit_order *out, size_t capacity);

/** A caller's wishes. NULL, or zero in every field, gives the defaults. */
typedef struct riffle_bits_options {
    unsigned threads;       /**< most threads; 0: as many as OpenMP gives and as pay */
    riffle_bit_order order; /**< elements', and planes', in their bytes */
    uint64_t batch;         /**< arrays of n elements, each in bytes of its own, side by side; 0: one */
    riffle_engine
        engine; /**< where a plan runs, on the CPU or on the current GPU; bit transpositions have a function for each */
} riffle_bits_options;

/** Bytes that n elements of so many bits take; UINT64_MAX where no array does. */
RIFFLE_API uint64_t riffle_bits_bytes(uint64_t n, uint64_t elem_bits);

/** @name Bit transposition
 *  n elements of w bits become w planes of n bits, one behind the other, each in bytes of its own: bit i of plane p is bit p of element
 *  i, 0 the lowest. That is the bit shuffle of Blosc and of HDF5's filter, where n is the length of their blocks and `batch` their
 *  number. w is 1, 2, 4 or a multiple of 8; elements of 8 bits and more are little-endian, as the processors here have them, and
 *  any n will do.
 *
 *  The order of bits says how elements shorter than a byte lie in theirs, and bits of planes in theirs. `options` may be NULL.
 *  Reads and writes each byte once. Allocates nothing, and takes up to 128 KiB of stack on each thread.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for another w, an order that is none, NULL where there are elements, and arrays that share memory;
 *  RIFFLE_ERROR_LENGTH for more than RIFFLE_MAX_LENGTH elements, or bytes beyond an address. Nothing is written then.
 *  @{ */

/** From elements to planes. */
RIFFLE_API riffle_status riffle_bitshuffle(uint64_t n, uint64_t elem_bits, void *planes, const void *elements,
                                           const riffle_bits_options *options);

/** From planes to elements. */
RIFFLE_API riffle_status riffle_bitunshuffle(uint64_t n, uint64_t elem_bits, void *elements, const void *planes,
                                             const riffle_bits_options *options);

/** The same on the current GPU, between arrays in its memory: queued on the stream, allocates nothing, waits for nothing and may be captured once it
 *  has been called. RIFFLE_ERROR_UNSUPPORTED for elements of less than a byte, and without a GPU. */
RIFFLE_API riffle_status riffle_cuda_bitshuffle(uint64_t n, uint64_t elem_bits, void *planes,
                                                const void *elements, const riffle_bits_options *options,
                                                struct CUstream_st *stream);
/** ... and back. */
RIFFLE_API riffle_status riffle_cuda_bitunshuffle(uint64_t n, uint64_t elem_bits, void *elements,
                                                  const void *planes, const riffle_bits_options *options,
                                                  struct CUstream_st *stream);

/** Transposes bits of arrays of the host by the launches that a GPU gets, on the memory machine, and compares the result with the host's. `options` and
 *  `machine` may be NULL: a machine of width 32. The caller frees *out. */
RIFFLE_API riffle_status riffle_simulate_bitshuffle(uint64_t n, uint64_t elem_bits, const void *elements,
                                                    const riffle_bits_options *options,
                                                    const riffle_machine_options *machine, riffle_report **out);
/** ... and back. */
RIFFLE_API riffle_status riffle_simulate_bitunshuffle(uint64_t n, uint64_t elem_bits, const void *planes,
                                                      const riffle_bits_options *options,
                                                      const riffle_machine_options *machine,
                                                      riffle_report **out);

/** @} */
/** @name Permutations of packed elements
 *  dst[P(i)] = src[i], as riffle.h has it, for elements of 1, 2 or 4 bits: plan once, execute often.
 *  @{ */

/** A permutation made ready for elements of so many bits. Immutable: any threads may execute it at a time. */
typedef struct riffle_bits_plan riffle_bits_plan;

/** Plans moving arrays of riffle_perm_length(perm) packed elements. `options` may be NULL. Affine permutations, rotations and reversals are moved in one pass, axes permutations
 *  in two where the last axes fill bytes, and what moves whole bytes as riffle_plan_create has it; others element by element, with a
 *  table of the inverse where the permutation is one. On a GPU the plan keeps a map of 4 bytes for each element then, 8 from 2^32 on.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for another elem_bits, and an order or engine that is none; RIFFLE_ERROR_LENGTH for bytes beyond an address;
 *  RIFFLE_ERROR_UNSUPPORTED without a GPU that is asked for. */
RIFFLE_API riffle_status riffle_bits_plan_create(const riffle_perm *perm, uint64_t elem_bits,
                                                 const riffle_bits_options *options, riffle_bits_plan **out);

/** Moves an array of host memory, or each of a batch: riffle_bits_bytes(n, elem_bits) bytes each, side by side, at any address. dst and src share no memory.
 *  Allocates nothing, and takes up to 128 KiB of stack on each thread; a GPU's plan carries the arrays there and back. RIFFLE_ERROR_INVALID_ARGUMENT as riffle_execute has it. */
RIFFLE_API riffle_status riffle_bits_execute(const riffle_bits_plan *plan, void *dst, const void *src);

/** The same between arrays in the memory of the plan's GPU: queued on the stream, allocates nothing, waits for nothing and may be captured. Affine maps are
 *  fastest where both begin on 16 bytes. `workspace` is for plans of whole bytes, as riffle_cuda_execute has it; NULL and 0 will do. */
RIFFLE_API riffle_status riffle_cuda_bits_execute(const riffle_bits_plan *plan, void *dst, const void *src,
                                                  void *workspace, size_t workspace_bytes,
                                                  struct CUstream_st *stream);

/** Moves random elements along `perm` on the memory machine by the launches that a GPU of 132 multiprocessors gets, compares the result with the host's
 *  (RIFFLE_ERROR_INTERNAL if it is another), and reports every round beside what was predicted. The machine's width is 32: RIFFLE_ERROR_UNSUPPORTED for
 *  others. Moves of whole bytes are riffle_simulate's. `options` and `machine` may be NULL. */
RIFFLE_API riffle_status riffle_simulate_bits(const riffle_perm *perm, uint64_t elem_bits,
                                              const riffle_bits_options *options,
                                              const riffle_machine_options *machine, riffle_report **out);

/** Says how such elements are moved, and for a GPU, which need not be there, also what each launch is predicted to access and to take on a memory machine.
 *  `explanation` (NULL for defaults) gives of a GPU what riffle_explain_sort takes, and `json` and `measure`; what moves whole bytes is
 *  riffle_explain_as's. */
RIFFLE_API riffle_status riffle_explain_bits(const riffle_perm *perm, uint64_t elem_bits,
                                             const riffle_bits_options *options,
                                             const riffle_explanation *explanation, FILE *stream);

/** Prints how the plan moves. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_bits_plan_explain(const riffle_bits_plan *plan, FILE *stream);

/** Frees the plan. */
RIFFLE_API void riffle_bits_plan_free(riffle_bits_plan *plan);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
