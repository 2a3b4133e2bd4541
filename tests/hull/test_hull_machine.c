/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's steps of hulls on the memory machine, against the definition.
 */
#include "hull/definition.h"
#include "hull_stages_support.h"
#include "hull_support.h"
#include "support.h"

typedef struct hull_case {
    riffle_type type;
    hull_kind kind;
    uint32_t n;
    bool all, has_candidates, is_paper;
} hull_case;

static void *allocate(size_t bytes) {
    void *const out = malloc(bytes + 1);
    assert_non_null(out);
    return out;
}

/* Small tiles and samples, so that few points take every step. */
static const hull_sizes small = {
    .blocks = 3, .threads = 64, .tile = 32, .sample = 48, .direct = 64, .grain = 16, .rounds = 3};

static hull_points points_of(rng *r, const hull_case *c) {
    void *const data = allocate(c->n * 2 * riffle_type_bytes(c->type));
    hull_fill(r, c->kind, c->type, data, c->n);
    return (hull_points){c->type, data, c->n};
}

/* Every second point, from the last to the first. */
static uint32_t *candidates_of(const hull_case *c, uint32_t *count) {
    uint32_t *const out = allocate(c->n * sizeof *out);
    *count = 0;
    for (uint32_t k = c->n; k-- > 0;)
        if (k % 2 == 0) out[(*count)++] = k;
    return out;
}

/* The definition of chosen points' hull, as indices among all. */
static void define(const hull_points *points, const uint32_t *candidates, uint32_t count, bool all,
                   uint32_t *hull, uint64_t *length) {
    const size_t bytes = 2 * riffle_type_bytes(points->type);
    char *const chosen = allocate(count * bytes);
    uint32_t *const order = allocate(count * sizeof *order);
    for (uint32_t k = 0; k < count; k++) {
        order[k] =
            candidates == NULL ? k : candidates[count - 1 - k]; /* ascending: the first is the least index */
        memcpy(chosen + k * bytes, (const char *)points->data + order[k] * bytes, bytes);
    }
    const hull_points taken = {points->type, chosen, count};
    assert_int_equal(hull_definition(&taken, 0, count, all, hull, length), RIFFLE_OK);
    for (uint64_t k = 0; k < *length; k++) hull[k] = order[hull[k]];
    free(order);
    free(chosen);
}

static void expect_hull(const hull_case *c, uint64_t seed) {
    rng r = {seed};
    uint32_t count = c->n;
    const hull_points points = points_of(&r, c);
    uint32_t *const candidates = c->has_candidates ? candidates_of(c, &count) : NULL;
    uint32_t *const found = allocate(c->n * sizeof *found), *const wanted = allocate(c->n * sizeof *wanted);
    uint64_t length = 7, wanted_length = 0;
    machine *m = NULL;
    assert_int_equal(machine_create(NULL, &m), RIFFLE_OK);
    riffle_hull_counts counts;
    const riffle_status status = find_by_stages(
        m,
        &(hull_stages){.type = c->type, .most = count, .all = c->all, .is_paper = c->is_paper, .sizes = small},
        &points, candidates, found, &length, &counts);
    if (status != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    define(&points, candidates, count, c->all, wanted, &wanted_length);
    if (length != wanted_length || memcmp(found, wanted, length * sizeof *found) != 0 ||
        riffle_report_hazards(machine_report(m)) != 0) {
        riffle_report_print(machine_report(m), stderr);
        fail_msg("paper %d type %s kind %d n %u all %d candidates %d seed %llu: %llu corners, %llu wanted, "
                 "%llu hazards",
                 c->is_paper, riffle_type_string(c->type), (int)c->kind, c->n, c->all, c->has_candidates,
                 (unsigned long long)seed, (unsigned long long)length, (unsigned long long)wanted_length,
                 (unsigned long long)riffle_report_hazards(machine_report(m)));
    }
    machine_free(m);
    free(wanted);
    free(found);
    free(candidates);
    free((void *)(uintptr_t)points.data);
}

static void test_small_sets(void **state) {
    (void)state;
    for (uint32_t n = 0; n <= 40; n++) {
        const hull_case c = {n % 2 != 0 ? RIFFLE_TYPE_F32 : RIFFLE_TYPE_I64,
                             (hull_kind)(n % HULL_KINDS),
                             n,
                             n % 3 == 0,
                             n % 5 == 0,
                             false};
        expect_hull(&c, n);
        const hull_case paper = {c.type, c.kind, n, false, c.has_candidates, true};
        expect_hull(&paper, n);
    }
}

static void test_all_kinds(void **state) {
    static const riffle_type types[] = {RIFFLE_TYPE_F32, RIFFLE_TYPE_F64, RIFFLE_TYPE_I64, RIFFLE_TYPE_U64,
                                        RIFFLE_TYPE_I8,  RIFFLE_TYPE_U8,  RIFFLE_TYPE_I16, RIFFLE_TYPE_U16,
                                        RIFFLE_TYPE_I32, RIFFLE_TYPE_U32};
    (void)state;
    rng r = {18};
    for (unsigned kind = 0; kind < HULL_KINDS; kind++)
        for (unsigned k = 0; k < sizeof types / sizeof types[0]; k++) {
            if (is_sanitized() && (kind + k) % 3 != 0)
                continue; /* a third of the pairs, of every kind and type */
            const hull_case c = {types[k],
                                 (hull_kind)kind,
                                 1 + (uint32_t)rng_below(&r, 400),
                                 rng_below(&r, 2) != 0,
                                 rng_below(&r, 3) == 0,
                                 false};
            expect_hull(&c, rng_next(&r));
            const hull_case paper = {c.type, c.kind, 2 * c.n, false, c.has_candidates, true};
            expect_hull(&paper, rng_next(&r));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_sets), cmocka_unit_test(test_all_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
