/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops with AVX-512: tables of 32 KiB, by half as many fields.
 */
#if defined(__x86_64__)
#define VECTOR_BYTES 64
#define GROUP_FIELDS 4
#define VECTOR_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define VECTOR_LOOPS_NAME f2_loops_avx512

#include "f2/loops.inc"
#endif
