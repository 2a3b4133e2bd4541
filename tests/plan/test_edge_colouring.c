/* SPDX-License-Identifier: Apache-2.0
 *
 * Edge colourings of regular bipartite multigraphs: every parity of degree, multi-edges, both thread counts.
 */
#include "support.h"

#include "papers/schedules/edge_colouring.h"

static uint64_t seed;

/* How the ends of the edges are chosen. */
typedef enum graph_kind { SHUFFLED, PARALLEL, SPREAD, SPARSE_SHUFFLED, GRAPH_KINDS } graph_kind;

/* Exchanges the ends of `swaps` random pairs of edges: the graph stays regular. */
static void swap_ends(rng *r, uint16_t *right, size_t edges, size_t swaps) {
    for (size_t k = 0; k < swaps; k++) {
        const size_t a = rng_below(r, edges), b = rng_below(r, edges);
        const uint16_t held = right[a];
        right[a] = right[b];
        right[b] = held;
    }
}

static uint16_t *make_right(rng *r, uint32_t nodes, uint32_t degree, graph_kind kind) {
    const size_t edges = (size_t)nodes * degree;
    uint16_t *right = malloc(edges * sizeof *right + 1);
    assert_non_null(right);
    for (size_t e = 0; e < edges; e++) right[e] = (uint16_t)(kind == SPREAD ? e % nodes : e / degree);
    if (kind == SHUFFLED) swap_ends(r, right, edges, 3 * edges);
    if (kind == SPARSE_SHUFFLED) swap_ends(r, right, edges, edges / 16 + 1);
    return right;
}

/* Colours a graph in a workspace of exactly the promised size. */
static uint16_t *colour_guarded(const edge_graph *graph, unsigned threads) {
    const size_t edges = (size_t)graph->nodes * graph->degree;
    guarded workspace = guarded_create(edge_colouring_workspace_bytes(graph->nodes, graph->degree), 0);
    guarded colour = guarded_create(edges * sizeof(uint16_t), 0);
    edge_colour(graph, threads, workspace.data, (uint16_t *)(void *)colour.data);
    if (!guarded_intact(&workspace) || !guarded_intact(&colour)) {
        fail_msg("%u nodes of degree %u: written beyond its arrays", graph->nodes, graph->degree);
    }
    uint16_t *copy = malloc(edges * sizeof *copy + 1);
    assert_non_null(copy);
    memcpy(copy, colour.data, edges * sizeof *copy);
    guarded_free(&workspace);
    guarded_free(&colour);
    return copy;
}

static void check_case(rng *r, uint32_t nodes, uint32_t degree, graph_kind kind, unsigned threads) {
    uint16_t *right = make_right(r, nodes, degree, kind);
    const edge_graph graph = {nodes, degree, right};
    uint16_t *colour = colour_guarded(&graph, threads);
    if (!edge_colouring_is_valid(&graph, colour)) {
        fail_msg("seed %llu: %u nodes of degree %u, kind %d, %u threads", (unsigned long long)seed, nodes,
                 degree, (int)kind, threads);
    }
    free(colour);
    free(right);
}

static void random_graphs_are_coloured(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(600); round++) {
        check_case(&r, 1 + (uint32_t)rng_below(&r, 70), 1 + (uint32_t)rng_below(&r, 70),
                   (graph_kind)rng_below(&r, GRAPH_KINDS), 1 + (unsigned)rng_below(&r, 3));
    }
}

static void degrees_of_every_parity_are_coloured(void **state) {
    (void)state;
    static const uint32_t degrees[] = {1, 2, 3, 7, 64, 127, 251, 4095, 4096, 4097, 65535, 65536};
    static const uint32_t nodes[] = {1, 2, 3, 32, 37};
    rng r = {seed};
    for (size_t d = 0; d < sizeof degrees / sizeof degrees[0]; d++) {
        for (size_t n = 0; n < sizeof nodes / sizeof nodes[0]; n++) {
            if ((uint64_t)nodes[n] * degrees[d] > 1 << 20) continue;
            check_case(&r, nodes[n], degrees[d], (graph_kind)rng_below(&r, GRAPH_KINDS), 2);
        }
    }
}

static void most_nodes_are_coloured(void **state) {
    (void)state;
    rng r = {seed};
    for (uint32_t degree = 1; degree <= 8; degree++) {
        check_case(&r, EDGE_COLOURING_MAX_NODES, degree, SHUFFLED, 2);
        check_case(&r, 65521, degree, SPARSE_SHUFFLED, 2);
    }
    check_case(&r, 1021, 257, SHUFFLED, 2);
}

static void threads_do_not_change_the_colours(void **state) {
    (void)state;
    rng r = {seed};
    uint16_t *right = make_right(&r, 512, 311, SHUFFLED);
    const edge_graph graph = {512, 311, right};
    uint16_t *one = colour_guarded(&graph, 1), *three = colour_guarded(&graph, 3);
    if (memcmp(one, three, 512 * 311 * sizeof *one) != 0) fail_msg("seed %llu", (unsigned long long)seed);
    free(one);
    free(three);
    free(right);
}

static void workspace_is_small(void **state) {
    (void)state;
    const uint32_t nodes[] = {32, 4096, 16384, 65535}, degrees[] = {128, 4096, 16384, 65535};
    for (size_t k = 0; k < 4; k++) {
        const size_t edges = (size_t)nodes[k] * degrees[k];
        const size_t bytes = edge_colouring_workspace_bytes(nodes[k], degrees[k]);
        assert_true(bytes + 2 * edges * sizeof(uint16_t) <= 40 * edges);
    }
}

static void wrong_colourings_are_found(void **state) {
    (void)state;
    const uint16_t right[] = {0, 1, 1, 0}, irregular[] = {0, 1, 1, 1}, outside[] = {0, 1, 2, 0};
    const uint16_t good[] = {0, 1, 0, 1}, left_twice[] = {0, 0, 1, 1}, right_twice[] = {0, 1, 1, 0};
    const uint16_t high[] = {0, 2, 0, 1};
    const edge_graph graph = {2, 2, right};
    assert_true(edge_colouring_is_valid(&graph, good));
    assert_false(edge_colouring_is_valid(&graph, left_twice));
    assert_false(edge_colouring_is_valid(&graph, right_twice));
    assert_false(edge_colouring_is_valid(&graph, high));
    assert_false(edge_colouring_is_valid(&(edge_graph){2, 2, irregular}, good));
    assert_false(edge_colouring_is_valid(&(edge_graph){2, 2, outside}, good));
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_coloured), cmocka_unit_test(degrees_of_every_parity_are_coloured),
        cmocka_unit_test(most_nodes_are_coloured),    cmocka_unit_test(threads_do_not_change_the_colours),
        cmocka_unit_test(workspace_is_small),         cmocka_unit_test(wrong_colourings_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
