/* SPDX-License-Identifier: Apache-2.0
 *
 * The normal form of a program: stages that leave every element where it is, and then one affine map.
 *
 * Nothing is rewritten to get there. The program is walked once with a frame, which says for each bit of the index that the
 * program talks of what it is in the array as it lies: a functional, and the direction that changes this bit alone.
 *
 *     move along A, c      functional'[t] = sum of A[t][u] functional[u], + c[t];   direction'[t] = sum of A^-1[u][t] direction[u]
 *     parm m f             bit lsb(m) leaves the frame; a step of another bit j of m takes direction[lsb] with it
 *     operation            a stage: directions and positions are the frame's first, i is made of the other functionals
 *
 * At the end the frame is the map: bit t of where x goes is functional[t] of x. These are the rules of the BMMC paper's
 * section 7 (parm m f = bmmc A^-1 . parm 2^(n-1) f . bmmc A) done on vectors, so that nesting costs nothing later.
 *
 * Where parm's two programs move differently, one of them is followed by swaps, which are stages with conditions; but what
 * differs by a constant alone is one map.
 */
#ifndef RIFFLE_PROGRAM_COMPILE_NORMAL_H
#define RIFFLE_PROGRAM_COMPILE_NORMAL_H

#include "perm/perm.h"
#include "program/stage.h"

/** Where the paper's way has elements for a stage: bit t of the place of x is place[t] of x. The elements that the stage works
 *  on lie side by side, and so do the sub-arrays of the parms around it, those of the outermost in the two halves. */
typedef struct program_layout {
    uint64_t place[RIFFLE_MAX_BITS]; /* functionals */
} program_layout;

typedef struct program_normal {
    unsigned n;
    size_t count, capacity;
    program_stage *stages;   /**< in order, in terms of where elements lie at the beginning */
    perm_affine map;         /**< then x goes to map of x */
    program_layout *layouts; /**< for each stage as the program has them, before any cancelled */
} program_normal;

/** Gives *out to program_normal_free. Ops' sources stay the program's. */
riffle_status program_normalize(const riffle_program *program, program_normal *out);

/** The affine map whose bit t is a functional, of n bits. */
perm_affine program_map_of(unsigned n, const uint64_t *functionals);

bool program_same_map(const perm_affine *a, const perm_affine *b);

/** The passes of the paper's way (papers/program/paper.h), of a normal form in which nothing has cancelled yet. */
size_t program_paper_passes(const program_normal *normal);

/** Takes away what does nothing for elements of this type: stages that cancel, or that repeat one before. */
void program_simplify(program_normal *normal, riffle_type type);

void program_normal_free(program_normal *normal);

/** True if the two stages may change places: the result is the same to the last bit. */
bool stages_commute(const program_stage *a, const program_stage *b, riffle_type type);

#endif
