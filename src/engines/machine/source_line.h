/* SPDX-License-Identifier: Apache-2.0
 *
 * From a call site to its source line, by the debug information of whatever object holds it.
 */
#ifndef RIFFLE_ENGINES_MACHINE_SOURCE_LINE_H
#define RIFFLE_ENGINES_MACHINE_SOURCE_LINE_H

typedef struct source_lines source_lines;

typedef struct source_line {
    const char *file; /**< base name, "?" if unknown; lives as long as the source_lines */
    unsigned line;    /**< 0 if unknown */
} source_line;

/** Looks at what is loaded now; objects loaded later are unknown to it. NULL without memory or /proc, which is
 *  right to use as well: then nothing is known. */
source_lines *source_lines_open(void);
void source_lines_close(source_lines *lines);

/** The line of the call that returns to `site`. */
source_line source_line_of(source_lines *lines, const void *site);

#endif
