/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons of the user's on the host: compiled, sorted by, and looked at whether they are an order.
 */
#ifndef RIFFLE_SORT_CPU_COMPARISON_H
#define RIFFLE_SORT_CPU_COMPARISON_H

#include "sort/cpu/result.h"

typedef struct comparison comparison;

/** Compiles the key's. RIFFLE_ERROR_SYNTAX with the compiler's words, RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status comparison_compile(const riffle_sort_key *key, comparison **out);

void comparison_free(comparison *c);

/** One execution's comparing. Its caller is asked some times a second whether to stop; a comparison that is never through cannot be
 *  stopped. */
typedef struct comparing {
    const comparison *own;
    riffle_sort_stop *stop; /**< NULL: nobody is asked */
    void *stop_context;
    uint64_t left, between; /**< comparisons until the clock is looked at, and from one look to the next */
    uint64_t asked;         /**< when the caller was asked, in nanoseconds */
    bool is_stopped;
} comparing;

comparing comparing_by(const comparison *own, riffle_sort_stop *stop, void *context);

/** The comparison, and no element before another once it is stopped; the context is a comparing, which it changes. */
sort_before comparing_before;

/** True if it is stopped. */
sort_is_stopped comparing_is_stopped;

/** RIFFLE_ERROR_STOPPED if it is. */
riffle_status comparing_result(const comparing *c);

/** riffle_sort_check. */
riffle_status comparison_check(comparing *c, const void *elements, size_t elem_bytes, uint64_t n,
                               uint64_t witness[3]);

#endif
