/* SPDX-License-Identifier: Apache-2.0
 *
 * The earliest basis: in order of weight, the cycles that are no sum of earlier ones.
 */
#ifndef RIFFLE_CYCLES_EARLIEST_H
#define RIFFLE_CYCLES_EARLIEST_H

#include "cycles/candidates.h"

typedef struct cycles_chosen {
    uint64_t count;
    uint64_t *cycles; /**< numbers of the list, by weight; room for the dimension */
    uint64_t tried;   /**< cycles of the list up to the last one chosen, by weight */
} cycles_chosen;

/** Chooses from a list. cycles_chosen_free frees what was. Fewer than the graph's dimension are chosen if the list does not span its cycles. */
riffle_status cycles_choose(const cycles_graph *graph, const cycles_list *list, unsigned threads,
                            cycles_chosen *out);
void cycles_chosen_free(cycles_chosen *chosen);

/** Writes a cycle as a row over F2: a bit for each edge that is no tree's. `row` has words for graph->dimension bits, all 0. */
void cycles_write_row(const cycles_graph *graph, const uint32_t *edges, uint64_t count, uint64_t *row);

#endif
