/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler: for any program the passes do what plain recursive evaluation does, they keep what pass.h promises, and
 * there are as few as the bound allows.
 */
#include "perm/gf2_span.h"
#include "program/compile/fuse.h"
#include "papers/program/paper.h"
#include "program_support.h"

static uint64_t seed;

/* ------------------------------------------------------------------ promises */

static void require(bool holds, const char *what, const char *text) {
    if (!holds) fail_msg("%s: %s, seed %llu", text, what, (unsigned long long)seed);
}

static bool spans_units(const uint64_t *vectors, unsigned count, unsigned units) {
    gf2_span span = {0};
    for (unsigned k = 0; k < count; k++) gf2_span_add(&span, vectors[k]);
    for (unsigned j = 0; j < units; j++)
        if (gf2_span_reduce(&span, (uint64_t)1 << j) != 0) return false;
    return span.count == count;
}

static void require_stage(const program_stage *stage, unsigned tile_bits, const char *text) {
    for (unsigned t = 0; t < stage->bits; t++) {
        require(stage->direction[t] >> tile_bits == 0, "a direction leaves the tile", text);
        for (unsigned s = 0; s < stage->bits; s++)
            require(functional_along(stage->position[s], stage->direction[t]) == (s == t), "positions", text);
        for (unsigned k = 0; k < stage->conditions; k++)
            require(functional_along(stage->condition[k], stage->direction[t]) == 0, "conditions", text);
        for (unsigned k = 0; k < stage->index_bits; k++)
            require(functional_along(stage->index[k], stage->direction[t]) == 0, "index", text);
    }
    gf2_span conditions = {0};
    for (unsigned k = 0; k < stage->conditions; k++)
        require(gf2_span_add(&conditions, stage->condition[k] & ~PROGRAM_ONE), "conditions depend", text);
}

/* From src to dst, over a third array where there are several moves; src is not written. */
static void require_route(const program_passes *passes, const char *text) {
    program_array at = PROGRAM_SRC;
    for (size_t k = 0; k < passes->count; k++) {
        const program_pass *pass = &passes->passes[k];
        require(pass->from == at && pass->to != PROGRAM_SRC, "a pass reads what the one before did not write",
                text);
        require(pass->moves ? pass->to != at : k == 0 || pass->to == at, "moves are from one array to another",
                text);
        at = pass->to;
    }
    require(passes->count == 0 || at == PROGRAM_DST, "the last pass does not write dst", text);
}

static void require_promises(const program_passes *passes, const program_policy *policy, const char *text) {
    require(passes->bound <= passes->count, "fewer passes than the bound", text);
    require_route(passes, text);
    size_t stages = 0;
    for (size_t k = 0; k < passes->count; k++) {
        const program_pass *pass = &passes->passes[k];
        const unsigned lanes = policy->lane_bits < pass->n ? policy->lane_bits : pass->n;
        require(pass->tile_bits <= policy->tile_bits && pass->tile_bits <= pass->n, "a tile is too large",
                text);
        require(pass->lane_bits >= lanes && pass->write_lane_bits >= lanes, "too few lanes", text);
        for (unsigned j = 0; j < pass->lane_bits; j++)
            require(pass->read[j] == (uint64_t)1 << j, "lanes", text);
        require(spans_units(pass->read, pass->tile_bits, pass->lane_bits), "reads", text);
        require(spans_units(pass->write, pass->tile_bits, pass->write_lane_bits), "writes", text);
        require(spans_units(pass->read, pass->n, pass->n) && spans_units(pass->write, pass->n, pass->n),
                "bases", text);
        if (!pass->moves)
            require(memcmp(pass->read, pass->write, sizeof pass->read) == 0 && pass->write_origin == 0,
                    "it moves", text);
        for (size_t s = 0; s < pass->stage_count; s++) require_stage(&pass->stages[s], pass->tile_bits, text);
        stages += pass->stage_count;
    }
    require(stages == passes->stages, "the number of stages", text);
}

static void require_same_result(const riffle_program *program, riffle_type type, const program_passes *passes,
                                rng *r, const char *text) {
    const uint64_t count = (uint64_t)1 << riffle_program_bits(program);
    const size_t bytes = count * riffle_type_bytes(type);
    char *expected = malloc(bytes), *data = malloc(bytes);
    assert_true(expected != NULL && data != NULL);
    fill_elements(r, type, count, data);
    memcpy(expected, data, bytes);
    if (riffle_program_evaluate(program, type, expected) != RIFFLE_OK)
        fail_msg("%s: %s", text, riffle_error_detail());
    plain_passes(passes, type, data);
    if (memcmp(expected, data, bytes) != 0)
        fail_msg("%s of %s is not what it should be, seed %llu", text, riffle_type_string(type),
                 (unsigned long long)seed);
    free(expected);
    free(data);
}

/* Stages one by one, and nothing else but moves between them, of which no two are neighbours. */
static void require_paper(const program_passes *paper, const program_passes *fused, const char *text) {
    require(paper->count == fused->paper_passes && paper->stages == fused->operations,
            "the fused plan counts the paper's passes wrongly", text);
    for (size_t k = 0; k < paper->count; k++) {
        const program_pass *pass = &paper->passes[k];
        require(pass->stage_count == (pass->moves ? 0 : 1), "a pass is an operation or a BMMC", text);
        require(k == 0 || !pass->moves || !paper->passes[k - 1].moves, "bmmc after bmmc is one", text);
        for (unsigned t = 0; t < (pass->moves ? 0 : pass->stages->bits); t++)
            require(place_of(pass->read, pass->n, 0, pass->stages->direction[t]) == (uint64_t)1 << t,
                    "an operation is on neighbours", text);
    }
}

enum { MOST_MOVED = 1 << 24 }; /* elements, by all passes of the paper's way, in a test that takes no minutes */

static void check(const char *text, unsigned n, riffle_type type, const program_policy *policy, rng *r) {
    riffle_program *program = program_or_fail(text, NULL, n);
    program_passes passes, paper;
    if (program_compile(program, type, policy, &passes) != RIFFLE_OK ||
        paper_compile(program, type, policy, &paper) != RIFFLE_OK)
        fail_msg("%s: %s", text, riffle_error_detail());
    require_promises(&passes, policy, text);
    for (size_t k = 1; k < passes.count; k++) require(!passes.passes[k].moves, "a later pass moves", text);
    require_same_result(program, type, &passes, r, text);
    require_promises(&paper, policy, text);
    require_paper(&paper, &passes, text);
    if (paper.count << n <= MOST_MOVED) require_same_result(program, type, &paper, r, text);
    program_passes_free(&passes);
    program_passes_free(&paper);
    riffle_program_free(program);
}

static void random_programs_do_what_they_say(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(1500); round++) {
        const unsigned n = (unsigned)rng_below(&r, 10);
        const riffle_type type = (riffle_type)rng_below(&r, TYPES);
        const program_policy policy = {4 + (unsigned)rng_below(&r, 5), (unsigned)rng_below(&r, 2)};
        const program_policy wider = {8, (unsigned)rng_below(&r, 5)};
        char text[8192];
        random_text(&r, n, type, 6, sizeof text, text);
        check(text, n, type, policy.tile_bits >= policy.lane_bits + 4 ? &policy : &wider, &r);
    }
}

static void large_random_programs_do_what_they_say(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(6); round++) {
        const unsigned n = 15 + (unsigned)rng_below(&r, 6);
        char text[8192];
        random_text(&r, n, RIFFLE_TYPE_U32, 4, sizeof text, text);
        check(text, n, RIFFLE_TYPE_U32, &(program_policy){12, 3}, &r);
    }
}

/* ------------------------------------------------------ the paper's rewriting */

static program_normal normal_of(const char *text, unsigned n) {
    riffle_program *program = program_or_fail(text, NULL, n);
    program_normal normal;
    assert_int_equal(program_normalize(program, &normal), RIFFLE_OK);
    program_simplify(&normal, RIFFLE_TYPE_U32);
    riffle_program_free(program);
    return normal;
}

static void require_one_map(const char *text, unsigned n) {
    program_normal normal = normal_of(text, n);
    require(normal.count == 0, "it has stages", text);
    rng r = {seed};
    check(text, n, RIFFLE_TYPE_U32, &(program_policy){8, 2}, &r);
    program_normal_free(&normal);
}

/* bmmc after bmmc is one; parm m (bmmc) is one BMMC of one size more, whatever m; and so is parm m of two that differ by a
 * constant. */
static void affine_maps_become_one(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < 200; round++) {
        const unsigned n = 2 + (unsigned)rng_below(&r, 7), a = (unsigned)rng_below(&r, 1000),
                       b = (unsigned)rng_below(&r, 1000);
        const unsigned long long mask = 1 + rng_below(&r, ((uint64_t)1 << n) - 1);
        char text[256];
        snprintf(text, sizeof text, "random-affine:%u | random-affine:%u", a, b);
        require_one_map(text, n);
        snprintf(text, sizeof text, "parm %llu random-affine:%u | shuffle", mask, a);
        require_one_map(text, n);
        snprintf(text, sizeof text, "parm %llu random-affine:%u (random-affine:%u | reverse) | pair swap", mask,
                 a, a);
        require_one_map(text, n);
    }
}

/* parm m f = bmmc A^-1 . parm 2^(n-1) f . bmmc A with the paper's A: the same stages and the same map. */
static void parm_is_the_papers_rewriting(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < 200; round++) {
        const unsigned n = 2 + (unsigned)rng_below(&r, 7);
        const uint64_t mask = 1 + rng_below(&r, ((uint64_t)1 << n) - 1);
        const unsigned pivot = (unsigned)__builtin_ctzll(mask);
        char rows[512] = "", one[2048], two[4096], body[512];
        for (unsigned i = 0; i + 1 < n; i++)
            snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%llx,", 1ULL << (i < pivot ? i : i + 1));
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%llx", (unsigned long long)mask);
        random_text(&r, n - 1, RIFFLE_TYPE_U32, 3, sizeof body, body);
        snprintf(one, sizeof one, "parm %llu (%s)", (unsigned long long)mask, body);
        snprintf(two, sizeof two, "affine:%s | parm %llu (%s) | ~affine:%s", rows, 1ULL << (n - 1), body, rows);
        program_normal left = normal_of(one, n), right = normal_of(two, n);
        require(left.count == right.count && memcmp(&left.map, &right.map, sizeof left.map) == 0,
                "the maps differ", one);
        for (size_t k = 0; k < left.count; k++)
            require(memcmp(&left.stages[k], &right.stages[k], sizeof *left.stages) == 0, "the stages differ",
                    one);
        program_normal_free(&left);
        program_normal_free(&right);
    }
}

static void what_undoes_itself_goes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t stages;
    } cases[] = {
        {"pair xor | pair xor", 0},
        {"pair minmax | pair minmax", 1},
        {"pair butterfly | pair butterfly", 2},
        {"pair add | parm 1 (pair add)", 2},
        {"pair xor | parm 1 (pair xor) | pair xor", 1},    /* they commute */
        {"pair xor | parm 1 (pair minmax) | pair xor", 3}, /* these do not */
        {"parm 1 (pair xor) id | parm 1 id (pair xor) | parm 1 (pair xor) id", 1},
        {"parm 1 bits:1,0,2 id | parm 1 bits:1,0,2 id", 6}, /* swaps, in an order that is not seen through */
        {"reed-muller n | reed-muller n", 0},
        {"map negate | shuffle | map negate | ~shuffle", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_normal normal = normal_of(cases[k].text, 4);
        if (normal.count != cases[k].stages) fail_msg("%s: %zu stages", cases[k].text, normal.count);
        program_normal_free(&normal);
        rng r = {seed};
        check(cases[k].text, 4, RIFFLE_TYPE_U32, &(program_policy){6, 2}, &r);
    }
}

/* --------------------------------------------------------------------- passes */

static void known_programs_take_known_passes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned n;
        riffle_type type;
        program_policy policy;
        size_t stages, passes;
        unsigned bound;
        size_t paper;
    } cases[] = {
        {"id", 20, RIFFLE_TYPE_F32, {13, 3}, 0, 0, 0, 0},
        {"bit-reversal", 28, RIFFLE_TYPE_F32, {13, 3}, 0, 1, 1, 1},
        {"hadamard n", 13, RIFFLE_TYPE_F32, {13, 3}, 13, 1, 1, 26},
        {"hadamard n", 28, RIFFLE_TYPE_F32, {13, 3}, 28, 3, 3, 56},
        {"hadamard n", 24, RIFFLE_TYPE_F32, {14, 4}, 24, 2, 2, 48},
        {"sequency n", 28, RIFFLE_TYPE_F32, {14, 3}, 28, 3, 3, 56},
        {"fft n", 28, RIFFLE_TYPE_C64, {12, 2}, 28, 3, 3, 57},
        {"sort n", 13, RIFFLE_TYPE_U32, {13, 3}, 91, 1, 1, 182},
        /* Every other bit, and then those between: what commutes is done together. */
        {"zeta n | parm 3 (moebius (n-1))", 8, RIFFLE_TYPE_U32, {8, 3}, 15, 1, 1, 30},
        {"parm 1 (parm 1 (parm 1 (parm 1 (pair add)))) | pair add | parm 0x10 (parm 0x10 (parm 1 (parm 1 (pair "
         "add))))"
         " | parm 1 (pair add) | parm 1 (parm 1 (parm 1 (parm 1 (pair add))))",
         8,
         RIFFLE_TYPE_U32,
         {5, 1},
         5,
         1,
         1,
         11},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_program *program = program_or_fail(cases[k].text, NULL, cases[k].n);
        program_passes passes;
        assert_int_equal(program_compile(program, cases[k].type, &cases[k].policy, &passes), RIFFLE_OK);
        require_promises(&passes, &cases[k].policy, cases[k].text);
        if (passes.stages != cases[k].stages || passes.count != cases[k].passes ||
            passes.bound != cases[k].bound || passes.paper_passes != cases[k].paper)
            fail_msg("%s of 2^%u: %zu stages, %zu passes, bound %u, paper's way %zu", cases[k].text, cases[k].n,
                     passes.stages, passes.count, passes.bound, passes.paper_passes);
        program_passes_free(&passes);
        riffle_program_free(program);
    }
}

/* The time is printed and decides nothing: 5 ms are meant. */
static void many_stages_compile(void **state) {
    (void)state;
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    riffle_program *program = program_or_fail("sort n", NULL, 28); /* 406 stages */
    program_passes passes;
    assert_int_equal(program_compile(program, RIFFLE_TYPE_U32, &(program_policy){13, 3}, &passes), RIFFLE_OK);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    assert_int_equal(passes.stages, 406);
    assert_int_equal(passes.count, passes.bound);
    program_passes_free(&passes);
    riffle_program_free(program);
    const double seconds =
        (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) * 1e-9;
    print_message("sort of 2^28, 406 stages: %.2f ms\n", seconds * 1e3);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_do_what_they_say),
        cmocka_unit_test(large_random_programs_do_what_they_say),
        cmocka_unit_test(affine_maps_become_one),
        cmocka_unit_test(parm_is_the_papers_rewriting),
        cmocka_unit_test(what_undoes_itself_goes),
        cmocka_unit_test(known_programs_take_known_passes),
        cmocka_unit_test(many_stages_compile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
