/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Histograms of small keys: how often each value of 1 or 2 bytes stands in an array, on CPUs, on GPUs and on the memory machine.
 *
 *  @code{.c}
 *  uint64_t counts[256];
 *  riffle_histogram(n, 1, keys, counts, NULL);
 *  @endcode
 */
#ifndef RIFFLE_HISTOGRAM_H
#define RIFFLE_HISTOGRAM_H

#include "riffle/machine.h"

struct CUstream_st;

#ifdef __cplusplus
extern "C" {
#endif

/** Counts the keys of an array: counts[k] is how often k stands among n unsigned integers of key_bytes bytes. counts has 256 entries
 *  for keys of 1 byte and 65,536 for those of 2, and is written whole. `options` may be NULL. Thread-safe; reads the keys once.
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for key_bytes other than 1 and 2, NULL, keys or counts that are not aligned to their size, or
 *  counts that share memory with the keys; RIFFLE_ERROR_LENGTH for more than RIFFLE_MAX_LENGTH keys; RIFFLE_ERROR_OUT_OF_MEMORY where a thread gets no table of its own (0.5 MiB for keys of 2 bytes).
 *  counts is as it was then. */
RIFFLE_API riffle_status riffle_histogram(uint64_t n, size_t key_bytes, const void *keys, uint64_t *counts,
                                          const riffle_call_options *options);

/** The same on the current GPU, between arrays in its memory: queued on the stream, allocates nothing, waits for nothing and may be
 *  captured once it has been called. RIFFLE_ERROR_UNSUPPORTED without a GPU. */
RIFFLE_API riffle_status riffle_cuda_histogram(uint64_t n, size_t key_bytes, const void *keys, uint64_t *counts,
                                               struct CUstream_st *stream);

/** Counts keys of the host by the launches that a GPU gets, on the memory machine, and compares the counts with the definition.
 *  `options` may be NULL: a machine of width 32. The caller frees *out. */
RIFFLE_API riffle_status riffle_simulate_histogram(uint64_t n, size_t key_bytes, const void *keys,
                                                   const riffle_machine_options *options, riffle_report **out);

#ifdef __cplusplus
}
#endif

#endif
