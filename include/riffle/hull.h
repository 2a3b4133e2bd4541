/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Convex hulls in the plane, exact (docs/hull.md; Jurkiewicz 2013, chapter 3). On a GPU the same by riffle/cuda.h.
 *
 *  @code{.c}
 *  riffle_hull_plan *plan;
 *  riffle_hull_plan_create(n, RIFFLE_TYPE_F64, RIFFLE_ENGINE_CPU, NULL, &plan);
 *  riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = indices, .lengths = &length, .points = points});
 *  riffle_hull_plan_free(plan);
 *  @endcode
 *
 *  Points are pairs of coordinates, x0 y0 x1 y1 ..., float32, float64 or integers of 1 to 8 bytes. The hull of a set is
 *  the list of its corners, counter-clockwise from the lexicographically smallest (least x, of these least y), without
 *  points that lie between two others. The first of equal points stands for all; -0.0 equals 0.0. Points that are all equal
 *  have 1 corner, points on a line 2, no points none.
 *
 *  No rounding changes the result: what rounded arithmetic does not decide for certain is decided by exact.
 */
#ifndef RIFFLE_HULL_H
#define RIFFLE_HULL_H

#include "riffle/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most points of a plan, all sets together. */
#define RIFFLE_HULL_MAX_POINTS ((uint64_t)1 << 31)

/** Ways to a hull. */
typedef enum riffle_hull_algorithm {
    RIFFLE_HULL_ALGORITHM_AUTO = 0, /**< the engine's own, which is the fastest */
    RIFFLE_HULL_ALGORITHM_PAPER, /**< the dissertation's (chapter 3), to compare with: one set, and corners only; on the CPU its
                                    sequential one, by one thread */
} riffle_hull_algorithm;

/** "auto", "paper". */
RIFFLE_API const char *riffle_hull_algorithm_string(riffle_hull_algorithm algorithm);
/** The algorithm of that name. */
RIFFLE_API riffle_status riffle_hull_algorithm_parse(const char *name, riffle_hull_algorithm *out);
/** All algorithms of hulls. */
RIFFLE_API size_t riffle_hull_algorithm_list(riffle_hull_algorithm *out, size_t capacity);

/** Zero every field for the defaults. */
typedef struct riffle_hull_options {
    /** Sets of points one behind the other, each with a hull of its own; 0: one. */
    uint64_t segments;
    /** Points between two corners are kept too, each place once. Points on a line are all kept, in lexicographic
     *  order. */
    bool all;
    bool points;                     /**< hulls are points, as they were given; else indices */
    size_t index_bytes;              /**< bytes per index, 4 or 8; 0: 4 */
    unsigned threads;                /**< most threads of the CPU; 0: as many as OpenMP gives and as pay */
    riffle_hull_algorithm algorithm; /**< which way */
    bool callers_workspace; /**< on GPUs alone: the plan allocates no workspace, each execution brings one */
} riffle_hull_options;

/** Hulls made ready for a number of points, their type and an engine. */
typedef struct riffle_hull_plan riffle_hull_plan;

/** Plans hulls of n points of `type`, in options->segments sets. `options` may be NULL. The memory that an execution needs is
 *  allocated here, except as its engine says.
 *
 *  RIFFLE_ERROR_LENGTH for more than RIFFLE_HULL_MAX_POINTS points or sets, RIFFLE_ERROR_UNSUPPORTED for types that are
 *  neither integers nor float32 nor float64 and for what the dissertation's algorithm does not do,
 *  RIFFLE_ERROR_INVALID_ARGUMENT for indices of another size. */
RIFFLE_API riffle_status riffle_hull_plan_create(uint64_t n, riffle_type type, riffle_engine engine,
                                                 const riffle_hull_options *options, riffle_hull_plan **out);

/** The arrays of an execution. No two overlap. */
typedef struct riffle_hull_arrays {
    /** Receives results, indices or points, and has room for n. The hull of a set begins where the set does: at hulls[first[k]],
     *  lengths[k] results. An index is that of the point among all n. Memory behind a hull is left alone, or overwritten with
     *  anything as far as its set goes. */
    void *hulls;
    uint64_t *lengths;  /**< receives how many results each set has */
    const void *points; /**< the points, aligned to a coordinate, on a GPU to a point */
    /** Where sets begin: set k has points first[k] up to first[k + 1], excluded; segments + 1 numbers, not descending, from 0 up to
     *  n. NULL: all sets have n / segments points, and n is a multiple. */
    const uint64_t *first;
} riffle_hull_arrays;

/** Finds hulls, in host memory.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT if a coordinate is NaN or infinite: the first such point is named.
 *  RIFFLE_ERROR_OUT_OF_MEMORY if room for candidates could not be had. Neither hulls nor lengths are changed then. */
RIFFLE_API riffle_status riffle_hull_execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays);

/** Bytes of a result: of an index, or of a point. */
RIFFLE_API size_t riffle_hull_plan_result_bytes(const riffle_hull_plan *plan);

/** Bytes of a GPU's memory that an execution there takes besides the arrays; 0 on other engines. */
RIFFLE_API size_t riffle_hull_plan_workspace_bytes(const riffle_hull_plan *plan);

/** Threads of the CPU that an execution takes; 0 on other engines. */
RIFFLE_API unsigned riffle_hull_plan_threads(const riffle_hull_plan *plan);

/** Prints what is found, the phases, and what has to be read. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_hull_plan_explain(const riffle_hull_plan *plan, FILE *stream);

/** Frees the plan. */
RIFFLE_API void riffle_hull_plan_free(riffle_hull_plan *plan);

/** The measures that riffle_hull_measure finds, as doubles: infinite where a double is too small. */
typedef struct riffle_hull_measures {
    double area;               /**< the hull's area */
    double perimeter;          /**< the hull's perimeter; of two corners the way there and back */
    double diameter;           /**< the distance of the two corners that are farthest from each other */
    uint64_t diameter_ends[2]; /**< which of the points given; of several pairs the first */
    double rectangle_area;     /**< area of the smallest rectangle around the hull, of any direction */
    double rectangle_length;   /**< its length, along rectangle_side */
    double rectangle_breadth;  /**< its breadth, across */
    double rectangle[4][2];    /**< its corners, counter-clockwise; the first two along rectangle_side */
    uint64_t rectangle_side;   /**< which of the points given is the corner where the side begins that it has in
                                    common with the hull; of several the first */
} riffle_hull_measures;

/** Measures a hull of n points, by rotating calipers in O(n). `hull` has them as riffle_hull_execute gives points, corners
 *  alone or with the points between these (options->all), in host memory. Points between two corners change no measure and are
 *  never named. Which corners are farthest from each other, and which rectangle is smallest, is decided exactly; the numbers
 *  are then rounded. Without points all is 0. A hull of one or two corners has a rectangle without an area.
 *
 *  They are right to 12 digits at least. Points that are no hull give nonsense. RIFFLE_ERROR_INVALID_ARGUMENT for NaN or
 *  infinity, RIFFLE_ERROR_UNSUPPORTED for types that have no hulls, RIFFLE_ERROR_OUT_OF_MEMORY without 8 bytes for each
 *  point. */
RIFFLE_API riffle_status riffle_hull_measure(uint64_t n, riffle_type type, const void *hull,
                                             riffle_hull_measures *out);

#ifdef __cplusplus
}
#endif
#endif
