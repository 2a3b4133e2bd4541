/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations in place on the host: of every kind, elements of any power of two of bytes, by several threads, batches
 * with gaps, arrays that begin anywhere.
 */
#include "affine_support.h"

static uint64_t seed;

typedef struct in_place_case {
    perm_affine p;
    size_t elem_bytes;
    uint64_t batch, gap;
} in_place_case;

static void fail_case(const in_place_case *c, const riffle_perm *perm, const char *what) {
    char spec[512];
    riffle_perm_print(perm, spec, sizeof spec, NULL);
    fail_msg("seed %llu: %s: %s, 2^%u elements of %zu bytes, %llu arrays with gaps of %llu: %s",
             (unsigned long long)seed, what, spec, c->p.a.m, c->elem_bytes, (unsigned long long)c->batch,
             (unsigned long long)c->gap, riffle_error_detail());
}

static void check_arrays(const in_place_case *c, const riffle_perm *perm, const guarded *array,
                         const unsigned char *before) {
    const size_t bytes = riffle_perm_length(perm) * c->elem_bytes, step = bytes + c->gap * c->elem_bytes;
    for (uint64_t k = 0; k < c->batch; k++) {
        if (!is_moved(perm, array->data + k * step, before + k * step, c->elem_bytes))
            fail_case(c, perm, "not moved");
        const size_t end = k * step + bytes;
        if (k + 1 < c->batch && memcmp(array->data + end, before + end, step - bytes) != 0)
            fail_case(c, perm, "wrote between the arrays");
    }
    if (!guarded_intact(array)) fail_case(c, perm, "wrote beside the arrays");
}

/* Returns the number of passes. */
static unsigned check_case(rng *r, const in_place_case *c) {
    riffle_perm *perm = perm_of(&c->p);
    const uint64_t n = riffle_perm_length(perm);
    const riffle_plan_options options = {
        .in_place = true, .threads = 3, .batch = c->batch, .stride = n + c->gap};
    riffle_plan *plan = NULL;
    if (riffle_plan_create(perm, c->elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_case(c, perm, "not planned");
    const unsigned passes = riffle_plan_passes(plan);
    if (passes > 3 || riffle_plan_workspace_bytes(plan) != 0)
        fail_case(c, perm, "more passes, or a second array");
    const size_t bytes = ((c->batch - 1) * (n + c->gap) + n) * c->elem_bytes;
    guarded array = guarded_create(bytes, rng_below(r, 64));
    unsigned char *before = malloc(bytes);
    assert_non_null(before);
    fill_random(r, array.data, bytes);
    memcpy(before, array.data, bytes);
    assert_int_equal(riffle_execute(plan, array.data, array.data), RIFFLE_OK);
    check_arrays(c, perm, &array, before);
    free(before);
    guarded_free(&array);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return passes;
}

static perm_affine random_kind(rng *r, unsigned m) {
    switch (rng_below(r, 4)) {
    case 0: return random_involution(r, m);
    case 1: return random_near_involution(r, m);
    case 2: return random_bits(r, m);
    default: return random_affine(r, m);
    }
}

static void arrays_of_every_kind(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(500); round++) {
        in_place_case c = {.elem_bytes = (size_t)1 << rng_below(&r, 7),
                           .batch = 1 + rng_below(&r, 5) * rng_below(&r, 2)};
        c.gap = rng_below(&r, 2) * rng_below(&r, 20);
        c.p = random_kind(&r, (unsigned)rng_below(&r, 13));
        check_case(&r, &c);
    }
}

/* Arrays of more than a tile, and worth several threads. */
static void longer_arrays(void **state) {
    (void)state;
    rng r = {seed + 1};
    for (unsigned e = 0; e < 5; e++) {
        in_place_case c = {.elem_bytes = (size_t)1 << e, .batch = 1};
        c.p = random_affine(&r, 21 - e);
        if (check_case(&r, &c) < 2)
            fail_msg("seed %llu: a random matrix of %u bits in one pass", (unsigned long long)seed, 21 - e);
        c.p = random_involution(&r, 21 - e);
        if (check_case(&r, &c) > 1)
            fail_msg("seed %llu: an involution in several passes", (unsigned long long)seed);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_of_every_kind), cmocka_unit_test(longer_arrays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
