/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operations in tests: texts, what they do, random programs of them, and plain recursion over such programs.
 */
#ifndef RIFFLE_TESTS_OWN_SUPPORT_H
#define RIFFLE_TESTS_OWN_SUPPORT_H

#include "program/term.h"
#include "program_support.h"

/* Additions only, so that floats come out the same wherever they are computed. */
static const char *const own_sources[] = {
    "a + i",
    "a + b, a - b + i",
    "a3, a2 + a0, a1, a0 + i",
    "a1, a2, a3, a4, a5, a6, a7, a0 + a7",
    "a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2 + i, a1 - a0, a0",
};
enum { OWN_SOURCES = sizeof own_sources / sizeof *own_sources };

/* Of integers by the unsigned type, which wraps around. */
#define OWN_PLAIN(type, sums)                                                                                  \
    static inline void own_plain_##type(unsigned bits, uint64_t i, void *elements) {                           \
        type *const e = elements, a = e[0], b = e[bits > 0], last = e[(1U << bits) - 1];                       \
        for (unsigned k = 0, most = (1U << bits) - 1; bits == 4 && k < 8; k++) {                               \
            const type kept = e[k];                                                                            \
            e[k] = e[most - k];                                                                                \
            e[most - k] = kept;                                                                                \
        }                                                                                                      \
        switch (bits) {                                                                                        \
        case 0: e[0] = (type)((sums)a + (sums)i); break;                                                       \
        case 1:                                                                                                \
            e[0] = (type)((sums)a + (sums)b);                                                                  \
            e[1] = (type)((sums)((sums)a - (sums)b) + (sums)i);                                                \
            break;                                                                                             \
        case 2:                                                                                                \
            e[0] = last;                                                                                       \
            e[1] = (type)((sums)e[2] + (sums)a);                                                               \
            e[2] = b;                                                                                          \
            e[3] = (type)((sums)a + (sums)i);                                                                  \
            break;                                                                                             \
        case 3:                                                                                                \
            memmove(e, e + 1, 7 * sizeof *e);                                                                  \
            e[7] = (type)((sums)a + (sums)last);                                                               \
            break;                                                                                             \
        default: e[13] = (type)((sums)e[13] + (sums)i); e[14] = (type)((sums)e[14] - (sums)e[15]);             \
        }                                                                                                      \
    }
OWN_PLAIN(int8_t, uint64_t)
OWN_PLAIN(int16_t, uint64_t)
OWN_PLAIN(int32_t, uint64_t)
OWN_PLAIN(int64_t, uint64_t)
OWN_PLAIN(uint8_t, uint64_t)
OWN_PLAIN(uint16_t, uint64_t)
OWN_PLAIN(uint32_t, uint64_t)
OWN_PLAIN(uint64_t, uint64_t)
OWN_PLAIN(float, float)
OWN_PLAIN(double, double)

/** The operation's definition, as op_apply for built-in ones. */
static inline void own_apply(unsigned bits, riffle_type type, uint64_t i, void *elements) {
    static void (*const plain[])(unsigned, uint64_t, void *) = {
        [RIFFLE_TYPE_I8] = own_plain_int8_t,    [RIFFLE_TYPE_I16] = own_plain_int16_t,
        [RIFFLE_TYPE_I32] = own_plain_int32_t,  [RIFFLE_TYPE_I64] = own_plain_int64_t,
        [RIFFLE_TYPE_U8] = own_plain_uint8_t,   [RIFFLE_TYPE_U16] = own_plain_uint16_t,
        [RIFFLE_TYPE_U32] = own_plain_uint32_t, [RIFFLE_TYPE_U64] = own_plain_uint64_t,
        [RIFFLE_TYPE_F32] = own_plain_float,    [RIFFLE_TYPE_F64] = own_plain_double,
    };
    plain[type](bits, i, elements);
}

static inline bool own_takes(riffle_type type) { return type < RIFFLE_TYPE_C64 && type != RIFFLE_TYPE_F16; }

/** riffle_program_evaluate for programs of these operations and built-in ones. `spare` is as long as `data`. */
static inline void own_evaluate(const riffle_program *p, riffle_type type, char *data, char *spare) {
    const size_t bytes = riffle_type_bytes(type);
    const uint64_t count = (uint64_t)1 << p->n, half = count / 2;
    switch (p->kind) {
    case PROGRAM_MOVE:
        memcpy(spare, data, count * bytes);
        for (uint64_t x = 0; x < count; x++)
            memcpy(data + (gf2_apply(&p->map.a, x) ^ p->map.c) * bytes, spare + x * bytes, bytes);
        break;
    case PROGRAM_APPLY:
        for (uint64_t i = 0; i < count >> p->bits; i++) {
            char *const group = data + (i << p->bits) * bytes;
            if (p->op.kind == RIFFLE_OP_OWN) own_apply(p->bits, type, i, group);
            if (p->op.kind != RIFFLE_OP_OWN) op_apply(&p->op, type, i, group);
        }
        break;
    case PROGRAM_PARM:
        for (uint64_t k = 0; k < count; k++)
            memcpy(spare + k * bytes, data + parm_index(p->mask, k % half, k >= half) * bytes, bytes);
        own_evaluate(p->first, type, spare, data);
        own_evaluate(p->second, type, spare + half * bytes, data);
        for (uint64_t k = 0; k < count; k++)
            memcpy(data + parm_index(p->mask, k % half, k >= half) * bytes, spare + k * bytes, bytes);
        break;
    case PROGRAM_THEN:
        own_evaluate(p->first, type, data, spare);
        own_evaluate(p->second, type, data, spare);
        break;
    }
}

static inline void own_print(rng *r, unsigned n, unsigned depth, FILE *out) {
    const unsigned choice = (unsigned)rng_below(r, depth == 0 ? 4 : 9);
    const unsigned bits = (unsigned)rng_below(r, OWN_SOURCES), group = bits <= n ? bits : 0;
    if (choice < 3 || n == 0) {
        fprintf(out, "group %u {%s}", group, own_sources[group]);
    } else if (choice == 3) {
        fprintf(out, rng_below(r, 2) == 0 ? "pair swap" : "random-affine:%u", (unsigned)rng_below(r, 1000));
    } else if (choice < 7) {
        fprintf(out, "parm %llu (", (unsigned long long)(1 + rng_below(r, ((uint64_t)1 << n) - 1)));
        own_print(r, n - 1, depth - 1, out);
        fprintf(out, choice == 6 ? ")" : ") (");
        if (choice < 6) own_print(r, n - 1, depth - 1, out);
        if (choice < 6) fprintf(out, ")");
    } else {
        fprintf(out, "(");
        own_print(r, n, depth - 1, out);
        fprintf(out, " | ");
        own_print(r, n, depth - 1, out);
        fprintf(out, ")");
    }
}

/** The text of a random program with users' operations. */
static inline void own_text(rng *r, unsigned n, unsigned depth, size_t room, char *text) {
    FILE *out = fmemopen(text, room, "w");
    assert_non_null(out);
    own_print(r, n, depth, out);
    assert_false(ferror(out));
    fclose(out);
}

#endif
