/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops in vectors of 16 bytes, which each compiler makes of what a processor has.
 */
#define VECTOR_BYTES 16
#define GROUP_FIELDS 8
#define VECTOR_TARGET
#define VECTOR_LOOPS_NAME f2_loops_portable

#include "f2/loops.inc"
