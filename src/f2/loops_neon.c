/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops with NEON.
 */
#if defined(__aarch64__)
#define VECTOR_BYTES 16
#define GROUP_FIELDS 8
#define VECTOR_TARGET
#define VECTOR_LOOPS_NAME f2_loops_neon

#include "f2/loops.inc"
#endif
