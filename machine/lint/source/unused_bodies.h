/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies of templates that nobody instantiates. nvcc leaves them alone, so that names may lack in them which a C++ compiler wants to know.
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_UNUSED_BODIES_H
#define RIFFLE_MACHINE_LINT_SOURCE_UNUSED_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** An error of a compiler's, and where it is. */
typedef struct lint_place {
    const char *file, *text;
    unsigned line;
} lint_place;

/** How the assertions begin; the error follows. */
#define LINT_UNUSED "riffle has left out: "

/** Copies preprocessed text; the body of each function template, or member of a class template, in which a place lies becomes an assertion of the
 *  error, on its line, that fails where the body is instantiated. False if a place lies in no such body: the text is then of no use. */
bool lint_unused_bodies_write(const char *text, size_t length, const lint_place *places, size_t count,
                              FILE *out);

#endif
