/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan of moves of elements of 1, 2 and 4 bits: one of four ways.
 */
#ifndef RIFFLE_BITS_PLAN_H
#define RIFFLE_BITS_PLAN_H

#include "bits/affine.h"
#include "bits/kernels/affine_table.h"
#include "device/plan.h"
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

/** An engine's part of plans; whole bytes are a plan of bytes instead. */
typedef struct bits_engine {
    riffle_status (*plan_affine)(riffle_bits_plan *plan, const perm_affine *bits);
    bool has_axes;                                    /**< BITS_AXES */
    riffle_status (*prepare)(riffle_bits_plan *plan); /**< makes ready what executions want */
    riffle_status (*execute)(const riffle_bits_plan *plan,
                             call_array *arrays); /**< between arrays of the host */
    void (*print_affine)(const riffle_bits_plan *plan, FILE *stream);
    void (*release)(riffle_bits_plan *plan);
} bits_engine;

/** The host's (plan.c, explain.c), and a device's (gpu/plan.c). */
extern const bits_engine bits_host_engine, bits_device_engine;

struct riffle_bits_plan {
    plan_base base;
    riffle_engine engine;
    const bits_engine *ops;
    bits_way way;
    uint64_t n, batch;
    unsigned elem_bits;
    bool is_big;
    size_t array_bytes;
    riffle_perm *byte_perm; /**< whole bytes, as which elements are moved, or moved first */
    riffle_plan *bytes;     /**< that, planned */
    bits_rows rows;
    bits_affine *affine;      /**< the host's */
    bits_affine_table *table; /**< a device's */
    riffle_perm *inverse;
    void *map;  /**< that, in a device's memory; NULL: none yet */
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

/** Chooses the way for an engine, on `on` where that is not NULL, and makes what the host needs for it. It is to be freed. */
riffle_status bits_plan_create(const riffle_perm *perm, uint64_t elem_bits, const riffle_bits_options *options,
                               const device *on, riffle_bits_plan **out);

/** The arrays of an execution. */
enum { BITS_SRC, BITS_DST, BITS_ARRAYS };

/** Checks that they are there and apart. */
riffle_status bits_check_arrays(const riffle_bits_plan *plan, void *dst, const void *src,
                                call_array out[BITS_ARRAYS]);

/** "affine", "gather", ... */
const char *bits_way_string(bits_way way);

/** An affine way of the host in words. */
void bits_print_lines(const riffle_bits_plan *plan, FILE *stream);

/** Bytes of all arrays. */
static inline size_t bits_plan_bytes(const riffle_bits_plan *plan) {
    return plan->array_bytes * (size_t)plan->batch;
}

#endif
