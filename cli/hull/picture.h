/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle hull --svg: points, the hull around them, and what was measured of it.
 */
#ifndef RIFFLE_CLI_HULL_PICTURE_H
#define RIFFLE_CLI_HULL_PICTURE_H

#include <stdbool.h>

#include "riffle/hull.h"

/** What is drawn. Pairs of coordinates lie one behind the other. */
typedef struct hull_picture {
    riffle_type type;
    uint64_t n;
    const void *points;
    uint64_t corners;
    const void *hull;                     /**< corners of them */
    const riffle_hull_measures *measures; /**< the diameter and the rectangle are drawn too; or NULL */
} hull_picture;

/** Writes the picture, with a part of the points where they are many; false if the file could not be written, and errno
 *  says why. */
bool hull_draw(const hull_picture *picture, const char *path);

#endif
