/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/matrix/matrix.h"

bool matrix_read(uint64_t descriptor, unsigned bytes, bool turned, matrix *out, unsigned *address) {
    static const unsigned swizzles[] = {0, 128, 64, 32};
    *address = (unsigned)(descriptor << 4) & MATRIX_ADDRESS;
    *out = (matrix){.lead = (unsigned)(descriptor >> 16 << 4) & MATRIX_ADDRESS,
                    .stride = (unsigned)(descriptor >> 32 << 4) & MATRIX_ADDRESS,
                    .swizzle = swizzles[descriptor >> 62],
                    .bytes = bytes,
                    .turned = turned};
    return (descriptor >> 49 & 7) == 0;
}

uintptr_t matrix_place(const matrix *m, unsigned line, unsigned k) {
    const unsigned row = m->swizzle != 0 ? m->swizzle : MATRIX_PIECE;
    const unsigned byte = (m->turned ? line : k) * m->bytes, other = m->turned ? k : line;
    /* Along a row's bytes core matrices are `lead` apart, and across `stride`; turned ones without a swizzle have it the other way. */
    const unsigned along = m->turned && m->swizzle == 0 ? m->stride : m->lead,
                   across = m->turned && m->swizzle == 0 ? m->lead : m->stride;
    const uintptr_t at = m->start + byte % row + byte / row * along + other % 8 * row + other / 8 * across;
    const unsigned turns = row / MATRIX_PIECE - 1;
    return at ^ (at >> 7 & turns) << 4;
}
