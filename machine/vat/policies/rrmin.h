/* SPDX-License-Identifier: Apache-2.0
 *
 * RRMIN (section 2.3.7): the moves of MIN with W cells, made by a cache of W regular cells that hold an initial
 * segment and one more cell, rr. It is eager: it may insert a node before it is needed, but never more nodes
 * than MIN.
 *
 *     MIN's cache           a   b   c   e          each node is the witness of one of its ancestors
 *                           |   |   |   |  image   (or itself) in the regular cells: a bijection
 *     RRMIN's regular       a   x   y   e
 *
 * While MIN inserts from the root down, evicting others (its regular phase), RRMIN evicts and inserts one node
 * for each of MIN's. Once MIN replaces the node just used by its child (the round robin phase, Lemma 2.22), the
 * regular cells stay as they are, and the nodes missing there go through rr one after the other.
 *
 * A step at a time, because LIS watches it.
 */
#ifndef RIFFLE_MACHINE_VAT_POLICIES_RRMIN_H
#define RIFFLE_MACHINE_VAT_POLICIES_RRMIN_H

#include "machine/vat/policies/min.h"
#include "machine/vat/policies/segment.h"

typedef struct vat_rrmin {
    const vat_trace *trace;
    vat_min min;
    vat_segment regular;
    uint32_t *image;   /**< for each node that MIN stores: its ancestor (or itself) in the regular cells */
    uint32_t *witness; /**< for each node in the regular cells: whose image it is */
    uint32_t rr;       /**< the node in the cell rr, VAT_NONE: none */
    uint32_t last;     /**< the node used before in this translation, VAT_NONE: none */
    bool round_robin;  /**< this translation's phase */
} vat_rrmin;

/** The change by using a node, each VAT_NONE for nothing: what left the regular cells, then what came into them, and what came
 *  into rr. If `inserted` was in rr, the two cells have swapped their parts, and rr is empty. */
typedef struct vat_rrmin_move {
    uint32_t evicted, inserted, held;
} vat_rrmin_move;

/** An empty cache of capacity + 1 nodes, capacity > d. */
riffle_status vat_rrmin_create(const vat_trace *trace, uint64_t capacity, vat_rrmin *out);
void vat_rrmin_free(vat_rrmin *rrmin);

/** A translation begins. */
void vat_rrmin_begin(vat_rrmin *rrmin);

/** Uses the next node of the path, whose next use is `use`. RIFFLE_ERROR_INTERNAL if the regular cells would
 *  not hold an initial segment or the node is not there when it is used. */
riffle_status vat_rrmin_use(vat_rrmin *rrmin, uint32_t node, uint64_t use, vat_rrmin_move *out);

#endif
