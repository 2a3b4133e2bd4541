/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs of users' operations, and plain recursion over such programs.
 */
#ifndef RIFFLE_TESTS_OWN_SUPPORT_H
#define RIFFLE_TESTS_OWN_SUPPORT_H

#include "program/term.h"
#include "program_support.h"

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
        for (uint64_t i = 0; i < count >> p->bits; i++)
            any_apply(&p->op, p->bits, type, i, data + (i << p->bits) * bytes);
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
