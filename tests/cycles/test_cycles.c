/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum cycle bases against the definition: of small graphs every simple cycle is listed, and the lightest independent ones are taken
 * (a matroid's greedy choice). Random graphs of every kind, each basis proved by riffle_cycles_check; candidates within the dissertation's bound.
 * The proof refuses what is no minimum basis. Refusals and their words.
 */
#include <math.h>

#include "riffle/cycles.h"
#include "support.h"

enum { MOST_VERTICES = 7, MOST_EDGES = 13, MOST_CYCLES = 4096 };

static uint64_t seed;

/* Up to so many threads. */
#define CALL(most) (&(riffle_call_options){.threads = (most)})

typedef struct graph {
    uint64_t vertices, edges, ends[2 * 4096];
    int64_t weights[4096];
} graph;

typedef struct listed {
    unsigned count;
    uint64_t edges[MOST_CYCLES], weight[MOST_CYCLES]; /* edges as bits */
} listed;

static riffle_cycles_graph as_graph(const graph *g) {
    return (riffle_cycles_graph){g->vertices, g->edges, g->ends, g->weights, RIFFLE_TYPE_I64};
}

/* Loops, parallel edges and several components come about by themselves. */
static void make_random(rng *r, uint64_t vertices, uint64_t edges, uint64_t heaviest, graph *g) {
    g->vertices = vertices;
    g->edges = vertices == 0 ? 0 : edges;
    for (uint64_t e = 0; e < g->edges; e++) {
        g->ends[2 * e] = rng_below(r, vertices);
        g->ends[2 * e + 1] = rng_below(r, vertices);
        g->weights[e] = (int64_t)rng_below(r, heaviest + 1);
    }
}

/* ------------------------------------------------------------ the definition */

/* Every set of edges in which each vertex has degree 0 or 2, and whose edges are connected. */
static bool is_simple_cycle(const graph *g, uint64_t set) {
    unsigned degree[MOST_VERTICES] = {0}, joined = 0;
    uint64_t reached = 0, first = MOST_VERTICES;
    for (uint64_t e = 0; e < g->edges; e++) {
        if ((set >> e & 1) == 0) continue;
        degree[g->ends[2 * e]]++;
        degree[g->ends[2 * e + 1]]++;
        first = g->ends[2 * e];
    }
    if (first == MOST_VERTICES) return false;
    for (unsigned v = 0; v < g->vertices; v++)
        if (degree[v] != 0 && degree[v] != 2) return false;
    for (reached = (uint64_t)1 << first; joined != reached;) {
        joined = (unsigned)reached;
        for (uint64_t e = 0; e < g->edges; e++)
            if ((set >> e & 1) != 0 &&
                ((reached >> g->ends[2 * e] & 1) != 0 || (reached >> g->ends[2 * e + 1] & 1) != 0))
                reached |= (uint64_t)1 << g->ends[2 * e] | (uint64_t)1 << g->ends[2 * e + 1];
    }
    for (unsigned v = 0; v < g->vertices; v++)
        if (degree[v] != 0 && (reached >> v & 1) == 0) return false;
    return true;
}

static void list_cycles(const graph *g, listed *all) {
    all->count = 0;
    for (uint64_t set = 1; set < (uint64_t)1 << g->edges; set++) {
        if (!is_simple_cycle(g, set)) continue;
        uint64_t weight = 0;
        for (uint64_t e = 0; e < g->edges; e++) weight += (set >> e & 1) * (uint64_t)g->weights[e];
        assert_true(all->count < MOST_CYCLES);
        unsigned k = all->count++;
        for (; k > 0 && all->weight[k - 1] > weight; k--) {
            all->weight[k] = all->weight[k - 1];
            all->edges[k] = all->edges[k - 1];
        }
        all->weight[k] = weight;
        all->edges[k] = set;
    }
}

/* The lightest independent ones: how many, and their weight. */
static uint64_t plain_basis(const listed *all, uint64_t *weight) {
    uint64_t lead[64] = {0}, count = 0;
    *weight = 0;
    for (unsigned k = 0; k < all->count; k++) {
        uint64_t rest = all->edges[k];
        while (rest != 0 && lead[__builtin_ctzll(rest)] != 0) rest ^= lead[__builtin_ctzll(rest)];
        if (rest == 0) continue;
        lead[__builtin_ctzll(rest)] = rest;
        *weight += all->weight[k];
        count++;
    }
    return count;
}

/* ------------------------------------------------------------------- bases */

static riffle_cycles *find(const riffle_cycles_graph *g, unsigned threads, bool all) {
    riffle_cycles *found = NULL;
    const riffle_cycles_options options = {threads, all};
    if (riffle_cycles_find(g, &options, &found) != RIFFLE_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    return found;
}

static void prove(const riffle_cycles_graph *g, const riffle_cycles_basis *basis) {
    if (riffle_cycles_check(g, basis->cycles, basis->first, basis->edge, CALL(2)) != RIFFLE_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
}

/* Each edge of a cycle and the next have a vertex in common. */
static bool goes_round(const graph *g, const uint64_t *edge, uint64_t count) {
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t *const a = &g->ends[2 * edge[k]], *const b = &g->ends[2 * edge[(k + 1) % count]];
        if (a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1]) return false;
    }
    return true;
}

static bool is_within_bounds(const graph *g, const riffle_cycles_basis *basis) {
    const riffle_cycles_counts *const counts = &basis->counts;
    return counts->bound == g->vertices * g->edges && counts->candidates <= counts->bound &&
           counts->candidate_edges <= counts->bound && counts->tried <= counts->candidates &&
           basis->cycles <= counts->tried;
}

static void small_graphs(void **state) {
    (void)state;
    static listed all;
    static graph g;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        static const uint64_t heaviest[] = {0, 1, 3, 1000};
        make_random(&r, rng_below(&r, MOST_VERTICES + 1), rng_below(&r, MOST_EDGES + 1),
                    heaviest[rng_below(&r, 4)], &g);
        list_cycles(&g, &all);
        uint64_t weight;
        const uint64_t count = plain_basis(&all, &weight);
        const riffle_cycles_graph as = as_graph(&g);
        riffle_cycles *const found = find(&as, 1, rng_below(&r, 2) == 1);
        const riffle_cycles_basis *const basis = riffle_cycles_get(found);
        if (basis->cycles != count || basis->weight[0] != weight || basis->weight[1] != 0 ||
            basis->total != (double)weight)
            fail_msg("seed %llu, round %u: %llu cycles of weight %llu, and it is %llu of %llu",
                     (unsigned long long)seed, round, (unsigned long long)basis->cycles,
                     (unsigned long long)basis->weight[0], (unsigned long long)count,
                     (unsigned long long)weight);
        for (uint64_t k = 0; k < basis->cycles; k++)
            assert_true(goes_round(&g, basis->edge + basis->first[k], basis->first[k + 1] - basis->first[k]));
        assert_true(is_within_bounds(&g, basis));
        prove(&as, basis);
        riffle_cycles_free(found);
    }
}

static bool are_same(const riffle_cycles_basis *a, const riffle_cycles_basis *b) {
    return a->cycles == b->cycles && memcmp(a->first, b->first, (a->cycles + 1) * sizeof *a->first) == 0 &&
           memcmp(a->edge, b->edge, a->first[a->cycles] * sizeof *a->edge) == 0;
}

/* Threads and further candidates do not change the basis; too large for the definition, so it is proved. */
static void large_graphs(void **state) {
    (void)state;
    static graph g;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(12); round++) {
        static const uint64_t heaviest[] = {0, 1, 9, 1000000};
        make_random(&r, 1 + rng_below(&r, 300), rng_below(&r, 1200), heaviest[round % 4], &g);
        if (round % 4 == 3)
            for (uint64_t e = 0; e < g.edges; e++) g.weights[e] += (int64_t)1 << 40;
        const riffle_cycles_graph as = as_graph(&g);
        riffle_cycles *const one = find(&as, 1, false), *const three = find(&as, 3, false),
                             *const every = find(&as, 2, true);
        const riffle_cycles_basis *const basis = riffle_cycles_get(one);
        assert_true(are_same(basis, riffle_cycles_get(three)));
        assert_true(riffle_cycles_get(every)->weight[0] == basis->weight[0]);
        assert_true(is_within_bounds(&g, basis) && is_within_bounds(&g, riffle_cycles_get(every)));
        prove(&as, basis);
        riffle_cycles_free(one);
        riffle_cycles_free(three);
        riffle_cycles_free(every);
    }
}

/* A ring of light edges, with heavy ones across: the first limit is of the heavy, or the ring is longer than it. */
static void limits_grow(void **state) {
    (void)state;
    static graph g;
    enum { RING = 200 };
    g.vertices = g.edges = RING;
    for (uint64_t e = 0; e < RING; e++) {
        g.ends[2 * e] = e;
        g.ends[2 * e + 1] = (e + 1) % RING;
        g.weights[e] = 1;
    }
    const riffle_cycles_graph as = as_graph(&g);
    riffle_cycles *const found = find(&as, 1, false);
    const riffle_cycles_basis *const basis = riffle_cycles_get(found);
    assert_true(basis->cycles == 1 && basis->weight[0] == RING && basis->counts.rounds == 7);
    assert_true(goes_round(&g, basis->edge, RING) && basis->first[1] == RING);
    prove(&as, basis);
    riffle_cycles_free(found);
}

/* ------------------------------------------------------------------ weights */

/* The lightest of two chords by less than a double's rounding of the sum of a path. */
static void doubles_are_exact(void **state) {
    (void)state;
    const uint64_t ends[] = {0, 1, 1, 2, 2, 0, 2, 0, 0, 0};
    const double weights[] = {0x1p30, 1, 0x1p30, 0x1.00000000000001p30, 0x1p-22};
    const riffle_cycles_graph g = {3, 5, ends, weights, RIFFLE_TYPE_F64};
    riffle_cycles *const found = find(&g, 1, false);
    const riffle_cycles_basis *const basis = riffle_cycles_get(found);
    assert_true(basis->cycles == 3 && basis->unit == -22);
    assert_true(basis->edge[basis->first[0]] == 4);
    const unsigned __int128 sum = (unsigned __int128)basis->weight[1] << 64 | basis->weight[0];
    double wanted = 0;
    for (unsigned e = 0; e < 2; e++) wanted += ldexp((double)(uint64_t)(sum >> (e * 64)), (int)e * 64);
    assert_true(fabs(ldexp(wanted, -22) - basis->total) <= 1);
    prove(&g, basis);
    riffle_cycles_free(found);
    const double tenths[] = {0.1, 0.2, 0.30000000000000004, 0.3, 0};
    const riffle_cycles_graph h = {3, 5, ends, tenths, RIFFLE_TYPE_F64};
    riffle_cycles *const other = find(&h, 1, false);
    prove(&h, riffle_cycles_get(other));
    riffle_cycles_free(other);
}

static void large_weights_add_up(void **state) {
    (void)state;
    const uint64_t ends[] = {0, 1, 1, 2, 2, 0}, weights[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const riffle_cycles_graph g = {3, 3, ends, weights, RIFFLE_TYPE_U64};
    riffle_cycles *const found = find(&g, 1, false);
    const riffle_cycles_basis *const basis = riffle_cycles_get(found);
    assert_true(basis->weight[0] == UINT64_MAX - 2 && basis->weight[1] == 2 && basis->unit == 0);
    prove(&g, basis);
    riffle_cycles_free(found);
}

/* ------------------------------------------------------- matrices and proofs */

static void rows_are_cycles(void **state) {
    (void)state;
    static graph g;
    rng r = {seed};
    make_random(&r, 20, 70, 5, &g);
    const riffle_cycles_graph as = as_graph(&g);
    riffle_cycles *const found = find(&as, 1, false);
    const riffle_cycles_basis *const basis = riffle_cycles_get(found);
    uint64_t words[70 * 2], rank;
    memset(words, POISON_VALUE, sizeof words);
    const riffle_f2_matrix to = {basis->cycles, 70, 2, words};
    assert_int_equal(riffle_cycles_matrix(found, &to), RIFFLE_OK);
    for (uint64_t k = 0; k < basis->cycles; k++) {
        uint64_t count = 0;
        for (uint64_t e = basis->first[k]; e < basis->first[k + 1]; e++)
            assert_true((words[2 * k + basis->edge[e] / 64] >> basis->edge[e] % 64 & 1) != 0);
        for (unsigned w = 0; w < 2; w++) count += (unsigned)__builtin_popcountll(words[2 * k + w]);
        assert_true(count == basis->first[k + 1] - basis->first[k]);
    }
    assert_int_equal(riffle_f2_rank_profile(&to, &rank, NULL, NULL, CALL(1)), RIFFLE_OK);
    assert_true(rank == basis->cycles);
    const riffle_f2_matrix wrong = {basis->cycles + 1, 70, 2, words}, thin = {basis->cycles, 70, 1, words};
    assert_int_equal(riffle_cycles_matrix(found, &wrong), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_cycles_matrix(found, &thin), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_cycles_matrix(NULL, &to), RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_cycles_free(found);
    riffle_cycles_free(NULL);
    assert_null(riffle_cycles_get(NULL));
}

static void refused(riffle_status status, riffle_status wanted, const char *detail) {
    assert_int_equal(status, wanted);
    assert_string_equal(riffle_error_detail(), detail);
}

/* Two triangles on an edge, 0 1 2 and 1 3 2: their sum is the square. */
static void proofs_refuse(void **state) {
    (void)state;
    const uint64_t ends[] = {0, 1, 1, 2, 2, 0, 1, 3, 3, 2, 3, 3};
    const int64_t weights[] = {1, 1, 1, 1, 1, 2};
    const riffle_cycles_graph g = {4, 6, ends, weights, RIFFLE_TYPE_I64};
    const uint64_t first[] = {0, 1, 4, 7}, right[] = {5, 0, 1, 2, 1, 3, 4}, open[] = {5, 0, 1, 3, 1, 3, 4};
    const uint64_t same[] = {5, 0, 1, 2, 2, 1, 0}, far[] = {5, 0, 1, 2, 1, 3, 6},
                   twice[] = {5, 0, 1, 2, 1, 1, 4};
    const uint64_t square_first[] = {0, 1, 4, 8}, square[] = {5, 0, 1, 2, 0, 3, 4, 2},
                   turned_first[] = {0, 3, 4, 7}, turned[] = {0, 1, 2, 5, 1, 3, 4}, back[] = {0, 4, 1, 7};
    assert_int_equal(riffle_cycles_check(&g, 3, first, right, CALL(1)), RIFFLE_OK);
    const riffle_status wrong = RIFFLE_ERROR_INVALID_ARGUMENT;
    refused(riffle_cycles_check(&g, 2, first, right, CALL(1)), wrong,
            "cycles: 2; the graph's have 3 dimensions");
    refused(riffle_cycles_check(&g, 3, first, open, CALL(1)), wrong, "cycle 1: its edges are not closed");
    refused(riffle_cycles_check(&g, 3, first, twice, CALL(1)), wrong, "cycle 2: has an edge twice");
    refused(riffle_cycles_check(&g, 3, first, far, CALL(1)), wrong,
            "cycle 2: has the edge 6; edges are below 6");
    refused(riffle_cycles_check(&g, 3, first, same, CALL(1)), wrong,
            "cycles: are not independent; one is a sum of others");
    refused(riffle_cycles_check(&g, 3, turned_first, turned, CALL(1)), wrong,
            "cycle 1: is lighter than the one before; cycles come by weight");
    refused(riffle_cycles_check(&g, 3, back, right, CALL(1)), wrong,
            "first: cycle 1 begins behind its end, or the first not at 0");
    refused(riffle_cycles_check(&g, 3, NULL, right, CALL(1)), wrong, "first, edge: NULL; pass the cycles");
    assert_int_equal(riffle_cycles_check(&g, 3, square_first, square, CALL(1)), wrong);
    assert_non_null(
        strstr(riffle_error_detail(),
               "cycle 2: a lighter one may take its place, made of the shortest paths from vertex "));
    /* A loop that was passed over for its sum with a triangle: closed, independent, heavier. */
    const uint64_t sum_first[] = {0, 3, 6, 10}, sum[] = {0, 1, 2, 1, 3, 4, 0, 1, 2, 5};
    refused(riffle_cycles_check(&g, 3, sum_first, sum, CALL(1)), wrong,
            "cycle 2: a lighter one may take its place, the loop that edge 5 is");
}

/* ------------------------------------------------------------------ refusals */

static void refusals(void **state) {
    (void)state;
    riffle_cycles *out = NULL;
    const uint64_t ends[] = {0, 1, 1, 7};
    const int64_t negative[] = {1, -1};
    const double bad[][2] = {{1, NAN}, {INFINITY, 1}, {1, -INFINITY}, {-0.5, 1}, {0x1p-80, 0x1p80}};
    riffle_cycles_graph g = {4, 2, ends, NULL, RIFFLE_TYPE_I64};
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_INVALID_ARGUMENT,
            "ends: edge 1 has the vertex 7; vertices are below 4");
    refused(riffle_cycles_find(NULL, NULL, &out), RIFFLE_ERROR_INVALID_ARGUMENT, "graph is NULL");
    refused(riffle_cycles_find(&g, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, "out is NULL");
    g.vertices = 8;
    g.weights = negative;
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_INVALID_ARGUMENT,
            "weights: that of edge 1 is negative; weights are 0 or more");
    g.type = RIFFLE_TYPE_F32;
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_UNSUPPORTED,
            "weights: are int64, uint64 or float64; convert them");
    g.type = RIFFLE_TYPE_F64;
    static const char *const words[] = {"edge 1 is NaN", "edge 0 is infinite", "edge 1 is minus infinity",
                                        "edge 0 is negative"};
    for (unsigned k = 0; k < 4; k++) {
        g.weights = bad[k];
        assert_int_equal(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(riffle_error_detail(), words[k]));
    }
    g.weights = bad[4];
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_LENGTH,
            "weights: doubles with bits from 2^-80 to 2^80; sums of 2 of them do not fit 125 bits; round the "
            "weights to multiples of a larger "
            "number");
    g = (riffle_cycles_graph){RIFFLE_CYCLES_MAX_VERTICES + 1, 0, NULL, NULL, RIFFLE_TYPE_I64};
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_LENGTH,
            "graph: 1048577 vertices; there are 1048576 at most");
    g = (riffle_cycles_graph){1, RIFFLE_CYCLES_MAX_EDGES + 1, ends, NULL, RIFFLE_TYPE_I64};
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_LENGTH,
            "graph: 1073741825 edges; there are 1073741824 at most");
    g = (riffle_cycles_graph){1, 1, NULL, NULL, RIFFLE_TYPE_I64};
    refused(riffle_cycles_find(&g, NULL, &out), RIFFLE_ERROR_INVALID_ARGUMENT,
            "ends: NULL; pass two vertices for each edge");
    assert_null(out);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),         cmocka_unit_test(large_graphs),
        cmocka_unit_test(limits_grow),          cmocka_unit_test(doubles_are_exact),
        cmocka_unit_test(large_weights_add_up), cmocka_unit_test(rows_are_cycles),
        cmocka_unit_test(proofs_refuse),        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
