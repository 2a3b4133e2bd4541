/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that tests of programs share: passes run as program/pass.h defines them, one element at a time, and random data of any
 * type.
 */
#ifndef RIFFLE_TESTS_PROGRAM_SUPPORT_H
#define RIFFLE_TESTS_PROGRAM_SUPPORT_H

#include <math.h>

#include "base/half.h"
#include "own_operations.h"
#include "program/pass.h"
#include "support.h"

enum { TYPES = RIFFLE_TYPE_C128 + 1 };

static inline riffle_program *program_or_fail(const char *text, const char *definitions, unsigned n) {
    riffle_program *program = NULL;
    if (riffle_program_parse(text, definitions, n, &program) != RIFFLE_OK)
        fail_msg("%s for 2^%u: %s", text, n, riffle_error_detail());
    return program;
}

static inline bool stage_acts(const program_stage *stage, uint64_t u) {
    for (unsigned k = 0; k < stage->conditions; k++)
        if (functional_at(stage->condition[k], u) != 0) return false;
    for (unsigned t = 0; t < stage->bits; t++)
        if (functional_at(stage->position[t], u) != 0) return false;
    return true;
}

/* One stage on data whose element of coordinates u lies at u. */
static inline void plain_stage(const program_stage *stage, riffle_type type, uint64_t count, char *data) {
    const size_t bytes = riffle_type_bytes(type);
    char group[16 << PROGRAM_GROUP_BITS];
    for (uint64_t u = 0; u < count; u++) {
        if (!stage_acts(stage, u)) continue;
        uint64_t at[1 << PROGRAM_GROUP_BITS] = {u}, i = 0;
        for (unsigned k = 1; k < 1U << stage->bits; k++) {
            const unsigned low = (unsigned)__builtin_ctz(k);
            at[k] = at[k & (k - 1)] ^ stage->direction[low];
        }
        for (unsigned t = 0; t < stage->index_bits; t++) i |= (uint64_t)functional_at(stage->index[t], u) << t;
        for (unsigned k = 0; k < 1U << stage->bits; k++) memcpy(group + k * bytes, data + at[k] * bytes, bytes);
        any_apply(&stage->op, stage->bits, type, i, group);
        for (unsigned k = 0; k < 1U << stage->bits; k++) memcpy(data + at[k] * bytes, group + k * bytes, bytes);
    }
}

static inline uint64_t place_of(const uint64_t *vectors, unsigned n, uint64_t origin, uint64_t u) {
    for (unsigned j = 0; j < n; j++) origin ^= (u >> j & 1) != 0 ? vectors[j] : 0;
    return origin;
}

static inline void plain_pass(const program_pass *pass, riffle_type type, char *data) {
    const size_t bytes = riffle_type_bytes(type);
    const uint64_t count = (uint64_t)1 << pass->n;
    char *spare = malloc(count * bytes);
    assert_non_null(spare);
    for (uint64_t u = 0; u < count; u++)
        memcpy(spare + u * bytes, data + place_of(pass->read, pass->n, 0, u) * bytes, bytes);
    for (size_t k = 0; k < pass->stage_count; k++) plain_stage(&pass->stages[k], type, count, spare);
    for (uint64_t u = 0; u < count; u++)
        memcpy(data + place_of(pass->write, pass->n, pass->write_origin, u) * bytes, spare + u * bytes, bytes);
    free(spare);
}

static inline void plain_passes(const program_passes *passes, riffle_type type, char *data) {
    for (size_t k = 0; k < passes->count; k++) plain_pass(&passes->passes[k], type, data);
}

/** Small integers in floats, so that sums of few are exact; any bytes in integers. */
static inline void fill_elements(rng *r, riffle_type type, uint64_t count, void *data) {
    const size_t bytes = riffle_type_bytes(type);
    if (type < RIFFLE_TYPE_F16) {
        fill_random(r, data, count * bytes);
        return;
    }
    const bool is_complex = type >= RIFFLE_TYPE_C64;
    for (uint64_t k = 0; k < count * (is_complex ? 2 : 1); k++) {
        const float value = (float)rng_below(r, 256) / 16 - 8;
        if (type == RIFFLE_TYPE_F16) ((uint16_t *)data)[k] = half_from_float(value);
        if (type == RIFFLE_TYPE_F32 || type == RIFFLE_TYPE_C64) ((float *)data)[k] = value;
        if (type == RIFFLE_TYPE_F64 || type == RIFFLE_TYPE_C128) ((double *)data)[k] = (double)value;
    }
}

static inline const char *random_op(rng *r, riffle_type type) {
    static const char *const integer[] = {"minmax", "butterfly", "add", "subtract", "xor", "swap"};
    static const char *const real[] = {"minmax", "butterfly", "add", "subtract", "swap"};
    static const char *const complex_ops[] = {"butterfly",      "add",        "swap", "(rotate 3)",
                                              "(twiddle (-2))", "(twiddle 4)"};
    if (type < RIFFLE_TYPE_F16) return integer[rng_below(r, 6)];
    return type < RIFFLE_TYPE_C64 ? real[rng_below(r, 5)] : complex_ops[rng_below(r, 6)];
}

static inline void print_program(rng *r, unsigned n, riffle_type type, unsigned depth, FILE *out) {
    const unsigned choice = (unsigned)rng_below(r, depth == 0 ? 4 : 10);
    if (n == 0 || choice == 0) {
        fprintf(out, n == 0 ? "id" : "map negate");
    } else if (choice == 1) {
        static const char *const moves[] = {"reverse", "bit-reversal", "shuffle", "~shuffle"};
        const unsigned which = (unsigned)rng_below(r, 6);
        if (which < 4) fprintf(out, "%s", moves[which]);
        if (which >= 4) fprintf(out, "random-affine:%u", (unsigned)rng_below(r, 1000));
    } else if (choice < 4) {
        fprintf(out, "pair %s", random_op(r, type));
    } else if (choice < 7) {
        fprintf(out, "parm %llu (", (unsigned long long)(1 + rng_below(r, ((uint64_t)1 << n) - 1)));
        print_program(r, n - 1, type, depth - 1, out);
        if (choice == 6) {
            fprintf(out, ") (");
            print_program(r, n - 1, type, depth - 1, out);
        }
        fprintf(out, ")");
    } else {
        fprintf(out, "(");
        print_program(r, n, type, depth - 1, out);
        fprintf(out, " | ");
        print_program(r, n, type, depth - 1, out);
        fprintf(out, ")");
    }
}

/** The text of a random program of any kind. */
static inline void random_text(rng *r, unsigned n, riffle_type type, unsigned depth, size_t room, char *text) {
    FILE *out = fmemopen(text, room, "w");
    assert_non_null(out);
    print_program(r, n, type, depth, out);
    assert_false(ferror(out));
    fclose(out);
}

#endif
