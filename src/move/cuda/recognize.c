/* SPDX-License-Identifier: Apache-2.0
 *
 * A table that is a rotation, a reflection or affine: a few entries say which one it would be, and the GPU
 * compares all.
 */
#include <string.h>

#include "move/cuda/tables.h"
#include "perm/kind.h"

/* A few indices whose values tell which rotation or affine map a table might be, and rule out most that are
 * none: 0, the last, the powers of two, and the sums of each and the next one. */
enum { PROBES = 2 + 2 * RIFFLE_MAX_BITS };
typedef struct probes {
    unsigned count;
    uint64_t index[PROBES], value[PROBES];
} probes;

static void add_probe(probes *p, uint64_t n, uint64_t index) {
    if (index < n) p->index[p->count++] = index;
}

/* The value at an index that was probed. */
static uint64_t value_at(const probes *p, uint64_t index) {
    unsigned k = 0;
    while (k + 1 < p->count && p->index[k] != index) k++;
    return p->value[k];
}

static riffle_status probe(const cuda_table *table, struct CUstream_st *stream, probes *p) {
    *p = (probes){.count = 0};
    add_probe(p, table->n, 0);
    add_probe(p, table->n, table->n - 1);
    for (unsigned k = 0; k < RIFFLE_MAX_BITS; k++) {
        add_probe(p, table->n, (uint64_t)1 << k);
        add_probe(p, table->n, (uint64_t)3 << k);
    }
    return steps_of_cuda()->pick(table, p->count, p->index, p->value, stream);
}

static bool agrees(const riffle_perm *candidate, const probes *p) {
    uint64_t values[PROBES];
    memcpy(values, p->index, p->count * sizeof *values);
    perm_apply(candidate, p->count, values);
    return memcmp(values, p->value, p->count * sizeof *values) == 0;
}

/* Tells whether the whole table is the candidate, a rotation, a reflection or affine. */
static riffle_status is_same(const cuda_table *table, const riffle_perm *candidate, struct CUstream_st *stream,
                             bool *out) {
    cuda_form form = {.reflected = candidate->rotation.reflected, .offset = candidate->rotation.offset};
    if (candidate->kind != PERM_ROTATION)
        form = (cuda_form){.is_affine = true,
                           .offset = candidate->affine.c,
                           .column = candidate->affine.a.column,
                           .bits = candidate->affine.a.m};
    return steps_of_cuda()->is_form(table, &form, stream, out);
}

static riffle_status guess_rotation(uint64_t n, const probes *p, riffle_perm **out) {
    const uint64_t offset = value_at(p, 0);
    return rotation_create(n, n > 2 && (value_at(p, 1) + 1) % n == offset, offset, out);
}

/* *out = NULL where no affine map is to be tried. */
static riffle_status guess_affine(uint64_t n, const probes *p, riffle_perm **out) {
    perm_affine affine = {.c = value_at(p, 0)};
    gf2_matrix inverse;
    *out = NULL;
    if (!perm_is_power_of_two(n)) return RIFFLE_OK;
    affine.a.m = (unsigned)__builtin_ctzll(n);
    for (unsigned k = 0; k < affine.a.m; k++) affine.a.column[k] = value_at(p, (uint64_t)1 << k) ^ affine.c;
    return gf2_invert(&affine.a, &inverse, NULL) ? affine_create(&affine, out) : RIFFLE_OK;
}

/* Keeps *candidate only if the table is that. */
static riffle_status verify(const cuda_table *table, const probes *p, struct CUstream_st *stream,
                            riffle_perm **candidate) {
    bool same = *candidate != NULL && agrees(*candidate, p);
    const riffle_status status = same ? is_same(table, *candidate, stream, &same) : RIFFLE_OK;
    if (status == RIFFLE_OK && same) return RIFFLE_OK;
    riffle_perm_free(*candidate);
    *candidate = NULL;
    return status;
}

riffle_status cuda_table_recognize(const cuda_table *table, struct CUstream_st *stream, riffle_perm **out) {
    riffle_perm *found = NULL;
    probes p;
    if (table->n == 0) return rotation_create(0, false, 0, out);
    riffle_status status = probe(table, stream, &p);
    if (status == RIFFLE_OK) status = guess_rotation(table->n, &p, &found);
    if (status == RIFFLE_OK) status = verify(table, &p, stream, &found);
    if (status == RIFFLE_OK && found == NULL) {
        status = guess_affine(table->n, &p, &found);
        if (status == RIFFLE_OK) status = verify(table, &p, stream, &found);
    }
    if (status == RIFFLE_OK) *out = found;
    return status;
}
