/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the lanes of a warp are, as polynomials over what is the same for all of them. Of a block that is given each warp is known; of
 * any other one a warp is taken to be part of a row: threadIdx.x = 32 row + lane.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_LANES_H
#define RIFFLE_MACHINE_LINT_FORMS_LANES_H

#include "machine/lint/forms/form.h"

enum { LANES = 32 };

typedef struct lane_shape {
    unsigned side[3]; /**< of the block; 0, 0, 0: any whose x is a multiple of 32 */
    unsigned warp;    /**< of the block, where that is given */
} lane_shape;

typedef enum lane_result {
    LANES_KNOWN,
    LANES_OTHER, /**< it differs between lanes by what is not known */
    LANES_MIXED, /**< by bits, quotients or remainders that depend on what is the same for all */
} lane_result;

/** Lanes of the shape's warp: 32, or fewer of a block's last. */
unsigned lanes_count(const lane_shape *shape);
unsigned lanes_warps(const lane_shape *shape);

/** The polynomial in each lane, of which at least one is there. `block` is where it is used. */
lane_result lanes_place(forms *s, const poly *a, unsigned block, const lane_shape *shape, poly out[LANES]);

#endif
