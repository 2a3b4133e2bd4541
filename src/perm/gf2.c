/* SPDX-License-Identifier: Apache-2.0 */
#include "perm/gf2.h"

gf2_matrix gf2_identity(unsigned m) {
    gf2_matrix a = {.m = m};
    for (unsigned j = 0; j < m; j++) a.column[j] = (uint64_t)1 << j;
    return a;
}

gf2_matrix gf2_from_rows(unsigned m, const uint64_t *rows) {
    gf2_matrix a = {.m = m};
    for (unsigned j = 0; j < m; j++)
        for (unsigned k = 0; k < m; k++) a.column[j] |= (rows[k] >> j & 1) << k;
    return a;
}

uint64_t gf2_row(const gf2_matrix *a, unsigned k) {
    uint64_t row = 0;
    for (unsigned j = 0; j < a->m; j++) row |= (a->column[j] >> k & 1) << j;
    return row;
}

gf2_matrix gf2_multiply(const gf2_matrix *a, const gf2_matrix *b) {
    gf2_matrix product = {.m = a->m};
    for (unsigned j = 0; j < a->m; j++) product.column[j] = gf2_apply(a, b->column[j]);
    return product;
}

/* Gauss and Jordan on the columns. Invariant: reduced[j] = a source[j] for every column seen, and the
 * pivot bit of each seen column stands in no other seen column. At the end each reduced column is the unit
 * vector of its pivot. */
bool gf2_invert(const gf2_matrix *a, gf2_matrix *inverse, uint64_t *dependent) {
    uint64_t reduced[RIFFLE_MAX_BITS], source[RIFFLE_MAX_BITS];
    unsigned pivot[RIFFLE_MAX_BITS];
    for (unsigned j = 0; j < a->m; j++) {
        reduced[j] = a->column[j];
        source[j] = (uint64_t)1 << j;
        for (unsigned k = 0; k < j; k++) {
            if ((reduced[j] >> pivot[k] & 1) == 0) continue;
            reduced[j] ^= reduced[k];
            source[j] ^= source[k];
        }
        if (reduced[j] == 0) {
            if (dependent != NULL) *dependent = source[j];
            return false;
        }
        pivot[j] = (unsigned)__builtin_ctzll(reduced[j]);
        for (unsigned k = 0; k < j; k++) {
            if ((reduced[k] >> pivot[j] & 1) == 0) continue;
            reduced[k] ^= reduced[j];
            source[k] ^= source[j];
        }
    }
    *inverse = (gf2_matrix){.m = a->m};
    for (unsigned j = 0; j < a->m; j++) inverse->column[pivot[j]] = source[j];
    return true;
}

bool gf2_is_bit_permutation(const gf2_matrix *a) {
    uint64_t seen = 0;
    for (unsigned j = 0; j < a->m; j++) {
        uint64_t column = a->column[j];
        if (column == 0 || (column & (column - 1)) != 0 || (seen & column) != 0) return false;
        seen |= column;
    }
    return true;
}
