/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan of moves of elements of 1, 2 and 4 bits: one of four ways.
 */
#ifndef RIFFLE_BITS_PLAN_H
#define RIFFLE_BITS_PLAN_H

#include "bits/affine.h"
#include "perm/perm.h"
#include "riffle/bits.h"

typedef enum bits_way {
    BITS_NOTHING, /**< there is nothing to move */
    BITS_BYTES,   /**< whole bytes move, as `bytes` has them */
    BITS_AXES,    /**< bytes move, and then elements of rows of them change places with elements of bytes */
    BITS_AFFINE,  /**< lines by tiles */
    BITS_GATHER,  /**< element by element, from where the inverse says */
} bits_way;

/** Rows of dst that exchange their elements: 8 / elem_bits of them, `bytes` long, side by side; and so on. */
typedef struct bits_rows {
    uint64_t groups;
    size_t bytes;
} bits_rows;

struct riffle_bits_plan {
    bits_way way;
    uint64_t n, batch;
    unsigned elem_bits, threads;
    bool is_big;
    size_t array_bytes;
    riffle_plan *bytes;
    bits_rows rows;
    bits_affine *affine;
    riffle_perm *inverse;
    char *spec; /**< the permutation's, as it was recognized */
};

/** Where in its byte element i of fewer than 8 bits begins. */
static inline unsigned bits_shift(uint64_t i, unsigned elem_bits, bool is_big) {
    const unsigned place = (unsigned)(i * elem_bits % 8);
    return is_big ? 8 - elem_bits - place : place;
}

/** Fills the plan's bytes and rows for an axes permutation where these will do. *can says whether. */
riffle_status bits_axes_plan(const perm_axes *axes, riffle_bits_plan *plan, bool *can);

/** A member's part of the exchange. */
void bits_rows_run(const riffle_bits_plan *plan, uint8_t *dst, team_member me);

/** ... and of a move element by element. */
void bits_gather_run(const riffle_bits_plan *plan, uint8_t *dst, const uint8_t *src, team_member me);

/** A plan of arrays of whole bytes. Takes the permutation, also when it fails. */
riffle_status bits_plan_bytes(riffle_bits_plan *plan, riffle_perm *bytes);

#endif
