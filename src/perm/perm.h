/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of a permutation: one of six, each closed under inversion; the first two are closed under composition with their
 * like too, and axes are where their digits have a common refinement. Everything the spec language can say is one of these:
 *
 *   ROTATION  i -> offset + i or offset - i (mod n)        identity, reverse, rotate
 *   AFFINE    i -> A i + c over GF(2), n = 2^m             bit-reversal, shuffle, bits, affine, random-affine
 *   AXES      mixed-radix digits in another order          transpose, axes
 *   RANDOM    a Feistel network on the bits of i           random
 *   TABLE     i -> entries[i]                              table
 *   SEQUENCE  parts[0], then parts[1], ...                 A|B where no single form holds both
 *
 * A value never changes after it is made; handles share it by counting references.
 */
#ifndef RIFFLE_PERM_PERM_H
#define RIFFLE_PERM_PERM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/feistel.h"
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

/** Dimensions of a row-major array. */
typedef struct perm_shape {
    unsigned rank;
    uint64_t dimension[RIFFLE_MAX_RANK];
} perm_shape;

/** One mixed-radix digit of the input index: its extent, and what a step of it adds to the output index. */
typedef struct perm_digit {
    uint64_t extent;
    uint64_t stride;
} perm_digit;

/** Row-major input of `shape`; output axis k is input axis order[k]. The same as digits, fastest first,
 *  without unit axes and with axes that stay neighbours made one; none where n is 0. A composition may need
 *  finer axes than its parts had, so the shapes that a caller sees stand beside: those of the first part's
 *  input and of the last part's output. */
typedef struct perm_axes {
    unsigned rank;
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned order[RIFFLE_MAX_RANK];
    unsigned digits;
    perm_digit digit[RIFFLE_MAX_RANK];
    perm_shape input;
    perm_shape output;
} perm_axes;

/** The permutation of riffle_perm_random(n, seed), or its inverse (random.c has the definition). */
typedef struct perm_random {
    uint64_t seed;
    bool inverted;
    uint64_t round_key[FEISTEL_ROUNDS];
    uint64_t swap; /**< 1: values 0 and 1 change places at the end */
} perm_random;

/** entries[i] = P(i), 4 bytes each where n <= 2^32, else 8. `path` is the file it was read from, or NULL;
 *  `inverted` says that the entries are the inverse of what the file holds. */
typedef struct perm_table {
    void *entries;
    size_t entry_bytes;
    char *path;
    bool inverted;
} perm_table;

/** parts[0], then parts[1], ...: two or more, none of them a sequence. */
typedef struct perm_sequence {
    size_t count;
    riffle_perm **parts;
} perm_sequence;

struct riffle_perm {
    atomic_uint references;
    perm_kind kind;
    uint64_t n;
    perm_shape output; /**< the shape that the last part of a composition gave, where the kind is not AXES */
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
 *  n = 2^m rotations by a multiple of n/4, those reversed, and every axes permutation. */
bool perm_as_affine(const riffle_perm *perm, perm_affine *out);

/** The same of what riffle_perm_recognize finds in its values; *is_affine says whether there is one. */
riffle_status perm_find_affine(const riffle_perm *perm, perm_affine *out, bool *is_affine);

/** The table of any permutation, as a perm of kind TABLE: n entries, evaluated in parallel. */
riffle_status perm_tabulate(const riffle_perm *perm, riffle_perm **out);

#endif
