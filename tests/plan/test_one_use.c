/* SPDX-License-Identifier: Apache-2.0
 *
 * Explain's text about one use on a GPU: the call, its way and its parts; the copies, against what was measured on an H200
 * (docs/once.md); and nothing where there is no such call.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "perm/kind.h"
#include "plan/explain/how.h"
#include "plan/once/once.h"
#include "plan/plan.h"

static const plan_target h200 = {.kind = TARGET_CUDA,
                                 .name = "cuda",
                                 .width = 32,
                                 .shared_bytes = 227 << 10,
                                 .block_threads = 1024,
                                 .multiprocessors = 132,
                                 .capability = 90,
                                 .l2_bytes = 50 << 20,
                                 .memory_bytes = (uint64_t)141 << 30};

enum { TEXT_BYTES = 8192 };

static void explain(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                    const riffle_plan_options *options, char text[TEXT_BYTES]) {
    plan_request request;
    memset(text, 0, TEXT_BYTES);
    FILE *stream = fmemopen(text, TEXT_BYTES - 1, "w");
    assert_non_null(stream);
    assert_int_equal(plan_request_take_recognized(perm, elem_bytes, target, options, &request), RIFFLE_OK);
    assert_int_equal(plan_explain(&request, &(explain_how){.model = EXPLAIN_MACHINE}, stream), RIFFLE_OK);
    plan_request_drop(&request);
    fclose(stream);
}

static void expect(const riffle_perm *perm, size_t elem_bytes, const char *words) {
    const riffle_plan_options once = {.executions = 1};
    char text[TEXT_BYTES];
    explain(perm, elem_bytes, &h200, &once, text);
    if (strstr(text, words) == NULL) fail_msg("no '%s' in:\n%s", words, text);
}

static void expect_none(const char *by, uint64_t n, size_t elem_bytes, const plan_target *target,
                        const riffle_plan_options *options) {
    char text[TEXT_BYTES];
    riffle_perm *perm = parse_or_fail(by, n);
    explain(perm, elem_bytes, target, options, text);
    if (strstr(text, "one use") != NULL) fail_msg("%s: not expected in:\n%s", by, text);
    riffle_perm_free(perm);
}

static riffle_perm *table_of(uint64_t n) {
    riffle_perm *random = parse_or_fail("random:1", n), *table;
    uint64_t *entries = malloc(n * sizeof *entries);
    assert_non_null(entries);
    assert_int_equal(riffle_perm_map(random, 0, n, entries), RIFFLE_OK);
    assert_int_equal(riffle_perm_table_u64(n, entries, &table), RIFFLE_OK);
    free(entries);
    riffle_perm_free(random);
    return table;
}

static void the_call_its_way_and_its_parts(void **state) {
    (void)state;
    riffle_perm *shuffle = parse_or_fail("random:1", 1 << 28), *of_few = parse_or_fail("random:1", 1 << 16);
    expect(shuffle, 4,
           "one use      riffle_cuda_shuffle, sorting: sort 10, collect 10 bytes an element; about ");
    expect(of_few, 4, "one use      riffle_cuda_shuffle, plain: indices 4, gather 12 bytes an element; about ");
    riffle_perm *table = table_of(1 << 24);
    expect(table, 4, "one use      riffle_cuda_put, sorting: sort 14, collect 10 bytes an element; about ");
    table->table.inverted = true; /* as that of ~table:FILE is */
    expect(table, 4,
           "one use      riffle_cuda_take, sorting: sort 8, answer 10, collect 10 bytes an element; about ");
    riffle_perm_free(table);
    table = table_of(1 << 16);
    expect(table, 8, "one use      riffle_cuda_put, plain: scatter 20, marks 4 bytes an element; about ");
    table->table.inverted = true;
    expect(table, 8, "one use      riffle_cuda_take, plain: gather 20 bytes an element; about ");
    riffle_perm_free(table);
    riffle_perm_free(of_few);
    riffle_perm_free(shuffle);
}

/* docs/once.md: a shuffle of 2^28 floats 8.73 copies, by a plan as well, a gather along its map 13.20. */
static void the_copies_are_near_those_measured(void **state) {
    (void)state;
    static const struct {
        riffle_plan_options options;
        double copies;
    } plans[] = {{{.executions = 1}, 8.73}, {{.executions = 1, .algorithm = RIFFLE_ALGORITHM_GATHER}, 13.20}};
    for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++) {
        char text[TEXT_BYTES];
        double call = 0, plan = 0;
        riffle_perm *perm = parse_or_fail("random:1", 1 << 28);
        explain(perm, 4, &h200, &plans[k].options, text);
        const char *const about = strstr(strstr(text, "one use"), "about ");
        assert_int_equal(
            sscanf(about, "about %lf copies, and the plan's move %lf and its planning\n", &call, &plan), 2);
        if (fabs(call / 8.73 - 1) > 0.25 || fabs(plan / plans[k].copies - 1) > 0.25)
            fail_msg("%f and %f copies", call, plan);
        riffle_perm_free(perm);
    }
}

/* The text about the plan itself. */
static void the_plan(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("random:1", 1 << 28);
    expect(perm, 4, "algorithm    once, 2 passes");
    expect(perm, 4, "memory       about 0.0 bytes an element, and ");
    expect(perm, 4, "traffic      20 bytes an element, where a copy carries 8");
    riffle_perm_free(perm);
    perm = table_of(1 << 24);
    expect(perm, 4, "memory       about 4.0 bytes an element, and ");
    expect(perm, 4, "traffic      24 bytes an element, where a copy carries 8");
    riffle_perm_free(perm);
}

/* docs/once.md has the sums. */
static void parts_add_up(void **state) {
    (void)state;
    for (unsigned way = 0; way < 3; way++)
        for (size_t e = 1; e <= 16; e *= 2)
            for (size_t index_bytes = 4; index_bytes <= 8; index_bytes += 4) {
                const bool puts = way == 0, in_cache = way == 2;
                const once_request r = {.puts = puts, .n = 1 << 24, .m = 1 << 24, .elem_bytes = e};
                const once_shape s = {.sorts = true, .in_cache = in_cache};
                once_part parts[ONCE_MOST_PARTS];
                size_t sum = 0;
                const unsigned count = once_parts(&r, &s, index_bytes, parts);
                for (unsigned k = 0; k < count; k++) sum += parts[k].bytes;
                assert_int_equal(sum, index_bytes + (puts ? 4 : in_cache ? 12 : 8) + 4 * e);
            }
}

/* ------------------------------------------------------------------------ takes by indices of 4 bytes */

/* As CUDA describes one. */
static plan_target measured_on(void) {
    plan_target out = h200;
    out.l2_bytes = 60 << 20;
    return out;
}

/* The ways as they were measured on an H200, in microseconds, of as many elements as indices; 0: not measured. */
static void takes_go_the_way_that_was_measured_to_be_soonest(void **state) {
    (void)state;
    static const struct {
        unsigned bits;
        size_t elem_bytes;
        double plain, shared, cached;
    } cases[] = {
        {20, 4, 8.82, 0, 0},       {22, 4, 31.6, 83.0, 0},    {23, 4, 78.1, 127, 0},
        {24, 4, 268, 215, 269},    {26, 4, 1686, 818, 972},   {27, 4, 3601, 1880, 1917},
        {28, 4, 7439, 4187, 3814}, {28, 2, 7176, 3015, 3528}, {22, 8, 42.8, 101, 0},
        {23, 8, 146, 181, 0},      {24, 8, 385, 338, 355},    {25, 8, 872, 676, 659},
        {26, 8, 1849, 1387, 1259}, {27, 8, 3802, 3117, 2468}, {28, 8, 7713, 8688, 4971},
        {24, 16, 470, 658, 0},     {26, 16, 2022, 3348, 0},
    };
    const plan_target target = measured_on();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const once_request r = {.n = (uint64_t)1 << cases[k].bits,
                                .m = (uint64_t)1 << cases[k].bits,
                                .elem_bytes = cases[k].elem_bytes};
        const once_shape plain = once_cut(&r, &target, false), shared = once_cut_shared(&r, &target),
                         cached = once_cut_cached(&r, &target), chosen = once_choose(&r, &target);
        const struct {
            const once_shape *shape;
            double measured;
        } ways[] = {{&plain, cases[k].plain}, {&shared, cases[k].shared}, {&cached, cases[k].cached}};
        double least = 0, taken = 0;
        for (size_t way = 0; way < 3; way++) {
            const double measured = ways[way].measured;
            if (measured == 0) continue;
            const double expected = once_cost(&r, ways[way].shape, &target) * 1e-6;
            if (way != 1 && fabs(expected / measured - 1) > 0.15)
                fail_msg("2^%u of %zu bytes, way %zu: %f us", cases[k].bits, r.elem_bytes, way, expected);
            if (least == 0 || measured < least) least = measured;
            if (chosen.sorts == (way > 0) && chosen.in_cache == (way == 2)) taken = measured;
        }
        if (taken == 0 || taken > 1.04 * least)
            fail_msg("2^%u of %zu bytes: %f us, and %f can be had", cases[k].bits, r.elem_bytes, taken, least);
    }
}

/* As riffle/cuda.h promises, to 2^31 indices into one tile. */
static void a_take_needs_no_more_workspace_than_is_said(void **state) {
    (void)state;
    const plan_target target = measured_on();
    for (unsigned e = 0; e <= 4; e++)
        for (unsigned n = 0; n < 32; n++)
            for (unsigned m = 0; m < 32; m++) {
                const once_request r = {
                    .n = (uint64_t)1 << n, .m = (uint64_t)1 << m, .elem_bytes = (size_t)1 << e};
                const once_shape s = once_choose(&r, &target);
                const double most = (double)r.m * (6 + 2.4 * (double)r.elem_bytes) + (4 << 20);
                if ((double)s.at.bytes > most)
                    fail_msg("2^%u from 2^%u of %zu bytes: %zu bytes", m, n, r.elem_bytes, s.at.bytes);
            }
}

static void nothing_where_there_is_no_call(void **state) {
    (void)state;
    const riffle_plan_options once = {.executions = 1}, many = {0}, batch = {.executions = 1, .batch = 2},
                              scatter = {.executions = 1, .algorithm = RIFFLE_ALGORITHM_SCATTER};
    expect_none("random:1", 1 << 20, 4, &h200, &many);
    expect_none("random:1", 1 << 20, 4, &h200, &batch);
    expect_none("random:1", 1 << 20, 4, &h200, &scatter);
    expect_none("random:1", 1 << 20, 12, &h200, &once);
    expect_none("~random:1", 1 << 20, 4, &h200, &once);
    expect_none("bit-reversal", 1 << 20, 4, &h200, &once);
    expect_none("random:1", 0, 4, &h200, &once);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_call_its_way_and_its_parts),
        cmocka_unit_test(the_copies_are_near_those_measured),
        cmocka_unit_test(the_plan),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(takes_go_the_way_that_was_measured_to_be_soonest),
        cmocka_unit_test(a_take_needs_no_more_workspace_than_is_said),
        cmocka_unit_test(nothing_where_there_is_no_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
