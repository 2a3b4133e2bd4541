/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/schedules/bmmc.h"

static bool has_iterations(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_BMMC_TILE_ITERS || algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS;
}

/* The columns with entries in the lowest tile_bits rows alone. Being independent they are at most so many, and
 * if they are as many their matrix there is invertible. */
static uint64_t row_bits(const gf2_matrix *a, unsigned tile_bits) {
    uint64_t set = 0;
    for (unsigned j = 0; j < a->m; j++)
        if (a->column[j] >> tile_bits == 0) set |= (uint64_t)1 << j;
    return set;
}

bool bmmc_is_tiled(const gf2_matrix *a, unsigned tile_bits) {
    return (unsigned)__builtin_popcountll(row_bits(a, tile_bits)) == tile_bits;
}

const char *bmmc_obstacle(const perm_affine *p, riffle_algorithm algorithm, unsigned width_bits) {
    if (algorithm == RIFFLE_ALGORITHM_BMMC_NAIVE) return NULL;
    if (p->a.m < width_bits)
        return "the array is smaller than one row of a tile, which has an element a lane: 32 on a GPU, W on a "
               "machine of width W";
    if (has_iterations(algorithm) && !gf2_is_bit_permutation(&p->a))
        return "with iterations it moves only bit permutations";
    return NULL;
}

unsigned bmmc_passes(const perm_affine *p, riffle_algorithm algorithm, unsigned width_bits) {
    return algorithm == RIFFLE_ALGORITHM_BMMC_NAIVE || bmmc_is_tiled(&p->a, width_bits) ? 1 : 2;
}

/* Column operations on A, which end in the columns of U: from the highest row down, a column that has the row's
 * bit becomes U's and is added to all columns left that have it too. The additions are LP. The highest column is taken, so that
 * few row bits of RLP are column bits, and tiles are large. */
static void factorize(const gf2_matrix *a, gf2_matrix *u, gf2_matrix *lp) {
    gf2_matrix rest = *a;
    uint64_t left = ((uint64_t)1 << a->m) - 1;
    *u = *lp = (gf2_matrix){.m = a->m};
    for (unsigned k = a->m; k-- > 0;) {
        const uint64_t having = gf2_row(&rest, k) & left;
        const unsigned pivot = 63 - (unsigned)__builtin_clzll(having);
        u->column[k] = rest.column[pivot];
        for (uint64_t others = having; others != 0; others &= others - 1) {
            const unsigned j = (unsigned)__builtin_ctzll(others);
            rest.column[j] ^= u->column[k];
            lp->column[j] |= (uint64_t)1 << k;
        }
        left &= ~((uint64_t)1 << pivot);
    }
}

static gf2_matrix bit_reversal(unsigned m) {
    gf2_matrix r = {.m = m};
    for (unsigned j = 0; j < m; j++) r.column[j] = (uint64_t)1 << (m - 1 - j);
    return r;
}

static bmmc_schedule schedule(const perm_affine *p, riffle_algorithm algorithm, unsigned tile_bits) {
    bmmc_schedule s = {.algorithm = algorithm, .p = *p};
    if (algorithm == RIFFLE_ALGORITHM_BMMC_NAIVE) return s;
    s.tile_bits = tile_bits;
    s.column = ((uint64_t)1 << tile_bits) - 1;
    s.row = row_bits(&p->a, tile_bits);
    s.block = (((uint64_t)1 << p->a.m) - 1) & ~(s.column | s.row);
    s.over_bits = (unsigned)__builtin_popcountll(s.column & s.row);
    if (!has_iterations(algorithm)) return s;
    if (__builtin_popcountll(s.block) >= BMMC_ITERATION_BITS) s.iteration_bits = BMMC_ITERATION_BITS;
    return s;
}

unsigned bmmc_plan(const perm_affine *p, riffle_algorithm algorithm, unsigned width_bits,
                   bmmc_schedule out[BMMC_MAX_PASSES]) {
    const unsigned passes = bmmc_passes(p, algorithm, width_bits);
    if (passes == 1) {
        out[0] = schedule(p, algorithm, width_bits);
        return passes;
    }
    gf2_matrix u, lp;
    factorize(&p->a, &u, &lp);
    const gf2_matrix r = bit_reversal(p->a.m);
    const perm_affine first = {gf2_multiply(&r, &lp), 0}, second = {gf2_multiply(&u, &r), p->c};
    out[0] = schedule(&first, algorithm, width_bits);
    out[1] = schedule(&second, algorithm, width_bits);
    return passes;
}

uint64_t bmmc_deposit(uint64_t value, uint64_t set) {
    uint64_t out = 0;
    for (; value != 0 && set != 0; value >>= 1, set &= set - 1)
        if ((value & 1) != 0) out |= set & (~set + 1);
    return out;
}

uint64_t bmmc_stitch_col(const bmmc_schedule *s, uint64_t column, uint64_t block, uint64_t row) {
    return bmmc_deposit(column, s->column) | bmmc_deposit(block, s->block) |
           bmmc_deposit(row, s->row & ~s->column);
}

uint64_t bmmc_stitch_row(const bmmc_schedule *s, uint64_t column, uint64_t block, uint64_t row) {
    return bmmc_deposit(row, s->row) | bmmc_deposit(block, s->block) |
           bmmc_deposit(column, s->column & ~s->row);
}

/* The row bits beyond the column bits come down to where the column bits end. */
uint64_t bmmc_stitch_tile_row(const bmmc_schedule *s, uint64_t column, uint64_t row) {
    return bmmc_stitch_row(s, column, 0, row & (((uint64_t)1 << s->over_bits) - 1)) |
           row >> s->over_bits << s->tile_bits;
}
