/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/step.h"

#include <limits.h>

enum { BLOCK = 1024 };

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

riffle_status step_plan(const riffle_mpi_plan *plan, const riffle_perm *perm, unsigned threads,
                        riffle_plan **step, void **room) {
    const bool is_affine = riffle_exchange_coset_bits(plan->exchange) != UINT_MAX;
    const riffle_plan_options options = {.threads = threads > 0 ? threads : 1};
    if (is_identity(perm, is_affine)) return RIFFLE_OK;
    const riffle_status status =
        riffle_plan_create(perm, plan->elem_bytes, plan->place->engine, &options, step);
    if (status != RIFFLE_OK) return status;
    return plan->place->allocate(plan, riffle_perm_length(perm) * plan->elem_bytes, room);
}
