/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep as a picture: a line for each combination of the other values, along one that is swept.
 */
#ifndef RIFFLE_CLI_SWEEP_PICTURE_H
#define RIFFLE_CLI_SWEEP_PICTURE_H

#include "plot/plot.h"
#include "sweep/points.h"

/** How many lines it has. */
size_t sweep_lines(const sweep *s, sweep_parameter along);

/** The picture of a sweep of PLOT_MOST_LINES lines at most, which has to stay. */
void sweep_picture(const sweep *s, sweep_parameter along, plot *out);

#endif
