/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds/tables.h"

#include <stdbool.h>
#include <string.h>

#include "bench/data.h"
#include "bench/word.h"

static void exchange(uint32_t *table, uint64_t a, uint64_t b) {
    const uint32_t entry = table[a];
    table[a] = table[b];
    table[b] = entry;
}

static riffle_status exchange_two(uint64_t n, uint32_t *table) {
    if (n >= 2) exchange(table, n / 2 - 1, n / 2);
    return RIFFLE_OK;
}

static riffle_status exchange_one_in_hundred(uint64_t n, uint32_t *table) {
    for (uint64_t k = 0; k < n / 200; ++k) exchange(table, bench_word(2 * k) % n, bench_word(2 * k + 1) % n);
    return RIFFLE_OK;
}

/* Which of the words an element takes follows from its index, so threads may take the blocks in any order. */
static riffle_status shuffle_blocks(uint64_t n, uint64_t block, uint32_t *table) {
#pragma omp parallel for schedule(dynamic)
    for (uint64_t first = 0; first < n; first += block) {
        const uint64_t count = n - first < block ? n - first : block;
        for (uint64_t k = count; k > 1; --k)
            exchange(table, first + k - 1, first + bench_word(first + k - 1) % k);
    }
    return RIFFLE_OK;
}

static riffle_status shuffle_blocks_12(uint64_t n, uint32_t *table) {
    return shuffle_blocks(n, (uint64_t)1 << 12, table);
}

static riffle_status shuffle_blocks_20(uint64_t n, uint32_t *table) {
    return shuffle_blocks(n, (uint64_t)1 << 20, table);
}

enum { AXES = 3, MOST_NEIGHBOURS = 2 * AXES };

typedef struct grid_shape {
    uint32_t side, step[AXES]; /* from a cell to the next one along an axis */
} grid_shape;

static grid_shape greatest_grid(uint64_t n) {
    uint64_t side = 1;
    while ((side + 1) * (side + 1) * (side + 1) <= n) ++side;
    return (grid_shape){.side = (uint32_t)side, .step = {1, (uint32_t)side, (uint32_t)(side * side)}};
}

static void cell_place(const grid_shape *grid, uint32_t cell, uint32_t place[AXES]) {
    place[0] = cell % grid->side;
    place[1] = cell / grid->side % grid->side;
    place[2] = cell / grid->side / grid->side;
}

static unsigned faces(const grid_shape *grid, uint32_t place) {
    return (place == 0 ? 1u : 0u) + (place + 1 == grid->side ? 1u : 0u);
}

/* A cell's neighbours, those with the fewest neighbours of their own first; returns how many. */
static unsigned neighbours(const grid_shape *grid, uint32_t cell, uint32_t found[MOST_NEIGHBOURS]) {
    uint32_t place[AXES];
    unsigned at_faces[MOST_NEIGHBOURS], own = 0, count = 0;
    cell_place(grid, cell, place);
    for (unsigned axis = 0; axis < AXES; ++axis) own += faces(grid, place[axis]);
    for (unsigned k = 0; k < MOST_NEIGHBOURS; ++k) {
        const unsigned axis = k / 2;
        const bool up = k % 2 == 1;
        if (place[axis] == (up ? grid->side - 1 : 0)) continue;
        const uint32_t to = up ? place[axis] + 1 : place[axis] - 1;
        const unsigned theirs = own - faces(grid, place[axis]) + faces(grid, to);
        unsigned slot = count++;
        for (; slot > 0 && at_faces[slot - 1] < theirs; --slot) {
            at_faces[slot] = at_faces[slot - 1];
            found[slot] = found[slot - 1];
        }
        at_faces[slot] = theirs;
        found[slot] = up ? cell + grid->step[axis] : cell - grid->step[axis];
    }
    return count;
}

/* Breadth first from cell 0, a corner; the order is the queue of the search. `seen` has a bit, all zeros, for
 * each cell: a byte each would not fit a cache. */
static void cuthill_mckee(const grid_shape *grid, uint32_t cells, uint64_t *seen, uint32_t *order) {
    order[0] = 0;
    seen[0] = 1;
    for (uint32_t taken = 0, queued = 1; taken < cells; ++taken) {
        uint32_t found[MOST_NEIGHBOURS];
        const unsigned count = neighbours(grid, order[taken], found);
        for (unsigned k = 0; k < count; ++k) {
            const uint64_t bit = (uint64_t)1 << found[k] % 64;
            if ((seen[found[k] / 64] & bit) != 0) continue;
            seen[found[k] / 64] |= bit;
            order[queued++] = found[k];
        }
    }
}

static riffle_status reverse_cuthill_mckee(uint64_t n, uint32_t *table) {
    if (n == 0) return RIFFLE_OK;
    const grid_shape grid = greatest_grid(n);
    const uint32_t cells = grid.side * grid.step[AXES - 1];
    const size_t order_bytes = cells * sizeof(uint32_t), seen_bytes = (cells / 64 + 1) * sizeof(uint64_t);
    void *order = NULL, *seen = NULL;
    riffle_status status = riffle_buffer_create(order_bytes, &order);
    if (status == RIFFLE_OK) status = riffle_buffer_create(seen_bytes, &seen);
    if (status == RIFFLE_OK) {
        const uint32_t *const cell = order;
        cuthill_mckee(&grid, cells, seen, order);
#pragma omp parallel for schedule(static)
        for (uint32_t k = 0; k < cells; ++k) table[cell[k]] = cells - 1 - k;
    }
    riffle_buffer_free(seen, seen_bytes);
    riffle_buffer_free(order, order_bytes);
    return status;
}

/* Each begins with the table of a spec and changes it. */
static const struct {
    const char *name, *spec;
    riffle_status (*change)(uint64_t n, uint32_t *table);
} recipes[] = {
    {"bit-reversal except 2", "bit-reversal", exchange_two},
    {"shuffled blocks 2^12", "identity", shuffle_blocks_12},
    {"shuffled blocks 2^20", "identity", shuffle_blocks_20},
    {"reverse with 1% noise", "reverse", exchange_one_in_hundred},
    {"reverse Cuthill-McKee", "identity", reverse_cuthill_mckee},
};

static riffle_status make(uint64_t n, const char *spec, riffle_status (*change)(uint64_t n, uint32_t *table),
                          riffle_perm **out) {
    riffle_perm *perm;
    uint32_t *table;
    riffle_status status = riffle_perm_parse(spec, n, &perm);
    if (status != RIFFLE_OK) return status;
    status = bench_tabulate(perm, &table);
    riffle_perm_free(perm);
    if (status != RIFFLE_OK) return status;
    status = change(n, table);
    if (status == RIFFLE_OK) status = riffle_perm_table_u32(n, table, out);
    riffle_buffer_free(table, n * sizeof *table);
    return status;
}

riffle_status bench_table_perm(const char *name, uint64_t n, riffle_perm **out) {
    static riffle_perm *last;
    static size_t last_recipe;
    for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; ++k) {
        if (strcmp(name, recipes[k].name) != 0) continue;
        if (last == NULL || last_recipe != k || riffle_perm_length(last) != n) {
            riffle_perm_free(last);
            last = NULL;
            const riffle_status status = make(n, recipes[k].spec, recipes[k].change, &last);
            if (status != RIFFLE_OK) return status;
            last_recipe = k;
        }
        *out = riffle_perm_retain(last);
        return RIFFLE_OK;
    }
    return riffle_perm_parse(name, n, out);
}
