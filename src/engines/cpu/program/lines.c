/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/program/lines.h"

#include <string.h>

const line_operations *line_operations_best(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")) {
        return &line_operations_avx512;
    }
#endif
    return &line_operations_portable;
}

void line_cross_places(const line_group *g, unsigned bits, uint64_t u, uint32_t *at) {
    uint32_t first = 0;
    for (unsigned t = 0; t < bits; t++)
        if (functional_at(g->stages[t].stage->position[0], u) != 0) first ^= g->offset[1U << t];
    for (unsigned r = 0; r < 1U << bits; r++) at[r] = first ^ g->offset[r];
}

void line_kernel_plain(const line_stage *s, void *x, void *y, uint64_t i) {
    const size_t bytes = riffle_type_bytes(s->type);
    _Alignas(16) char elements[32];
    for (unsigned l = 0; l < LINE_BYTES / bytes; l++) {
        memcpy(elements, (char *)x + l * bytes, bytes);
        memcpy(elements + bytes, (char *)y + l * bytes, bytes);
        op_apply(&s->stage->op, s->type, i ^ s->lane_index[l], elements);
        memcpy((char *)x + l * bytes, elements, bytes);
        memcpy((char *)y + l * bytes, elements + bytes, bytes);
    }
}

void line_kernel_own(const line_stage *s, void *x, void *y, uint64_t i) {
    s->own((void *const[]){x, y}, s->lane_index, i);
}

typedef struct root {
    double re, im;
} root;

static root root_at(const line_roots *roots, uint64_t i) {
    i &= ((uint64_t)1 << roots->bits) - 1;
    const double *const low = roots->low[i & (((uint64_t)1 << roots->low_bits) - 1)];
    const double *const high = roots->high[i >> roots->low_bits];
    const double re = low[0] * high[0] - low[1] * high[1], im = low[0] * high[1] + low[1] * high[0];
    return (root){re, roots->inverse ? -im : im};
}

#define TURN(name, real)                                                                                       \
    static void name(const line_stage *s, real *x, real *y, uint64_t i) {                                      \
        const bool sums = s->stage->op.kind == RIFFLE_OP_TWIDDLE;                                              \
        for (unsigned l = 0; l < LINE_BYTES / sizeof(real); l += 2) {                                          \
            const root w = root_at(&s->roots, i ^ s->lane_index[l / 2]);                                       \
            const real re = (real)w.re, im = (real)w.im;                                                       \
            const real turned_re = y[l] * re - y[l + 1] * im, turned_im = y[l] * im + y[l + 1] * re;           \
            y[l] = sums ? x[l] - turned_re : turned_re;                                                        \
            y[l + 1] = sums ? x[l + 1] - turned_im : turned_im;                                                \
            x[l] = sums ? x[l] + turned_re : x[l];                                                             \
            x[l + 1] = sums ? x[l + 1] + turned_im : x[l + 1];                                                 \
        }                                                                                                      \
    }

TURN(turn_floats, float)
TURN(turn_doubles, double)

void line_kernel_turning(const line_stage *s, void *x, void *y, uint64_t i) {
    if (s->type == RIFFLE_TYPE_C64) {
        turn_floats(s, x, y, i);
    } else {
        turn_doubles(s, x, y, i);
    }
}
