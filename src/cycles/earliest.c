/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle with an edge that no earlier chosen one has is no sum of them: while there are only such, nothing need be solved. From the first that has
 * none on, the chosen ones and a batch of the next, one below the other, are a matrix, and its row rank profile is what is chosen.
 */
#include "cycles/earliest.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "riffle/sort.h"

/* By measurement: chosen cycles are eliminated again with each batch, so that few long ones take less time, though the last has more cycles than are needed. */
enum { LEAST_BATCH = 256, BATCH_DIMENSIONS = 3 };

static const uint64_t MOST_DIMENSION = RIFFLE_F2_MAX / 2;

typedef struct choosing {
    const cycles_graph *graph;
    const cycles_list *list;
    const uint64_t *order; /* the list by weight */
    unsigned threads;
    cycles_chosen *chosen;
    uint64_t next; /* place in the order */
} choosing;

/* Numbers of the list by weight, those of one weight as they stand. */
static riffle_status sort_by_weight(const cycles_list *list, unsigned threads, uint64_t *order) {
    const riffle_sort_key key = {.elem_bytes = sizeof *list->weight,
                                 .fields = 1,
                                 .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = sizeof *list->weight}}};
    const riffle_sort_options options = {.index_bytes = sizeof *order, .threads = threads};
    riffle_sort_plan *plan = NULL;
    riffle_status status = riffle_sort_plan_create(list->count, &key, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status != RIFFLE_OK) return status;
    status = riffle_sort_execute(plan, &(riffle_sort_arrays){.indices = order, .from_keys = list->weight});
    riffle_sort_plan_free(plan);
    return status;
}

static const uint32_t *edges_of(const cycles_list *list, uint64_t cycle, uint64_t *count) {
    *count = list->first[cycle + 1] - list->first[cycle];
    return list->edges + list->first[cycle];
}

static void choose(choosing *c, uint64_t place) {
    c->chosen->cycles[c->chosen->count++] = c->order[place];
    c->chosen->tried = place + 1;
}

/* True if an edge is new; all count as seen then. */
static bool is_new(const choosing *c, uint64_t cycle, bool *seen) {
    uint64_t count;
    const uint32_t *const edges = edges_of(c->list, cycle, &count);
    bool any = false;
    for (uint64_t k = 0; k < count; k++) any |= !seen[edges[k]];
    for (uint64_t k = 0; k < count && any; k++) seen[edges[k]] = true;
    return any;
}

static riffle_status choose_new(choosing *c) {
    bool *const seen = calloc((size_t)c->graph->edges + 1, sizeof *seen);
    if (seen == NULL) return fail_memory("edges that are seen", c->graph->edges);
    while (c->chosen->count < c->graph->dimension && c->next < c->list->count &&
           is_new(c, c->order[c->next], seen))
        choose(c, c->next++);
    free(seen);
    return RIFFLE_OK;
}

void cycles_write_row(const cycles_graph *graph, const uint32_t *edges, uint64_t count, uint64_t *row) {
    for (uint64_t k = 0; k < count; k++) {
        const uint32_t column = graph->column[edges[k]];
        if (column != CYCLES_NONE) row[column / 64] ^= (uint64_t)1 << column % 64;
    }
}

static void write_rows(const choosing *c, uint64_t batch, const riffle_f2_matrix *rows) {
    const uint64_t before = c->chosen->count;
    for (uint64_t k = 0; k < before + batch; k++) {
        uint64_t count;
        const uint64_t cycle = k < before ? c->chosen->cycles[k] : c->order[c->next + k - before];
        const uint32_t *const edges = edges_of(c->list, cycle, &count);
        cycles_write_row(c->graph, edges, count, rows->words + k * rows->stride);
    }
}

static riffle_status choose_some(choosing *c, uint64_t batch) {
    const uint64_t before = c->chosen->count, rows = before + batch;
    riffle_f2_matrix matrix = {rows, c->graph->dimension, riffle_f2_stride(c->graph->dimension), NULL};
    uint64_t rank = 0, *const profile = malloc((rows + 1) * sizeof *profile);
    matrix.words = calloc(rows * matrix.stride + 1, sizeof *matrix.words);
    riffle_status status =
        profile == NULL || matrix.words == NULL
            ? fail_memory("cycles as rows", rows * (matrix.stride + 1) * sizeof *matrix.words)
            : RIFFLE_OK;
    if (status == RIFFLE_OK) {
        write_rows(c, batch, &matrix);
        status = riffle_f2_rank_profile(&matrix, &rank, profile, NULL,
                                        &(riffle_call_options){.threads = c->threads});
    }
    for (uint64_t k = before; k < rank && status == RIFFLE_OK; k++) choose(c, c->next + profile[k] - before);
    c->next += batch;
    free(profile);
    free(matrix.words);
    return status;
}

static riffle_status choose_all(choosing *c) {
    riffle_status status = choose_new(c);
    const uint64_t dimension = c->graph->dimension,
                   wide = max(BATCH_DIMENSIONS * dimension, (uint64_t)LEAST_BATCH);
    while (status == RIFFLE_OK && c->chosen->count < dimension && c->next < c->list->count) {
        if (dimension > MOST_DIMENSION)
            return fail(RIFFLE_ERROR_LENGTH,
                        "graph: its cycles have %llu dimensions, and equations are solved in %llu at most",
                        (unsigned long long)dimension, (unsigned long long)MOST_DIMENSION);
        const uint64_t room = min(wide, RIFFLE_F2_MAX - c->chosen->count);
        status = choose_some(c, min(c->list->count - c->next, room));
    }
    return status;
}

riffle_status cycles_choose(const cycles_graph *graph, const cycles_list *list, unsigned threads,
                            cycles_chosen *out) {
    cycles_chosen chosen = {0};
    uint64_t *const order = malloc((list->count + 1) * sizeof *order);
    chosen.cycles = malloc(((size_t)graph->dimension + 1) * sizeof *chosen.cycles);
    riffle_status status = order == NULL || chosen.cycles == NULL
                               ? fail_memory("a cycle basis", (list->count + graph->dimension) * sizeof *order)
                               : RIFFLE_OK;
    choosing c = {graph, list, order, threads, &chosen, 0};
    if (status == RIFFLE_OK && list->count > 0) status = sort_by_weight(list, threads, order);
    if (status == RIFFLE_OK) status = choose_all(&c);
    free(order);
    if (status == RIFFLE_OK)
        *out = chosen;
    else
        cycles_chosen_free(&chosen);
    return status;
}

void cycles_chosen_free(cycles_chosen *chosen) { free(chosen->cycles); }
