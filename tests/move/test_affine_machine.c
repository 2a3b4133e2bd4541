/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations on the memory machine: whatever the permutation, the size of elements and the machine,
 * all elements arrive, memory is accessed by whole sectors, and shared memory without a conflict; in place and
 * in batches too. riffle_simulate itself compares the result with the definition.
 */
#include "affine_support.h"

#include "device_support.h"
#include "machine/runtime/machine.h"
#include "move/gpu/launch.h"
#include "plan/affine/involution.h"
#include "plan/choose/choose.h"
#include "plan/explain/how.h"
#include "plan/plan.h"
#include "riffle/machine.h"

static uint64_t seed;

enum { SECTOR_BYTES = 32 };

static unsigned rounds_of(unsigned usual) { return is_sanitized() ? usual / 20 + 1 : test_rounds(usual); }

/* -------------------------------------------------------------------- runs */

typedef struct run {
    const riffle_perm *perm;
    size_t elem_bytes;
    riffle_plan_options options;
    riffle_machine_options machine;
} run;

static void fail_run(const run *r, const char *what) {
    char spec[256];
    riffle_perm_print(r->perm, spec, sizeof spec, NULL);
    fail_msg(
        "seed %llu: %s: %s, n %llu, %zu bytes, %llu arrays %llu apart%s, width %u, block %u, shared %zu: %s",
        (unsigned long long)seed, what, spec, (unsigned long long)riffle_perm_length(r->perm), r->elem_bytes,
        (unsigned long long)r->options.batch, (unsigned long long)r->options.stride,
        r->options.in_place ? ", in place" : "", r->machine.width, r->machine.block_threads,
        r->machine.shared_bytes, riffle_error_detail());
}

static riffle_report *simulate(const run *r) {
    riffle_report *report = NULL;
    if (riffle_simulate(r->perm, r->elem_bytes, &r->options, &r->machine, &report) != RIFFLE_OK)
        fail_run(r, "not simulated");
    if (report->hazards > 0) fail_run(r, report->hazard[0].text);
    return report;
}

/* Arrays that begin within a sector cannot be moved by whole ones. */
static bool begins_with_sectors(const run *r) {
    const size_t array = riffle_perm_length(r->perm) * r->elem_bytes, step = r->options.stride * r->elem_bytes;
    return r->options.stride == 0 || step % (array < SECTOR_BYTES ? array : SECTOR_BYTES) == 0;
}

static void check_lines(const run *r, const riffle_report *report) {
    const bool whole = begins_with_sectors(r);
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        const bool is_shared = line->space == SPACE_SHARED;
        if (is_shared && line->casual_rounds != 0) fail_run(r, "lanes met in a bank");
        if (is_shared && line->requests != line->ideal_requests) fail_run(r, "words met in a hardware bank");
        if (!is_shared && whole && line->requests != line->ideal_requests) fail_run(r, "sectors in part");
    }
}

static unsigned launches(const riffle_report *report) {
    unsigned count = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].launch >= count) count = report->line[k].launch + 1;
    return count;
}

/* A run by AFFINE; returns the number of its launches. */
static unsigned check_run(run r) {
    r.options.algorithm = RIFFLE_ALGORITHM_AFFINE;
    riffle_report *report = simulate(&r);
    if (strcmp(report->algorithm, "affine") != 0) fail_run(&r, "another algorithm");
    check_lines(&r, report);
    const unsigned count = launches(report);
    riffle_report_free(report);
    return count;
}

/* ------------------------------------------------------------------- cases */

/* All of them large enough for sectors of bytes in one tile of a pair, half of the shared memory. */
static const riffle_machine_options MACHINES[] = {
    {0},
    {.width = 4},
    {.width = 8, .block_threads = 64},
    {.width = 16, .shared_bytes = 8 << 10},
    {.width = 32, .block_threads = 32},
    {.width = 32, .block_threads = 256, .shared_bytes = 2 << 10},
    {.width = 4, .block_threads = 8, .shared_bytes = 1000 + (2 << 10)},
};
enum { MACHINE_COUNT = sizeof MACHINES / sizeof MACHINES[0] };

static riffle_machine_options random_machine(rng *r) { return MACHINES[rng_below(r, MACHINE_COUNT)]; }

static size_t random_elem_bytes(rng *r) { return (size_t)1 << rng_below(r, 6); }

/* From 0 to 14, the less the more often. */
static unsigned random_bits_count(rng *r) {
    const uint64_t a = rng_below(r, 15), b = rng_below(r, 15);
    return (unsigned)(a < b ? a : b);
}

static perm_affine random_case(rng *r, unsigned m) {
    return rng_below(r, 2) == 0 ? random_bits(r, m) : random_affine(r, m);
}

static void named_permutations_meet_no_conflict(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned m = 0; m <= (is_sanitized() ? 9 : 14); m += is_sanitized() ? 3 : 1) {
        for (unsigned k = 0; k < NAMED_SPECS; k++) {
            char spec[SPEC_BYTES];
            name_spec(k, m, spec);
            riffle_perm *perm = parse_or_fail(spec, (uint64_t)1 << m);
            for (unsigned e = 0; e < 6; e++)
                check_run((run){.perm = perm, .elem_bytes = (size_t)1 << e, .machine = random_machine(&r)});
            riffle_perm_free(perm);
        }
    }
}

static void random_permutations_meet_no_conflict(void **state) {
    (void)state;
    rng r = {seed + 1};
    for (unsigned round = 0; round < rounds_of(1000); round++) {
        const perm_affine p = random_case(&r, random_bits_count(&r));
        riffle_perm *perm = perm_of(&p);
        const run one = {.perm = perm, .elem_bytes = random_elem_bytes(&r), .machine = random_machine(&r)};
        const unsigned count = check_run(one);
        if (count != 1) fail_run(&one, "not one pass");
        riffle_perm_free(perm);
    }
}

/* Machines with little of everything, with warps of one or two lanes too: no claim but that all arrives and
 * nothing is touched that should not be. */
static void small_machines_move_as_well(void **state) {
    (void)state;
    rng r = {seed + 2};
    for (unsigned round = 0; round < rounds_of(200); round++) {
        const unsigned m = random_bits_count(&r);
        const bool in_place = round % 2 == 0;
        const perm_affine p = in_place ? random_involution(&r, m) : random_case(&r, m);
        riffle_perm *perm = perm_of(&p);
        run one = {.perm = perm, .elem_bytes = random_elem_bytes(&r)};
        one.machine.width = 1u << rng_below(&r, 6);
        one.machine.block_threads = one.machine.width << rng_below(&r, 2);
        one.machine.shared_bytes = 64 + rng_below(&r, 512);
        one.options = (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = in_place};
        riffle_report_free(simulate(&one));
        riffle_perm_free(perm);
    }
}

/* The models' own claim, for accesses of 16 bytes by a warp of 32: address groups of 512 bytes. */
static void long_arrays_are_moved_by_whole_address_groups(void **state) {
    (void)state;
    rng r = {seed + 3};
    for (unsigned round = 0; round < rounds_of(12); round++) {
        const size_t elem_bytes = (size_t)4 << round % 4;
        const unsigned m = is_sanitized() ? 16 : 16 + (unsigned)rng_below(&r, 2);
        const perm_affine p = random_case(&r, m);
        riffle_perm *perm = perm_of(&p);
        const run one = {.perm = perm, .elem_bytes = elem_bytes, .options.algorithm = RIFFLE_ALGORITHM_AFFINE};
        riffle_report *report = simulate(&one);
        check_lines(&one, report);
        if (riffle_report_casual_rounds(report) != 0) fail_run(&one, "a casual round");
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* ---------------------------------------------------------------- in place */

static bool is_identity(const perm_affine *p) {
    bool same = p->c == 0;
    for (unsigned j = 0; j < p->a.m; j++) same &= p->a.column[j] == (uint64_t)1 << j;
    return same;
}

static plan_target target_of(const riffle_machine_options *options) {
    return (plan_target){.kind = TARGET_MACHINE,
                         .name = "machine",
                         .width = options->width > 0 ? options->width : 32,
                         .shared_bytes = options->shared_bytes > 0 ? options->shared_bytes : 227 << 10,
                         .block_threads = options->block_threads > 0 ? options->block_threads : 1024,
                         .multiprocessors = 1,
                         .memory_bytes = UINT64_MAX};
}

static riffle_plan *plan_or_fail(const run *r) {
    riffle_plan *plan = NULL;
    plan_request request;
    const plan_target target = target_of(&r->machine);
    if (plan_request_take(r->perm, r->elem_bytes, &target, &r->options, &request) != RIFFLE_OK ||
        plan_build(&request, &plan) != RIFFLE_OK)
        fail_run(r, "not planned");
    plan_request_drop(&request);
    return plan;
}

/* Returns the number of passes, `most` at most. */
static unsigned check_in_place(const perm_affine *p, size_t elem_bytes, riffle_machine_options options,
                               unsigned most) {
    riffle_perm *perm = perm_of(p);
    run one = {.perm = perm, .elem_bytes = elem_bytes, .machine = options, .options.in_place = true};
    riffle_plan *plan = plan_or_fail(&one);
    const unsigned passes = riffle_plan_passes(plan);
    if (passes > most || (passes == 0) != is_identity(p)) fail_run(&one, "another number of passes");
    if (riffle_plan_workspace_bytes(plan) != 0) fail_run(&one, "a second array");
    riffle_plan_free(plan);
    if (check_run(one) != passes) fail_run(&one, "another number of launches");
    riffle_perm_free(perm);
    return passes;
}

static void involutions_take_one_pass_in_place(void **state) {
    (void)state;
    rng r = {seed + 4};
    for (unsigned round = 0; round < rounds_of(400); round++) {
        const perm_affine p = random_involution(&r, random_bits_count(&r));
        check_in_place(&p, random_elem_bytes(&r), random_machine(&r), 1);
    }
    for (unsigned m = 0; m <= 12; m += 3) {
        for (unsigned k = 0; k < NAMED_INVOLUTIONS; k++) {
            char spec[SPEC_BYTES];
            name_spec(k, m, spec);
            const perm_affine p = named_affine(spec, m);
            check_in_place(&p, random_elem_bytes(&r), random_machine(&r), 1);
        }
    }
}

static void bit_permutations_take_two_passes_in_place(void **state) {
    (void)state;
    rng r = {seed + 5};
    for (unsigned round = 0; round < rounds_of(300); round++) {
        const perm_affine p = random_bits(&r, random_bits_count(&r));
        check_in_place(&p, random_elem_bytes(&r), random_machine(&r), 2);
    }
    const perm_affine cycle = named_affine("shuffle", 16);
    assert_int_equal(check_in_place(&cycle, 4, (riffle_machine_options){0}, 2), 2);
}

/* Two as a rule; three where tiles are small or A has many parts. */
static void any_affine_permutation_takes_three_passes_in_place(void **state) {
    (void)state;
    rng r = {seed + 8};
    for (unsigned round = 0; round < rounds_of(400); round++) {
        const perm_affine p = random_affine(&r, random_bits_count(&r));
        check_in_place(&p, random_elem_bytes(&r), random_machine(&r), 3);
    }
    unsigned most = 0; /* some are an involution on tiles */
    for (unsigned m = 15; m <= (is_sanitized() ? 15 : 18); m++) {
        const perm_affine p = random_affine(&r, m);
        const unsigned passes = check_in_place(&p, 4, (riffle_machine_options){0}, 3);
        if (passes > most) most = passes;
    }
    assert_true(is_sanitized() || most > 1);
}

/* Permutations that act within a tile, whatever they are. */
static void low_bits_take_one_pass_in_place(void **state) {
    (void)state;
    rng r = {seed + 9};
    for (unsigned round = 0; round < rounds_of(50); round++) {
        const perm_affine low = random_affine(&r, 10);
        perm_affine p = {.a = gf2_identity(14), .c = low.c};
        memcpy(p.a.column, low.a.column, 10 * sizeof *p.a.column);
        check_in_place(&p, (size_t)1 << rng_below(&r, 5), (riffle_machine_options){0}, 1);
    }
}

/* -------------------------------------------------------- only what moves */

static uint64_t requests_of(const riffle_report *report, report_op op) {
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].space == SPACE_GLOBAL && report->line[k].op == op) sum += report->line[k].requests;
    return sum;
}

/* Sectors of which an element goes elsewhere. */
static uint64_t sectors_that_move(const perm_affine *p, size_t elem_bytes) {
    const uint64_t together = elem_bytes < SECTOR_BYTES ? SECTOR_BYTES / elem_bytes : 1;
    const uint64_t each = elem_bytes < SECTOR_BYTES ? 1 : elem_bytes / SECTOR_BYTES;
    uint64_t count = 0;
    for (uint64_t x = 0; x >> p->a.m == 0; x += together) {
        bool moves = false;
        for (uint64_t k = 0; k < together; k++) moves |= affine_at(p, x + k) != x + k;
        count += moves ? each : 0;
    }
    return count;
}

/* An involution of the bits from `low` on, an exchange of two of them every second time. */
static perm_affine random_above(rng *r, unsigned m, unsigned low) {
    perm_affine above = random_involution(r, m - low), p = {.a = gf2_identity(m)};
    if (rng_below(r, 2) == 0) {
        const unsigned i = (unsigned)rng_below(r, m - low), j = (unsigned)rng_below(r, m - low);
        above = (perm_affine){.a = gf2_identity(m - low)};
        above.a.column[i] = (uint64_t)1 << j;
        above.a.column[j] = (uint64_t)1 << i;
    }
    for (unsigned j = low; j < m; j++) p.a.column[j] = above.a.column[j - low] << low;
    p.c = above.c << low;
    return p;
}

static void only_what_moves_is_touched(void **state) {
    (void)state;
    rng r = {seed + 10};
    unsigned in_part = 0;
    for (unsigned round = 0; round < rounds_of(200) || (in_part == 0 && round < 1000); round++) {
        const unsigned e = (unsigned)rng_below(&r, 6), m = 15 - e;
        const perm_affine p = random_above(&r, m, e < 7 ? 7 - e : 0); /* segments of 128 bytes */
        if (is_identity(&p)) continue;
        riffle_perm *perm = perm_of(&p);
        const run one = {.perm = perm,
                         .elem_bytes = (size_t)1 << e,
                         .options = {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}};
        riffle_report *report = simulate(&one);
        check_lines(&one, report);
        const uint64_t moving = sectors_that_move(&p, one.elem_bytes),
                       all = (one.elem_bytes << m) / SECTOR_BYTES;
        const bool exchanges = strcmp(report->line[0].kernel, "affine_exchange") == 0;
        const uint64_t expected = exchanges ? moving : all;
        if (requests_of(report, OP_READ) != expected || requests_of(report, OP_WRITE) != expected)
            fail_run(&one, "other sectors than those that move");
        if (!exchanges && 4 * moving < 3 * all) fail_run(&one, "what stays is carried");
        in_part += exchanges && moving < all;
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
    assert_true(in_part > 0);
}

/* ----------------------------------------------------------------- batches */

static void batches_are_moved_in_one_launch(void **state) {
    (void)state;
    rng r = {seed + 6};
    for (unsigned round = 0; round < rounds_of(300); round++) {
        const bool in_place = rng_below(&r, 2) == 0;
        const unsigned m = random_bits_count(&r);
        const perm_affine p = in_place ? random_involution(&r, m) : random_case(&r, m);
        if (in_place && is_identity(&p)) continue;
        riffle_perm *perm = perm_of(&p);
        run one = {.perm = perm, .elem_bytes = random_elem_bytes(&r), .machine = random_machine(&r)};
        one.options.in_place = in_place;
        one.options.batch = 1 + rng_below(&r, 5);
        if (rng_below(&r, 2) == 0)
            one.options.stride = riffle_perm_length(perm) + (rng_below(&r, 20) << rng_below(&r, 6));
        if (check_run(one) != 1) fail_run(&one, "not one launch");
        riffle_perm_free(perm);
    }
}

/* The plan's passes on a machine, as riffle_simulate runs them, with buffers that the test has filled. */
static void run_passes(const riffle_plan *plan, machine *m, void *dst, const void *src) {
    const plan_target *const target = &plan->request.target;
    const launch_limits limits = {.width = target->width,
                                  .block_threads = target->block_threads,
                                  .shared_bytes = target->shared_bytes,
                                  .moves = 1,
                                  .access_bytes = launch_access_bytes(dst, src)};
    for (unsigned k = 0; k < riffle_plan_passes(plan); k++) {
        const pass *p = &plan->passes[k];
        launch_list list;
        launch_list_begin(&list);
        launch_between(launch_of_pass(p, &limits, (const void *[LAUNCH_MAX_ARRAYS]){NULL}, &list), dst,
                       p->from == BUFFER_SRC ? src : dst);
        run_list_or_fail(m, &list);
    }
}

/* Every byte that belongs to no array of the batch is as it was. */
static bool gaps_are_as_before(const run *r, const unsigned char *before, const unsigned char *after) {
    const size_t array = riffle_perm_length(r->perm) * r->elem_bytes, step = r->options.stride * r->elem_bytes;
    for (uint64_t k = 0; k + 1 < r->options.batch; k++)
        if (memcmp(before + k * step + array, after + k * step + array, step - array) != 0) return false;
    return true;
}

static void *filled_buffer(machine *m, rng *r, size_t bytes) {
    void *buffer = NULL;
    assert_int_equal(machine_buffer(m, "array", bytes, &buffer), RIFFLE_OK);
    fill_random(r, buffer, bytes);
    machine_written(m, buffer, bytes);
    return buffer;
}

static void check_gaps(rng *r, const run *one) {
    riffle_plan *plan = plan_or_fail(one);
    machine *m = NULL;
    assert_int_equal(machine_create(&one->machine, &m), RIFFLE_OK);
    const size_t bytes = plan->request.span_bytes;
    void *dst = filled_buffer(m, r, bytes), *src = one->options.in_place ? dst : filled_buffer(m, r, bytes);
    unsigned char *dst_before = malloc(bytes), *src_before = malloc(bytes);
    assert_true(dst_before != NULL && src_before != NULL);
    memcpy(dst_before, dst, bytes);
    memcpy(src_before, src, bytes);
    run_passes(plan, m, dst, src);
    if (machine_report(m)->hazards > 0) fail_run(one, machine_report(m)->hazard[0].text);
    if (!gaps_are_as_before(one, dst_before, dst)) fail_run(one, "something between the arrays was written");
    if (!one->options.in_place && memcmp(src, src_before, bytes) != 0) fail_run(one, "src was written");
    for (uint64_t k = 0; k < one->options.batch; k++) {
        const size_t at = k * one->options.stride * one->elem_bytes;
        if (!is_moved(one->perm, (char *)dst + at, src_before + at, one->elem_bytes))
            fail_run(one, "not moved");
    }
    free(src_before);
    free(dst_before);
    machine_free(m);
    riffle_plan_free(plan);
}

static void what_lies_between_arrays_stays(void **state) {
    (void)state;
    rng r = {seed + 7};
    for (unsigned round = 0; round < rounds_of(200); round++) {
        const unsigned m = random_bits_count(&r);
        const perm_affine p = random_bits(&r, m);
        riffle_perm *perm = perm_of(&p);
        run one = {.perm = perm, .elem_bytes = random_elem_bytes(&r)};
        one.options =
            (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AFFINE, .batch = 1 + rng_below(&r, 5)};
        one.options.in_place = rng_below(&r, 2) == 0 && !is_identity(&p);
        one.options.stride = riffle_perm_length(perm) + rng_below(&r, 40);
        check_gaps(&r, &one);
        riffle_perm_free(perm);
    }
}

/* -------------------------------------------------------------- recognized */

static riffle_perm *hidden(const char *spec, uint64_t n) {
    riffle_perm *perm = parse_or_fail(spec, n), *table = NULL;
    uint64_t *values = malloc(n * sizeof *values);
    assert_non_null(values);
    assert_int_equal(riffle_perm_map(perm, 0, n, values), RIFFLE_OK);
    assert_int_equal(riffle_perm_table_u64(n, values, &table), RIFFLE_OK);
    free(values);
    riffle_perm_free(perm);
    return table;
}

static void expect_words(const char *text, const char *words) {
    if (strstr(text, words) == NULL) fail_msg("'%s' lacks '%s'", text, words);
}

static void check_explained(const run *r) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    riffle_plan *plan = plan_or_fail(r);
    assert_int_equal(plan_explain(&plan->request, &(explain_how){.model = EXPLAIN_MACHINE}, stream), RIFFLE_OK);
    expect_words(text, "algorithm    affine, 1 pass");
    expect_words(text, "one pass, coalesced on both sides");
    rewind(stream);
    assert_int_equal(riffle_plan_explain(plan, stream), RIFFLE_OK);
    expect_words(text, "algorithm    affine, 1 pass");
    expect_words(text, "affine_tile, src to dst");
    fclose(stream);
    free(text);
    riffle_plan_free(plan);
}

/* An explanation says what is left alone. */
static void what_stays_is_explained(void **state) {
    (void)state;
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    riffle_perm *perm = parse_or_fail("bits:0,1,2,3,4,5,6,7,8,9,14,11,12,13,10,15", 1 << 16);
    const run one = {.perm = perm, .elem_bytes = 4, .options.in_place = true};
    riffle_plan *plan = plan_or_fail(&one);
    assert_int_equal(riffle_plan_explain(plan, stream), RIFFLE_OK);
    fclose(stream);
    expect_words(text, "algorithm    affine, 1 pass, in place");
    expect_words(text, "traffic      4 bytes an element, where a copy carries 8");
    expect_words(text, "affine_exchange, dst to dst");
    expect_words(text, "0.5 of the array is left alone");
    free(text);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

/* Tables that auto sees through. */
static void tables_are_recognized(void **state) {
    (void)state;
    static const char *const specs[] = {"bit-reversal", "shuffle", "random-affine:8", "transpose:16x64",
                                        "bits:3,1,2,0,4,9,8,7,6,5"};
    for (unsigned k = 0; k < sizeof specs / sizeof specs[0]; k++) {
        riffle_perm *perm = hidden(specs[k], 1024);
        const run one = {.perm = perm, .elem_bytes = (size_t)1 << k};
        riffle_report *report = simulate(&one);
        if (strcmp(report->algorithm, "affine") != 0) fail_run(&one, report->algorithm);
        check_lines(&one, report);
        check_explained(&one);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* ---------------------------------------------------------------- refusals */

static void expect_refusal(const char *spec, uint64_t n, size_t elem_bytes, riffle_plan_options options,
                           const char *words) {
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_report *report = NULL;
    if (riffle_simulate(perm, elem_bytes, &options, NULL, &report) != RIFFLE_ERROR_UNSUPPORTED)
        fail_msg("%s was not refused", spec);
    expect_words(riffle_error_detail(), words);
    assert_null(report);
    riffle_perm_free(perm);
}

static void what_cannot_be_done_is_refused(void **state) {
    (void)state;
    const riffle_plan_options affine = {.algorithm = RIFFLE_ALGORITHM_AFFINE};
    const riffle_plan_options in_place = {.in_place = true};
    const riffle_plan_options gather_in_place = {.algorithm = RIFFLE_ALGORITHM_GATHER, .in_place = true};
    expect_refusal("random:1", 1024, 4, affine, "only affine permutations of 2^m elements");
    expect_refusal("reverse", 1000, 4, affine, "only affine permutations of 2^m elements");
    expect_refusal("bit-reversal", 1024, 12, affine, "a power of two of bytes");
    expect_refusal("random:3", 1024, 4, in_place, "no affine permutation of 2^m elements");
    expect_refusal("rotate:1", 1024, 4, in_place, "no affine permutation of 2^m elements");
    expect_refusal("bit-reversal", 1024, 3, in_place, "a power of two of bytes");
    expect_refusal("bit-reversal", 1024, 4, gather_in_place, "in place: only affine");
}

/* Blocks of one thread, and of more than a table has room for. */
static void extreme_blocks_move_as_well(void **state) {
    (void)state;
    const struct {
        uint64_t n;
        riffle_plan_options plan;
        riffle_machine_options machine;
    } cases[] = {
        {4096, {.algorithm = RIFFLE_ALGORITHM_AFFINE}, {.width = 1, .block_threads = 1}},
        {4096, {.algorithm = RIFFLE_ALGORITHM_AFFINE}, {.width = 4, .block_threads = 4}},
        {65536, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .batch = 2, .stride = 65537}, {.block_threads = 2048}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm;
        riffle_report *report;
        assert_int_equal(riffle_perm_random_affine(cases[k].n, 1, &perm), RIFFLE_OK);
        if (riffle_simulate(perm, 1, &cases[k].plan, &cases[k].machine, &report) != RIFFLE_OK)
            fail_msg("case %zu: %s", k, riffle_error_detail());
        assert_int_equal(riffle_report_hazards(report), 0);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_permutations_meet_no_conflict),
        cmocka_unit_test(random_permutations_meet_no_conflict),
        cmocka_unit_test(small_machines_move_as_well),
        cmocka_unit_test(extreme_blocks_move_as_well),
        cmocka_unit_test(long_arrays_are_moved_by_whole_address_groups),
        cmocka_unit_test(involutions_take_one_pass_in_place),
        cmocka_unit_test(bit_permutations_take_two_passes_in_place),
        cmocka_unit_test(any_affine_permutation_takes_three_passes_in_place),
        cmocka_unit_test(low_bits_take_one_pass_in_place),
        cmocka_unit_test(only_what_moves_is_touched),
        cmocka_unit_test(batches_are_moved_in_one_launch),
        cmocka_unit_test(what_lies_between_arrays_stays),
        cmocka_unit_test(tables_are_recognized),
        cmocka_unit_test(what_stays_is_explained),
        cmocka_unit_test(what_cannot_be_done_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
