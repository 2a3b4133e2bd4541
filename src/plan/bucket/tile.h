/* SPDX-License-Identifier: Apache-2.0
 *
 * The bucket passes of devices: any permutation as one, two or three passes, each of which gathers pieces of
 * its output from shared memory.
 *
 *     src     |  piece 0  |  piece 1  | ...   each piece staged in shared memory, and written sorted by the
 *                 | order                     bucket (tile of dst) that its elements go to
 *     work    |0 1 2 3 ...|0 1 2 3 ...| ...   one run for each bucket in each piece
 *                 \ \_____/_/ chunks
 *     staged  |   all runs of bucket 0 |      in shared memory, in whole chunks of 16 bytes; what lies in a
 *                 | order                     chunk beside the run belongs to others
 *     dst     |  piece 0  |  piece 1  | ...
 *
 * So every store is part of a stream, and what is scattered about are reads of a few sectors each, which the
 * tiles that run at the same time share. The other way around, stores of short runs, costs a partial sector at
 * each end of a run: 1.6 copies more at runs of 37 bytes (docs/arbitrary.md). The same idea as bucket.h's, made
 * for shared memory: pieces of any length, and chunks where a processor copies runs.
 *
 * THE DEFINITION, which whoever plans must keep. U = 16 / elem_bytes. A pass sees its elements
 * as a sequence s = 0..n-1 with at[s], the place in its input, and dest[s], the place in dst. In the first pass
 * at[s] = s and dest[s] = P(s). Pieces are cuts of the sequence, `piece` elements each, the last one shorter.
 *
 *   Chunks. A later pass begins a chunk where s begins a piece or at[s] / U is not at[s - 1] / U; chunk number
 *   at[s] / U is listed. In the first pass a chunk begins at every U-th element of a piece. The element is
 *   staged at U times the cell (move/kernels/bucket/bucket_cell.h) of its chunk's ordinal in the piece, plus at[s] mod U.
 *   Order. In the last pass order[dest[s]] is where s is staged. In others each piece is sorted by
 *   dest[s] / bucket, and order[t] is where the element is staged that comes to place t.
 *   The next sequence is all elements sorted by dest / bucket, those of a bucket by t; its at is t.
 *
 * Elements of a piece that go to one bucket, a run, may come in any order: neither what is read nor what is written at a
 * time depends on it, so a planner takes the order that it comes by soonest. All else, the lists of chunks among it, has
 * one value.
 *
 * `bucket` is `piece` (of the later passes), and in the first of three passes `piece` times `fan`.
 */
#ifndef RIFFLE_PLAN_BUCKET_TILE_H
#define RIFFLE_PLAN_BUCKET_TILE_H

#include "move/kernels/bucket/bucket_cell.h"
#include "perm/perm.h"
#include "plan/request/target.h"

enum {
    BUCKET_TILE_PASSES = 3,
    BUCKET_TILE_CHUNK_BYTES = 16,
    /** Elements of a piece in shared memory, at most: 16 bits count its elements, and it is stored by whole warps. */
    BUCKET_TILE_POSITIONS = (1 << 16) - 512,
};

/** How a permutation is cut. Lengths are in elements and multiples of a chunk's. */
typedef struct bucket_tile_shape {
    unsigned passes;      /**< 1 where one piece holds all, else 2 or 3 */
    uint32_t first_piece; /**< length of the first pass's pieces */
    uint32_t piece;       /**< length of the later passes' pieces, and so of the tiles of dst */
    uint32_t fan;         /**< tiles in a bucket of the first of three passes; else 1 */
    uint32_t positions;   /**< that the staged elements of a piece may take */
} bucket_tile_shape;

/** One pass. The arrays are on the host, or NULL where a device has made and keeps its own. */
typedef struct bucket_tile_schedule {
    uint64_t n;
    size_t elem_bytes;
    uint32_t piece;
    uint64_t pieces;
    uint16_t *order;  /**< n entries, and zeros up to a whole chunk's */
    uint32_t *chunks; /**< chunk_count entries; NULL in the first pass, which stages its pieces as they lie */
    uint32_t *first_chunk; /**< pieces + 1 entries; NULL in the first pass */
    uint64_t chunk_count;  /**< 0 in the first pass */
    uint32_t most_chunks;  /**< most chunks of a piece, in the first pass too */
    /** An outline, which has no arrays, has the runs that a piece comes in, 0 in the first pass, and the buckets that it is sorted by,
     *  0 in the last, as a random permutation is expected to make them. */
    uint32_t runs, buckets;
} bucket_tile_schedule;

/** Why bucket passes cannot move n elements of elem_bytes on a device, or NULL: elements have 1, 2, 4, 8 or 16
 *  bytes, and there are at most 2^32. */
const char *bucket_tile_obstacle(uint64_t n, size_t elem_bytes);

/** The shape for n elements on a target: pieces as long as shared memory holds, evened out over the
 *  multiprocessors; two passes while the chunks' waste that a random permutation leaves takes less than three
 *  quarters of a piece. */
bucket_tile_shape bucket_tile_choose(uint64_t n, size_t elem_bytes, const plan_target *target);

/** The shape to try next where a piece of a plan has taken more than shape->positions: later pieces half as
 *  long. With pieces of positions / (2 U - 1) elements or fewer that cannot happen. */
bucket_tile_shape bucket_tile_halve(const bucket_tile_shape *shape, uint64_t n, size_t elem_bytes);

/** Plans `perm` on the host in at most shape->passes passes into out[], halving as often as is needed. O(n)
 *  time, one thread, 14 bytes an element while it works. RIFFLE_ERROR_OUT_OF_MEMORY leaves nothing behind. */
riffle_status bucket_tile_plan(const riffle_perm *perm, size_t elem_bytes, bucket_tile_shape shape,
                               bucket_tile_schedule out[BUCKET_TILE_PASSES]);

/** Marks entries of a later pass's list whose chunk another piece has listed before (riffle_bucket_is_again), for a check of passes. */
riffle_status bucket_tile_mark(bucket_tile_schedule *schedule);

/** Pass k of a shape, without its arrays. */
static inline bucket_tile_schedule bucket_tile_pass(uint64_t n, size_t elem_bytes,
                                                    const bucket_tile_shape *shape, unsigned k) {
    const uint32_t piece = k == 0 ? shape->first_piece : shape->piece;
    return (bucket_tile_schedule){
        .n = n, .elem_bytes = elem_bytes, .piece = piece, .pieces = (n + piece - 1) / piece};
}

/** The length of the buckets that pass k, which is not the last, sorts its pieces by. */
static inline uint32_t bucket_tile_bucket(const bucket_tile_shape *shape, unsigned k) {
    return shape->passes - k > 2 ? shape->piece * shape->fan : shape->piece;
}

/** The passes of a shape without their arrays, as a random permutation is expected to make them. */
void bucket_tile_outline(uint64_t n, size_t elem_bytes, const bucket_tile_shape *shape,
                         bucket_tile_schedule out[BUCKET_TILE_PASSES]);

/** RIFFLE_ERROR_UNSUPPORTED: even the shortest pieces, of U elements, have taken more than shape->positions. */
riffle_status bucket_tile_fail_positions(const bucket_tile_shape *shape, size_t elem_bytes);

/** Bytes an element that the lists of chunks of all passes take, as if no chunk held elements of two runs. */
static inline double bucket_tile_chunk_share(size_t elem_bytes, unsigned passes) {
    const double bytes_a_chunk = (passes - 1) * (double)sizeof(uint32_t);
    return bytes_a_chunk * (double)elem_bytes / (double)BUCKET_TILE_CHUNK_BYTES;
}

/** Bytes of `order`, whole chunks of entries. */
static inline size_t bucket_tile_order_bytes(const bucket_tile_schedule *s) {
    const size_t units = BUCKET_TILE_CHUNK_BYTES / s->elem_bytes;
    return ((size_t)s->n + units - 1) / units * units * sizeof *s->order;
}

/** Bytes of `first_chunk`; none in the first pass. */
static inline size_t bucket_tile_first_chunk_bytes(const bucket_tile_schedule *s) {
    return s->chunk_count == 0 ? 0 : ((size_t)s->pieces + 1) * sizeof *s->first_chunk;
}

/** Shared memory of a block: whole rows of cells. */
static inline size_t bucket_tile_shared_bytes(const bucket_tile_schedule *s) {
    const size_t row = BUCKET_ROW_CHUNKS;
    return (s->most_chunks + row - 1) / row * row * BUCKET_TILE_CHUNK_BYTES;
}

/** The array between the passes, in whole chunks, which are read whole but for the array's last; 0 for one
 *  pass. */
static inline size_t bucket_tile_workspace_bytes(uint64_t n, size_t elem_bytes,
                                                 const bucket_tile_shape *shape) {
    const size_t chunk = BUCKET_TILE_CHUNK_BYTES;
    return shape->passes > 1 ? ((size_t)n * elem_bytes + chunk - 1) / chunk * chunk : 0;
}

/** Bytes of the schedule's arrays together, wherever they are. */
static inline size_t bucket_tile_bytes(const bucket_tile_schedule *s) {
    return bucket_tile_order_bytes(s) + (size_t)s->chunk_count * sizeof *s->chunks +
           bucket_tile_first_chunk_bytes(s);
}

/** No more than this for all passes of a shape together, whatever the permutation, halved ones included. */
size_t bucket_tile_most_bytes(uint64_t n, size_t elem_bytes, const bucket_tile_shape *shape);

void bucket_tile_free(bucket_tile_schedule *schedule);

#endif
