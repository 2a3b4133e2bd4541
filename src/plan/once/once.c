/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/once/once.h"

enum {
    QUAD = 4,
    UNIT = 64,        /* pieces and rooms are whole lines of every array */
    TILE_UNIT = 1024, /* so that an index finds its tile by a multiplication */
    MOST_PLACES = ONCE_PAD & ~(UNIT - 1),
    ALIGNMENT = 256,
    LEAST_PIECE = 2048,
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t greatest(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t quotient_up(uint64_t v, uint64_t unit) { return (v + unit - 1) / unit; }
static uint64_t round_up(uint64_t v, uint64_t unit) { return quotient_up(v, unit) * unit; }

/* ------------------------------------------------------------ shared memory */

size_t once_move_bytes(const once_request *r, uint32_t elements, unsigned threads) {
    const size_t marks = r->puts ? (elements / 64 + 1) * sizeof(uint64_t) : 0;
    const size_t own = threads * sizeof(uint64_t) + sizeof(uint32_t) + 3 * sizeof(uint32_t) * ONCE_LONG_RUNS;
    return round_up(elements * r->elem_bytes, sizeof(uint64_t)) + marks + own;
}

static uint32_t slots_of(const once_request *r, const once_shape *s, unsigned threads) {
    const uint64_t of_indices = greatest(round_up(s->piece, QUAD * threads), s->room);
    const uint64_t of_values = r->puts ? s->room * r->elem_bytes / sizeof(uint32_t) : 0;
    return (uint32_t)greatest(of_indices, of_values);
}

size_t once_sort_bytes(const once_request *r, const once_shape *s, unsigned threads) {
    const size_t words = slots_of(r, s, threads) + s->tiles / 2 + 1 + threads / ONCE_LANES;
    return words * sizeof(uint32_t);
}

/* -------------------------------------------------------------------- shape */

const char *once_obstacle(const once_request *r) {
    const size_t e = r->elem_bytes;
    if (e > 16 || (e & (e - 1)) != 0) return "its elements have 1, 2, 4, 8 or 16 bytes";
    if (r->n > UINT32_MAX || r->m > UINT32_MAX) return "it has fewer than 2^32 elements and indices";
    return NULL;
}

/* What `most` holds evened out, so that all multiprocessors finish with their last one at about the same time. */
static uint32_t even(uint64_t all, uint64_t most, uint64_t unit, unsigned multiprocessors) {
    most = most / unit * unit;
    const uint64_t rounds = quotient_up(all, greatest(most, unit) * multiprocessors);
    const uint64_t length = round_up(quotient_up(all, greatest(rounds, 1) * multiprocessors), unit);
    return (uint32_t)greatest(least(length, most), unit);
}

static uint32_t tile_for(const once_request *r, const plan_target *target) {
    const size_t own = once_move_bytes(r, 0, target->block_threads) + sizeof(uint64_t);
    const uint64_t bits = r->elem_bytes * 8 + (r->puts ? 1 : 0);
    const uint64_t held = least((target->shared_bytes - own) * 8 / bits, MOST_PLACES);
    return even(r->n, held, held < 4 * TILE_UNIT ? UNIT : TILE_UNIT, target->multiprocessors);
}

/* A piece has room for itself and a pad for each tile. */
static uint32_t piece_for(const once_request *r, const plan_target *target, uint32_t tiles) {
    const unsigned threads = target->block_threads;
    const size_t counts = (tiles / 2 + 1 + threads / ONCE_LANES) * sizeof(uint32_t);
    const size_t own = once_move_bytes(r, 0, threads) + sizeof(uint64_t), e = r->elem_bytes;
    if (counts >= target->shared_bytes || tiles > 63 * threads)
        return 0; /* a thread marks its odd runs in 64 bits */
    const uint64_t sorted = (target->shared_bytes - counts) / (r->puts ? greatest(e, 4) : 4);
    const uint64_t moved = r->puts ? sorted : (target->shared_bytes - own) / e;
    const uint64_t room = least(least(sorted, moved), MOST_PLACES), most = ONCE_QUADS * QUAD * threads;
    if (room < tiles + UNIT) return 0;
    const uint64_t held = least(room / UNIT * UNIT - round_up(tiles, UNIT), most);
    return even(r->m, greatest(held, UNIT), UNIT, target->multiprocessors);
}

/* Hands out one array after another. */
static size_t take(size_t *used, size_t bytes) {
    const size_t at = *used;
    *used += round_up(bytes, ALIGNMENT);
    return at;
}

static once_layout lay_out(const once_request *r, const once_shape *s) {
    const size_t spans = quotient_up(s->pieces, ONCE_SPAN), ordered = (size_t)s->pieces * s->room;
    const size_t starts = (size_t)s->pieces * s->row;
    once_layout at = {0};
    at.record = take(&at.bytes, sizeof(once_record));
    if (!s->sorts) {
        if (r->puts) at.marks_bytes = (r->is_random ? r->n : quotient_up(r->n, 32)) * sizeof(uint32_t);
        at.marks = take(&at.bytes, at.marks_bytes);
        return at;
    }
    at.starts = take(&at.bytes, starts * sizeof(uint16_t));
    at.runs = take(&at.bytes, (size_t)s->tiles * s->column * sizeof(uint32_t));
    at.lows = take(&at.bytes, ordered * sizeof(uint16_t));
    at.values = take(&at.bytes, (r->puts ? ordered : least(ordered, r->m + starts)) * r->elem_bytes);
    if (r->puts) return at;
    at.places = take(&at.bytes, (size_t)r->m * sizeof(uint16_t));
    at.before = take(&at.bytes, starts * sizeof(uint32_t));
    at.sums = take(&at.bytes, spans * s->row * sizeof(uint32_t));
    at.totals = take(&at.bytes, ((size_t)s->tiles + 1) * sizeof(uint32_t));
    at.list = take(&at.bytes, (size_t)s->items * sizeof(once_item));
    return at;
}

/* Whether an index finds its tile (once_tile). */
static bool divides(uint64_t n, uint32_t tile) {
    const unsigned shift = (unsigned)__builtin_ctz(tile);
    return (n >> shift) * (tile >> shift) < (uint64_t)1 << 31;
}

/* Little shared memory holds not even a short piece's lists. */
static bool fits(const once_request *r, const once_shape *s, const plan_target *target) {
    const unsigned threads = target->block_threads;
    return once_sort_bytes(r, s, threads) <= target->shared_bytes &&
           once_move_bytes(r, s->tile, threads) <= target->shared_bytes &&
           (r->puts || once_move_bytes(r, s->room, threads) <= target->shared_bytes);
}

once_shape once_cut(const once_request *r, const plan_target *target, bool sorts) {
    once_shape s = {0};
    if (sorts && r->n > 0 && r->m > 0 && once_obstacle(r) == NULL) {
        s.tile = tile_for(r, target);
        s.tiles = (uint32_t)quotient_up(r->n, s.tile);
        s.piece = piece_for(r, target, s.tiles);
        s.sorts = s.piece > 0 && divides(r->n, s.tile);
    }
    if (s.sorts) {
        s.pieces = (uint32_t)quotient_up(r->m, s.piece);
        s.room = s.piece + (uint32_t)round_up(least(s.tiles, s.piece), UNIT);
        s.row = (uint32_t)round_up(s.tiles + 1, UNIT);
        s.column = (uint32_t)round_up(s.pieces, ONCE_SPAN);
        s.item_answers = (uint32_t)greatest(2 * quotient_up(r->m, s.tiles), 4 * (uint64_t)s.tile);
        s.items = s.tiles + (uint32_t)((r->m + (uint64_t)s.pieces * s.tiles) / s.item_answers) + 1;
        s.sorts = r->m + (uint64_t)s.pieces * s.tiles < UINT32_MAX && fits(r, &s, target);
    }
    if (!s.sorts) s = (once_shape){0};
    s.at = lay_out(r, &s);
    return s;
}

/* --------------------------------------------------------------------- cost */

/* Picoseconds on an H200, fitted to what was measured there (docs/once.md). */

/* What of an array is not in the second-level cache, some of which others take. */
static double missed(const once_request *r, const plan_target *target) {
    const double cached = 0.6 * (double)target->l2_bytes, bytes = (double)r->n * (double)r->elem_bytes;
    return bytes > cached ? 1 - cached / bytes : 0;
}

/* Element by element: each has its sector, whose rest a scatter fetches too. */
static double plain_cost(const once_request *r, const plan_target *target) {
    const double launch = 3e6, read = 9, read_missed = 18, compute = 6.5;
    const double put = 29, put_missed = 48; /* marking what was put included */
    const double miss = missed(r, target);
    double each = read + miss * read_missed;
    if (r->puts) each = r->is_random ? each + compute : put + miss * put_missed;
    return launch + (double)r->m * each;
}

/* For each index, for each byte of an element that it moves, and of the array that it points into, whose tiles are moved
 * whole; and for each run. */
static double sorted_cost(const once_request *r, const once_shape *s) {
    const double launches = r->puts ? 22e6 : 45e6, take = 6.5, put = 4, of_moved = 0.9, of_tiles = 0.28,
                 run = 41, compute = 3.6;
    const double e = (double)r->elem_bytes;
    const double each = (r->puts ? put : take) + of_moved * e + (r->is_random ? compute : 0);
    return launches + (double)r->m * each + (double)r->n * e * of_tiles + (double)s->pieces * s->tiles * run;
}

double once_cost(const once_request *r, const once_shape *s, const plan_target *target) {
    return s->sorts ? sorted_cost(r, s) : plain_cost(r, target);
}

once_shape once_choose(const once_request *r, const plan_target *target) {
    const once_shape sorted = once_cut(r, target, true), plain = once_cut(r, target, false);
    return once_cost(r, &sorted, target) < once_cost(r, &plain, target) ? sorted : plain;
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
    const size_t low = sizeof(uint16_t), place = sizeof(uint16_t), moved = 2 * r->elem_bytes;
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
