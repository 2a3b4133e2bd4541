/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves as CSV and as a picture.
 */
#ifndef RIFFLE_CLI_VAT_CURVE_SHOW_H
#define RIFFLE_CLI_VAT_CURVE_SHOW_H

#include "plot/plot.h"
#include "vat/curve/points.h"

/** A document_printer of a curve: a line of names, and a line a point. Cells of what is not known are empty. */
riffle_status curve_table(const void *subject, FILE *stream);

/** The picture of the columns `drawn`, at most PLOT_MOST_LINES lines, which has to stay: counts with marks, formulas dotted. */
void curve_picture(const curve *of, const word_list *drawn, plot *out);

#endif
