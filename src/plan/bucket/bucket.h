/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the bucket pass: any permutation as two or three passes that each read and write memory in
 * long runs, and jump about only inside a piece of the array that fits the second-level cache.
 *
 *     src     |  piece 0  |  piece 1  | ...      each piece of 2^piece_bits elements sorted by the
 *                 | order                        bucket (piece of dst) that its elements go to
 *     work    |0 1 2 3 ...|0 1 2 3 ...| ...      one run for each bucket in each piece
 *                 \ \_____/_/ runs
 *     staged  |   all runs of bucket 0 |         a bucket's runs copied side by side, in the cache
 *                 | order
 *     dst     |  piece 0  |  piece 1  | ...
 *
 * Every pass is the same: a piece of its output is gathered, out[j] = in[order[j]], from the elements of a
 * list of runs of its input; in the first pass a piece's list is one run, the same piece of src. Positions
 * within a piece fit 16 bits, so a pass keeps 2 bytes an element and 8 bytes a run.
 *
 * The classic way counts and scatters through write-combining buffers while it moves. Here the order is
 * known beforehand, so both random steps are loads from the cache and every store is part of a stream.
 */
#ifndef RIFFLE_PLAN_BUCKET_BUCKET_H
#define RIFFLE_PLAN_BUCKET_BUCKET_H

#include "models/translation.h"
#include "perm/perm.h"

enum {
    BUCKET_MAX_PASSES = 3,
    BUCKET_MAX_PIECE_BITS = 16,
    BUCKET_MAX_ELEM_BYTES = 64, /**< longer elements fill lines of their own and gain nothing */
};

/** A run of the input: `start` in the low 48 bits, length - 1 in the high 16. */
typedef uint64_t bucket_run;

static inline uint64_t bucket_run_start(bucket_run run) { return run & (((uint64_t)1 << 48) - 1); }
static inline size_t bucket_run_length(bucket_run run) { return (size_t)(run >> 48) + 1; }

/** One pass over n elements in pieces of 2^piece_bits (the last may be shorter). Pieces are of its output; or they are of its input, and leave
 *  as runs of the output. */
typedef struct bucket_schedule {
    uint64_t n;
    size_t elem_bytes;
    unsigned piece_bits;
    uint64_t pieces;
    uint64_t
        *first_run; /**< piece p is made of runs first_run[p] .. first_run[p + 1] - 1; pieces + 1 entries */
    bucket_run *runs;
    uint16_t *order; /**< n entries: element j of a piece is element order[j] of its runs laid end to end */
    uint64_t run_count;
    uint64_t *
        first_out; /**< pieces leave as runs outs[first_out[p]] .. of the output, end to end; pieces + 1 entries ... */
    bucket_run *outs; /**< ... or both are NULL, and piece p leaves as piece p */
    uint64_t out_count;
} bucket_schedule;

/** Permutations that a pass is for (streams.h). */
typedef enum bucket_form {
    BUCKET_ANY = 0, /**< any permutation: one piece, or several passes */
    BUCKET_SPREAD,  /**< pieces of src leave as few runs */
    BUCKET_JOIN,    /**< pieces of dst come as runs */
    BUCKET_ROWS,    /**< any that spreads like a random one: rows of whole lines are between two passes (rows.h) */
} bucket_form;

/** How a permutation is cut: pieces of 2^piece_bits elements, 1 to BUCKET_MAX_PASSES passes (1 only where one
 *  piece holds all, or the form says so). */
typedef struct bucket_shape {
    unsigned piece_bits;
    unsigned passes;
    bucket_form form;
} bucket_shape;

/** The shape for n elements of at most BUCKET_MAX_ELEM_BYTES: pieces that fill a share of the second-level
 *  cache, and as many passes as are expected to cost least with that translation cache
 *  (models/move_cost.h): with more of them each reads fewer and longer runs. */
bucket_shape bucket_choose_shape(uint64_t n, size_t elem_bytes, const translation_cache *cache);

/** A schedule of n elements without runs, with room for its order. Free it with bucket_free, failed or not. */
riffle_status bucket_start(uint64_t n, size_t elem_bytes, unsigned piece_bits, bucket_schedule *out);

/** Gives it a run for each piece: the same piece of the input. */
riffle_status bucket_whole_pieces(bucket_schedule *schedule);

/** Plans `perm` as shape.passes passes of the form ANY into out[]; the first reads src, each next one reads what the one before
 *  wrote. O(n) time on `threads` threads, at most 8 bytes an element while it works (12 with three
 *  passes). RIFFLE_ERROR_OUT_OF_MEMORY leaves nothing behind. */
riffle_status bucket_plan(const riffle_perm *perm, size_t elem_bytes, bucket_shape shape, unsigned threads,
                          bucket_schedule out[BUCKET_MAX_PASSES]);

/** Bytes of the schedule's arrays together. */
size_t bucket_bytes(const bucket_schedule *schedule);

/** Bytes in which one thread stages a piece: whole cache lines, with one line of slack. */
size_t bucket_staging_bytes(const bucket_schedule *schedule);

void bucket_free(bucket_schedule *schedule);

#endif
