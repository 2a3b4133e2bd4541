/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of elements in the opposite order: what reflections are made of.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_REVERSE_RUN_REVERSE_RUN_H
#define RIFFLE_MOVE_CPU_PASSES_REVERSE_RUN_REVERSE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/processor/vectors.h"

/** dst[0..count) = the `count` elements that end at src_end, last one first; with `stream`, past the caches. */
typedef void reverse_run(char *dst, const char *src_end, uint64_t count, size_t elem_bytes, bool stream);

/** Element by element, of any size. */
reverse_run reverse_run_portable;

/* By vectors: elements of up to 16 bytes, streamed where they have 1, 2, 4, 8 or 16; longer ones as above. */
#if defined(__x86_64__)
reverse_run reverse_run_ssse3, reverse_run_avx2;
#elif defined(__aarch64__)
reverse_run reverse_run_neon;
#endif

/** By set of instructions; NULL where there are none. */
extern reverse_run *const reverse_runs[VECTOR_SETS];

#endif
