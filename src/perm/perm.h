/* SPDX-License-Identifier: Apache-2.0
 *
 * What a permutation is inside: one of six forms, each closed under inversion, and each but the last two
 * closed under composition with its like. Everything the spec language can say is one of these:
 *
 *   ROTATION  i -> offset + i or offset - i (mod n)        identity, reverse, rotate
 *   AFFINE    i -> A i + c over GF(2), n = 2^m             bit-reversal, shuffle, bits, affine, random-affine
 *   AXES      mixed-radix digits in another order          transpose, axes
 *   RANDOM    a Feistel network on the bits of i           random
 *   TABLE     i -> entries[i]                              table
 *   SEQUENCE  first, then then                             A|B where no single form holds both
 *
 * A value never changes after it is made; handles share it by counting references.
 */
#ifndef RIFFLE_PERM_PERM_H
#define RIFFLE_PERM_PERM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "perm/gf2.h"
#include "riffle.h"

typedef enum perm_kind {
    PERM_ROTATION,
    PERM_AFFINE,
    PERM_AXES,
    PERM_RANDOM,
    PERM_TABLE,
    PERM_SEQUENCE,
} perm_kind;

/** i -> offset + i mod n, or offset - i mod n where reflected; 0 <= offset < n (0 if n is 0). */
typedef struct perm_rotation {
    bool reflected;
    uint64_t offset;
} perm_rotation;

/** i -> a i + c. */
typedef struct perm_affine {
    gf2_matrix a;
    uint64_t c;
} perm_affine;

/** Row-major input of `shape`; output axis k is input axis order[k]. */
typedef struct perm_axes {
    unsigned rank;
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned order[RIFFLE_MAX_RANK];
} perm_axes;

/** The permutation of riffle_perm_random(n, seed), or its inverse. */
typedef struct perm_random {
    uint64_t seed;
    bool inverted;
} perm_random;

/** entries[i] = P(i), 4 bytes each where n <= 2^32, else 8. `path` is the file it was read from, or NULL;
 *  `inverted` says that the entries are the inverse of what the file holds. */
typedef struct perm_table {
    void *entries;
    size_t entry_bytes;
    char *path;
    bool inverted;
} perm_table;

typedef struct perm_sequence {
    riffle_perm *first;
    riffle_perm *then;
} perm_sequence;

struct riffle_perm {
    atomic_uint references;
    perm_kind kind;
    uint64_t n;
    union {
        perm_rotation rotation;
        perm_affine affine;
        perm_axes axes;
        perm_random random;
        perm_table table;
        perm_sequence sequence;
    };
};

/** The affine form of a permutation that has one without looking at its values: any affine one, and over
 *  n = 2^m the identity, reversal, rotation by n/2 and axes whose dimensions are powers of two. */
bool perm_as_affine(const riffle_perm *perm, perm_affine *out);

/** The table of any permutation, as a perm of kind TABLE: n entries, evaluated in parallel. */
riffle_status perm_tabulate(const riffle_perm *perm, riffle_perm **out);

#endif
