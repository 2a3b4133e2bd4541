/* SPDX-License-Identifier: Apache-2.0
 *
 * A sieve throws points away that lie within a polygon of points seen before, and never one of which it is not sure. It is
 * the polygon in a table: coordinates are scaled to u = 0 .. cells over its width and v = 0 .. 1 over its height, and a cell
 * of u has the stretch of v that lies within the polygon over all of the cell.
 *
 *      v 1 |    .--''''--.             range[1 + c] = {least, most} of cell c
 *          |  .'| |    |  '.           range[0], range[cells + 1]: nothing, for what is beside the polygon,
 *          | /  |_|____|    \          and for what is no number
 *        0 |'.  |      |  .-'
 *          +-------------------- u
 *
 * Why it is sure. Corners and points are scaled with an error below 2^-11 in u and 2^-21 in v, also where all is done in floats.
 * A cell's stretch is that of the cell made wider by SIEVE_U on both sides, and shorter by SIEVE_V at both ends. So if a
 * point's scaled place is in it, then a box around the place that is larger than the errors of the point and of the corners
 * together lies within the polygon of the scaled corners. The polygon that is meant differs from that one, in every
 * direction, by less than its corners' errors; so it has the point within, and so has the hull.
 *
 * Over a cell the polygon's lower boundary, which is convex, is highest at one of the cell's ends, its upper boundary lowest.
 */
#ifndef RIFFLE_HULL_CPU_SIEVE_H
#define RIFFLE_HULL_CPU_SIEVE_H

#include "hull/cpu/candidates.h"

enum {
    SIEVE_CELLS = 2048, /* 16 KiB: a third of a first-level cache */
    SIEVE_BLOCK = 1024, /* points that are sieved at once, at most */
};

/** A bound of a scaled place's error, in cells and in heights of the polygon. */
#define SIEVE_U 0x1p-8
#define SIEVE_V 0x1p-18

typedef struct hull_sieve {
    union {
        hull_f64 f64;
        hull_i64 i64;
    } from; /* u = 0, v = 0; of float32 a float */
    double u_scale, v_scale;
    uint32_t cells; /* 0: nothing is thrown away */
    float range[SIEVE_CELLS + 2][2];
} hull_sieve;

/** Sieves `count` points, at most SIEVE_BLOCK. Writes the numbers of those that stay to `kept`, which has room for
 *  SIEVE_BLOCK + 16, and returns how many. Points that are not finite stay. */
typedef unsigned hull_sieve_pass(const hull_sieve *sieve, const void *points, unsigned count, uint16_t *kept);

/** Makes a sieve of a hull of points of this type: counter-clockwise, from its first corner. One without an area, or too
 *  large or too small for arithmetic, throws nothing away. */
void hull_sieve_make(hull_sieve *sieve, const hull_list *hull, riffle_type type);

/** For points of this type, on this machine. */
hull_sieve_pass *hull_sieve_pass_for(riffle_type type);

/** The same on any machine. */
hull_sieve_pass *hull_sieve_pass_portable(riffle_type type);

/** By a set of instructions; NULL for types that it has nothing for. */
#if defined(__x86_64__)
hull_sieve_pass *hull_sieve_pass_avx2(riffle_type type);
hull_sieve_pass *hull_sieve_pass_avx512(riffle_type type);
#elif defined(__aarch64__)
hull_sieve_pass *hull_sieve_pass_neon(riffle_type type);
#endif

#endif
