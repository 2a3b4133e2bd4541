/* SPDX-License-Identifier: Apache-2.0
 *
 * How wide the accesses are that a compiler for GPUs makes of a source line: the widest of each space and operation.
 */
#ifndef RIFFLE_MACHINE_COUNT_WIDTHS_H
#define RIFFLE_MACHINE_COUNT_WIDTHS_H

#include <stdbool.h>

#include "machine/count/report.h"

/** Stands for the width of atomics that add 1 and whose result nobody wants: one instruction counts a warp's lanes. Any
 *  other atomic of the line is wider. */
enum { WIDTHS_COUNTING = 1 };

typedef struct line_width {
    char *file; /**< base name */
    unsigned line;
    unsigned bytes[SPACES][OPS]; /**< 0: none there */
} line_width;

typedef struct line_widths {
    size_t count, capacity;
    line_width *line;
} line_widths;

/** Notes an access; `file` may be a path. False without memory. */
bool widths_add(line_widths *w, const char *file, unsigned line, report_space space, report_op op,
                unsigned bytes);

/** The widest there; 0 if there is none. */
unsigned widths_find(const line_widths *w, const char *file, unsigned line, report_space space, report_op op);

void widths_free(line_widths *w);

#endif
