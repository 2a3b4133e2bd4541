/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines over one list of numbers as a picture:
 *
 *     title, and what does not change
 *     y name|      .-*        -*- one line
 *           |   .-*           -o- another       o: what is hollow means
 *           '----------       ... a bound
 *             2^10  2^12  x name
 */
#ifndef RIFFLE_CLI_PLOT_PLOT_H
#define RIFFLE_CLI_PLOT_PLOT_H

#include <stdio.h>

#include "plot/lists.h"

enum { PLOT_MOST_LINES = 16, PLOT_TEXT_ROOM = 160 };

typedef enum plot_style {
    PLOT_MARKED, /**< a line with a mark at each number */
    PLOT_RINGS,  /**< marks alone, which go around another line's */
    PLOT_DOTTED, /**< a dotted line without marks: a bound */
} plot_style;

typedef struct plot_line {
    char name[PLOT_TEXT_ROOM]; /**< in the legend */
    plot_style style;
    unsigned colour;                /**< lines with the same number have the same one; PLOT_GREY is grey */
    double y[LIST_MOST_NUMBERS];    /**< at each x; NAN: none, which interrupts the line */
    bool hollow[LIST_MOST_NUMBERS]; /**< its mark is empty */
} plot_line;

enum { PLOT_GREY = 1000 };

typedef struct plot {
    const char *title, *x_name, *y_name;
    char subtitle[PLOT_TEXT_ROOM];
    const number_list *x; /**< two numbers at least */
    size_t lines;
    plot_line line[PLOT_MOST_LINES + 1]; /**< marked lines and rings first, then dotted ones */
    const char *hollow_means;            /**< a legend of hollow marks, or NULL where there are none */
} plot;

/** A document_printer of a plot, as SVG. */
riffle_status plot_draw(const void *subject, FILE *stream);

#endif
