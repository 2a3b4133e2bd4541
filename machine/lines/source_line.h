/* SPDX-License-Identifier: Apache-2.0
 *
 * From a call site to its source line, by the debug information of whatever object holds it.
 */
#ifndef RIFFLE_MACHINE_LINES_SOURCE_LINE_H
#define RIFFLE_MACHINE_LINES_SOURCE_LINE_H

#include <stdbool.h>

typedef struct source_lines source_lines;

typedef struct source_line {
    const char *file; /**< base name, "?" if unknown; lives as long as the source_lines */
    unsigned line;    /**< 0 if unknown */
} source_line;

/** Lines of all objects that are loaded at the first question; objects loaded later are not found. NULL without memory,
 *  which every function here takes: then no line is found. */
source_lines *source_lines_create(void);
void source_lines_free(source_lines *lines);

/** Why no line is known of any place, once lines have been asked for: libdw is missing. NULL where it is there, or nobody has asked. */
const char *source_lines_missing(const source_lines *lines);

/** The line of the call that returns to `site`. One caller at a time: machine.c's lock is held. */
source_line source_line_of(source_lines *lines, const void *site);

/** Where the functions were called, from the innermost outward, that a compiler has inlined at `site`, up to the function with
 *  the name `end`, where that is among them: how many there are, up to `room`; *ended tells whether it is. Of callers one around the other
 *  in a toolkit's headers only the outermost is told. */
unsigned source_callers_of(source_lines *lines, const void *site, const char *end, source_line *out,
                           unsigned room, bool *ended);

/** The innermost line around `site` that is in no header which riffle gives kernels, nor in a toolkit's: its own, or one where a function that was inlined there
 *  was called. False if there is none. */
bool source_user_line_of(source_lines *lines, const void *site, source_line *out);

/** Gives it the preprocessed text that a kernel was compiled from, of which it keeps a copy. False without memory. */
bool source_lines_preprocessed(source_lines *lines, const char *text);

/** Which component of a vector that text accesses there, by its name: 1 to 4 for ".x" to ".w", or "->x"; else 0. */
unsigned source_component_of(source_lines *lines, const void *site);

#endif
