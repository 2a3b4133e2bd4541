/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan of moves of elements of 1, 2 and 4 bits: one of five ways.
 */
#ifndef RIFFLE_BITS_PLAN_H
#define RIFFLE_BITS_PLAN_H

#include "bits/affine.h"
#include "bits/axes.h"
#include "bits/kernels/affine_table.h"
#include "bits/shift.h"
#include "device/plan.h"
#include "perm/perm.h"
#include "riffle/bits.h"

typedef enum bits_way {
    BITS_NOTHING, /**< there is nothing to move */
    BITS_BYTES,   /**< whole bytes move, as `bytes` has them */
    BITS_AXES,    /**< bytes move, and then elements of rows of them change places with elements of bytes */
    BITS_SHIFT,   /**< rotations and reversals that begin within bytes */
    BITS_AFFINE,  /**< lines by tiles */
    BITS_GATHER,  /**< element by element, from where the inverse says */
} bits_way;

/** An engine's part of plans; whole bytes are a plan of bytes instead. */
typedef struct bits_engine {
    riffle_status (*plan_affine)(riffle_bits_plan *plan, const perm_affine *bits);
    bool moves_bytes; /**< BITS_AXES moves bytes by itself; else a plan of bytes does */
    riffle_status (*prepare)(riffle_bits_plan *plan); /**< makes ready what executions want */
    riffle_status (*execute)(const riffle_bits_plan *plan,
                             call_array *arrays); /**< between arrays of the host */
    void (*print_axes)(const riffle_bits_plan *plan, FILE *stream);
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
    bits_packed packed;
    riffle_perm *byte_perm; /**< whole bytes, as which elements are moved, or moved first */
    riffle_plan *bytes;     /**< that, planned */
    riffle_plan *boxes;     /**< a device's passes of that, in BITS_AXES; NULL where bytes stay */
    bits_rows rows;
    bits_shift shift;
    bits_affine *affine;      /**< the host's */
    bits_affine_table *table; /**< a device's */
    riffle_perm *inverse;
    void *map;  /**< that, in a device's memory; NULL: none yet */
    char *spec; /**< the permutation's, as it was recognized */
};

/** Chooses the way for an engine, and makes what the host needs for it. It is to be freed. */
riffle_status bits_plan_create(const riffle_perm *perm, uint64_t elem_bits, const riffle_bits_options *options,
                               riffle_bits_plan **out);

/** Makes what executions by the plan's engine want. */
riffle_status bits_plan_make_ready(riffle_bits_plan *plan);

/** The arrays of an execution. */
enum { BITS_SRC, BITS_DST, BITS_ARRAYS };

/** Checks that they are there and apart. */
riffle_status bits_check_arrays(const riffle_bits_plan *plan, void *dst, const void *src,
                                call_array out[BITS_ARRAYS]);

/** "affine", "gather", ... */
const char *bits_way_string(bits_way way);

/** An axes way of the host in words, and an affine one. */
void bits_print_rows(const riffle_bits_plan *plan, FILE *stream);
void bits_print_lines(const riffle_bits_plan *plan, FILE *stream);

/** Bytes of all arrays. */
static inline size_t bits_plan_bytes(const riffle_bits_plan *plan) { return bits_packed_bytes(&plan->packed); }

#endif
