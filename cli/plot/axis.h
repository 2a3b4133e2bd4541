/* SPDX-License-Identifier: Apache-2.0
 *
 * An axis: from numbers to pixels, by ratios where they are far apart, and where its ticks are.
 */
#ifndef RIFFLE_CLI_PLOT_AXIS_H
#define RIFFLE_CLI_PLOT_AXIS_H

#include <stdbool.h>
#include <stdio.h>

enum { AXIS_MOST_TICKS = 24 };

typedef struct axis {
    double least, most; /**< numbers at both ends */
    double from, to;    /**< their pixels */
    bool is_logarithmic;
    unsigned ticks;
    double tick[AXIS_MOST_TICKS];
} axis;

/** True where `most` is 8 times `least` or more, and `least` is not 0. */
bool axis_is_far(double least, double most);

/** An axis for numbers from `least` to `most`. Its ticks are 1, 2 and 5 times powers of ten, or powers of ten alone. */
axis axis_of(double least, double most, bool is_logarithmic, double from, double to);

double axis_pixel(const axis *a, double number);

/** A number as a tick has it, in SVG: 500, or on logarithmic axes 2^10 and 10^6 with the exponent raised. */
void axis_print(const axis *a, double number, FILE *stream);

#endif
