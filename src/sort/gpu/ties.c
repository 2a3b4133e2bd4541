/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches by which few bits of a key are enough: those that differ are squeezed, and what ties by them is sorted by those
 * that follow.
 */
#include "sort/gpu/rows.h"

void sort_rows_squeeze(const sort_rows_work *w) {
    const sort_rows rows = sort_rows_of(w);
    uint64_t *const differs = sort_rows_at(w, w->task->differs);
    const uint32_t pieces = rows.pieces.count;
    const struct sort_differ_arguments differ = {{sort_ranges_of(w), rows, differs}};
    const struct sort_squeezes_arguments squeezes = {{differs, sort_squeezes_of(w), pieces}};
    sort_rows_clear(w, differs, pieces * (uint32_t)(sizeof *differs / sizeof(uint32_t)));
    sort_rows_shape_all(w, append_sort_differ(w->out, &KERNEL_sort_differ, 8, &differ), NULL, NULL)
        ->shared_bytes = pieces * SORT_ROW_THREADS * sizeof(uint64_t);
    launch_set(append_sort_squeezes(w->out, &KERNEL_sort_squeezes, 8, &squeezes), 1, WARP_LANES, 0, NULL, NULL);
}

/* The elements that the round before has sorted, and where they belong: all in the first round. */
static void add_ties(const sort_rows_work *w, const sort_round *round, unsigned k, uint32_t *order,
                     const void *codes) {
    const sort_task *const task = w->task;
    const bool is_list = k > 0;
    const sort_ranges list = {sort_rows_at(w, task->stretch), task->n, 1};
    const struct sort_ties_arguments arguments = {{.ranges = is_list ? list : sort_ranges_of(w),
                                                   .round = *round,
                                                   .same = sort_rows_at(w, task->same),
                                                   .place = is_list ? sort_rows_at(w, task->place) : NULL,
                                                   .tied = is_list ? sort_rows_at(w, task->order[1]) : NULL,
                                                   .whole = order}};
    const size_t bytes = is_list ? SORT_TIED_BYTES : task->request.key_bytes;
    sort_rows_shape_all(w, append_sort_ties(w->out, &KERNEL_sort_ties, bytes, &arguments), NULL, codes);
}

static void add_tie_counts(const sort_rows_work *w, const sort_round *round) {
    const sort_task *const task = w->task;
    uint32_t *const sums = sort_rows_at(w, task->tie_sums);
    const struct sort_tie_counts_arguments arguments = {
        {.round = *round, .same = sort_rows_at(w, task->same), .n = task->n, .piece = sort_tie_piece(task)}};
    launch_set(append_sort_tie_counts(w->out, &KERNEL_sort_tie_counts, 4, &arguments), sort_tie_pieces(task),
               SORT_ROW_THREADS, WARP_LANES * sizeof(uint32_t), sums, NULL);
    sort_rows_sum(w, sums, 2 * sort_tie_pieces(task));
}

static void add_tie_codes(const sort_rows_work *w, const sort_round *round, const uint32_t *order,
                          void *codes) {
    const sort_task *const task = w->task;
    const struct sort_tie_codes_arguments arguments = {{.rows = sort_rows_of(w),
                                                        .squeezes = sort_squeezes_of(w),
                                                        .same = sort_rows_at(w, task->same),
                                                        .sums = sort_rows_at(w, task->tie_sums),
                                                        .whole = order,
                                                        .begin = sort_rows_at(w, task->stretch),
                                                        .place = sort_rows_at(w, task->place),
                                                        .tied = sort_rows_at(w, task->order[1]),
                                                        .n = task->n,
                                                        .piece = sort_tie_piece(task),
                                                        .skip = round->skip}};
    launch_set(append_sort_tie_codes(w->out, &KERNEL_sort_tie_codes, SORT_TIED_BYTES, &arguments),
               sort_tie_pieces(task), SORT_ROW_THREADS, WARP_LANES * sizeof(uint32_t), codes, NULL);
}

/* Lists elements that tie, with codes of the bits that follow, and sorts them by these. */
static void add_tied(const sort_rows_work *w, const sort_round *round, const uint32_t *order, void *codes) {
    const sort_task *const task = w->task;
    uint32_t *const tied = sort_rows_at(w, task->order[1]);
    const sort_buffers b = {.from = codes,
                            .to = codes,
                            .carried_from = tied,
                            .carried_to = tied,
                            .begin = sort_rows_at(w, task->stretch),
                            .workspace = sort_rows_at(w, task->inner)};
    add_tie_counts(w, round);
    add_tie_codes(w, round, order, codes);
    launch_sort(&task->tied, &task->tied_steps, &b, w->out);
}

void sort_rows_mend(const sort_rows_work *w, uint32_t *order, void *codes) {
    const sort_task *const task = w->task;
    if (task->mends == 0) return;
    const sort_squeeze *const end = sort_squeezes_of(w) + key_pieces_of(&task->layout).count;
    sort_round round = {.bits = &end->at, .skip = 8 * task->request.key_bytes};
    for (unsigned k = 0; k < task->mends; k++) {
        add_ties(w, &round, k, order, codes);
        add_tied(w, &round, order, codes);
        round.skip += SORT_TIED_BITS;
    }
    add_ties(w, &round, task->mends, order, codes);
}
