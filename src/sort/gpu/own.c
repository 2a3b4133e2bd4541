/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/own.h"

static uint32_t tiles_of(uint32_t n) { return ceil_div(n, SORT_OWN_TILE); }

size_t sort_own_bytes(uint32_t n) { return 2 * (size_t)tiles_of(n) * sizeof(uint32_t); }

static void add(const sort_own_arrays *a, sort_own_step step, uint32_t run, uint32_t grid, uint32_t *to,
                const uint32_t *from, launch_list *out) {
    static const sort_own_kernel *const kernels[] = {
        [SORT_OWN_TILES] = &KERNEL_sort_own_tiles,   [SORT_OWN_BORDERS] = &KERNEL_sort_own_borders,
        [SORT_OWN_CHECKS] = &KERNEL_sort_own_checks, [SORT_OWN_MERGES] = &KERNEL_sort_own_merges,
        [SORT_OWN_MARKS] = &KERNEL_sort_own_marks,
    };
    uint32_t *const borders = a->workspace;
    const struct sort_own_arguments arguments = {.table = {.elements = a->elements,
                                                           .begin = a->begin,
                                                           .borders = borders,
                                                           .broken = borders + tiles_of(a->n),
                                                           .n = a->n,
                                                           .segments = a->segments,
                                                           .run = run,
                                                           .step = step}};
    launch *const work = append_sort_own(out, kernels[step], sizeof *to, &arguments);
    work->users = a->users;
    launch_set(work, grid, SORT_OWN_THREADS, (SORT_OWN_CELLS + SORT_OWN_THREADS) * sizeof(uint32_t), to, from);
}

/* Numbers end where the results belong: tiles are written there if the merges that follow are even in number. */
void launch_sort_own(const sort_own_arrays *a, launch_list *out) {
    const uint32_t tiles = tiles_of(a->n), grid = ceil_div(tiles, SORT_OWN_THREADS);
    unsigned rounds = 0;
    while ((uint64_t)SORT_OWN_TILE << rounds < a->n) rounds++;
    uint32_t *from = rounds % 2 == 0 ? a->result : a->room;
    add(a, SORT_OWN_TILES, 0, tiles, from, NULL, out);
    for (unsigned k = 0; k < rounds; k++) {
        uint32_t *const to = from == a->room ? a->result : a->room;
        const uint32_t run = (uint32_t)SORT_OWN_TILE << k;
        add(a, SORT_OWN_BORDERS, run, grid, NULL, from, out);
        add(a, SORT_OWN_CHECKS, run, grid, NULL, NULL, out);
        add(a, SORT_OWN_MERGES, run, tiles, to, from, out);
        from = to;
    }
}

void launch_sort_own_marks(const sort_own_arrays *a, const uint32_t *order, uint32_t *marks, launch_list *out) {
    add(a, SORT_OWN_MARKS, 0, ceil_div(a->n, SORT_OWN_THREADS), marks, order, out);
}
