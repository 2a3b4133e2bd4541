/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of nvdisasm's lines are code that a thread may run more than once: what stands between a label and a jump back
 * to it, and all of a section that calls, returns or jumps to where a register says.
 */
#ifndef RIFFLE_MACHINE_LINT_SASS_LOOPS_H
#define RIFFLE_MACHINE_LINT_SASS_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

/** Offsets in the text, the end not in it. */
typedef struct sass_span {
    size_t from, end;
} sass_span;

typedef struct sass_loops {
    size_t count, capacity;
    sass_span *span;
} sass_loops;

/** False without memory. */
bool sass_loops_find(const char *text, sass_loops *out);

bool sass_loops_have(const sass_loops *l, size_t at);

void sass_loops_free(sass_loops *l);

/** The instruction of "  /<asterisk>02c0<asterisk>/   @!P0 LDS.128 R12, [R7] ;", NULL if the line has none. */
const char *sass_instruction(const char *line, size_t length);

#endif
