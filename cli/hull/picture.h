/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle hull --svg: points, the hull around them, and what was measured of it.
 */
#ifndef RIFFLE_CLI_HULL_PICTURE_H
#define RIFFLE_CLI_HULL_PICTURE_H

#include "riffle/hull.h"

/** The points and the hull that are drawn. Pairs of coordinates lie one behind the other. */
typedef struct hull_picture {
    riffle_type type;
    uint64_t n;
    const void *points;
    uint64_t corners;
    const void *hull;                     /**< corners of them */
    const riffle_hull_measures *measures; /**< the diameter and the rectangle are drawn too; or NULL */
} hull_picture;

/** The picture's text, with a part of the points where they are many, to be freed; NULL if there is no memory. */
char *hull_draw(const hull_picture *picture, size_t *bytes);

#endif
