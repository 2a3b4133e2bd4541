/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that one bucket pass moves. Either pieces of src leave as few runs, sorted in the cache (SPREAD: streams, or blocks that are shuffled within), or
 * pieces of dst come as runs (JOIN: merges, and the inverses of SPREAD).
 *
 *     SPREAD   src | piece 0 | piece 1 | ...             JOIN   src  | all of src, cut into runs of one piece of dst each |
 *                     | order, to runs                              | runs, then order
 *              dst |  runs of all pieces, anywhere |        dst  | piece 0 | piece 1 | ...
 */
#ifndef RIFFLE_PLAN_BUCKET_STREAMS_H
#define RIFFLE_PLAN_BUCKET_STREAMS_H

#include "plan/bucket/bucket.h"

/** The form in which one pass is enough, as far as samples of a table tell; BUCKET_ANY where there is none, and for other kinds. */
bucket_form bucket_find_streams(const riffle_perm *perm, size_t elem_bytes, unsigned piece_bits);

/** Plans `perm` as the one pass of a shape of that form: right for any permutation, and quick for those that have the form. O(n) time on `threads`
 *  threads. RIFFLE_ERROR_OUT_OF_MEMORY leaves nothing behind. */
riffle_status bucket_plan_streams(const riffle_perm *perm, size_t elem_bytes, bucket_shape shape,
                                  unsigned threads, bucket_schedule *out);

#endif
