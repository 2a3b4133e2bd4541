/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/once/once.h"

#include "base/arithmetic.h"

enum {
    QUAD = 4,
    UNIT = 64,        /* pieces and rooms are whole lines of every array */
    TILE_UNIT = 1024, /* so that an index finds its tile by a multiplication */
    MOST_PLACES = ONCE_PAD & ~(UNIT - 1),
    ALIGNMENT = 256,
    LONGEST_CACHED = 16,
    CACHE_SHARE =
        8, /* share of the second-level cache, a tile: two or three are looked into at a time, beside streams */
    CACHE_TILES =
        256, /* at least, that blocks at work be in few, and warps of a collecting block all have runs */
    BLOCKS_AT_ONCE = 2, /* on a multiprocessor, where tiles are of the cache: one loads while the other sorts */
    BLOCK_OWN = 1024,   /* bytes of shared memory that the hardware takes for each block */
};

unsigned once_threads(const once_shape *s, const plan_target *target) {
    const unsigned half = target->block_threads / BLOCKS_AT_ONCE / WARP_LANES * WARP_LANES;
    if (!s->in_cache) return target->block_threads;
    return (unsigned)max(min(half, ONCE_CACHED_THREADS), WARP_LANES);
}

/* ------------------------------------------------------------ shared memory */

/* The shared memory that a block may take. */
static size_t shared_of(const once_shape *s, const plan_target *target) {
    return s->in_cache ? (target->shared_bytes - min(BLOCK_OWN, target->shared_bytes)) / BLOCKS_AT_ONCE
                       : target->shared_bytes;
}

size_t once_move_bytes(const once_request *r, uint32_t elements, unsigned threads) {
    const size_t marks = r->puts ? (elements / 64 + 1) * sizeof(uint64_t) : 0;
    const size_t own = threads * sizeof(uint64_t) + sizeof(uint32_t) + 3 * sizeof(uint32_t) * ONCE_LONG_RUNS;
    return round_up(elements * r->elem_bytes, sizeof(uint64_t)) + marks + own;
}

static uint32_t slots_of(const once_request *r, const once_shape *s, unsigned threads) {
    if (s->in_cache) return s->room;
    const uint64_t of_indices = max(round_up(s->piece, QUAD * threads), s->room);
    const uint64_t of_values = r->puts ? s->room * r->elem_bytes / sizeof(uint32_t) : 0;
    return (uint32_t)max(of_indices, of_values);
}

size_t once_sort_bytes(const once_request *r, const once_shape *s, unsigned threads) {
    const size_t words = slots_of(r, s, threads) + s->tiles / 2 + 1 + threads / WARP_LANES;
    return words * sizeof(uint32_t);
}

/* -------------------------------------------------------------------- shape */

const char *once_obstacle(const once_request *r) {
    const size_t e = r->elem_bytes;
    if (e > 16 || (e & (e - 1)) != 0) return "its elements have 1, 2, 4, 8 or 16 bytes";
    if (r->n > UINT32_MAX || r->m > UINT32_MAX) return "it has fewer than 2^32 elements and indices";
    return NULL;
}

/* A length of `most` at most, evened out so that all multiprocessors finish with their last one at about the same time. */
static uint32_t even(uint64_t all, uint64_t most, uint64_t unit, unsigned multiprocessors) {
    most = most / unit * unit;
    const uint64_t rounds = ceil_div(all, max(most, unit) * multiprocessors);
    const uint64_t length = round_up(ceil_div(all, max(rounds, 1) * multiprocessors), unit);
    return (uint32_t)max(min(length, most), unit);
}

static uint32_t tile_for(const once_request *r, const plan_target *target) {
    const size_t own = once_move_bytes(r, 0, target->block_threads) + sizeof(uint64_t);
    const uint64_t bits = r->elem_bytes * 8 + (r->puts ? 1 : 0);
    const uint64_t held = min((target->shared_bytes - own) * 8 / bits, MOST_PLACES);
    return even(r->n, held, held < 4 * TILE_UNIT ? UNIT : TILE_UNIT, target->multiprocessors);
}

/* A part of the cache that begins on many zeros, so that an index finds its tile. */
static uint32_t cached_tile_for(const once_request *r, const plan_target *target) {
    enum { KEPT_BITS = 4 };
    const uint64_t share = min(target->l2_bytes / CACHE_SHARE / r->elem_bytes, (uint64_t)1 << 31);
    const uint64_t held = max(min(share, ceil_div(r->n, CACHE_TILES)), UNIT);
    const unsigned bits = 64 - (unsigned)__builtin_clzll(held);
    const uint64_t unit = max(bits > KEPT_BITS ? (uint64_t)1 << (bits - KEPT_BITS) : 1, UNIT);
    return (uint32_t)(held / unit * unit);
}

/* A piece has room for itself and a pad for each tile. */
static uint32_t piece_for(const once_request *r, const once_shape *s, const plan_target *target) {
    const unsigned threads = once_threads(s, target), quads = s->in_cache ? ONCE_CACHED_QUADS : ONCE_QUADS;
    const unsigned blocks = s->in_cache ? BLOCKS_AT_ONCE : 1;
    const size_t shared_bytes = shared_of(s, target);
    const uint32_t tiles = s->tiles;
    const size_t counts = (tiles / 2 + 1 + threads / WARP_LANES) * sizeof(uint32_t);
    const size_t own = once_move_bytes(r, 0, threads) + sizeof(uint64_t), e = r->elem_bytes;
    if (counts >= shared_bytes || tiles > 63 * threads) return 0; /* a thread marks its odd runs in 64 bits */
    const uint64_t sorted = (shared_bytes - counts) / (r->puts ? max(e, 4) : 4);
    const uint64_t moved = r->puts ? sorted : (shared_bytes - own) / e;
    const uint64_t room = min(min(sorted, moved), MOST_PLACES), most = quads * QUAD * threads;
    if (room < tiles + UNIT) return 0;
    const uint64_t held = min(room / UNIT * UNIT - round_up(tiles, UNIT), most);
    return even(r->m, max(held, UNIT), UNIT, blocks * target->multiprocessors);
}

/* Hands out one array after another. */
static size_t take(size_t *used, size_t bytes) {
    const size_t at = *used;
    *used += round_up(bytes, ALIGNMENT);
    return at;
}

static once_layout lay_out(const once_request *r, const once_shape *s) {
    const size_t spans = ceil_div(s->pieces, ONCE_SPAN), ordered = (size_t)s->pieces * s->room;
    const size_t starts = (size_t)s->pieces * s->row;
    once_layout at = {0};
    at.record = take(&at.bytes, sizeof(once_record));
    if (!s->sorts) {
        if (r->puts) at.marks_bytes = (r->is_random ? r->n : ceil_div(r->n, 32)) * sizeof(uint32_t);
        at.marks = take(&at.bytes, at.marks_bytes);
        return at;
    }
    at.starts = take(&at.bytes, starts * sizeof(uint16_t));
    at.runs = take(&at.bytes, (size_t)s->tiles * s->column * sizeof(uint32_t));
    at.lows = take(&at.bytes, ordered * (s->in_cache ? sizeof(uint32_t) : sizeof(uint16_t)));
    at.values = take(&at.bytes, (r->puts ? ordered : min(ordered, r->m + starts)) * r->elem_bytes);
    if (r->puts) return at;
    at.places = take(&at.bytes, (size_t)r->m * sizeof(uint16_t));
    at.before = take(&at.bytes, starts * sizeof(uint32_t));
    at.sums = take(&at.bytes, spans * s->row * sizeof(uint32_t));
    at.totals = take(&at.bytes, ((size_t)s->tiles + 1) * sizeof(uint32_t));
    at.list = take(&at.bytes, (size_t)s->items * sizeof(once_item));
    return at;
}

/* True if an index finds its tile (once_tile). */
static bool divides(uint64_t n, uint32_t tile) {
    const unsigned shift = (unsigned)__builtin_ctz(tile);
    return (n >> shift) * (tile >> shift) < (uint64_t)1 << 31;
}

/* Little shared memory holds not even a short piece's lists. */
static bool fits(const once_request *r, const once_shape *s, const plan_target *target) {
    const unsigned threads = once_threads(s, target);
    const size_t most = shared_of(s, target);
    return once_sort_bytes(r, s, threads) <= most &&
           (s->in_cache || once_move_bytes(r, s->tile, threads) <= most) &&
           (r->puts || once_move_bytes(r, s->room, threads) <= most);
}

/* The rest of the shape follows from a tile's length. */
static void cut_pieces(const once_request *r, const plan_target *target, once_shape *s) {
    s->tiles = (uint32_t)ceil_div(r->n, s->tile);
    s->piece = piece_for(r, s, target);
    s->sorts = s->piece > 0 && divides(r->n, s->tile);
    if (!s->sorts) return;
    s->pieces = (uint32_t)ceil_div(r->m, s->piece);
    s->room = s->piece + (uint32_t)round_up(min(s->tiles, s->piece), UNIT);
    s->row = (uint32_t)round_up(s->tiles + 1, UNIT);
    s->column = (uint32_t)round_up(s->pieces, ONCE_SPAN);
    s->sorts = r->m + (uint64_t)s->pieces * s->tiles < UINT32_MAX && fits(r, s, target);
}

static void cut_items(const once_request *r, once_shape *s) {
    const uint64_t answers = max(2 * ceil_div(r->m, s->tiles), 4 * (uint64_t)s->tile);
    s->item_answers = (uint32_t)min(answers, UINT32_MAX);
    s->items = s->tiles + (uint32_t)((r->m + (uint64_t)s->pieces * s->tiles) / s->item_answers) + 1;
}

static bool can_be_sorted(const once_request *r) { return r->n > 0 && r->m > 0 && once_obstacle(r) == NULL; }

/* Unsorted if that is what the pieces came to. */
static once_shape finish(const once_request *r, once_shape s) {
    if (!s.sorts) s = (once_shape){0};
    s.at = lay_out(r, &s);
    return s;
}

once_shape once_cut_shared(const once_request *r, const plan_target *target) {
    once_shape s = {0};
    if (can_be_sorted(r)) {
        s.tile = tile_for(r, target);
        cut_pieces(r, target, &s);
    }
    if (s.sorts) cut_items(r, &s);
    return finish(r, s);
}

/* An item is a whole tile: blocks are its runs' in a span of pieces, and know how many there are. Elements of 16 bytes use half
 * a sector: they are gathered sooner. */
once_shape once_cut_cached(const once_request *r, const plan_target *target) {
    once_shape s = {0};
    if (can_be_sorted(r) && !r->puts && r->elem_bytes < LONGEST_CACHED) {
        s.in_cache = true;
        s.tile = cached_tile_for(r, target);
        cut_pieces(r, target, &s);
        s.sorts = s.sorts && (uint64_t)s.tiles * s.column / ONCE_SPAN <= INT32_MAX;
        s.item_answers = UINT32_MAX;
        s.items = s.tiles + 1;
    }
    return finish(r, s);
}

/* --------------------------------------------------------------------- cost */

/* Picoseconds on an H200, fitted to what was measured there (docs/once.md). */

/* The part of an array that is not in the second-level cache, some of which others take. */
static double missed(const once_request *r, const plan_target *target) {
    const double cached = 0.6 * (double)target->l2_bytes, bytes = (double)r->n * (double)r->elem_bytes;
    return bytes > cached ? 1 - cached / bytes : 0;
}

/* Element by element: each has its sector, whose rest a scatter fetches too. */
static double plain_cost(const once_request *r, const plan_target *target) {
    const double launch = 1.2e6, mark = 1.8e6, read = 6.9, of_moved = 0.23, read_missed = 18, compute = 8;
    const double put = 29, put_missed = 48; /* marking what was put included */
    const double miss = missed(r, target), take = read + of_moved * (double)r->elem_bytes + miss * read_missed;
    if (!r->puts) return launch + (double)r->m * take;
    return launch + mark + (double)r->m * (r->is_random ? take + compute : put + miss * put_missed);
}

/* For each index, for each byte of an element that it moves, and of the array that it points into, whose tiles are moved
 * whole; and for each run. */
static double take_cost(const once_request *r, const once_shape *s) {
    const double launches = 35e6, take = 6.2, of_moved = 0.98, of_tiles = 0.37, run = 30.5,
                 e = (double)r->elem_bytes;
    return launches + (double)r->m * (take + of_moved * e) + (double)r->n * e * of_tiles +
           (double)s->pieces * s->tiles * run;
}

static double put_cost(const once_request *r, const once_shape *s) {
    const double launches = 22e6, put = 4, of_moved = 0.9, of_tiles = 0.28, run = 41, compute = 3.6;
    const double e = (double)r->elem_bytes, each = put + of_moved * e + (r->is_random ? compute : 0);
    return launches + (double)r->m * each + (double)r->n * e * of_tiles + (double)s->pieces * s->tiles * run;
}

/* Where tiles are of the cache, of an array that few indices point into what they point at is fetched, 64 bytes each. */
static double cached_cost(const once_request *r) {
    const double launches = 38e6, take = 10.2, of_moved = 0.89, of_fetched = 0.143, fetched = 64;
    const double e = (double)r->elem_bytes, all = (double)r->n * e, some = (double)r->m * fetched;
    return launches + (double)r->m * (take + of_moved * e) + (all < some ? all : some) * of_fetched;
}

double once_cost(const once_request *r, const once_shape *s, const plan_target *target) {
    if (!s->sorts) return plain_cost(r, target);
    if (s->in_cache) return cached_cost(r);
    return r->puts ? put_cost(r, s) : take_cost(r, s);
}

static once_shape sooner(const once_request *r, const once_shape *a, const once_shape *b,
                         const plan_target *target) {
    return once_cost(r, b, target) < once_cost(r, a, target) ? *b : *a;
}

once_shape once_cut(const once_request *r, const plan_target *target, bool sorts) {
    const once_shape plain = finish(r, (once_shape){0});
    if (!sorts) return plain;
    const once_shape shared = once_cut_shared(r, target), cached = once_cut_cached(r, target);
    if (!shared.sorts) return cached;
    return cached.sorts ? sooner(r, &shared, &cached, target) : shared;
}

once_shape once_choose(const once_request *r, const plan_target *target) {
    const once_shape plain = once_cut(r, target, false), sorted = once_cut(r, target, true);
    return sooner(r, &plain, &sorted, target);
}

/* -------------------------------------------------------------------- parts */

static unsigned parts_of_plain(const once_request *r, size_t index_bytes, once_part out[ONCE_MOST_PARTS]) {
    const size_t moved = 2 * r->elem_bytes;
    if (r->is_random) {
        out[0] = (once_part){"indices", sizeof(uint32_t)};
        out[1] = (once_part){"gather", sizeof(uint32_t) + moved};
        return 2;
    }
    out[0] = (once_part){r->puts ? "scatter" : "gather", index_bytes + moved};
    out[1] = (once_part){"marks", index_bytes};
    return r->puts ? 2 : 1;
}

unsigned once_parts(const once_request *r, const once_shape *s, size_t index_bytes,
                    once_part out[ONCE_MOST_PARTS]) {
    const size_t low = s->in_cache ? sizeof(uint32_t) : sizeof(uint16_t), place = sizeof(uint16_t);
    const size_t moved = 2 * r->elem_bytes;
    const size_t read = r->is_random ? 0 : index_bytes;
    if (!s->sorts) return parts_of_plain(r, index_bytes, out);
    if (r->puts) {
        out[0] = (once_part){"sort", read + moved + low};
        out[1] = (once_part){"collect", moved + low};
        return 2;
    }
    out[0] = (once_part){"sort", read + low + place};
    out[1] = (once_part){"answer", moved + low};
    out[2] = (once_part){"collect", moved + place};
    return 3;
}
