/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines for any processor.
 */
#include <string.h>

#include "base/half.h"
#include "program/cpu/lines.h"

#define LINE_TARGET
#define LINE_NAME(name) name##_portable

/* Bytes by XOR of their number: words first, then what is within them. */
static void shuffle_portable(void *restrict shuffled, const void *restrict line, const line_stage *s) {
    line_word *const to = shuffled;
    const line_word *const from = line;
    const unsigned lane_xor = s->lane_xor, word_xor = lane_xor / 8;
    for (unsigned w = 0; w < LINE_BYTES / 8; w++) {
        uint64_t word = from[w ^ word_xor];
        if ((lane_xor & 4) != 0) word = word >> 32 | word << 32;
        if ((lane_xor & 2) != 0)
            word = (word >> 16 & UINT64_C(0x0000ffff0000ffff)) | (word & UINT64_C(0x0000ffff0000ffff)) << 16;
        if ((lane_xor & 1) != 0)
            word = (word >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (word & UINT64_C(0x00ff00ff00ff00ff)) << 8;
        to[w] = word;
    }
}

static inline void widen_portable(void *restrict floats, const void *restrict halves) {
    for (unsigned k = 0; k < LINE_BYTES / 2; k++)
        ((float *)floats)[k] = half_to_float(((const uint16_t *)halves)[k]);
}

static inline void narrow_portable(void *restrict halves, const void *restrict floats) {
    for (unsigned k = 0; k < LINE_BYTES / 2; k++)
        ((uint16_t *)halves)[k] = half_from_float(((const float *)floats)[k]);
}

static inline void swap_f32_portable(void *restrict to, const void *restrict from) {
    for (unsigned k = 0; k < LINE_BYTES / sizeof(float); k++) ((float *)to)[k] = ((const float *)from)[k ^ 1];
}

static inline void swap_f64_portable(void *restrict to, const void *restrict from) {
    for (unsigned k = 0; k < LINE_BYTES / sizeof(double); k++)
        ((double *)to)[k] = ((const double *)from)[k ^ 1];
}

static inline void single_portable(void *restrict to, const void *restrict from) {
    for (unsigned k = 0; k < LINE_BYTES / sizeof(float); k++)
        ((float *)to)[k] = (float)((const double *)from)[k];
}

#include "program/cpu/lines.inc"
