/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass of several: it gets a basis in which its tile is the low bits, and its stages are said in terms of that basis.
 */
#ifndef RIFFLE_PROGRAM_COMPILE_MAKE_PASS_H
#define RIFFLE_PROGRAM_COMPILE_MAKE_PASS_H

#include "program/compile/normal.h"
#include "program/pass.h"

/** The plan that a pass is made from. Vectors of `memory` are where elements lie when it begins; stages say where they lay at
 *  the very beginning, x = back (memory + origin). */
typedef struct pass_plan {
    const program_normal *normal;
    const program_policy *policy;
    const unsigned *pass_of; /**< for each stage: which pass does it */
    unsigned number;         /**< number of this pass */
    bool moves;              /**< by normal->map */
    gf2_matrix there, back;  /**< from the beginning to memory, and its inverse */
    uint64_t origin;
    gf2_matrix inverse_map; /**< A^-1 where the pass moves */
} pass_plan;

/** The directions of its stages, with the lanes, span a tile at most. *out begins zeroed; its stages are to be freed. */
riffle_status make_pass(const pass_plan *plan, program_pass *out);

#endif
