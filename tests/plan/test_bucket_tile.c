/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes of devices: schedules compared bit for bit with a slow reading of their definition, and applied
 * on the host as the kernels do; shapes, their halving, and the bound on what they take.
 */
#include <sys/resource.h>
#include <unistd.h>

#include "reverse_bits.h"
#include "support.h"

#include "plan/bucket/tile.h"

static uint64_t seed;

static uint64_t quotient_up(uint64_t v, uint64_t unit) { return (v + unit - 1) / unit; }

static uint32_t units_of(size_t elem_bytes) { return (uint32_t)(16 / elem_bytes); }

static void *array_or_fail(uint64_t count, size_t entry_bytes) {
    void *array = calloc(count + 1, entry_bytes);
    assert_non_null(array);
    return array;
}

static plan_target target_of(size_t shared_bytes, unsigned multiprocessors) {
    return (plan_target){.kind = TARGET_CUDA, .shared_bytes = shared_bytes, .multiprocessors = multiprocessors};
}

/* ------------------------------------------------------------------ permutations */

typedef enum test_kind {
    KIND_RANDOM,
    KIND_IDENTITY,
    KIND_REVERSE,
    KIND_ROTATION,
    KIND_BIT_REVERSAL,
    KIND_SINGLES,
    KIND_LOCAL,
    TEST_KINDS
} test_kind;

static const char *const KIND_NAMES[] = {"random",       "identity", "reverse",        "rotation",
                                         "bit reversal", "singles",  "shuffled blocks"};

/* The first elements of all pieces, then the second ones, and so on: runs of one element. */
static void take_singles(uint64_t n, uint64_t piece, uint64_t *table) {
    uint64_t next = 0;
    for (uint64_t k = 0; k < piece; k++)
        for (uint64_t i = k; i < n; i += piece) table[i] = next++;
}

static void shuffle_blocks(rng *r, uint64_t n, uint64_t block, uint64_t *table) {
    for (uint64_t start = 0; start < n; start += block) {
        const uint64_t count = n - start < block ? n - start : block;
        for (uint64_t k = 0; k < count; k++) {
            const uint64_t j = rng_below(r, k + 1);
            table[start + k] = table[start + j];
            table[start + j] = start + k;
        }
    }
}

static riffle_perm *perm_of_kind(rng *r, test_kind kind, uint64_t n, const bucket_tile_shape *shape) {
    if (kind == KIND_RANDOM) return random_table(r, n);
    if (kind == KIND_IDENTITY) return parse_or_fail("identity", n);
    if (kind == KIND_REVERSE) return parse_or_fail("reverse", n);
    riffle_perm *perm = NULL;
    uint64_t *table = array_or_fail(n, sizeof *table);
    const uint64_t by = 1 + rng_below(r, n + 1);
    if (kind == KIND_ROTATION)
        for (uint64_t i = 0; i < n; i++) table[i] = (i + by) % n;
    if (kind == KIND_BIT_REVERSAL) reverse_bits(n, table);
    if (kind == KIND_SINGLES) take_singles(n, shape->first_piece, table);
    if (kind == KIND_LOCAL) shuffle_blocks(r, n, by, table);
    assert_int_equal(riffle_perm_table_u64(n, table, &perm), RIFFLE_OK);
    free(table);
    return perm;
}

/* ------------------------------------------------------------------ the definition, slowly */

static uint32_t cell_of(uint32_t ordinal) {
    uint32_t column = 0;
    for (uint32_t digits = ordinal; digits > 0; digits /= 8) column ^= digits % 8;
    return ordinal - ordinal % 8 + column;
}

static uint32_t staged_at(uint32_t units, uint32_t ordinal, uint64_t at) {
    return units * cell_of(ordinal) + (uint32_t)(at % units);
}

typedef struct element {
    uint64_t s, at, dest, bucket, t;
    uint32_t staged;
} element;

/* One pass by the definition: its elements, and what its schedule should be. */
typedef struct slow_pass {
    uint64_t n, piece;
    uint32_t units;
    element *elements;
    uint16_t *order;
    uint32_t *chunks, *first_chunk;
    uint64_t chunk_count;
    uint32_t most_chunks;
} slow_pass;

static int by_bucket(const void *left, const void *right) {
    const element *a = left, *b = right;
    if (a->bucket != b->bucket) return a->bucket < b->bucket ? -1 : 1;
    return a->s < b->s ? -1 : a->s > b->s;
}

static slow_pass slow_create(const riffle_perm *perm, uint32_t units) {
    const uint64_t n = riffle_perm_length(perm);
    slow_pass p = {.n = n, .units = units};
    p.elements = array_or_fail(n, sizeof *p.elements);
    p.order = array_or_fail(n + units, sizeof *p.order);
    p.chunks = array_or_fail(n, sizeof *p.chunks);
    p.first_chunk = array_or_fail(n + 1, sizeof *p.first_chunk);
    for (uint64_t s = 0; s < n; s++)
        p.elements[s] = (element){.s = s, .at = s, .dest = riffle_perm_at(perm, s)};
    return p;
}

static void slow_free(slow_pass *p) {
    free(p->elements);
    free(p->order);
    free(p->chunks);
    free(p->first_chunk);
}

static void slow_first(slow_pass *p, uint64_t piece) {
    p->piece = piece;
    p->chunk_count = 0;
    p->most_chunks = (uint32_t)quotient_up(p->n < piece ? p->n : piece, p->units);
    for (uint64_t s = 0; s < p->n; s++)
        p->elements[s].staged = staged_at(p->units, (uint32_t)(s % piece / p->units), s);
}

static void slow_next(slow_pass *p, uint64_t piece) {
    const uint32_t u = p->units;
    p->piece = piece;
    p->chunk_count = p->most_chunks = 0;
    for (uint64_t s = 0; s < p->n; s++) {
        element *e = &p->elements[s];
        if (s % piece == 0) p->first_chunk[s / piece] = (uint32_t)p->chunk_count;
        if (s % piece == 0 || e->at / u != e[-1].at / u) p->chunks[p->chunk_count++] = (uint32_t)(e->at / u);
        const uint32_t ordinal = (uint32_t)p->chunk_count - 1 - p->first_chunk[s / piece];
        if (ordinal + 1 > p->most_chunks) p->most_chunks = ordinal + 1;
        e->staged = staged_at(p->units, ordinal, e->at);
    }
    p->first_chunk[quotient_up(p->n, piece)] = (uint32_t)p->chunk_count;
}

static void slow_last_order(slow_pass *p) {
    for (uint64_t s = 0; s < p->n; s++) p->order[p->elements[s].dest] = (uint16_t)p->elements[s].staged;
}

/* The order of a pass that is not the last, and then the next sequence. */
static void slow_sort(slow_pass *p, uint64_t bucket) {
    for (uint64_t s = 0; s < p->n; s++) p->elements[s].bucket = p->elements[s].dest / bucket;
    for (uint64_t start = 0; start < p->n; start += p->piece) {
        const uint64_t count = p->n - start < p->piece ? p->n - start : p->piece;
        qsort(p->elements + start, count, sizeof *p->elements, by_bucket);
        for (uint64_t t = start; t < start + count; t++) {
            p->elements[t].t = t;
            p->order[t] = (uint16_t)p->elements[t].staged;
        }
    }
    qsort(p->elements, p->n, sizeof *p->elements, by_bucket);
}

static void slow_renumber(slow_pass *p) {
    for (uint64_t s = 0; s < p->n; s++) {
        p->elements[s].s = s;
        p->elements[s].at = p->elements[s].t;
    }
}

static bool slow_fits(const slow_pass *p, const bucket_tile_shape *shape) {
    return (uint64_t)p->most_chunks * p->units <= shape->positions;
}

static bool is_same(const slow_pass *p, const bucket_tile_schedule *s, bool is_first) {
    const uint64_t pieces = quotient_up(p->n, p->piece), whole = quotient_up(p->n, p->units) * p->units;
    if (s->n != p->n || s->elem_bytes * p->units != 16 || s->piece != p->piece || s->pieces != pieces)
        return false;
    if (s->chunk_count != p->chunk_count || s->most_chunks != p->most_chunks) return false;
    if (memcmp(s->order, p->order, whole * sizeof *s->order) != 0) return false;
    if (is_first) return s->chunks == NULL && s->first_chunk == NULL;
    return memcmp(s->chunks, p->chunks, p->chunk_count * sizeof *s->chunks) == 0 &&
           memcmp(s->first_chunk, p->first_chunk, (pieces + 1) * sizeof *s->first_chunk) == 0;
}

/* Plans by the definition and compares. False if they differ; *fits is false if a piece needs too much. */
static bool follows_shape(const riffle_perm *perm, const bucket_tile_shape *shape,
                          const bucket_tile_schedule *out, uint32_t units, bool *fits) {
    slow_pass p = slow_create(perm, units);
    bool same = true;
    *fits = true;
    for (unsigned k = 0; k < shape->passes && same && *fits; k++) {
        if (k == 0)
            slow_first(&p, shape->first_piece);
        else
            slow_next(&p, shape->piece);
        *fits = slow_fits(&p, shape);
        if (!*fits) break;
        if (k + 1 == shape->passes)
            slow_last_order(&p);
        else
            slow_sort(&p, k + 2 == shape->passes ? shape->piece : (uint64_t)shape->piece * shape->fan);
        if (out[shape->passes - 1].piece == (shape->passes == 1 ? shape->first_piece : shape->piece))
            same = is_same(&p, &out[k], k == 0);
        slow_renumber(&p);
    }
    slow_free(&p);
    return same;
}

static bool follows_definition(const riffle_perm *perm, size_t elem_bytes, bucket_tile_shape shape,
                               const bucket_tile_schedule *out) {
    bool fits = false;
    for (;;) {
        const bool same = follows_shape(perm, &shape, out, units_of(elem_bytes), &fits);
        if (!same || fits)
            return same && out[shape.passes - 1].piece == (shape.passes == 1 ? shape.first_piece : shape.piece);
        shape = bucket_tile_halve(&shape, riffle_perm_length(perm), elem_bytes);
    }
}

/* ------------------------------------------------------------------ as the kernels do */

static bool stage(const bucket_tile_schedule *s, unsigned char *tile, uint64_t to, const unsigned char *a,
                  uint64_t from) {
    const uint64_t bytes = s->n * s->elem_bytes, left = bytes - from * 16;
    if (from * 16 >= bytes || to >= s->most_chunks) return false;
    memcpy(tile + (uint64_t)cell_of((uint32_t)to) * 16, a + from * 16, left < 16 ? left : 16);
    return true;
}

static bool run_piece(const bucket_tile_schedule *s, uint64_t p, unsigned char *tile, unsigned char *b,
                      const unsigned char *a) {
    const uint64_t start = p * s->piece, count = s->n - start < s->piece ? s->n - start : s->piece;
    const uint32_t units = units_of(s->elem_bytes);
    memset(tile, POISON_VALUE, bucket_tile_shared_bytes(s));
    if (s->chunk_count == 0) {
        for (uint64_t k = 0; k < quotient_up(count, units); k++)
            if (!stage(s, tile, k, a, start / units + k)) return false;
    } else {
        for (uint32_t k = s->first_chunk[p]; k < s->first_chunk[p + 1]; k++)
            if (!stage(s, tile, k - s->first_chunk[p], a, s->chunks[k])) return false;
    }
    for (uint64_t j = start; j < start + count; j++) {
        if (s->order[j] * s->elem_bytes >= bucket_tile_shared_bytes(s)) return false;
        memcpy(b + j * s->elem_bytes, tile + s->order[j] * s->elem_bytes, s->elem_bytes);
    }
    return true;
}

static bool run_passes(const bucket_tile_schedule *out, unsigned passes, unsigned char *dst,
                       const unsigned char *src) {
    const size_t bytes = out[0].n * out[0].elem_bytes;
    unsigned char *workspace = malloc(bytes + 1), *tile = malloc((size_t)BUCKET_TILE_POSITIONS * 16);
    assert_true(workspace != NULL && tile != NULL);
    const unsigned char *from = src;
    bool sound = true;
    for (unsigned k = 0; k < passes && sound; k++) {
        unsigned char *to = (passes - 1 - k) % 2 == 0 ? dst : workspace;
        for (uint64_t p = 0; p < out[k].pieces && sound; p++) sound = run_piece(&out[k], p, tile, to, from);
        from = to;
    }
    free(workspace);
    free(tile);
    return sound;
}

/* ------------------------------------------------------------------ cases */

static bool is_moved_by(const bucket_tile_schedule *out, unsigned passes, const riffle_perm *perm,
                        size_t elem_bytes, rng *r) {
    const size_t bytes = riffle_perm_length(perm) * elem_bytes;
    guarded dst = guarded_create(bytes, 0), src = guarded_create(bytes, 0);
    fill_random(r, src.data, bytes);
    const bool moved = run_passes(out, passes, dst.data, src.data) && guarded_intact(&dst) &&
                       is_moved(perm, dst.data, src.data, elem_bytes);
    guarded_free(&dst);
    guarded_free(&src);
    return moved;
}

/* Plans one case and tests all of it; returns the length of the last pass's pieces. */
static uint32_t check_case(rng *r, test_kind kind, uint64_t n, size_t elem_bytes, bucket_tile_shape shape) {
    riffle_perm *perm = perm_of_kind(r, kind, n, &shape);
    bucket_tile_schedule out[BUCKET_TILE_PASSES];
    const char *why = NULL;
    size_t bytes = 0;
    if (bucket_tile_plan(perm, elem_bytes, shape, out) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    for (unsigned k = 0; k < shape.passes; k++) bytes += bucket_tile_bytes(&out[k]);
    if (!follows_definition(perm, elem_bytes, shape, out)) why = "not by the definition";
    if (!is_moved_by(out, shape.passes, perm, elem_bytes, r)) why = "not moved";
    if (bytes > bucket_tile_most_bytes(n, elem_bytes, &shape)) why = "more bytes than the bound";
    if (why != NULL) {
        fail_msg("seed %llu: %s: %s, n %llu, %zu bytes, %u passes, pieces %u and %u, fan %u, positions %u",
                 (unsigned long long)seed, why, KIND_NAMES[kind], (unsigned long long)n, elem_bytes,
                 shape.passes, shape.first_piece, shape.piece, shape.fan, shape.positions);
    }
    const uint32_t piece = out[shape.passes - 1].piece;
    for (unsigned k = 0; k < shape.passes; k++) bucket_tile_free(&out[k]);
    riffle_perm_free(perm);
    return piece;
}

static const size_t SHARED_BYTES[] = {256, 1024, 4096, 48 << 10, 227 << 10};
static const unsigned MULTIPROCESSORS[] = {1, 3, 132};

static void sizes_around_edges_follow_the_definition(void **state) {
    (void)state;
    rng r = {seed};
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        for (unsigned t = 0; t < 5; t++) {
            const plan_target target = target_of(SHARED_BYTES[t], MULTIPROCESSORS[rng_below(&r, 3)]);
            const uint64_t whole = bucket_tile_choose(1, elem_bytes, &target).positions;
            const uint64_t edges[] = {1, units_of(elem_bytes), whole / 2 + 1, whole, 2 * whole, 3 * whole};
            for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
                if (!test_takes(k + t + seed)) continue;
                for (uint64_t n = edges[k] - (edges[k] > 1); n <= edges[k] + 1; n++) {
                    const test_kind kind = (test_kind)rng_below(&r, TEST_KINDS);
                    check_case(&r, kind, n, elem_bytes, bucket_tile_choose(n, elem_bytes, &target));
                }
            }
        }
    }
}

/* Every kind of permutation on every small target, in one, two and three passes. */
static void every_kind_follows_the_definition(void **state) {
    (void)state;
    rng r = {seed + 1};
    enum { SIZES = 13 };
    const unsigned drawn = test_rounds(90), rounds = drawn > 2 * SIZES ? drawn : 2 * SIZES;
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        bool seen[BUCKET_TILE_PASSES + 1] = {false};
        for (unsigned round = 0; round < rounds; round++) {
            const plan_target target =
                target_of(SHARED_BYTES[round % 3] + 16 * rng_below(&r, 8), MULTIPROCESSORS[rng_below(&r, 3)]);
            const uint64_t most = (uint64_t)16 << round % SIZES, n = most - rng_below(&r, most / 2);
            const bucket_tile_shape shape = bucket_tile_choose(n, elem_bytes, &target);
            seen[shape.passes] = true;
            check_case(&r, (test_kind)(round / 3 % TEST_KINDS), n, elem_bytes, shape);
        }
        assert_true(seen[1] && seen[2]);
        assert_int_equal(seen[3], elem_bytes < 16); /* elements of 16 bytes waste nothing */
    }
}

static void large_arrays_follow_the_definition(void **state) {
    (void)state;
    rng r = {seed + 2};
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        for (unsigned t = 0; t < 5; t++) {
            if (!test_takes(t + elem_bytes + seed)) continue;
            const plan_target target = target_of(SHARED_BYTES[t], 132);
            const uint64_t n = 100000 + rng_below(&r, 50000);
            check_case(&r, KIND_RANDOM, n, elem_bytes, bucket_tile_choose(n, elem_bytes, &target));
        }
    }
}

/* No shape moves anything to a wrong place, chosen or not. */
static void any_shape_follows_the_definition(void **state) {
    (void)state;
    rng r = {seed + 3};
    for (unsigned round = 0; round < test_rounds(400); round++) {
        const size_t elem_bytes = (size_t)1 << rng_below(&r, 5);
        const uint32_t units = units_of(elem_bytes), chunks = units + (uint32_t)rng_below(&r, 60);
        bucket_tile_shape shape = {.passes = 2 + (unsigned)rng_below(&r, 2), .positions = chunks * units};
        shape.first_piece = units * (1 + (uint32_t)rng_below(&r, chunks));
        shape.piece = units * (1 + (uint32_t)rng_below(&r, chunks));
        shape.fan = shape.passes == 3 ? 1 + (uint32_t)rng_below(&r, 9) : 1;
        check_case(&r, (test_kind)rng_below(&r, TEST_KINDS), 1 + rng_below(&r, 6000), elem_bytes, shape);
    }
}

/* ------------------------------------------------------------------ pieces that overflow */

static void pieces_that_overflow_are_halved(void **state) {
    (void)state;
    rng r = {seed + 4};
    for (size_t elem_bytes = 1; elem_bytes <= 8; elem_bytes *= 2) {
        const uint32_t units = units_of(elem_bytes), positions = 8 * units * units;
        for (unsigned passes = 2; passes <= 3; passes++) {
            const bucket_tile_shape shape = {passes, units, positions, 1, positions};
            /* Runs of one element are a chunk each, so that a piece of as many as there are chunks fits. */
            assert_int_equal(check_case(&r, KIND_SINGLES, 4 * positions * units, elem_bytes, shape),
                             positions / units);
            assert_int_equal(check_case(&r, KIND_IDENTITY, 4 * positions, elem_bytes, shape), positions);
        }
    }
}

static void too_small_a_shared_memory_is_refused(void **state) {
    (void)state;
    const bucket_tile_shape shape = {2, 16, 16, 1, 240};
    uint64_t table[256];
    take_singles(256, 16, table);
    riffle_perm *perm = NULL;
    assert_int_equal(riffle_perm_table_u64(256, table, &perm), RIFFLE_OK);
    bucket_tile_schedule out[BUCKET_TILE_PASSES];
    memset(out, POISON_VALUE, sizeof out);
    assert_int_equal(bucket_tile_plan(perm, 1, shape, out), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "holds 240 elements"));
    assert_non_null(strstr(riffle_error_detail(), "need up to 256"));
    for (unsigned k = 0; k < BUCKET_TILE_PASSES; k++) assert_null(out[k].order);
    riffle_perm_free(perm);
}

/* ------------------------------------------------------------------ shapes */

static void check_shape(uint64_t n, size_t elem_bytes, const plan_target *target) {
    const bucket_tile_shape s = bucket_tile_choose(n, elem_bytes, target);
    const uint32_t units = units_of(elem_bytes);
    const uint64_t held = target->shared_bytes / elem_bytes, most = target->multiprocessors;
    assert_int_equal(s.positions % (8 * units), 0);
    assert_true(s.positions <= BUCKET_TILE_POSITIONS && s.positions <= held);
    assert_true(s.positions + 8 * units > held || s.positions == BUCKET_TILE_POSITIONS);
    assert_int_equal(s.passes == 1, n <= s.positions);
    assert_in_range(s.passes, 1, elem_bytes < 16 ? 3 : 2);
    assert_true(s.first_piece % units == 0 && s.piece % units == 0);
    assert_true(units <= s.first_piece && s.first_piece <= s.positions);
    assert_true(units <= s.piece && s.piece <= s.positions);
    if (s.passes < 3) assert_int_equal(s.fan, 1);
    if (s.passes == 1) return;
    /* Whole sectors, so that all stores are. */
    if (s.positions >= 8 * units) assert_true(s.first_piece % (2 * units) == 0 && s.piece % (2 * units) == 0);
    /* No more pieces than full ones, rounded up to as many for each multiprocessor. */
    assert_true(quotient_up(n, s.first_piece) <= quotient_up(quotient_up(n, s.positions), most) * most);
    if (s.passes == 2) return;
    const uint64_t pieces = quotient_up(n, s.piece), fan = s.fan;
    assert_true(fan * fan >= pieces && (fan - 1) * (fan - 1) < pieces);
}

static void shapes_keep_their_limits(void **state) {
    (void)state;
    rng r = {seed + 5};
    for (unsigned round = 0; round < test_rounds(20000); round++) {
        const plan_target target = target_of(SHARED_BYTES[rng_below(&r, 5)], MULTIPROCESSORS[rng_below(&r, 3)]);
        const unsigned bits = (unsigned)rng_below(&r, 33);
        const uint64_t n = round % 4 == 0 ? (uint64_t)1 << bits : rng_below(&r, (uint64_t)1 << bits);
        check_shape(n, (size_t)1 << rng_below(&r, 5), &target);
    }
}

/* An H200's shared memory and multiprocessors. */
static void a_gpus_plans_are_small(void **state) {
    (void)state;
    const plan_target target = target_of(227 << 10, 132);
    static const unsigned two_up_to[] = {27, 28, 29, 29, 32}; /* log2 of n, for 1, 2, 4, 8 and 16 bytes */
    for (unsigned e = 0; e < 5; e++) {
        for (unsigned bits = 17; bits <= 32; bits++) {
            const uint64_t n = (uint64_t)1 << bits;
            const bucket_tile_shape s = bucket_tile_choose(n, (size_t)1 << e, &target);
            assert_int_equal(s.passes, bits <= two_up_to[e] ? 2 : 3);
            if (bits <= 28) assert_true(bucket_tile_most_bytes(n, (size_t)1 << e, &s) <= 10 * n);
        }
    }
}

static void halving_ends_with_a_chunk(void **state) {
    (void)state;
    rng r = {seed + 6};
    for (unsigned round = 0; round < 1000; round++) {
        const size_t elem_bytes = (size_t)1 << rng_below(&r, 5);
        const uint32_t units = units_of(elem_bytes);
        const uint64_t n = (uint64_t)1 << (17 + rng_below(&r, 16));
        const plan_target target = target_of(SHARED_BYTES[rng_below(&r, 5)], 132);
        bucket_tile_shape shape = bucket_tile_choose(n, elem_bytes, &target);
        while (shape.piece > units) {
            const bucket_tile_shape half = bucket_tile_halve(&shape, n, elem_bytes);
            const uint64_t pieces = quotient_up(n, half.piece), fan = half.fan;
            assert_true(half.piece % units == 0 && half.piece < shape.piece);
            assert_in_range(half.piece, shape.piece / 2, shape.piece / 2 + units - 1);
            assert_true(half.passes == shape.passes && half.first_piece == shape.first_piece);
            assert_int_equal(half.positions, shape.positions);
            if (half.passes < 3) assert_int_equal(fan, 1);
            if (half.passes == 3) assert_true(fan * fan >= pieces && (fan - 1) * (fan - 1) < pieces);
            shape = half;
        }
        assert_int_equal(bucket_tile_halve(&shape, n, elem_bytes).piece, units);
    }
}

static void obstacles_are_named(void **state) {
    (void)state;
    for (size_t elem_bytes = 0; elem_bytes <= 64; elem_bytes++) {
        const bool moved =
            elem_bytes == 1 || elem_bytes == 2 || elem_bytes == 4 || elem_bytes == 8 || elem_bytes == 16;
        const char *why = bucket_tile_obstacle(1000, elem_bytes);
        assert_int_equal(why == NULL, moved);
        if (why != NULL) assert_non_null(strstr(why, "16 bytes"));
    }
    assert_null(bucket_tile_obstacle(0, 4));
    assert_null(bucket_tile_obstacle((uint64_t)1 << 32, 4));
    assert_non_null(strstr(bucket_tile_obstacle(((uint64_t)1 << 32) + 1, 4), "2^32"));
}

static void nothing_is_planned_too(void **state) {
    (void)state;
    const plan_target target = target_of(48 << 10, 132);
    riffle_perm *perm = parse_or_fail("identity", 0);
    const bucket_tile_shape shape = bucket_tile_choose(0, 4, &target);
    bucket_tile_schedule out[BUCKET_TILE_PASSES];
    assert_int_equal(shape.passes, 1);
    assert_int_equal(bucket_tile_plan(perm, 4, shape, out), RIFFLE_OK);
    assert_true(out[0].n == 0 && out[0].pieces == 0 && out[0].most_chunks == 0);
    assert_int_equal(bucket_tile_bytes(&out[0]), 0);
    bucket_tile_free(&out[0]);
    riffle_perm_free(perm);
}

/* ------------------------------------------------------------------ no memory */

static size_t mapped_bytes(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static riffle_status plan_within(const riffle_perm *perm, bucket_tile_shape shape, size_t bytes,
                                 bucket_tile_schedule out[BUCKET_TILE_PASSES]) {
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit limit = {mapped_bytes() + bytes, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    const riffle_status status = bucket_tile_plan(perm, 4, shape, out);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    return status;
}

/* Ever more memory is allowed, until it is enough: so each allocation once is the one that fails. */
static void no_memory_leaves_nothing(void **state) {
    (void)state;
    if (is_sanitized()) skip();
    const uint64_t n = 3 << 19;
    const plan_target target = target_of(1 << 10, 132);
    const bucket_tile_shape shape = bucket_tile_choose(n, 4, &target);
    rng r = {seed + 7};
    riffle_perm *perm = random_table(&r, n);
    bucket_tile_schedule out[BUCKET_TILE_PASSES];
    riffle_status status = RIFFLE_ERROR_OUT_OF_MEMORY;
    unsigned failures = 0;
    assert_int_equal(shape.passes, 3);
    for (size_t bytes = 1 << 20; status != RIFFLE_OK; bytes += 2 << 20) {
        const size_t before = mapped_bytes();
        status = plan_within(perm, shape, bytes, out);
        if (status == RIFFLE_OK) break;
        assert_int_equal(status, RIFFLE_ERROR_OUT_OF_MEMORY);
        assert_non_null(strstr(riffle_error_detail(), "bucket"));
        for (unsigned k = 0; k < BUCKET_TILE_PASSES; k++)
            assert_true(out[k].order == NULL && out[k].chunks == NULL && out[k].first_chunk == NULL);
        assert_true(mapped_bytes() < before + (1 << 20)); /* each array of n has more */
        failures++;
    }
    assert_true(failures > 20);
    for (unsigned k = 0; k < shape.passes; k++) bucket_tile_free(&out[k]);
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_around_edges_follow_the_definition),
        cmocka_unit_test(every_kind_follows_the_definition),
        cmocka_unit_test(large_arrays_follow_the_definition),
        cmocka_unit_test(any_shape_follows_the_definition),
        cmocka_unit_test(pieces_that_overflow_are_halved),
        cmocka_unit_test(too_small_a_shared_memory_is_refused),
        cmocka_unit_test(shapes_keep_their_limits),
        cmocka_unit_test(a_gpus_plans_are_small),
        cmocka_unit_test(halving_ends_with_a_chunk),
        cmocka_unit_test(obstacles_are_named),
        cmocka_unit_test(nothing_is_planned_too),
        cmocka_unit_test(no_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
