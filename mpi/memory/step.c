/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of a step are often some streams: what goes to one rank is packed in the order of src, and rows of an array of few columns are unpacked so. Then a scatter
 * fills line after line of each stream, in one pass, where buckets take two.
 *
 *     src    a b c d e f g h i ...         window by window,
 *     dst    a d e i ... | b g ... | c f h ...     each line is touched by one window or two
 */
#include "memory/step.h"

#include <limits.h>
#include <stdlib.h>

enum { BLOCK = 1024, WINDOW = 4096, WINDOWS = 16, LINE = 64, STREAMS = 128 };

/* An affine map that leaves 0 and the powers of two alone leaves all alone. */
static bool is_identity(const riffle_perm *perm, bool is_affine) {
    const uint64_t n = riffle_perm_length(perm);
    uint64_t values[BLOCK];
    if (is_affine) {
        for (uint64_t i = 1; i < n; i *= 2)
            if (riffle_perm_at(perm, i) != i) return false;
        return n == 0 || riffle_perm_at(perm, 0) == 0;
    }
    for (uint64_t first = 0; first < n; first += BLOCK) {
        const size_t count = n - first < BLOCK ? (size_t)(n - first) : BLOCK;
        if (riffle_perm_map(perm, first, count, values) != RIFFLE_OK) return false;
        for (size_t k = 0; k < count; k++)
            if (values[k] != first + k) return false;
    }
    return true;
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lines of dst that a window of src is written to. */
static size_t count_lines(const riffle_perm *perm, uint64_t first, size_t elem_bytes, uint64_t *values) {
    size_t lines = 1;
    if (riffle_perm_map(perm, first, WINDOW, values) != RIFFLE_OK) return WINDOW;
    for (size_t k = 0; k < WINDOW; k++) values[k] = values[k] * elem_bytes / LINE;
    qsort(values, WINDOW, sizeof *values, by_value);
    for (size_t k = 1; k < WINDOW; k++) lines += values[k] != values[k - 1];
    return lines;
}

/* Windows all over src fill the lines that they touch, but for those at the ends of each stream. */
static bool is_streams(const riffle_perm *perm, size_t elem_bytes) {
    const uint64_t n = riffle_perm_length(perm);
    uint64_t values[WINDOW];
    const size_t most = WINDOW * elem_bytes / LINE + STREAMS;
    if (n < (uint64_t)WINDOW * WINDOWS || elem_bytes >= LINE) return false;
    for (uint64_t k = 0; k < WINDOWS; k++)
        if (count_lines(perm, (n - WINDOW) / (WINDOWS - 1) * k, elem_bytes, values) > most) return false;
    return true;
}

static bool is_by_elements(riffle_algorithm a) {
    return a == RIFFLE_ALGORITHM_SCATTER || a == RIFFLE_ALGORITHM_GATHER || a == RIFFLE_ALGORITHM_ONCE;
}

/* A plan for one use is quick to make, and says whether there is structure to use. */
static riffle_status plan_scatter(const riffle_mpi_plan *plan, const riffle_perm *perm,
                                  riffle_plan_options options, riffle_plan **step) {
    options.executions = 1;
    riffle_status status = riffle_plan_create(perm, plan->elem_bytes, plan->place->engine, &options, step);
    if (status != RIFFLE_OK || !is_by_elements(riffle_plan_algorithm(*step))) return status;
    riffle_plan_free(*step);
    *step = NULL;
    options.executions = 0;
    options.algorithm = RIFFLE_ALGORITHM_SCATTER;
    return riffle_plan_create(perm, plan->elem_bytes, plan->place->engine, &options, step);
}

riffle_status step_plan(const riffle_mpi_plan *plan, const riffle_perm *perm, unsigned threads,
                        riffle_plan **step, void **room) {
    const bool is_affine = riffle_exchange_coset_bits(plan->exchange) != UINT_MAX;
    const riffle_plan_options options = {.threads = threads > 0 ? threads : 1};
    if (is_identity(perm, is_affine)) return RIFFLE_OK;
    const bool is_scatter = !is_affine && plan->place == &place_host && is_streams(perm, plan->elem_bytes);
    const riffle_status status =
        is_scatter ? plan_scatter(plan, perm, options, step)
                   : riffle_plan_create(perm, plan->elem_bytes, plan->place->engine, &options, step);
    if (status != RIFFLE_OK) return status;
    return plan->place->allocate(plan, riffle_perm_length(perm) * plan->elem_bytes, room);
}
