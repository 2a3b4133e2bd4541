/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons of the user's on the host: compiled, sorted by, and looked at whether they are an order.
 */
#ifndef RIFFLE_ENGINES_CPU_SORT_COMPARISON_H
#define RIFFLE_ENGINES_CPU_SORT_COMPARISON_H

#include "engines/cpu/sort/result.h"

typedef struct comparison comparison;

/** Compiles the key's. RIFFLE_ERROR_SYNTAX with the compiler's words, RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status comparison_compile(const riffle_sort_key *key, comparison **out);

void comparison_free(comparison *c);

/** The comparison; the context is a comparison. */
sort_before comparison_before;

/** riffle_sort_check. */
riffle_status comparison_check(const comparison *c, const void *elements, size_t elem_bytes, uint64_t n,
                               uint64_t witness[3]);

#endif
