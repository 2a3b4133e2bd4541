/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves along indices that are used once, on a device: a take, dst[i] = src[indices[i]] for i < m, and a put,
 * dst[indices[i]] = src[i]. The indices, below n, are sorted by a few of their bits as they come, and nothing is
 * planned. Cut them into pieces that a block's shared memory holds, and what they point into into tiles likewise:
 *
 *     take
 *     indices |  piece 0  |  piece 1  | ...   each piece sorted by tile of src: low parts in that order, one run for
 *                 | places                    each tile, and where in the order each index is
 *     lows    |0 1 2 3 ...|0 1 2 3 ...| ...
 *                \ \_____/_/ runs
 *     answers |   of tile 0 | of tile 1 | ... each tile of src in shared memory answers its runs, one after the other
 *                  / /     \ \ runs
 *     dst     |  piece 0  |  piece 1  | ...   each piece collects its runs, and puts them back in place
 *
 *     put
 *     values, lows  |  piece 0  |  piece 1  |  each piece sorted by tile of dst
 *     dst           |  tile 0 | tile 1 | ...   each tile collects its runs
 *
 * Only reads are in short runs; every store is part of a stream. Bytes an element of E bytes with indices of I bytes, for
 * random indices and m = n, beside 5 to 10% for pads and lists of runs:
 *
 *     take    I + 2 + 2 | E + 2 + E | E + 2 + E     I + 8 + 4 E
 *     put     I + E + 2 + E | E + 2 + E             I + 4 + 4 E
 *
 * Where src has so many elements, or so long ones, that tiles of shared memory make runs short, a take's tiles are parts of
 * the second-level cache: their runs are read whole, and each answer is looked up in the cache. Indices go whole then:
 *
 *     take    I + 4 + 2 | E + 4 + E | E + 2 + E     I + 12 + 4 E
 *
 * With few elements a tile has, and a piece, whatever keeps all multiprocessors busy (docs/once.md).
 */
#ifndef RIFFLE_PLAN_ONCE_ONCE_H
#define RIFFLE_PLAN_ONCE_ONCE_H

#include "move/kernels/once/once.h"
#include "plan/request/target.h"

typedef struct once_request {
    bool puts;
    bool is_random; /**< a put of n elements along a random permutation, which no array of indices says */
    uint64_t n, m;
    size_t elem_bytes;
} once_request;

/** Where the arrays lie in a workspace, in bytes; all but the record are missing where nothing is sorted. */
typedef struct once_layout {
    size_t record, starts, runs, lows, places, before, sums, totals, list, values;
    size_t marks, marks_bytes; /**< an unsorted put's, a bit an element; a random one's: all indices */
    size_t bytes;
} once_layout;

typedef struct once_shape {
    bool sorts; /**< else a plain gather or scatter, element by element, is done sooner */
    bool
        in_cache; /**< for a take that sorts: its tiles are parts of the second-level cache, not of shared memory */
    uint32_t piece, pieces, tile, tiles, room, row, column, items, item_answers;
    once_layout at;
} once_shape;

/** The schedule of the passes of a plan. */
typedef struct once_schedule {
    once_request request;
    once_shape shape;
    plan_target target;
    riffle_perm
        *map; /**< the pass's own: what computes the indices of a random request, else a table of them */
    riffle_perm
        *of; /**< the permutation that the table's entries are, in an outline, which has none; else NULL */
} once_schedule;

/** The permutation whose values are the indices. */
static inline const riffle_perm *once_indices_of(const once_schedule *s) {
    return s->of != NULL ? s->of : s->map;
}

/** Why such a request cannot be sorted, or NULL: elements have 1, 2, 4, 8 or 16 bytes, and there are fewer than 2^32
 *  of them, and of indices. */
const char *once_obstacle(const once_request *r);

/** The shape of a request on a target: with tiles and pieces as long as shared memory holds, evened out over the
 *  multiprocessors; sorted where that is expected to be done sooner. */
once_shape once_choose(const once_request *r, const plan_target *target);

/** The same with the sorting way asked for or forbidden; a request that has an obstacle is never sorted. */
once_shape once_cut(const once_request *r, const plan_target *target, bool sorts);

/** The same with tiles of shared memory, or of the second-level cache: for tests, and to compare. */
once_shape once_cut_shared(const once_request *r, const plan_target *target);
once_shape once_cut_cached(const once_request *r, const plan_target *target);

/** Threads of a block that sorts a piece, or moves runs. */
unsigned once_threads(const once_shape *s, const plan_target *target);

/** The expected time of a request of such a shape in all: picoseconds, of an H200 (docs/once.md). */
double once_cost(const once_request *r, const once_shape *s, const plan_target *target);

/** A part of a move, and the bytes that it reads and writes for each index. */
typedef struct once_part {
    const char *name;
    size_t bytes;
} once_part;

enum { ONCE_MOST_PARTS = 3 };

/** The parts of a request of such a shape, with indices of index_bytes that are random; pads and lists of runs are left
 *  out. Returns how many. */
unsigned once_parts(const once_request *r, const once_shape *s, size_t index_bytes,
                    once_part out[ONCE_MOST_PARTS]);

/** Shared memory of a block: of the sort, and of the kernels that move runs; `elements` of a tile or of a room. */
size_t once_sort_bytes(const once_request *r, const once_shape *s, unsigned threads);
size_t once_move_bytes(const once_request *r, uint32_t elements, unsigned threads);

#endif
