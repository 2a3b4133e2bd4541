/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the structure in a permutation that is only known by its values. For each form a few values say
 * which member of it this could be; then all values are compared with that member's, in parallel, and the
 * first difference ends it. A permutation without structure costs a look at its first block.
 */
#include "base/status.h"
#include "perm/kind.h"

/* Each guess gives *out = NULL where there is no member of the form to try. */
typedef riffle_status guess(const riffle_perm *perm, riffle_perm **out);

/* P(0) is the offset, P(1) says which way it goes. */
static riffle_status guess_rotation(const riffle_perm *perm, riffle_perm **out) {
    uint64_t n = perm->n, offset = n > 0 ? riffle_perm_at(perm, 0) : 0;
    bool reflected = n > 2 && (riffle_perm_at(perm, 1) + 1) % n == offset;
    return rotation_create(n, reflected, offset, out);
}

/* P(0) and the values at the powers of two say all. */
static riffle_status guess_affine(const riffle_perm *perm, riffle_perm **out) {
    *out = NULL;
    if (!perm_is_power_of_two(perm->n)) return RIFFLE_OK;
    perm_affine affine = affine_through(perm);
    gf2_matrix inverse;
    return gf2_invert(&affine.a, &inverse, NULL) ? affine_create(&affine, out) : RIFFLE_OK;
}

/* The digits from the fastest on: the stride of the next one is P at its first step, and it ends where the
 * values stop being multiples of its stride. In an axes permutation in normal form that is exact. */
static riffle_status guess_axes(const riffle_perm *perm, riffle_perm **out) {
    uint64_t n = perm->n;
    perm_digit digits[RIFFLE_MAX_RANK];
    unsigned count = 0;
    *out = NULL;
    if (n < 2 || riffle_perm_at(perm, 0) != 0) return RIFFLE_OK;
    for (uint64_t step = 1; step < n; step *= digits[count++].extent) {
        if (count == RIFFLE_MAX_RANK) return RIFFLE_OK;
        uint64_t stride = riffle_perm_at(perm, step), extent = 1;
        while (extent < n / step && riffle_perm_at(perm, extent * step) == extent * stride) extent++;
        if ((n / step) % extent != 0) return RIFFLE_OK;
        digits[count] = (perm_digit){extent, stride};
    }
    return axes_create(n, count, digits, NULL, NULL, out);
}

riffle_status riffle_perm_recognize(const riffle_perm *perm, riffle_perm **out) {
    RETURN_IF_NULL(perm, out);
    static guess *const guesses[] = {guess_rotation, guess_affine, guess_axes}; /* the simplest first */
    bool is_open = perm->kind == PERM_TABLE || perm->kind == PERM_SEQUENCE;
    for (size_t k = 0; is_open && k < sizeof guesses / sizeof *guesses; k++) {
        riffle_perm *candidate;
        riffle_status status = guesses[k](perm, &candidate);
        if (status != RIFFLE_OK) return status;
        if (candidate != NULL && perm_same_values(perm, candidate)) {
            *out = candidate;
            return RIFFLE_OK;
        }
        riffle_perm_free(candidate);
    }
    *out = riffle_perm_retain(perm);
    return RIFFLE_OK;
}

riffle_status perm_find_affine(const riffle_perm *perm, perm_affine *out, bool *is_affine) {
    riffle_perm *known;
    const riffle_status status = riffle_perm_recognize(perm, &known);
    *is_affine = status == RIFFLE_OK && perm_as_affine(known, out);
    if (status == RIFFLE_OK) riffle_perm_free(known);
    return status;
}
