/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep as a picture: a line for each combination of the other values, along one that is swept.
 */
#ifndef RIFFLE_CLI_SWEEP_PLOT_H
#define RIFFLE_CLI_SWEEP_PLOT_H

#include <stdio.h>

#include "sweep/points.h"

enum { PLOT_MOST_LINES = 16 };

typedef struct plot {
    const sweep *of;
    sweep_parameter along;
} plot;

/** How many lines it has. */
size_t plot_lines(const sweep *s, sweep_parameter along);

/** A document_printer of a plot, as SVG. */
riffle_status plot_draw(const void *subject, FILE *stream);

#endif
