/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of a permutation and what all kinds share; what differs stands in perm_operations.
 */
#include "perm/perm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "perm/kind.h"

static const perm_operations *operations_of(const riffle_perm *perm) {
    static const perm_operations *const all[] = {
        [PERM_ROTATION] = &rotation_operations, [PERM_AFFINE] = &affine_operations,
        [PERM_AXES] = &axes_operations,         [PERM_RANDOM] = &random_operations,
        [PERM_TABLE] = &table_operations,       [PERM_SEQUENCE] = &sequence_operations,
    };
    return all[perm->kind];
}

riffle_status perm_check_length(const char *what, uint64_t n) {
    if (n <= RIFFLE_MAX_LENGTH) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH, "%s: n = %" PRIu64 " is above the largest length, 2^%d", what, n,
                RIFFLE_MAX_BITS);
}

/* ------------------------------------------------------------------- life */

riffle_status perm_create(perm_kind kind, uint64_t n, riffle_perm **out) {
    riffle_perm *perm = calloc(1, sizeof *perm);
    if (perm == NULL) return fail_memory("a permutation", sizeof *perm);
    atomic_init(&perm->references, 1);
    perm->kind = kind;
    perm->n = n;
    *out = perm;
    return RIFFLE_OK;
}

riffle_perm *riffle_perm_retain(const riffle_perm *perm) {
    if (perm == NULL) return NULL;
    riffle_perm *shared = (riffle_perm *)perm; /* only the count changes, and it is atomic */
    atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    return shared;
}

void riffle_perm_free(riffle_perm *perm) {
    if (perm == NULL || atomic_fetch_sub_explicit(&perm->references, 1, memory_order_acq_rel) != 1) return;
    const perm_operations *operations = operations_of(perm);
    if (operations->destroy != NULL) operations->destroy(perm);
    free(perm);
}

/* ----------------------------------------------------------------- values */

uint64_t riffle_perm_length(const riffle_perm *perm) { return perm != NULL ? perm->n : 0; }

void perm_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    operations_of(perm)->apply(perm, count, values);
}

void perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    const perm_operations *operations = operations_of(perm);
    if (operations->map != NULL) {
        operations->map(perm, first, count, out);
        return;
    }
    for (size_t done = 0; done < count; done += PERM_BLOCK) { /* in blocks that stay in the L1 cache */
        size_t block = count - done < PERM_BLOCK ? count - done : PERM_BLOCK;
        for (size_t k = 0; k < block; k++) out[done + k] = first + done + k;
        operations->apply(perm, block, out + done);
    }
}

uint64_t riffle_perm_at(const riffle_perm *perm, uint64_t i) {
    if (perm == NULL || i >= perm->n) return UINT64_MAX;
    perm_apply(perm, 1, &i);
    return i;
}

riffle_status riffle_perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    RETURN_IF_NULL(perm);
    if (count > 0) RETURN_IF_NULL(out);
    if (first > perm->n || count > perm->n - first) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "map: %zu indices from %" PRIu64 " on leave the range of n = %" PRIu64, count, first,
                    perm->n);
    }
    perm_map(perm, first, count, out);
    return RIFFLE_OK;
}

/* A round of a comparison: values first .. end - 1. */
typedef struct comparison {
    const riffle_perm *a, *b;
    uint64_t first, end;
    bool *differ;
} comparison;

static void compare_share(const void *context, team_member me) {
    const comparison *const c = context;
    const team_share mine = team_share_of(c->end - c->first, me);
    uint64_t of_a[PERM_BLOCK], of_b[PERM_BLOCK];
    for (uint64_t k = mine.first; k < mine.end; k += PERM_BLOCK) {
        const size_t count = min(mine.end - k, (uint64_t)PERM_BLOCK);
        perm_map(c->a, c->first + k, count, of_a);
        perm_map(c->b, c->first + k, count, of_b);
        if (memcmp(of_a, of_b, count * sizeof *of_a) == 0) continue;
        __atomic_store_n(c->differ, true, __ATOMIC_RELAXED);
        return;
    }
}

/* Most pairs differ in the first few values; the others are compared in rounds of some blocks for each thread,
 * the first of one block. */
bool perm_same_values(const riffle_perm *a, const riffle_perm *b) {
    const uint64_t n = a->n, few = 64, most = (uint64_t)PERM_BLOCK << 12;
    bool differ = false;
    uint64_t round = few;
    for (uint64_t done = 0, end; done < n && !differ; done = end, round = done == few ? PERM_BLOCK : most) {
        end = min(n, done + round);
        team_run(perm_threads(end - done), compare_share, &(comparison){a, b, done, end, &differ});
    }
    return !differ;
}

/* ------------------------------------------------------------------ forms */

riffle_status riffle_perm_invert(const riffle_perm *perm, riffle_perm **out) {
    RETURN_IF_NULL(perm, out);
    return operations_of(perm)->invert(perm, out);
}

bool perm_as_affine(const riffle_perm *perm, perm_affine *out) {
    const perm_operations *operations = operations_of(perm);
    return operations->as_affine != NULL && operations->as_affine(perm, out);
}

bool perm_is_identity(const riffle_perm *perm) {
    return perm->n <= 1 ||
           (perm->kind == PERM_ROTATION && !perm->rotation.reflected && perm->rotation.offset == 0) ||
           (perm->kind == PERM_AXES && perm->axes.digits == 1);
}

riffle_status perm_melt(const riffle_perm *first, const riffle_perm *then, riffle_perm **out) {
    *out = NULL;
    if (first->n <= 1) {
        *out = riffle_perm_retain(then);
        return RIFFLE_OK;
    }
    const perm_operations *operations = operations_of(first);
    if (first->kind == then->kind && operations->compose != NULL) {
        riffle_status status = operations->compose(first, then, out);
        if (status != RIFFLE_OK || *out != NULL) return status;
    }
    if (perm_is_identity(first) || perm_is_identity(then)) {
        *out = riffle_perm_retain(perm_is_identity(first) ? then : first);
        return RIFFLE_OK;
    }
    perm_affine a, b;
    if (!perm_as_affine(first, &a) || !perm_as_affine(then, &b)) return RIFFLE_OK;
    perm_affine product = {gf2_multiply(&b.a, &a.a), gf2_apply(&b.a, a.c) ^ b.c};
    return affine_create(&product, out);
}
