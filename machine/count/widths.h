/* SPDX-License-Identifier: Apache-2.0
 *
 * How wide the accesses are that a compiler for GPUs makes of a source line: the widest of each space and operation; and how many bytes
 * all of them move, if none is in a loop: then a thread cannot move more there.
 */
#ifndef RIFFLE_MACHINE_COUNT_WIDTHS_H
#define RIFFLE_MACHINE_COUNT_WIDTHS_H

#include <stdbool.h>

#include "machine/count/report.h"

/** Stands for the width of atomics that add 1 and whose result nobody wants: one instruction counts a warp's lanes. Any
 *  other atomic of the line is wider. */
enum { WIDTHS_COUNTING = 1 };

/** Accesses of one kind. */
typedef struct code_width {
    unsigned widest; /**< bytes; 0: none there */
    unsigned sum;    /**< bytes of all together; 0: one of them may happen again and again */
    bool again;
} code_width;

typedef struct line_width {
    char *file; /**< base name */
    unsigned line;
    code_width of[SPACES][OPS];
} line_width;

typedef struct line_widths {
    size_t count, capacity;
    line_width *line;
} line_widths;

/** Notes an access, which may happen again and again or only once; `file` may be a path. False without memory. */
bool widths_add(line_widths *w, const char *file, unsigned line, report_space space, report_op op,
                unsigned bytes, bool again);

/** The widths at a line; all 0 if it has none. */
code_width widths_find(const line_widths *w, const char *file, unsigned line, report_space space, report_op op);

/** The widest at the nearest line that has any, of those close by: two neighbours' access may stand at one line of both. */
unsigned widths_near(const line_widths *w, const char *file, unsigned line, report_space space, report_op op);

void widths_free(line_widths *w);

#endif
