/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewrites what CUDA allows in declarations and C++ does not, in preprocessed text:
 *
 *     __launch_bounds__(256) void k(int *a) { ... }   ->   void k(int *a) { riffle_lint_bounds(256); ... }
 *     __cluster_dims__(2, 1, 1) void k(int *a) { ... }  ->   void k(int *a) { riffle_lint_clusters(2, 1, 1); ... }
 *     __constant__ float c[16];                       ->   __attribute__((used)) float c[16];   and c is remembered
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_DECLARATIONS_H
#define RIFFLE_MACHINE_LINT_SOURCE_DECLARATIONS_H

#include <stdbool.h>
#include <stdio.h>

/** Copies the text, rewritten, and writes the names of constants, each on a line. */
void lint_declarations_write(const char *text, FILE *out, FILE *constants);

/** True if an object's symbol is the variable of one of these lines. */
bool lint_declarations_name(const char *constants, const char *symbol);

#endif
