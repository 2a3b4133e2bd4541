/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls. The search goes out to cycles of a limited weight; if those are too few it is made again for twice the weight.
 * A lighter limit loses nothing: a cycle's place in the order is the same, and those of at most a weight are found from trees of
 * half that weight.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cycles/earliest.h"

enum { FIRST_LIMIT = 4 }; /* times the heaviest edge */

struct riffle_cycles {
    riffle_cycles_basis basis;
    uint64_t *first, *edge;
    uint64_t edges; /* the graph's */
};

static riffle_status copy_basis(const cycles_list *list, const cycles_chosen *chosen, riffle_cycles *to) {
    uint64_t edges = 0;
    for (uint64_t k = 0; k < chosen->count; k++)
        edges += list->first[chosen->cycles[k] + 1] - list->first[chosen->cycles[k]];
    to->first = malloc((chosen->count + 1) * sizeof *to->first);
    to->edge = malloc((edges + 1) * sizeof *to->edge);
    if (to->first == NULL || to->edge == NULL)
        return fail_memory("a cycle basis", (chosen->count + edges) * sizeof *to->edge);
    uint64_t at = 0;
    for (uint64_t k = 0; k < chosen->count; k++) {
        to->first[k] = at;
        for (uint64_t e = list->first[chosen->cycles[k]]; e < list->first[chosen->cycles[k] + 1]; e++)
            to->edge[at++] = list->edges[e];
    }
    to->first[chosen->count] = at;
    return RIFFLE_OK;
}

static riffle_status describe(const cycles_graph *graph, const cycles_list *list, const cycles_chosen *chosen,
                              riffle_cycles *to) {
    riffle_cycles_basis *const basis = &to->basis;
    const riffle_status status = copy_basis(list, chosen, to);
    if (status != RIFFLE_OK) return status;
    cycles_weight sum = 0;
    for (uint64_t k = 0; k < chosen->count; k++)
        if (__builtin_add_overflow(sum, list->weight[chosen->cycles[k]], &sum))
            return fail(RIFFLE_ERROR_LENGTH,
                        "weights: the basis's total has more than 128 bits; divide the weights");
    basis->cycles = chosen->count;
    basis->first = to->first;
    basis->edge = to->edge;
    basis->weight[0] = (uint64_t)sum;
    basis->weight[1] = (uint64_t)(sum >> 64);
    basis->unit = graph->unit;
    basis->total = cycles_as_double(graph, sum);
    basis->counts.candidates = list->count;
    basis->counts.candidate_edges = list->count > 0 ? list->first[list->count] : 0;
    basis->counts.looked_at = list->looked_at;
    basis->counts.tried = chosen->tried;
    to->edges = graph->edges;
    return RIFFLE_OK;
}

/* One search; *is_done if its cycles span all, or there are no others. */
static riffle_status search(const cycles_graph *graph, cycles_weight limit, unsigned threads, riffle_cycles *to,
                            bool *is_done) {
    cycles_trees trees;
    cycles_list list = {0};
    cycles_chosen chosen = {0};
    riffle_status status = cycles_trees_create(graph, limit, threads, &trees);
    if (status != RIFFLE_OK) return status;
    to->basis.counts.reached = trees.reached;
    status = cycles_candidates(&trees, threads, &list);
    cycles_trees_free(&trees);
    if (status == RIFFLE_OK) status = cycles_choose(graph, &list, threads, &chosen);
    if (status == RIFFLE_OK) {
        *is_done = chosen.count == graph->dimension;
        if (*is_done) status = describe(graph, &list, &chosen, to);
        cycles_chosen_free(&chosen);
    }
    cycles_list_free(&list);
    return status;
}

static riffle_status find(const cycles_graph *graph, bool wants_all, unsigned threads, riffle_cycles *to) {
    const cycles_weight all = ~(cycles_weight)0;
    cycles_weight limit =
        wants_all || graph->total <= FIRST_LIMIT * graph->heaviest ? all : FIRST_LIMIT * graph->heaviest;
    bool is_done = false;
    to->basis.counts.components = graph->components;
    to->basis.counts.bound = (uint64_t)graph->vertices * graph->edges;
    for (;;) {
        to->basis.counts.rounds++;
        const riffle_status status = search(graph, limit, threads, to, &is_done);
        if (status != RIFFLE_OK || is_done) return status;
        if (limit == all)
            return fail(RIFFLE_ERROR_INTERNAL,
                        "cycles: the isometric ones do not span all; please report the graph");
        limit = graph->total / 2 <= limit ? all : 2 * limit;
    }
}

riffle_status riffle_cycles_find(const riffle_cycles_graph *graph, const riffle_cycles_options *options,
                                 riffle_cycles **out) {
    static const riffle_cycles_options defaults = {0};
    cycles_graph made;
    RETURN_IF_NULL(graph, out);
    if (options == NULL) options = &defaults;
    riffle_status status = cycles_graph_create(graph, &made);
    if (status != RIFFLE_OK) return status;
    riffle_cycles *const to = calloc(1, sizeof *to);
    status =
        to == NULL ? fail_memory("a cycle basis", sizeof *to) : find(&made, options->all, options->threads, to);
    cycles_graph_free(&made);
    if (status == RIFFLE_OK)
        *out = to;
    else
        riffle_cycles_free(to);
    return status;
}

const riffle_cycles_basis *riffle_cycles_get(const riffle_cycles *cycles) {
    return cycles == NULL ? NULL : &cycles->basis;
}

riffle_status riffle_cycles_matrix(const riffle_cycles *cycles, const riffle_f2_matrix *to) {
    RETURN_IF_NULL(cycles, to);
    const riffle_cycles_basis *const basis = &cycles->basis;
    if (to->rows != basis->cycles || to->columns != cycles->edges || to->rows > RIFFLE_F2_MAX ||
        to->columns > RIFFLE_F2_MAX)
        return fail(
            RIFFLE_ERROR_LENGTH,
            "to: %llu x %llu; the basis is %llu cycles x %llu edges, and a matrix has at most %llu of each",
            (unsigned long long)to->rows, (unsigned long long)to->columns, (unsigned long long)basis->cycles,
            (unsigned long long)cycles->edges, (unsigned long long)RIFFLE_F2_MAX);
    const size_t words = riffle_f2_stride(to->columns);
    if (to->rows > 0 && (to->words == NULL || to->stride < words))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "to: has no words, or a stride below %zu", words);
    for (uint64_t k = 0; k < basis->cycles; k++) {
        uint64_t *const row = to->words + k * to->stride;
        memset(row, 0, words * sizeof *row);
        for (uint64_t e = basis->first[k]; e < basis->first[k + 1]; e++)
            row[basis->edge[e] / 64] |= (uint64_t)1 << basis->edge[e] % 64;
    }
    return RIFFLE_OK;
}

void riffle_cycles_free(riffle_cycles *cycles) {
    if (cycles == NULL) return;
    free(cycles->first);
    free(cycles->edge);
    free(cycles);
}
