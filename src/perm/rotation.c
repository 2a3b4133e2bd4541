/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotations and reflections of the ring of n indices: i -> offset + i or offset - i (mod n), the dihedral
 * group. With n <= 2 a reflection is a rotation too and is kept as that.
 */
#include "base/status.h"
#include "perm/kind.h"

/* a + b mod n, for a, b < n. */
static uint64_t add(uint64_t n, uint64_t a, uint64_t b) { return a + b >= n ? a + b - n : a + b; }
static uint64_t subtract(uint64_t n, uint64_t a, uint64_t b) { return a >= b ? a - b : a + n - b; }

riffle_status rotation_create(uint64_t n, bool reflected, uint64_t offset, riffle_perm **out) {
    riffle_perm *perm;
    riffle_status status = perm_create(PERM_ROTATION, n, &perm);
    if (status != RIFFLE_OK) return status;
    perm->rotation = (perm_rotation){.reflected = reflected && n > 2, .offset = offset};
    *out = perm;
    return RIFFLE_OK;
}

riffle_status riffle_perm_identity(uint64_t n, riffle_perm **out) {
    RETURN_IF_NULL(out);
    riffle_status status = perm_check_length("identity", n);
    return status == RIFFLE_OK ? rotation_create(n, false, 0, out) : status;
}

riffle_status riffle_perm_reverse(uint64_t n, riffle_perm **out) {
    RETURN_IF_NULL(out);
    riffle_status status = perm_check_length("reverse", n);
    return status == RIFFLE_OK ? rotation_create(n, true, n > 0 ? n - 1 : 0, out) : status;
}

riffle_status riffle_perm_rotate(uint64_t n, int64_t k, riffle_perm **out) {
    RETURN_IF_NULL(out);
    riffle_status status = perm_check_length("rotate", n);
    if (status != RIFFLE_OK) return status;
    uint64_t offset = 0;
    if (n > 0 && k >= 0) offset = (uint64_t)k % n;
    if (n > 0 && k < 0) offset = subtract(n, 0, (0 - (uint64_t)k) % n);
    return rotation_create(n, false, offset, out);
}

static void rotation_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    uint64_t n = perm->n, offset = perm->rotation.offset;
    if (perm->rotation.reflected) {
        for (size_t k = 0; k < count; k++) values[k] = subtract(n, offset, values[k]);
    } else {
        for (size_t k = 0; k < count; k++) values[k] = add(n, offset, values[k]);
    }
}

static riffle_status rotation_invert(const riffle_perm *perm, riffle_perm **out) {
    uint64_t n = perm->n, offset = perm->rotation.offset;
    if (perm->rotation.reflected) return rotation_create(n, true, offset, out);
    return rotation_create(n, false, offset > 0 ? n - offset : 0, out);
}

static riffle_status rotation_compose(const riffle_perm *first, const riffle_perm *then, riffle_perm **out) {
    uint64_t n = first->n, offset = first->rotation.offset;
    rotation_apply(then, 1, &offset);
    return rotation_create(n, first->rotation.reflected != then->rotation.reflected, offset, out);
}

/* Adding a multiple of n/4 changes the two top bits alone, and every permutation of two bits is affine;
 * with a longer carry none is. offset - i is offset + 1 + ~i. */
static bool rotation_as_affine(const riffle_perm *perm, perm_affine *out) {
    uint64_t n = perm->n;
    if (!perm_is_power_of_two(n)) return false;
    uint64_t quarter = n >= 4 ? n / 4 : 1;
    if ((perm->rotation.offset + (perm->rotation.reflected ? 1 : 0)) % quarter != 0) return false;
    *out = affine_through(perm);
    return true;
}

const perm_operations rotation_operations = {
    .apply = rotation_apply,
    .invert = rotation_invert,
    .compose = rotation_compose,
    .as_affine = rotation_as_affine,
};
