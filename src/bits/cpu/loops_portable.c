/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops in vectors of 16 bytes, which each compiler makes of what a processor has.
 */
#define VECTOR_BYTES 16
#define VECTOR_TARGET
#define VECTOR_LOOPS_NAME bits_loops_portable

#include "bits/cpu/vector.h"

INLINE_LOOP vector load_turned(const uint8_t *line, size_t at, unsigned turn) {
    if (turn == 0) return load(line + at);
    uint8_t bytes[VECTOR_BYTES];
    for (size_t b = 0; b < VECTOR_BYTES; b++) bytes[b] = line[(at + b) ^ turn];
    return load(bytes);
}

#include "bits/cpu/loops.inc"
