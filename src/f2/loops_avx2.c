/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops with AVX2: tables of 32 KiB.
 */
#if defined(__x86_64__)
#define VECTOR_BYTES 32
#define GROUP_FIELDS 8
#define VECTOR_TARGET __attribute__((target("avx2")))
#define VECTOR_LOOPS_NAME f2_loops_avx2

#include "f2/loops.inc"
#endif
