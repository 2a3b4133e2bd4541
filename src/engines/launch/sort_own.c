/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/launch/sort_own.h"

static uint32_t divide_up(uint32_t a, uint32_t b) { return a / b + (a % b != 0); }

static uint32_t tiles_of(uint32_t n) { return divide_up(n, SORT_OWN_TILE); }

size_t sort_own_bytes(uint32_t n) { return 2 * (size_t)tiles_of(n) * sizeof(uint32_t); }

static sort_launch launch_of(const sort_own_arrays *a, sort_own_step step, uint32_t run, uint32_t grid,
                             uint32_t *to, const uint32_t *from) {
    static const char *const names[] = {"sort_own_tiles", "sort_own_borders", "sort_own_checks",
                                        "sort_own_merges", "sort_own_marks"};
    uint32_t *const borders = a->workspace;
    return (sort_launch){.is_own = true,
                         .own = {.elements = a->elements,
                                 .begin = a->begin,
                                 .borders = borders,
                                 .broken = borders + tiles_of(a->n),
                                 .n = a->n,
                                 .segments = a->segments,
                                 .run = run,
                                 .step = step},
                         .name = names[step],
                         .grid = grid,
                         .block = SORT_OWN_THREADS,
                         .shared_bytes = (SORT_OWN_CELLS + SORT_OWN_THREADS) * sizeof(uint32_t),
                         .to = to,
                         .from = from};
}

/* Numbers end where the results belong: tiles are written there if the merges that follow are even in number. */
unsigned launch_sort_own(const sort_own_arrays *a, sort_launch out[SORT_OWN_LAUNCHES]) {
    const uint32_t tiles = tiles_of(a->n), grid = divide_up(tiles, SORT_OWN_THREADS);
    unsigned count = 0, rounds = 0;
    while ((uint64_t)SORT_OWN_TILE << rounds < a->n) rounds++;
    uint32_t *from = rounds % 2 == 0 ? a->result : a->room;
    out[count++] = launch_of(a, SORT_OWN_TILES, 0, tiles, from, NULL);
    for (unsigned k = 0; k < rounds; k++) {
        uint32_t *const to = from == a->room ? a->result : a->room;
        const uint32_t run = (uint32_t)SORT_OWN_TILE << k;
        out[count++] = launch_of(a, SORT_OWN_BORDERS, run, grid, NULL, from);
        out[count++] = launch_of(a, SORT_OWN_CHECKS, run, grid, NULL, NULL);
        out[count++] = launch_of(a, SORT_OWN_MERGES, run, tiles, to, from);
        from = to;
    }
    return count;
}

void launch_sort_own_marks(const sort_own_arrays *a, const uint32_t *order, uint32_t *marks, sort_launch *out) {
    *out = launch_of(a, SORT_OWN_MARKS, 0, divide_up(a->n, SORT_OWN_THREADS), marks, order);
}
