/* SPDX-License-Identifier: Apache-2.0 */
#include "base/processor/vectors.h"
#include "models/move_cost.h"
#include "models/traffic.h"
#include "plan/axes/tile.h"
#include "plan/bucket/streams.h"
#include "plan/choose/choose.h"
#include "plan/choose/policy.h"

enum { LONGEST_BUCKETED_BYTES = 16 }; /* longer elements move one by one as fast */

/* The choice for tables that have streams, or no algorithm. */
static policy_choice of_streams(const plan_request *r, const bucket_shape *shape) {
    if (shape->form == BUCKET_SPREAD)
        return (policy_choice){&algorithm_bucket,
                               "pieces of src go to few places in long runs: one pass puts each in order"};
    if (shape->form == BUCKET_JOIN)
        return (policy_choice){&algorithm_bucket, "pieces of dst come in runs: one pass joins them"};
    if (r->check == RIFFLE_CHECK_PASSES &&
        bucket_find_streams(r->perm, r->elem_bytes, shape->piece_bits) != BUCKET_ANY)
        return (policy_choice){
            &algorithm_bucket,
            "one pass would do, for pieces move in runs; but a check of passes compares what "
            "is between two"};
    return (policy_choice){NULL, NULL};
}

static policy_choice arbitrary(const plan_request *r, bucket_shape *shape) {
    const uint64_t n = r->n;
    const size_t elem_bytes = r->elem_bytes;
    if (r->executions == 1 && r->perm->kind == PERM_RANDOM && algorithm_once.obstacle(r) == NULL &&
        (double)n * (double)elem_bytes > translation_reach(&r->target.translation)) {
        return (policy_choice){
            &algorithm_once, "for one execution images are computed, and elements spread by tile as they come"};
    }
    if (r->executions == 1 && r->perm->kind == PERM_RANDOM) {
        return (policy_choice){&algorithm_gather,
                               "for one execution each element's origin is computed, and stores are in order"};
    }
    if (r->executions == 1) {
        return (policy_choice){&algorithm_scatter,
                               "for one execution a schedule would take longer than it saves"};
    }
    if (elem_bytes % TRAFFIC_LINE_BYTES == 0) {
        return (policy_choice){&algorithm_scatter,
                               "elements are whole cache lines: read in order, streamed to their places"};
    }
    if (elem_bytes > LONGEST_BUCKETED_BYTES) {
        return (policy_choice){&algorithm_gather, "elements are long: each is worth the line that it lies in"};
    }
    const policy_choice few = {
        &algorithm_gather, "few elements: the caches, that of translations too, bear moving them one by one"};
    const translation_cache *const cache = &r->target.translation;
    if (plan_is_cached(n * elem_bytes) || (double)n * (double)elem_bytes <= translation_reach(cache))
        return few;
    *shape = bucket_shape_of(r);
    const policy_choice streams = of_streams(r, shape);
    if (streams.algorithm != NULL) return streams;
    const move_cost bucket = move_cost_bucket(n, elem_bytes, shape->piece_bits, shape->passes, cache);
    const size_t map_bytes = n <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
    const move_cost gather = move_cost_gather(n, elem_bytes, map_bytes, cache);
    if (move_cost_sum(&gather) <= move_cost_sum(&bucket))
        return (policy_choice){&algorithm_gather, "one by one is expected to be no slower than passes"};
    return (policy_choice){
        &algorithm_bucket,
        "no structure to use and many elements: one by one, each would fetch a line and miss the "
        "cache of translations"};
}

/* Images' planes woven or taken apart, where byte permutations of 16 bytes do that: affine tiles would need a round for each bit. */
static bool moves_planes(const plan_request *r) {
    const vector_set set = vectors_for(LOOPS_AXES);
    if (set != VECTORS_SSSE3 && set != VECTORS_AVX2 && set != VECTORS_NEON) return false;
    if (r->perm->kind != PERM_AXES || algorithm_axes.obstacle(r) != NULL) return false;
    strided_move move;
    axes_tile_schedule tiles;
    strided_of_axes(&r->perm->axes, r->elem_bytes, &move);
    axes_tile_plan(&move, plan_place(r), &tiles);
    return tiles.mode == AXES_TILE_INTERLEAVE || tiles.mode == AXES_TILE_SEPARATE;
}

policy_choice policy_cpu(const plan_request *r, bucket_shape *shape) {
    const riffle_perm *const perm = r->perm;
    if (perm->kind == PERM_ROTATION && !perm->rotation.reflected)
        return (policy_choice){&algorithm_copy, "at most two runs, copied"};
    if (perm->kind == PERM_ROTATION)
        return (policy_choice){&algorithm_copy, "at most two runs, copied backwards"};
    if (moves_planes(r))
        return (policy_choice){&algorithm_axes,
                               "a few planes: a byte permutation puts words of all of them in order"};
    if (algorithm_affine.obstacle(r) == NULL) {
        return (policy_choice){&algorithm_affine,
                               "affine over GF(2): one pass reads and writes whole cache lines"};
    }
    if (perm->kind == PERM_AXES && plan_is_short(r) && r->elem_bytes <= LONGEST_BUCKETED_BYTES)
        return (policy_choice){&algorithm_gather,
                               "few elements: a table of them is read before a tile is laid out"};
    if (perm->kind == PERM_AXES)
        return (policy_choice){&algorithm_axes, "axes in another order: tiles are long on both sides"};
    return arbitrary(r, shape);
}
