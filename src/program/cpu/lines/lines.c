/* SPDX-License-Identifier: Apache-2.0 */
#include "program/cpu/lines/lines.h"

#include <string.h>

const line_operations *const line_operations_of[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = &line_operations_portable,
#if defined(__x86_64__)
    [VECTORS_AVX2] = &line_operations_avx2,
    [VECTORS_AVX512_VBMI] = &line_operations_avx512,
#if defined(VECTORS_COMPILE_FP16)
    [VECTORS_AVX512_FP16] = &line_operations_avx512fp16,
#endif
#elif defined(__aarch64__)
    [VECTORS_NEON] = &line_operations_neon,
#endif
};

vector_loops line_loops(riffle_type type) { return type == RIFFLE_TYPE_F16 ? LOOPS_HALVES : LOOPS_PROGRAMS; }

const line_operations *line_operations_best(riffle_type type) {
    return line_operations_of[vectors_for(line_loops(type))];
}

bool line_operation_takes(riffle_op_kind op, riffle_type type) {
    const bool is_complex = type >= RIFFLE_TYPE_C64, is_integer = type < RIFFLE_TYPE_F16;
    switch (op) {
    case RIFFLE_OP_MINMAX: return !is_complex;
    case RIFFLE_OP_SCALE: return !is_integer;
    case RIFFLE_OP_ROTATE:
    case RIFFLE_OP_TWIDDLE: return is_complex;
    default: return (int)op < LINE_OPERATIONS;
    }
}

line_kernel *line_kernel_find(const line_operations *operations, riffle_op_kind op, riffle_type type) {
    return line_operation_takes(op, type) ? operations->kernel[op] : NULL;
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

void line_turns_fill(const line_stage *s, uint64_t i, double turns[LINE_TURNS * LINE_REALS]) {
    const unsigned reals = s->type == RIFFLE_TYPE_C64 ? LINE_REALS : LINE_REALS / 2;
    for (unsigned k = 0; k < reals; k++) {
        const line_root w = line_root_at(&s->roots, i ^ s->lane_index[k / 2]);
        const double sign = k % 2 == 0 ? -1 : 1;
        turns[k] = w.re;
        turns[LINE_REALS + k] = -w.im;
        turns[2 * LINE_REALS + k] = sign * w.im;
        turns[3 * LINE_REALS + k] = sign * w.re;
    }
}
