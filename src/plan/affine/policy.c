/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/policy.h"

#include "base/arithmetic.h"

/* Rounded down. */
static unsigned log2_of(uint64_t value) { return 63 - (unsigned)__builtin_clzll(value); }

static const uint64_t ONE = 1;

const char *affine_arrays_of(const plan_request *request, affine_arrays *out) {
    if ((request->n & (request->n - 1)) != 0 || request->n == 0)
        return "it moves only affine permutations of 2^m elements";
    if ((request->elem_bytes & (request->elem_bytes - 1)) != 0)
        return "its elements must be a power of two of bytes long";
    const unsigned elem_bits = log2_of(request->elem_bytes);
    affine_arrays arrays = {.unit_bits = min(elem_bits, AFFINE_VECTOR_BITS)};
    arrays.element_bits = elem_bits - arrays.unit_bits;
    arrays.run_bits = log2_of(request->n) + arrays.element_bits;
    if (arrays.run_bits > RIFFLE_MAX_BITS) return "an array must not have more than 2^40 parts of 16 bytes";
    arrays.count = request->batch;
    arrays.stride = request->stride << arrays.element_bits;
    while (arrays.stride == ONE << arrays.run_bits && arrays.count % 2 == 0 &&
           arrays.run_bits < RIFFLE_MAX_BITS) {
        arrays.run_bits++;
        arrays.count /= 2;
        arrays.stride *= 2;
    }
    *out = arrays;
    return NULL;
}

/* Sizes for one generation of GPUs. */
typedef struct policy_row {
    unsigned capability;                /* this one and later ones */
    unsigned tile_bits;                 /* log2 of a tile's bytes; in place a block holds two */
    unsigned least_bits;                /* tiles of small arrays are no smaller */
    unsigned blocks_each;               /* tiles are smaller where a multiprocessor would get fewer blocks */
    unsigned segment_bits, enough_bits; /* in place; otherwise tiles are as large as they may be */
} policy_row;

/* The last one serves older GPUs, and the memory machine. */
static const policy_row policies[] = {
    {.capability = 90,
     .tile_bits = 16,
     .least_bits = 12,
     .blocks_each = 30,
     .segment_bits = 8,
     .enough_bits = 13},
    {.capability = 0,
     .tile_bits = 16,
     .least_bits = 12,
     .blocks_each = 1,
     .segment_bits = 8,
     .enough_bits = 13},
};

static const policy_row *row_for(const plan_target *target) {
    const policy_row *row = policies;
    while (target->capability < row->capability) row++;
    return row;
}

/* A tile that a block's shared memory holds and that leaves no multiprocessor without work. */
static unsigned tile_bits_for(const plan_target *target, const affine_arrays *arrays, bool in_place) {
    const policy_row *row = row_for(target);
    const uint64_t bytes = arrays->count << (arrays->run_bits - arrays->rank_bits) << arrays->unit_bits;
    const uint64_t blocks = (uint64_t)row->blocks_each * target->multiprocessors;
    unsigned bits = row->tile_bits;
    while (bits > arrays->unit_bits && ONE << (bits + in_place) > target->shared_bytes) bits--;
    while (bits > row->least_bits && bytes >> bits < blocks) bits--;
    return min(bits, arrays->unit_bits + AFFINE_TILE_MAX_BITS);
}

/* True if all accesses can be of 16 bytes: a run consists of them, and so does the way to the next; the vectors of both sides
 * fit into a tile; and each thread has all of its moves. */
static bool takes_vectors(const affine_arrays *arrays, unsigned tile_bits, bool in_place) {
    const unsigned vector_bits = AFFINE_VECTOR_BITS - arrays->unit_bits;
    const uint64_t vector = ONE << vector_bits;
    if (arrays->count > 1 && arrays->stride % vector != 0) return false;
    if (tile_bits < arrays->unit_bits + 2 * vector_bits) return false;
    const unsigned least_bits =
        tile_bits - arrays->unit_bits - in_place; /* both vectors of a pair, or none, are added */
    return min(arrays->run_bits - arrays->rank_bits, least_bits) >= vector_bits + AFFINE_MOVE_BITS;
}

static unsigned most_threads_of(const plan_target *target) {
    return min(log2_of(target->block_threads), AFFINE_THREAD_BITS);
}

static unsigned bounded_tile_bits(const plan_target *target, const affine_arrays *arrays, bool in_place) {
    const unsigned most_bits = AFFINE_VECTOR_BITS + most_threads_of(target) + AFFINE_MOVE_BITS;
    return min(tile_bits_for(target, arrays, in_place), most_bits);
}

static affine_tile_policy policy_by(const plan_target *target, unsigned tile_bits, unsigned access_bits,
                                    bool in_place) {
    const unsigned lane_bits = log2_of(target->width), most_threads = most_threads_of(target);
    const unsigned moved = tile_bits - access_bits;
    const unsigned threads = moved > lane_bits + AFFINE_MOVE_BITS ? moved - AFFINE_MOVE_BITS : lane_bits;
    affine_tile_policy out = {.lane_bits = lane_bits, .vector_bits = access_bits};
    out.segment_bits = in_place ? row_for(target)->segment_bits : tile_bits;
    out.enough_bits = in_place ? row_for(target)->enough_bits : tile_bits;
    out.thread_bits = min(threads, most_threads);
    out.tile_bits = min(tile_bits, access_bits + out.thread_bits + AFFINE_MOVE_BITS);
    return out;
}

affine_tile_policy affine_policy_for(const plan_target *target, const affine_arrays *arrays, bool in_place) {
    const unsigned tile_bits = bounded_tile_bits(target, arrays, in_place);
    const bool by_vectors = takes_vectors(arrays, tile_bits, in_place);
    return policy_by(target, tile_bits, by_vectors ? AFFINE_VECTOR_BITS : arrays->unit_bits, in_place);
}

affine_tile_policy affine_policy_for_check(const plan_target *target, const affine_arrays *arrays) {
    const unsigned most_bits = AFFINE_VECTOR_BITS + AFFINE_CHECKED_THREAD_BITS + AFFINE_MOVE_BITS;
    const unsigned tile_bits = min(bounded_tile_bits(target, arrays, false), most_bits);
    const bool by_vectors = takes_vectors(arrays, tile_bits, false);
    return policy_by(target, tile_bits, by_vectors ? AFFINE_VECTOR_BITS : arrays->unit_bits, false);
}

affine_tile_policy affine_policy_by_units(const plan_target *target, const affine_arrays *arrays) {
    return policy_by(target, bounded_tile_bits(target, arrays, false), arrays->unit_bits, false);
}
