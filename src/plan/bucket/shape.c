/* SPDX-License-Identifier: Apache-2.0
 *
 * The shapes of bucket passes (plan/bucket/tile.h), and the most that their schedules take: numbers alone, which whoever plans asks, on
 * the host and on a GPU.
 */
#include "base/arithmetic.h"
#include "base/status.h"
#include "plan/bucket/tile.h"

enum { SECTOR_CHUNKS = 32 / BUCKET_TILE_CHUNK_BYTES, WARP_CHUNKS = 32 };

static uint64_t round_down(uint64_t v, uint64_t unit) { return v / unit * unit; }

static uint32_t units_of(size_t elem_bytes) { return (uint32_t)(BUCKET_TILE_CHUNK_BYTES / elem_bytes); }

/* The least integer whose square is v or more, for v <= 2^62. */
static uint64_t square_root_up(uint64_t v) {
    uint64_t root = 0; /* the greatest one whose square is less */
    if (v == 0) return 0;
    for (uint64_t bit = (uint64_t)1 << 30; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) < v) root += bit;
    return root + 1;
}

const char *bucket_tile_obstacle(uint64_t n, size_t elem_bytes) {
    const bool fits = elem_bytes > 0 && BUCKET_TILE_CHUNK_BYTES % elem_bytes == 0;
    if (!fits) return "its elements must be 1, 2, 4, 8 or 16 bytes long";
    return n <= (uint64_t)1 << 32 ? NULL : "it moves at most 2^32 elements";
}

/* ------------------------------------------------------------------ shapes */

/* The machine and elements that a shape is chosen for. */
typedef struct cutter {
    uint64_t n, multiprocessors;
    uint32_t units, capacity; /* for a piece: a multiple of units */
} cutter;

/* The unit that pieces are cut to: what a warp stores at a time, so that its stores are coalesced; where there is no room for
 * that whole sectors, so that no two blocks store to one; or single chunks. */
static uint64_t even_unit(const cutter *c, uint64_t limit) {
    if (limit >= WARP_CHUNKS * c->units) return WARP_CHUNKS * c->units;
    return limit >= SECTOR_CHUNKS * c->units ? SECTOR_CHUNKS * c->units : c->units;
}

/* The length of pieces of at most `limit` elements that are as many for each multiprocessor. */
static uint32_t even_piece(const cutter *c, uint64_t limit) {
    const uint64_t unit = even_unit(c, limit);
    const uint64_t whole = limit < unit ? unit : round_down(limit, unit);
    const uint64_t pieces = round_up(ceil_div(c->n, whole), c->multiprocessors);
    return (uint32_t)round_up(ceil_div(c->n, pieces), unit);
}

/* How many elements fit a piece that a random permutation gives so many runs. Each wastes U - 1 positions on
 * average in the chunks of its ends; a sixteenth more, and 16 chunks, are for runs that lie worse. */
static uint64_t usable(const cutter *c, uint64_t runs) {
    const uint64_t waste = (c->units - 1) * runs, reserve = waste + waste / 16 + 16 * c->units;
    if (c->units == 1) return c->capacity;
    return reserve < c->capacity ? c->capacity - reserve : 0;
}

/* The fan that makes runs of the second pass about as many as those of the third. */
static uint32_t even_fan(uint64_t n, uint32_t piece) {
    const uint64_t fan = square_root_up(ceil_div(n, piece));
    return fan > 0 ? (uint32_t)fan : 1;
}

bucket_tile_shape bucket_tile_choose(uint64_t n, size_t elem_bytes, const plan_target *target) {
    const uint32_t units = units_of(elem_bytes);
    const uint64_t held = min(BUCKET_TILE_POSITIONS, target->shared_bytes / elem_bytes);
    const uint32_t row = BUCKET_ROW_CHUNKS * units;
    const uint32_t capacity = held < row ? row : (uint32_t)round_down(held, row);
    const cutter c = {n, target->multiprocessors, units, capacity};
    if (n <= capacity) {
        const uint32_t piece = n > 0 ? (uint32_t)round_up(n, units) : units;
        return (bucket_tile_shape){1, piece, piece, 1, capacity};
    }
    const uint32_t first = even_piece(&c, capacity);
    const uint64_t of_two = usable(&c, ceil_div(n, first));
    if (of_two >= capacity / 4) return (bucket_tile_shape){2, first, even_piece(&c, of_two), 1, capacity};
    const uint64_t of_three = usable(&c, square_root_up(ceil_div(n, capacity)) + 1);
    const uint32_t piece = even_piece(&c, of_three < capacity / 4 ? capacity / 4 : of_three);
    return (bucket_tile_shape){3, first, piece, even_fan(n, piece), capacity};
}

bucket_tile_shape bucket_tile_halve(const bucket_tile_shape *shape, uint64_t n, size_t elem_bytes) {
    const uint32_t units = units_of(elem_bytes);
    bucket_tile_shape half = *shape;
    half.piece = shape->piece < 2 * units ? units : (uint32_t)round_up(shape->piece / 2, units);
    if (shape->passes == 3) half.fan = even_fan(n, half.piece);
    return half;
}

/* ------------------------------------------------------------------- bytes */

/* A run of elements touches a chunk for every U of them and, where its ends lie worst, (2 U - 2) / U more. */
static uint64_t most_touched(uint64_t elements, uint64_t runs, uint32_t units) {
    return min(elements, (elements + runs * (2 * units - 2)) / units);
}

/* The most that a later pass's lists take, where a piece has `piece_runs` runs at most and all have `runs`.
 * Sets *may_exceed if the chunks of a piece may be more than its positions hold. */
static size_t most_list_bytes(uint64_t n, const bucket_tile_shape *shape, uint32_t units, uint64_t piece_runs,
                              uint64_t runs, bool *may_exceed) {
    const uint64_t pieces = ceil_div(n, shape->piece), room = shape->positions / units;
    const uint64_t of_piece = most_touched(shape->piece, piece_runs, units);
    *may_exceed |= of_piece > room;
    const uint64_t chunks = min(most_touched(n, runs, units), pieces * min(of_piece, room));
    return (chunks + pieces + 1) * sizeof(uint32_t);
}

/* The most that the lists of one shape take. Each piece of a pass leaves one run for each bucket. The second of
 * three passes cuts these at the ends of its pieces; the last pass does not, for its pieces are the buckets. */
static size_t most_shape_bytes(uint64_t n, const bucket_tile_shape *shape, uint32_t units, bool *may_exceed) {
    const uint64_t first_pieces = ceil_div(n, shape->first_piece), pieces = ceil_div(n, shape->piece);
    if (shape->passes == 2)
        return most_list_bytes(n, shape, units, first_pieces, first_pieces * pieces, may_exceed);
    const uint64_t buckets = ceil_div(pieces, shape->fan);
    return most_list_bytes(n, shape, units, first_pieces, first_pieces * buckets + pieces, may_exceed) +
           most_list_bytes(n, shape, units, shape->fan, pieces * shape->fan, may_exceed);
}

size_t bucket_tile_most_bytes(uint64_t n, size_t elem_bytes, const bucket_tile_shape *shape) {
    const uint32_t units = units_of(elem_bytes);
    bucket_tile_shape tried = *shape;
    size_t most = 0;
    bool may_exceed = shape->passes > 1;
    while (may_exceed) {
        may_exceed = false;
        const size_t bytes = most_shape_bytes(n, &tried, units, &may_exceed);
        if (bytes > most) most = bytes;
        may_exceed &= tried.piece > units;
        tried = bucket_tile_halve(&tried, n, elem_bytes);
    }
    const bucket_tile_schedule pass = {.n = n, .elem_bytes = elem_bytes};
    return shape->passes * bucket_tile_order_bytes(&pass) + most;
}

/* A chunk may be needed for each of the U elements. */
riffle_status bucket_tile_fail_positions(const bucket_tile_shape *shape, size_t elem_bytes) {
    const uint32_t units = units_of(elem_bytes);
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "shared memory holds %u elements, and bucket passes of this permutation need up to %u; choose "
                "another algorithm",
                shape->positions, units * units);
}

/* ------------------------------------------------------------------ outlines */

/* Runs that a piece of pass k comes in: one of each piece before that has some of its bucket. The second pass of three cuts such a bucket
 * into `fan` pieces, and the third finds a run in each of these. */
static uint64_t runs_of(uint64_t n, const bucket_tile_shape *shape, unsigned k) {
    const uint64_t of_first = ceil_div(n, shape->first_piece);
    if (k == 0) return 0;
    if (k > 1) return shape->fan;
    return max(ceil_div(of_first, bucket_tile_bucket(shape, 0) / shape->piece), 1);
}

static uint64_t buckets_of(uint64_t n, const bucket_tile_shape *shape, unsigned k) {
    if (k + 1 == shape->passes) return 0;
    return k > 0 ? shape->fan : ceil_div(n, bucket_tile_bucket(shape, k));
}

void bucket_tile_outline(uint64_t n, size_t elem_bytes, const bucket_tile_shape *shape,
                         bucket_tile_schedule out[BUCKET_TILE_PASSES]) {
    const uint32_t units = units_of(elem_bytes);
    for (unsigned k = 0; k < shape->passes; k++) {
        bucket_tile_schedule *const s = &out[k];
        *s = bucket_tile_pass(n, elem_bytes, shape, k);
        s->runs = (uint32_t)runs_of(n, shape, k);
        s->buckets = (uint32_t)buckets_of(n, shape, k);
        if (k > 0) s->chunk_count = ceil_div(n, units) + s->pieces * s->runs * (units - 1) / units;
        s->most_chunks = (uint32_t)ceil_div(s->piece, units) + (k > 0 ? s->runs * (units - 1) / units : 0);
    }
}
