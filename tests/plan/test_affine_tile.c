/* SPDX-License-Identifier: Apache-2.0
 *
 * Schedules of affine tiles, by what they promise, over random permutations, sizes and policies: that tiles
 * part the array, that what a warp touches in memory is whole segments, that what it touches in shared memory
 * lies in different banks, and for small arrays that carrying a schedule out moves them.
 */
#include "plan/affine/tile.h"

#include "affine_support.h"
#include "perm/gf2_span.h"
#include "plan/affine/cells.h"
#include "plan/affine/policy.h"

static uint64_t seed;
static const uint64_t ONE = 1;

typedef struct tile_case {
    perm_affine p;
    affine_arrays arrays;
    affine_tile_policy policy;
    bool in_place;
} tile_case;

static void require(bool claim, const tile_case *c, unsigned round, const char *what) {
    if (claim) return;
    fail_msg(
        "seed %llu, round %u: %s (m %u, units of 2^%u bytes, 2^%u in each of %llu runs; lanes 2^%u, threads "
        "2^%u, tile 2^%u and accesses 2^%u bytes%s)",
        (unsigned long long)seed, round, what, c->p.a.m, c->arrays.unit_bits, c->arrays.run_bits,
        (unsigned long long)c->arrays.count, c->policy.lane_bits, c->policy.thread_bits, c->policy.tile_bits,
        c->policy.vector_bits, c->in_place ? ", in place" : "");
}

/* ------------------------------------------------------------------ cases */

static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }
static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

/* From a to b, both included. */
static unsigned between(rng *r, unsigned a, unsigned b) { return a + (unsigned)rng_below(r, b - a + 1); }

static perm_affine random_case_perm(rng *r, unsigned m, bool in_place) {
    char spec[SPEC_BYTES];
    const unsigned kind = between(r, 0, 9);
    if (kind < 3) {
        name_spec(between(r, 0, (in_place ? NAMED_INVOLUTIONS : NAMED_SPECS) - 1), m, spec);
        return named_affine(spec, m);
    }
    if (in_place) return kind < 6 ? random_near_involution(r, m) : random_involution(r, m);
    return kind < 6 ? random_bits(r, m) : random_affine(r, m);
}

/* Every size that its header allows. */
static affine_tile_policy random_policy(rng *r, const affine_arrays *arrays) {
    const unsigned unit = arrays->unit_bits, vector = AFFINE_VECTOR_BITS - unit;
    const uint64_t starts = (ONE << arrays->run_bits) | (arrays->count > 1 ? arrays->stride : 0);
    affine_tile_policy out = {.lane_bits = between(r, 2, 5), .vector_bits = AFFINE_VECTOR_BITS};
    out.segment_bits = rng_below(r, 2) == 0 ? 64 : between(r, 5, 9);
    out.enough_bits = between(r, unit + larger(vector + AFFINE_MOVE_BITS, 2 * vector), 16);
    out.thread_bits = between(r, out.lane_bits, 10);
    const unsigned most = smaller(AFFINE_TILE_MAX_BITS, vector + out.thread_bits + AFFINE_MOVE_BITS);
    const unsigned tile_bits = smaller(between(r, 4, AFFINE_TILE_MAX_BITS), most);
    const bool is_long =
        smaller(arrays->run_bits, tile_bits) >= vector + AFFINE_MOVE_BITS && tile_bits >= 2 * vector;
    out.tile_bits = unit + tile_bits;
    if (is_long && starts % (ONE << vector) == 0 && rng_below(r, 4) != 0) return out;
    out.vector_bits = unit;
    out.tile_bits = unit + smaller(tile_bits, out.thread_bits + AFFINE_MOVE_BITS);
    return out;
}

static plan_target random_target(rng *r) {
    static const unsigned capabilities[] = {0, 80, 90, 100};
    plan_target target = {.kind = TARGET_CUDA, .name = "cuda", .memory_bytes = UINT64_MAX};
    target.width = 1u << between(r, 2, 5);
    target.block_threads = target.width << between(r, 0, 5);
    target.shared_bytes = ((size_t)1 << between(r, 7, 17)) + rng_below(r, 2) * 100;
    target.capability = capabilities[rng_below(r, 4)];
    target.multiprocessors = between(r, 1, 200);
    return target;
}

/* A policy that the planner itself would take on some machine. */
static affine_tile_policy planned_policy(rng *r, const affine_arrays *arrays, bool in_place) {
    const plan_target target = random_target(r);
    return affine_policy_for(&target, arrays, in_place);
}

/* Runs of at most 2^most_bits units. */
static tile_case random_case(rng *r, unsigned most_bits, bool in_place) {
    tile_case c = {.in_place = in_place};
    c.arrays.unit_bits = between(r, 0, AFFINE_VECTOR_BITS);
    const bool is_long = c.arrays.unit_bits == AFFINE_VECTOR_BITS && rng_below(r, 2) == 0;
    c.arrays.element_bits = is_long ? between(r, 0, smaller(most_bits, 4)) : 0;
    const unsigned array_bits = between(r, c.arrays.element_bits, most_bits);
    c.p = random_case_perm(r, array_bits - c.arrays.element_bits, in_place);
    c.arrays.run_bits = rng_below(r, 2) == 0 ? array_bits : between(r, array_bits, most_bits);
    c.arrays.count = rng_below(r, 2) == 0 ? 1 : 1 + rng_below(r, 100);
    const uint64_t gap = rng_below(r, 2) == 0 ? 0 : rng_below(r, 100) << between(r, 0, 4);
    c.arrays.stride = (ONE << c.arrays.run_bits) + gap;
    c.policy = rng_below(r, 3) == 0 ? planned_policy(r, &c.arrays, in_place) : random_policy(r, &c.arrays);
    const unsigned segment = larger(c.policy.vector_bits, c.arrays.unit_bits + between(r, 0, 3));
    if (in_place && !affine_tile_takes_in_place(&c.p, &c.arrays, &c.policy, segment))
        c.p = random_involution(r, c.p.a.m);
    return c;
}

/* P on a run's units, by the definition. */
static uint64_t image_of(const tile_case *c, uint64_t x) {
    const unsigned within = c->arrays.element_bits, m = c->p.a.m;
    const uint64_t element = x >> within & ((ONE << m) - 1);
    return x ^ (element ^ affine_at(&c->p, element)) << within;
}

/* ------------------------------------------------------- what is promised */

static uint64_t index_at(const affine_tile_side *side, uint64_t position) {
    uint64_t sum = 0;
    for (; position != 0; position &= position - 1) sum ^= side->index[__builtin_ctzll(position)];
    return sum;
}

static uint32_t cell_at(const affine_tile_side *side, uint64_t position) {
    return affine_cell_of(side->cell, (uint32_t)position);
}

static uint64_t origin_at(const affine_tile_side *side, uint64_t tile) {
    uint64_t sum = side->origin;
    for (; tile != 0; tile &= tile - 1) sum ^= side->block[__builtin_ctzll(tile)];
    return sum;
}

/* True if segments have 2^bits bytes, on the side that reads. */
static bool has_segments(const affine_tile_schedule *s, unsigned bits) {
    for (unsigned k = 0; k + s->arrays.unit_bits < bits; k++)
        if (k >= s->tile_bits || s->read.index[k] != ONE << k) return false;
    return true;
}

static void check_sizes(const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    const unsigned bits = c->arrays.run_bits, most = c->policy.tile_bits - c->arrays.unit_bits;
    const unsigned moves = s->tile_bits - s->vector_bits - s->thread_bits;
    require(s->tile_bits <= AFFINE_TILE_MAX_BITS && s->tile_bits <= most, c, round, "the tile is too large");
    const unsigned unit = c->arrays.unit_bits, wanted = smaller(bits, most);
    const unsigned enough = smaller(wanted, larger(c->policy.enough_bits, unit) - unit);
    require(s->tile_bits + c->in_place >= enough, c, round, "the tile is too small");
    require(has_segments(s, c->policy.segment_bits) || s->tile_bits + c->in_place >= wanted, c, round,
            "the tile could be larger");
    require(s->thread_bits <= c->policy.thread_bits, c, round, "too many threads");
    require(moves <= AFFINE_MOVE_BITS, c, round, "too many moves");
    const bool is_short = s->tile_bits < s->vector_bits + AFFINE_MOVE_BITS;
    require(s->vector_bits == 0 || is_short || moves == AFFINE_MOVE_BITS, c, round, "too few moves of vectors");
    require(s->vector_bits == c->policy.vector_bits - c->arrays.unit_bits, c, round, "the accesses' size");
    require(s->block_bits + s->tile_bits == bits, c, round, "the number of tiles");
    require(c->in_place || s->run_blocks == ONE << s->block_bits, c, round, "the number of blocks");
}

/* Each index is in one tile, at one position: the vectors of both are a basis. */
static void check_partition(const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    const affine_tile_side *const sides[] = {&s->read, &s->write};
    for (unsigned k = 0; k < 2; k++) {
        gf2_span all = {0};
        for (unsigned i = 0; i < s->tile_bits; i++)
            require(gf2_span_add(&all, sides[k]->index[i]), c, round, "two positions are one unit");
        for (unsigned j = 0; j < s->block_bits; j++)
            require(gf2_span_add(&all, sides[k]->block[j]), c, round, "tiles overlap");
        for (unsigned i = 0; i < 64; i++)
            require(all.by_leading_bit[i] >> c->arrays.run_bits == 0, c, round, "outside the arrays");
        require(all.count == c->arrays.run_bits, c, round, "tiles do not cover the arrays");
    }
}

static void check_cells(const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    const affine_tile_side *const sides[] = {&s->read, &s->write};
    for (unsigned k = 0; k < 2; k++) {
        gf2_span cells = {0};
        for (unsigned i = 0; i < s->tile_bits; i++) {
            require(sides[k]->cell[i] >> s->tile_bits == 0, c, round, "a cell beyond the tile");
            require(gf2_span_add(&cells, sides[k]->cell[i]), c, round, "two units in one cell");
        }
    }
}

/* Vectors lie where their accesses are aligned; on the write side y0 only permutes a vector's units. */
static void check_vectors(const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    const uint64_t inside = (ONE << s->vector_bits) - 1;
    for (unsigned i = 0; i < s->tile_bits; i++) {
        const bool is_unit = i < s->vector_bits;
        const uint64_t wanted = is_unit ? ONE << i : 0;
        require(is_unit ? s->read.index[i] == wanted : (s->read.index[i] & inside) == 0, c, round,
                "reads are not aligned");
        require(is_unit ? s->write.index[i] == wanted : (s->write.index[i] & inside) == 0, c, round,
                "writes are not aligned");
    }
    require((s->read.origin & inside) == 0, c, round, "tile 0 is not aligned");
    for (unsigned j = 0; j < s->block_bits; j++)
        require((s->read.block[j] & inside) == 0, c, round, "a tile is not aligned");
}

/* Units of a random read position and of the write position with its cell. */
static void check_images(rng *r, const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    gf2_span cells = {0};
    for (unsigned i = 0; i < s->tile_bits; i++) gf2_span_add(&cells, s->write.cell[i]);
    for (unsigned k = 0; k < 16; k++) {
        const uint64_t tile = random_index(r, s->block_bits), position = random_index(r, s->tile_bits);
        const uint64_t x = origin_at(&s->read, tile) ^ index_at(&s->read, position);
        const uint64_t written = gf2_span_coordinates(&cells, cell_at(&s->read, position));
        const uint64_t y = origin_at(&s->write, tile) ^ index_at(&s->write, written);
        require(y == image_of(c, x), c, round, "a unit is written elsewhere");
    }
}

/* ---------------------------------------------------------- what it costs */

/* The values of `count` numbers without their last `bits` bits that differ. */
static unsigned distinct(const uint64_t *values, unsigned count, unsigned bits) {
    unsigned sum = 0;
    for (unsigned k = 0; k < count; k++) {
        bool is_new = true;
        for (unsigned j = 0; j < k && is_new; j++) is_new = values[j] >> bits != values[k] >> bits;
        sum += is_new;
    }
    return sum;
}

/* Vectors that a tile has only because elements of tiles that go to each other may go anywhere in them. */
static unsigned core_bits(const tile_case *c) {
    gf2_span core = {0};
    if (!c->in_place) return 0;
    gf2_span_add(&core, affine_at(&c->p, c->p.c));
    for (unsigned j = 0; j < c->p.a.m; j++)
        gf2_span_add(&core, gf2_apply(&c->p.a, c->p.a.column[j]) ^ ONE << j);
    return core.count;
}

/* Checks the accesses of one warp's lanes, in one of the moves that they make together. */
static void check_warp(const tile_case *c, const affine_tile_schedule *s, const affine_tile_side *side,
                       uint64_t others, unsigned round) {
    const unsigned unit = c->arrays.unit_bits, lane_bits = smaller(c->policy.lane_bits, s->thread_bits);
    const unsigned segment = larger(c->policy.segment_bits, unit) - unit;
    const unsigned whole =
        smaller(smaller(s->tile_bits, segment), (c->policy.tile_bits - unit - core_bits(c)) / 2);
    const unsigned bytes_bits = lane_bits + s->vector_bits + unit;
    uint64_t bytes[32];
    const uint64_t first = others << s->vector_bits << lane_bits;
    for (unsigned lane = 0; lane < 1u << lane_bits; lane++)
        bytes[lane] = index_at(side, first | (uint64_t)lane << s->vector_bits) << unit;
    for (unsigned bits = 0; bits <= unit + whole; bits++) {
        const unsigned fewest = bytes_bits > bits ? 1u << (bytes_bits - bits) : 1;
        const unsigned accesses = 1u << (bits < unit + s->vector_bits ? lane_bits
                                         : bytes_bits > bits          ? bytes_bits - bits
                                                                      : 0);
        require(distinct(bytes, 1u << lane_bits, bits) == smaller(fewest, accesses), c, round,
                "a warp does not access whole segments");
    }
}

static void check_accesses(rng *r, const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    const unsigned lane_bits = smaller(c->policy.lane_bits, s->thread_bits);
    for (unsigned k = 0; k < 2; k++) {
        const uint64_t others = random_index(r, s->tile_bits - s->vector_bits - lane_bits);
        check_warp(c, s, &s->read, others, round);
        check_warp(c, s, &s->write, others, round);
    }
}

/* Checks that no two of the first 2^(k+1) lanes are in one of as many banks, for every k. */
static void check_lanes(const tile_case *c, const affine_tile_schedule *s, const affine_tile_side *side,
                        unsigned round) {
    const unsigned lane_bits = smaller(c->policy.lane_bits, s->tile_bits - s->vector_bits);
    for (unsigned k = 0; k <= lane_bits; k++) {
        uint32_t seen = 0;
        for (uint64_t lane = 0; lane < ONE << k; lane++)
            seen |= (uint32_t)1 << (cell_at(side, lane << s->vector_bits) & ((1u << k) - 1));
        require((unsigned)__builtin_popcount(seen) == 1u << k, c, round, "lanes share a bank");
    }
}

/* Banks of 4 bytes, 32 of them, as the hardware has: shorter units may meet in a word, but words not in a bank.
 * Units of 8 and 16 bytes are served to half and quarter warps. */
static void check_banks(const tile_case *c, const affine_tile_schedule *s, const affine_tile_side *side,
                        uint32_t base, unsigned round) {
    const unsigned unit = c->arrays.unit_bits, together = smaller(5, 7 - larger(unit, 2));
    const unsigned lane_bits = smaller(smaller(c->policy.lane_bits, s->thread_bits), together);
    uint32_t held[32];
    memset(held, 0xff, sizeof held);
    for (uint64_t lane = 0; lane < ONE << lane_bits; lane++) {
        const uint32_t byte = (base ^ cell_at(side, lane << s->vector_bits)) << unit;
        for (uint32_t at = 0; at < 1u << unit; at += 4) {
            const uint32_t word = (byte + at) / 4;
            require(held[word % 32] == UINT32_MAX || held[word % 32] == word, c, round, "two words in a bank");
            held[word % 32] = word;
        }
    }
}

static void check_shared(rng *r, const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    const affine_tile_side *const sides[] = {&s->read, &s->write};
    for (unsigned k = 0; k < 2; k++) {
        check_lanes(c, s, sides[k], round);
        check_banks(c, s, sides[k], (uint32_t)random_index(r, s->tile_bits), round);
    }
}

static void check_case(rng *r, const tile_case *c, affine_tile_schedule *s, unsigned round) {
    memset(s, 0xa5, sizeof *s);
    affine_tile_plan(&c->p, &c->arrays, &c->policy, c->in_place, s);
    check_sizes(c, s, round);
    check_partition(c, s, round);
    check_cells(c, s, round);
    check_vectors(c, s, round);
    check_images(r, c, s, round);
    check_accesses(r, c, s, round);
    check_shared(r, c, s, round);
}

static void schedules_keep_their_promises(void **state) {
    (void)state;
    rng r = {seed};
    affine_tile_schedule s;
    for (unsigned round = 0; round < test_rounds(4000); round++) {
        const tile_case c = random_case(&r, between(&r, 0, RIFFLE_MAX_BITS), false);
        check_case(&r, &c, &s, round);
    }
}

static void schedules_in_place_keep_their_promises(void **state) {
    (void)state;
    rng r = {seed + 1};
    affine_tile_schedule s;
    for (unsigned round = 0; round < test_rounds(2000); round++) {
        const tile_case c = random_case(&r, between(&r, 0, RIFFLE_MAX_BITS), true);
        check_case(&r, &c, &s, round);
        require(s.read.origin == s.orbits.origin, &c, round, "tile 0 is not the orbits' first");
        for (unsigned j = 0; j < s.block_bits; j++)
            require(s.read.block[j] == s.orbits.basis[j], &c, round,
                    "tiles are not numbered as the orbits are");
    }
}

/* ------------------------------------------------------------ carried out */

/* Small arrays as the kernels move them, with indices for units; `cells` is shared memory. */
typedef struct carried {
    const tile_case *c;
    const affine_tile_schedule *s;
    unsigned round;
    uint64_t *from, *to, *cells, *other;
    uint8_t *reads, *writes;
} carried;

enum { SMALL_BITS = 11, SMALL = 1 << SMALL_BITS };

static void load(const carried *k, uint64_t *cells, uint64_t x0) {
    for (uint64_t position = 0; position < ONE << k->s->tile_bits; position++) {
        const uint64_t x = x0 ^ index_at(&k->s->read, position);
        cells[cell_at(&k->s->read, position)] = k->from[x];
        k->reads[x]++;
    }
}

static void store(const carried *k, const uint64_t *cells, uint64_t y0) {
    for (uint64_t position = 0; position < ONE << k->s->tile_bits; position++) {
        const uint64_t y = y0 ^ index_at(&k->s->write, position);
        k->to[y] = cells[cell_at(&k->s->write, position)];
        k->writes[y]++;
    }
}

/* In place a block reads a tile and its image, or two tiles that stay, and writes both when all is read. */
static void carry_pair(const carried *k, uint64_t block) {
    const involution_orbits *const o = &k->s->orbits;
    const uint64_t fixed_blocks = (o->fixed + 1) / 2,
                   orbit = block < fixed_blocks ? 2 * block : block + o->fixed - fixed_blocks;
    const uint64_t first = involution_coset(o, orbit);
    uint64_t second = involution_image(o, first);
    if (block < fixed_blocks) second = o->fixed == 1 ? first : involution_coset(o, orbit + 1);
    load(k, k->cells, origin_at(&k->s->read, first));
    if (second != first) load(k, k->other, origin_at(&k->s->read, second));
    store(k, k->cells, origin_at(&k->s->write, first));
    if (second != first) store(k, k->other, origin_at(&k->s->write, second));
}

static void carry_block(const carried *k, uint64_t block) {
    if (k->s->in_place) {
        carry_pair(k, block);
        return;
    }
    load(k, k->cells, origin_at(&k->s->read, block));
    store(k, k->cells, origin_at(&k->s->write, block));
}

static void check_carried(const carried *k, uint64_t all) {
    for (uint64_t x = 0; x < all; x++) {
        require(k->reads[x] == 1, k->c, k->round, "a unit is read twice or never");
        require(k->writes[x] == 1, k->c, k->round, "a unit is written twice or never");
        require(k->to[image_of(k->c, x)] == x, k->c, k->round, "a unit did not arrive");
    }
}

static void carry_out(const tile_case *c, const affine_tile_schedule *s, unsigned round) {
    static uint64_t src[SMALL], dst[SMALL], cells[SMALL], other[SMALL];
    static uint8_t reads[SMALL], writes[SMALL];
    const uint64_t all = ONE << c->arrays.run_bits;
    const carried k = {c, s, round, src, s->in_place ? src : dst, cells, other, reads, writes};
    for (uint64_t x = 0; x < all; x++) src[x] = x;
    memset(dst, 0xa5, sizeof dst);
    memset(reads, 0, sizeof reads);
    memset(writes, 0, sizeof writes);
    for (uint64_t block = 0; block < s->run_blocks; block++) carry_block(&k, block);
    check_carried(&k, all);
}

static void schedules_move_what_they_should(void **state) {
    (void)state;
    rng r = {seed + 2};
    affine_tile_schedule s;
    for (unsigned round = 0; round < test_rounds(1500); round++) {
        const tile_case c = random_case(&r, between(&r, 0, SMALL_BITS), round % 2 == 0);
        affine_tile_plan(&c.p, &c.arrays, &c.policy, c.in_place, &s);
        carry_out(&c, &s, round);
    }
}

/* ---------------------------------------------------------------- policies */

/* The bounds of the header, of the machine, and of what is aligned. */
static void check_policy(const tile_case *c, const plan_target *target, unsigned round) {
    const affine_tile_policy *p = &c->policy;
    const unsigned unit = c->arrays.unit_bits;
    require(1u << p->lane_bits == target->width, c, round, "another machine's warps");
    require(1u << p->thread_bits <= target->block_threads, c, round, "too many threads");
    require((size_t)1 << (p->tile_bits + c->in_place) <= target->shared_bytes, c, round,
            "too much shared memory");
    require(p->tile_bits <= AFFINE_TILE_MAX_BITS + unit, c, round, "too large a tile");
    require(p->vector_bits == AFFINE_VECTOR_BITS || p->vector_bits == unit, c, round, "no such access");
    require(p->tile_bits <= p->vector_bits + p->thread_bits + AFFINE_MOVE_BITS, c, round, "too many moves");
    require(p->tile_bits - unit >= 2 * (p->vector_bits - unit), c, round, "vectors of one side only");
    const uint64_t starts = (ONE << c->arrays.run_bits) | (c->arrays.count > 1 ? c->arrays.stride : 0);
    require(starts << unit >> p->vector_bits << p->vector_bits == starts << unit, c, round, "odd places");
}

static void policies_keep_their_bounds(void **state) {
    (void)state;
    rng r = {seed + 3};
    for (unsigned round = 0; round < test_rounds(4000); round++) {
        const plan_target target = random_target(&r);
        tile_case c = random_case(&r, between(&r, 0, RIFFLE_MAX_BITS), rng_below(&r, 2) == 0);
        c.policy = affine_policy_for(&target, &c.arrays, c.in_place);
        check_policy(&c, &target, round);
    }
}

static void expect_refused(plan_request request, const char *why_not) {
    affine_arrays arrays;
    const char *said = affine_arrays_of(&request, &arrays);
    if (said == NULL || strstr(said, why_not) == NULL)
        fail_msg("'%s' lacks '%s'", said == NULL ? "" : said, why_not);
}

static affine_arrays arrays_for(uint64_t n, size_t elem_bytes, uint64_t batch, uint64_t stride) {
    affine_arrays out;
    const char *why_not = affine_arrays_of(
        &(plan_request){.n = n, .elem_bytes = elem_bytes, .batch = batch, .stride = stride}, &out);
    if (why_not != NULL) fail_msg("refused: %s", why_not);
    return out;
}

static void arrays_are_made_of_units(void **state) {
    (void)state;
    affine_arrays a = arrays_for(1 << 10, 64, 3, 1031);
    assert_true(a.unit_bits == 4 && a.element_bits == 2 && a.run_bits == 12 && a.count == 3 &&
                a.stride == 4124);
    a = arrays_for(1, 2, 1, 1);
    assert_true(a.unit_bits == 1 && a.element_bits == 0 && a.run_bits == 0 && a.count == 1);
    a = arrays_for(ONE << 40, 1, 2, ONE << 40);
    assert_true(a.run_bits == 40 && a.count == 2 && a.stride == ONE << 40);
    a = arrays_for(1 << 10, 4, 8, 1025);
    assert_true(a.run_bits == 10 && a.count == 8 && a.stride == 1025);
}

/* Arrays one behind the other are one run where their number allows. */
static void neighbours_are_one_run(void **state) {
    (void)state;
    affine_arrays a = arrays_for(1 << 10, 4, 8, 1 << 10);
    assert_true(a.run_bits == 13 && a.count == 1);
    a = arrays_for(1 << 10, 4, 12, 1 << 10);
    assert_true(a.run_bits == 12 && a.count == 3 && a.stride == 1 << 12);
    a = arrays_for(1 << 10, 32, 6, 1 << 10);
    assert_true(a.element_bits == 1 && a.run_bits == 12 && a.count == 3 && a.stride == 1 << 12);
}

static void other_arrays_are_refused(void **state) {
    (void)state;
    expect_refused((plan_request){.n = ONE << 40, .elem_bytes = 32, .batch = 1, .stride = ONE << 40}, "2^40");
    expect_refused((plan_request){.n = 1000, .elem_bytes = 4, .batch = 1, .stride = 1000}, "2^m elements");
    expect_refused((plan_request){.n = 0, .elem_bytes = 4, .batch = 1, .stride = 0}, "2^m elements");
    expect_refused((plan_request){.n = 1024, .elem_bytes = 12, .batch = 1, .stride = 1024},
                   "power of two of bytes");
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_keep_their_promises),
        cmocka_unit_test(schedules_in_place_keep_their_promises),
        cmocka_unit_test(schedules_move_what_they_should),
        cmocka_unit_test(policies_keep_their_bounds),
        cmocka_unit_test(arrays_are_made_of_units),
        cmocka_unit_test(neighbours_are_one_run),
        cmocka_unit_test(other_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
