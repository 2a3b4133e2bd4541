/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations of n = 2^m indices (the papers' BMMC): y = A x + c over GF(2), A invertible. Rotations and reflections
 * among them are kept as such, so that whoever looks at the kind sees the simplest.
 */
#include <inttypes.h>
#include <string.h>

#include "base/splitmix.h"
#include "base/status.h"
#include "perm/kind.h"

perm_affine affine_through(const riffle_perm *perm) {
    perm_affine affine = {.a = {.m = (unsigned)__builtin_ctzll(perm->n)}};
    perm_apply(perm, 1, &affine.c);
    for (unsigned j = 0; j < affine.a.m; j++) {
        uint64_t value = (uint64_t)1 << j;
        perm_apply(perm, 1, &value);
        affine.a.column[j] = value ^ affine.c;
    }
    return affine;
}

/* The rotation or reflection that sends 0 to c, if it is this map; else *out = NULL. */
static riffle_status as_rotation(const perm_affine *affine, bool reflected, riffle_perm **out) {
    riffle_perm *rotation;
    riffle_status status = rotation_create((uint64_t)1 << affine->a.m, reflected, affine->c, &rotation);
    if (status != RIFFLE_OK) return status;
    perm_affine form;
    bool same = perm_as_affine(rotation, &form) &&
                memcmp(form.a.column, affine->a.column, affine->a.m * sizeof *form.a.column) == 0;
    *out = same ? rotation : NULL;
    if (!same) riffle_perm_free(rotation);
    return RIFFLE_OK;
}

riffle_status affine_create(const perm_affine *affine, riffle_perm **out) {
    riffle_perm *perm = NULL;
    riffle_status status = as_rotation(affine, false, &perm);
    if (status == RIFFLE_OK && perm == NULL) status = as_rotation(affine, true, &perm);
    if (status == RIFFLE_OK && perm == NULL) {
        status = perm_create(PERM_AFFINE, (uint64_t)1 << affine->a.m, &perm);
        if (status == RIFFLE_OK) perm->affine = *affine;
    }
    if (status == RIFFLE_OK) *out = perm;
    return status;
}

/* ----------------------------------------------------------- constructors */

/* m of n = 2^m; n = 0 passes as n = 1 would, for there is nothing to permute. */
static riffle_status bits_of(const char *what, uint64_t n, unsigned *m) {
    riffle_status status = perm_check_length(what, n);
    if (status != RIFFLE_OK) return status;
    if (n > 0 && !perm_is_power_of_two(n)) {
        uint64_t below = (uint64_t)1 << (63 - __builtin_clzll(n));
        return fail(RIFFLE_ERROR_LENGTH,
                    "%s: n = %" PRIu64 " is not a power of two; the nearest are %" PRIu64 " and %" PRIu64, what,
                    n, below, 2 * below);
    }
    *m = n > 0 ? (unsigned)__builtin_ctzll(n) : 0;
    return RIFFLE_OK;
}

/* The bit permutation that sends bit j to bit to[j] of n = 0 or 2^m. */
static riffle_status create_bits(uint64_t n, unsigned m, const unsigned *to, riffle_perm **out) {
    if (n == 0) return rotation_create(0, false, 0, out);
    perm_affine affine = {.a = {.m = m}};
    for (unsigned j = 0; j < m; j++) affine.a.column[j] = (uint64_t)1 << to[j];
    return affine_create(&affine, out);
}

riffle_status riffle_perm_bit_reversal(uint64_t n, riffle_perm **out) {
    RETURN_IF_NULL(out);
    unsigned m = 0, to[RIFFLE_MAX_BITS];
    riffle_status status = bits_of("bit-reversal", n, &m);
    if (status != RIFFLE_OK) return status;
    for (unsigned j = 0; j < m; j++) to[j] = m - 1 - j;
    return create_bits(n, m, to, out);
}

riffle_status riffle_perm_shuffle(uint64_t n, riffle_perm **out) {
    RETURN_IF_NULL(out);
    unsigned m = 0, to[RIFFLE_MAX_BITS];
    riffle_status status = bits_of("shuffle", n, &m);
    if (status != RIFFLE_OK) return status;
    for (unsigned j = 0; j < m; j++) to[j] = (j + 1) % m;
    return create_bits(n, m, to, out);
}

riffle_status riffle_perm_unshuffle(uint64_t n, riffle_perm **out) {
    RETURN_IF_NULL(out);
    unsigned m = 0, to[RIFFLE_MAX_BITS];
    riffle_status status = bits_of("unshuffle", n, &m);
    if (status != RIFFLE_OK) return status;
    for (unsigned j = 0; j < m; j++) to[j] = (j + m - 1) % m;
    return create_bits(n, m, to, out);
}

static riffle_status check_bit_count(const char *what, unsigned m) {
    if (m <= RIFFLE_MAX_BITS) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH, "%s: m = %u index bits are above the most, %d", what, m, RIFFLE_MAX_BITS);
}

riffle_status riffle_perm_bits(unsigned m, const unsigned *to, riffle_perm **out) {
    RETURN_IF_NULL(out);
    if (m > 0) RETURN_IF_NULL(to);
    riffle_status status = check_bit_count("bits", m);
    if (status != RIFFLE_OK) return status;
    uint64_t seen = 0;
    for (unsigned j = 0; j < m; j++) {
        if (to[j] >= m) {
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "bits: bit %u goes to %u, which is not below m = %u", j,
                        to[j], m);
        }
        if (seen >> to[j] & 1) {
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "bits: two bits go to %u; bit %u is the second", to[j],
                        j);
        }
        seen |= (uint64_t)1 << to[j];
    }
    return create_bits((uint64_t)1 << m, m, to, out);
}

static riffle_status fail_singular(unsigned m, uint64_t dependent) {
    char rows[RIFFLE_MAX_BITS * 4 + 1] = "";
    size_t length = 0;
    for (unsigned k = 0; k < m; k++) {
        if ((dependent >> k & 1) == 0) continue;
        uint64_t rest = dependent >> k >> 1;
        const char *before = length == 0 ? "" : rest != 0 ? ", " : " and ";
        length += (size_t)snprintf(rows + length, sizeof rows - length, "%s%u", before, k);
    }
    if ((dependent & (dependent - 1)) == 0)
        return fail(RIFFLE_ERROR_SINGULAR, "affine: the matrix has no inverse: row %s is zero", rows);
    return fail(RIFFLE_ERROR_SINGULAR, "affine: the matrix has no inverse: rows %s add up to zero", rows);
}

riffle_status riffle_perm_affine(unsigned m, const uint64_t *rows, uint64_t c, riffle_perm **out) {
    RETURN_IF_NULL(out);
    if (m > 0) RETURN_IF_NULL(rows);
    riffle_status status = check_bit_count("affine", m);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 0; k < m; k++) {
        if (rows[k] >> m == 0) continue;
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "affine: row %u is 0x%" PRIx64 ", wider than m = %u bits", k,
                    rows[k], m);
    }
    if (c >> m != 0) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "affine: c is 0x%" PRIx64 ", wider than m = %u bits", c, m);
    }
    gf2_matrix transposed = {.m = m}, inverse;
    for (unsigned k = 0; k < m; k++) transposed.column[k] = rows[k];
    uint64_t dependent;
    if (!gf2_invert(&transposed, &inverse, &dependent)) return fail_singular(m, dependent);
    perm_affine affine = {gf2_from_rows(m, rows), c};
    return affine_create(&affine, out);
}

/* Rows are drawn until they are independent (about 3.5 times for large m), so that every invertible matrix
 * is equally likely. docs/spec.md has the definition. */
riffle_status riffle_perm_random_affine(uint64_t n, uint64_t seed, riffle_perm **out) {
    RETURN_IF_NULL(out);
    unsigned m = 0;
    riffle_status status = bits_of("random-affine", n, &m);
    if (status != RIFFLE_OK) return status;
    if (n == 0) return rotation_create(0, false, 0, out);
    gf2_matrix inverse;
    perm_affine affine;
    do {
        uint64_t rows[RIFFLE_MAX_BITS];
        for (unsigned k = 0; k < m; k++) rows[k] = splitmix_next(&seed) & (n - 1);
        affine.a = gf2_from_rows(m, rows);
    } while (!gf2_invert(&affine.a, &inverse, NULL));
    affine.c = splitmix_next(&seed) & (n - 1);
    return affine_create(&affine, out);
}

/* ------------------------------------------------------------- operations */

enum { SMALL_BATCH = 512 };

/* Large batches take a byte of x at a time from tables of all 256 images of it. */
static void affine_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    const gf2_matrix *a = &perm->affine.a;
    uint64_t c = perm->affine.c;
    if (count < SMALL_BATCH) {
        for (size_t k = 0; k < count; k++) values[k] = gf2_apply(a, values[k]) ^ c;
        return;
    }
    enum { MOST_BYTES = RIFFLE_MAX_BITS / 8 };
    uint64_t images[MOST_BYTES][256];
    const unsigned bytes = a->m < RIFFLE_MAX_BITS ? (a->m + 7) / 8 : MOST_BYTES;
    for (unsigned byte = 0; byte < bytes; byte++) {
        images[byte][0] = byte == 0 ? c : 0;
        for (unsigned bit = 0; bit < 8; bit++) {
            uint64_t column = 8 * byte + bit < a->m ? a->column[8 * byte + bit] : 0;
            for (unsigned k = 0; k < 1U << bit; k++) images[byte][k | 1U << bit] = images[byte][k] ^ column;
        }
    }
    for (size_t k = 0; k < count; k++) {
        uint64_t x = values[k], y = 0;
        for (unsigned byte = 0; byte < bytes; byte++) y ^= images[byte][x >> 8 * byte & 255];
        values[k] = y;
    }
}

/* Runs of 64 indices differ in their low bits only, and so by the same 64 images. */
static void affine_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    const gf2_matrix *a = &perm->affine.a;
    uint64_t low[64] = {0};
    for (unsigned bit = 0; bit < 6 && bit < a->m; bit++)
        for (unsigned k = 0; k < 1U << bit; k++) low[k | 1U << bit] = low[k] ^ a->column[bit];
    for (size_t done = 0; done < count;) {
        uint64_t i = first + done;
        unsigned start = (unsigned)(i & 63);
        size_t run = count - done < 64 - start ? count - done : 64 - start;
        uint64_t high = gf2_apply(a, i - start) ^ perm->affine.c;
        for (size_t k = 0; k < run; k++) out[done + k] = high ^ low[start + k];
        done += run;
    }
}

static riffle_status affine_invert(const riffle_perm *perm, riffle_perm **out) {
    perm_affine inverse;
    if (!gf2_invert(&perm->affine.a, &inverse.a, NULL))
        return fail(RIFFLE_ERROR_SINGULAR, "invert: the matrix has no inverse");
    inverse.c = gf2_apply(&inverse.a, perm->affine.c);
    return affine_create(&inverse, out);
}

static bool affine_as_affine(const riffle_perm *perm, perm_affine *out) {
    *out = perm->affine;
    return true;
}

/* Composition needs no entry: perm_melt composes whatever is affine. */
const perm_operations affine_operations = {
    .apply = affine_apply,
    .map = affine_map,
    .invert = affine_invert,
    .as_affine = affine_as_affine,
};
