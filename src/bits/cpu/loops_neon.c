/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops with NEON.
 */
#if defined(__aarch64__)
#include <arm_neon.h>

#define VECTOR_BYTES 16
#define VECTOR_TARGET
#define VECTOR_LOOPS_NAME bits_loops_neon

#include "bits/cpu/vector.h"

INLINE_LOOP vector load_turned(const uint8_t *line, size_t at, unsigned turn) {
    static const uint8_t in_order[VECTOR_BYTES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (turn == 0) return load(line + at);
    const uint8x16_t piece = vld1q_u8(line + (at ^ (turn & ~(VECTOR_BYTES - 1U))));
    const uint8x16_t order = veorq_u8(vld1q_u8(in_order), vdupq_n_u8(turn % VECTOR_BYTES));
    return (vector)vqtbl1q_u8(piece, order);
}

#include "bits/cpu/loops.inc"
#endif
