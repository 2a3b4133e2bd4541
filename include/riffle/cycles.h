/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Minimum cycle bases of undirected graphs with weights, exact (docs/cycles.md; Jurkiewicz 2013, chapter 5, and the papers that it names).
 *
 *  @code{.c}
 *  riffle_cycles *cycles;
 *  riffle_cycles_find(&(riffle_cycles_graph){.vertices = n, .edges = m, .ends = ends}, NULL, &cycles);
 *  const riffle_cycles_basis *basis = riffle_cycles_get(cycles);
 *  for (uint64_t k = 0; k < basis->cycles; k++)
 *      print(basis->edge + basis->first[k], basis->first[k + 1] - basis->first[k]);   // edges of cycle k, one after another
 *  riffle_cycles_free(cycles);
 *  @endcode
 *
 *  The cycles of a graph, as sets of edges with the symmetric difference for a sum, are a vector space over F2 of dimension
 *  edges - vertices + components. A basis is minimum if the sum of its cycles' weights is least. Graphs may have several
 *  components, parallel edges, bridges and loops; a loop is a cycle of its own. Weights may be 0.
 *
 *  Exact means: weights are added as integers of 128 bits. Doubles are taken as the numbers that they are, multiples of one
 *  power of two, and added without rounding too. Among bases of the same weight which one is found depends on the graph alone, and
 *  not on threads or machines. */
#ifndef RIFFLE_CYCLES_H
#define RIFFLE_CYCLES_H

#include "riffle/f2.h"
#include "riffle/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most vertices of a graph. */
#define RIFFLE_CYCLES_MAX_VERTICES ((uint64_t)1 << 20)
/** Most edges of a graph. */
#define RIFFLE_CYCLES_MAX_EDGES ((uint64_t)1 << 30)

/** An undirected graph. The arrays are the caller's. */
typedef struct riffle_cycles_graph {
    uint64_t vertices;    /**< they are 0 to vertices - 1 */
    uint64_t edges;       /**< how many */
    const uint64_t *ends; /**< two for each edge, in either order; NULL where there are no edges */
    const void *weights;  /**< one for each edge, none below 0; NULL: all are 1 */
    riffle_type type;     /**< the weights' type: RIFFLE_TYPE_I64, RIFFLE_TYPE_U64 or RIFFLE_TYPE_F64 */
} riffle_cycles_graph;

/** Zero every field for the defaults. */
typedef struct riffle_cycles_options {
    unsigned threads; /**< most threads of the CPU; 0: as many as OpenMP gives and as pay */
    bool all;         /**< every isometric cycle is found and counted, also heavier ones than the basis needs */
} riffle_cycles_options;

/** Numbers of a run, which the dissertation bounds: candidates and candidate_edges are at most vertices * edges each. */
typedef struct riffle_cycles_counts {
    uint64_t components; /**< connected components */
    uint64_t rounds;     /**< searches, each of twice the weight of the one before */
    uint64_t reached;    /**< vertices in all shortest-path trees of the last search */
    uint64_t looked_at;  /**< pairs of a root and an edge that close a cycle whose least vertex is the root */
    uint64_t candidates; /**< isometric cycles among them, and loops */
    uint64_t candidate_edges; /**< their edges, added up */
    uint64_t tried;           /**< candidates up to the last one that the basis has, in order of weight */
    uint64_t bound;           /**< vertices * edges, or UINT64_MAX */
} riffle_cycles_counts;

/** A basis, which belongs to its riffle_cycles. */
typedef struct riffle_cycles_basis {
    uint64_t cycles; /**< the dimension of the cycle space */
    const uint64_t
        *first; /**< where cycle k begins in `edge`; cycles + 1 numbers. By weight, the lightest first */
    const uint64_t *edge;        /**< edges of each cycle by their numbers, one after another around it */
    uint64_t weight[2];          /**< the sum of all cycles' weights in units, the lower 64 bits first */
    int32_t unit;                /**< weights are multiples of 2^unit; 0 for integers */
    double total;                /**< the sum as a double, rounded */
    riffle_cycles_counts counts; /**< how it was found */
} riffle_cycles_basis;

/** A basis that was found. */
typedef struct riffle_cycles riffle_cycles;

/** Finds a minimum cycle basis: shortest-path trees from each vertex, ties broken one way; isometric cycles, which are made of
 *  shortest paths between any two of their vertices; by weight the earliest that are independent over F2. `options` may be NULL.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT names the edge whose vertex is out of range, or whose weight is negative, NaN or infinite.
 *  RIFFLE_ERROR_LENGTH for too many vertices or edges, for a dimension beyond RIFFLE_F2_MAX / 2 where equations have to be solved,
 *  and for doubles that are so far apart that sums have more than 125 bits; RIFFLE_ERROR_UNSUPPORTED for weights of
 *  another type, RIFFLE_ERROR_OUT_OF_MEMORY without room for the trees: some 16 bytes for each vertex of each. */
RIFFLE_API riffle_status riffle_cycles_find(const riffle_cycles_graph *graph,
                                            const riffle_cycles_options *options, riffle_cycles **out);

/** The basis; NULL for NULL. */
RIFFLE_API const riffle_cycles_basis *riffle_cycles_get(const riffle_cycles *cycles);

/** Writes the basis as a matrix over F2, a row for a cycle and a column for an edge. RIFFLE_ERROR_LENGTH unless `to` is of that size,
 *  which RIFFLE_F2_MAX bounds. */
RIFFLE_API riffle_status riffle_cycles_matrix(const riffle_cycles *cycles, const riffle_f2_matrix *to);

/** Proves that cycles are a minimum cycle basis of the graph, by another way than riffle_cycles_find's: the inverse of their matrix has
 *  for each cycle the edges that tell it from all others, and no cycle that is told so is lighter. `cycles`, `first` and `edge` are as
 *  riffle_cycles_basis has them, by weight. `options` may be NULL.
 *  It takes vertices * edges * dimension / 64 steps at most.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT says what is wrong: a number that is no edge, edges that are no cycle, an order that is not that of
 *  weights, cycles that are not independent or too few, or a cycle that a lighter one could replace. Else as riffle_cycles_find. */
RIFFLE_API riffle_status riffle_cycles_check(const riffle_cycles_graph *graph, uint64_t cycles,
                                             const uint64_t *first, const uint64_t *edge,
                                             const riffle_call_options *options);

/** Frees it. */
RIFFLE_API void riffle_cycles_free(riffle_cycles *cycles);

#ifdef __cplusplus
}
#endif
#endif
