/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/bucket_rows/bucket_rows.h"

#define VECTOR_TARGET
#define VECTOR_INLINE ALWAYS_INLINE
#define VECTOR_NAME(name) name##_portable

VECTOR_INLINE void line_of_odd(char *to, const char *in, const uint16_t *order, uint16_t odd) {
    _Alignas(ROWS_LINE_BYTES) char line[ROWS_LINE_BYTES];
    for (size_t e = 0; e < ROWS_LINE_BYTES / 4; e++)
        memcpy(line + 4 * e, in + ((size_t)order[e] << 1 | ((uint32_t)odd >> e & 1U)) * 4, 4);
    stream_copy(to, line, ROWS_LINE_BYTES);
}

#include "move/cpu/passes/bucket_rows/bucket_rows_pieces.inc"
