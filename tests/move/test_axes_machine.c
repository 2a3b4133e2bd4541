/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations on the memory machine: whatever the shape, the order and the size of elements, all elements arrive,
 * each row of a box touches no more sectors than it lies in, and conflicts are few. riffle_simulate itself compares the
 * result with the definition.
 */
#include "support.h"

#include "machine/count/report.h"
#include "perm/perm.h"
#include "plan/algorithm.h"
#include "riffle/machine.h"

static uint64_t seed;

static unsigned rounds_of(unsigned usual) { return is_sanitized() ? usual / 20 + 1 : test_rounds(usual); }

enum { SPEC_BYTES = 256, MOST_ELEMENTS = 1 << 13 };

typedef struct run {
    char spec[SPEC_BYTES];
    uint64_t n;
    size_t elem_bytes;
    riffle_plan_options options;
    riffle_machine_options machine;
} run;

static void fail_run(const run *r, const char *what) {
    fail_msg("seed %llu: %s: %s, %zu bytes, %llu arrays %llu apart, width %u, block %u, shared %zu: %s",
             (unsigned long long)seed, what, r->spec, r->elem_bytes, (unsigned long long)r->options.batch,
             (unsigned long long)r->options.stride, r->machine.width, r->machine.block_threads,
             r->machine.shared_bytes, riffle_error_detail());
}

/* A shape of few or many axes, short and long ones, and any order. */
static void random_spec(rng *g, run *r) {
    unsigned order[8];
    const unsigned rank = 2 + (unsigned)rng_below(g, 5);
    int length = snprintf(r->spec, SPEC_BYTES, "axes:");
    r->n = 1;
    for (unsigned k = 0; k < rank; k++) {
        const uint64_t most = rng_below(g, 3) == 0 ? 300 : rng_below(g, 2) == 0 ? 40 : 6;
        uint64_t extent = 1 + rng_below(g, most);
        if (r->n * extent > MOST_ELEMENTS) extent = 1;
        r->n *= extent;
        length += snprintf(r->spec + length, SPEC_BYTES - (size_t)length, "%s%llu", k > 0 ? "x" : "",
                           (unsigned long long)extent);
        order[k] = k;
    }
    for (unsigned k = rank; k-- > 0;) {
        const uint64_t other = rng_below(g, k + 1);
        const unsigned here = order[k];
        order[k] = order[other], order[other] = here;
        length += snprintf(r->spec + length, SPEC_BYTES - (size_t)length, "%c%u", k + 1 == rank ? ':' : ',',
                           order[k]);
    }
}

static riffle_report *simulate(run *r) {
    riffle_report *report = NULL;
    riffle_perm *perm = parse_or_fail(r->spec, r->n);
    if (perm->axes.digits > 1) r->options.algorithm = RIFFLE_ALGORITHM_AXES; /* else it is the identity */
    if (riffle_simulate(perm, r->elem_bytes, &r->options, &r->machine, &report) != RIFFLE_OK)
        fail_run(r, "not simulated");
    if (report->hazards > 0) fail_run(r, report->hazard[0].text);
    riffle_perm_free(perm);
    return report;
}

/* ----------------------------------------------------------------- claims */

enum { SECTOR_BYTES = 32 };

typedef struct tally {
    uint64_t rows, sectors;
} tally;

/* A row of a box that begins at `from` on each axis: what it adds, nothing where the box ends before it. */
static void count_row(const box_schedule *s, const box_side *side, bool of_src, const uint64_t *from,
                      uint32_t number, tally *out) {
    int64_t start = of_src ? s->src_offset : s->dst_offset;
    uint64_t index[BOX_MAX_AXES] = {0}, length = side->inner;
    for (unsigned i = 0; i < side->digits; i++) {
        const unsigned k = side->digit_axis[i];
        const bool continues = i == 0 && side->chain > 0 && k == side->chain_axis[side->chain - 1];
        const uint32_t weight = continues ? side->outer : 1, steps = (s->axis[k].extent + weight - 1) / weight;
        index[k] = number % steps * weight;
        number /= steps;
        if (from[k] + index[k] >= s->axis[k].length) return;
    }
    if (side->chain > 0) {
        const unsigned last = side->chain_axis[side->chain - 1];
        uint64_t left = s->axis[last].extent - index[last],
                 rest = s->axis[last].length - from[last] - index[last];
        if (rest < left) left = rest;
        length *= left < side->outer ? left : side->outer;
    }
    for (unsigned k = 0; k < s->rank; k++)
        start += (int64_t)(from[k] + index[k]) * (of_src ? s->axis[k].src_stride : s->axis[k].dst_stride);
    const uint64_t first = (uint64_t)start * s->elem_bytes;
    out->rows++;
    out->sectors += (first + length * s->elem_bytes - 1) / SECTOR_BYTES - first / SECTOR_BYTES + 1;
}

/* The rows of all boxes and the sectors that each lies in. */
static tally count_side(const box_schedule *s, bool of_src) {
    const box_side *const side = of_src ? &s->src : &s->dst;
    tally out = {0};
    for (uint64_t box = 0; box < s->boxes; box++) {
        uint64_t from[BOX_MAX_AXES] = {0}, rest = box;
        for (unsigned i = 0; i < s->loops; i++) {
            const box_loop *const loop = &s->loop[i];
            from[loop->axis] += rest % loop->count * loop->weight * s->axis[loop->axis].extent;
            rest /= loop->count;
        }
        for (uint32_t row = 0; row < side->rows; row++) count_row(s, side, of_src, from, row, &out);
    }
    return out;
}

static uint64_t sectors_of(const riffle_report *report, report_op op) {
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].space == SPACE_GLOBAL && report->line[k].op == op) sum += report->line[k].requests;
    return sum;
}

/* Totals of all runs: sectors that rows lie in, those that were touched, wavefronts without and with conflicts; and the most
 * that a run takes of these, as a multiple. */
typedef struct totals {
    uint64_t lain, touched, ideal, taken;
    double worst;
} totals;

/* Where dst's rows begin with an axis that numbers src's rows, and it is long enough for all lanes, the pitch leaves no
 * two of them a bank. */
static void add_conflicts(const riffle_report *report, const box_schedule *boxes, totals *out) {
    uint64_t taken = 0, ideal = 0;
    if (boxes->src.digits == 0 || boxes->src.digit_axis[0] != 0 || boxes->axis[0].extent < 32) return;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_SHARED || line->op != OP_READ || line->cell_bytes != boxes->elem_bytes)
            continue;
        taken += line->requests, ideal += line->ideal_requests;
    }
    out->taken += taken, out->ideal += ideal;
    if (ideal > 0 && (double)taken / (double)ideal > out->worst) out->worst = (double)taken / (double)ideal;
}

static void add_run(const run *r, const riffle_report *report, totals *whole, totals *words) {
    strided_move move;
    box_schedule boxes;
    riffle_perm *perm = parse_or_fail(r->spec, r->n);
    strided_of_axes(&perm->axes, r->elem_bytes, &move);
    riffle_perm_free(perm);
    strided_choose_unit(&move, STRIDED_LONGEST_UNIT);
    const box_device limits = {report->options.shared_bytes, report->options.block_threads, 1};
    box_plan(&move, &limits, &boxes);
    totals *const out = boxes.way == BOX_WORDS ? words : whole;
    out->lain += count_side(&boxes, true).sectors + count_side(&boxes, false).sectors;
    out->touched += sectors_of(report, OP_READ) + sectors_of(report, OP_WRITE);
    add_conflicts(report, &boxes, out);
}

/* The machine pairs the accesses of lanes by how often each has been at a line: lanes that rested at a row's begin, or
 * wrote its elements one by one, are behind, and their next accesses count as others. */
static void check_claims(const totals *whole, const totals *words) {
    print_message("worst wavefronts %.3f, of words %.3f\n", whole->worst, words->worst);
    print_message("sectors %.3f, of words %.3f; wavefronts %.3f, of words %.3f\n",
                  (double)whole->touched / (double)whole->lain, (double)words->touched / (double)words->lain,
                  (double)whole->taken / (double)whole->ideal, (double)words->taken / (double)words->ideal);
    assert_true(whole->touched <= whole->lain + whole->lain / 20);
    assert_true(words->touched <= words->lain + words->lain * 3 / 20); /* ends of rows are written one by one */
    assert_true(whole->taken <= whole->ideal + whole->ideal * 3 / 20);
    assert_true(whole->worst <= 2 &&
                words->worst <= 5); /* 5 where rows begin at multiples of 16 bytes; below, others */
}

static void random_axes_arrive(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 16, 3, 6, 12, 40};
    rng g = {1}; /* always the same shapes: a few bad ones decide the sums */
    totals whole = {0}, words = {0};
    const unsigned rounds = is_sanitized() || test_is_long() ? rounds_of(1000) : 1000; /* sums over many */
    for (unsigned round = 0; round < rounds; round++) {
        run r = {.elem_bytes = sizes[rng_below(&g, 12)]};
        random_spec(&g, &r);
        riffle_report *report = simulate(&r);
        if (r.options.algorithm == RIFFLE_ALGORITHM_AXES) add_run(&r, report, &whole, &words);
        riffle_report_free(report);
    }
    if (!is_sanitized()) check_claims(&whole, &words);
}

/* The machine counts what explain tells, and explain tells a fifth less at most: at the ends of axes boxes have shorter
 * rows. */
static void the_traffic_is_as_predicted(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        size_t elem_bytes;
    } moves[] = {{"axes:100x101x102:2,1,0", 1030200, 4},
                 {"axes:64x3x1000:0,2,1", 192000, 4},
                 {"axes:7x100x5x3x40:1,3,0,4,2", 420000, 8},
                 {"axes:300x512:1,0", 153600, 16},
                 {"axes:251x257:1,0", 64507, 12}};
    for (unsigned k = 0; k < (is_sanitized() ? 2u : 5u); k++) {
        run r = {.n = moves[k].n, .elem_bytes = moves[k].elem_bytes};
        snprintf(r.spec, SPEC_BYTES, "%s", moves[k].spec);
        riffle_report *report = simulate(&r);
        const plan_target target = {.kind = TARGET_MACHINE,
                                    .width = 32,
                                    .shared_bytes = report->options.shared_bytes,
                                    .block_threads = report->options.block_threads,
                                    .multiprocessors = 1,
                                    .memory_bytes = UINT64_MAX};
        riffle_perm *perm = parse_or_fail(r.spec, r.n);
        plan_request request;
        assert_int_equal(plan_request_take(perm, r.elem_bytes, &target, &r.options, &request), RIFFLE_OK);
        const double told = algorithm_axes.traffic_as_planned(&request);
        const double counted =
            (double)(SECTOR_BYTES * (sectors_of(report, OP_READ) + sectors_of(report, OP_WRITE))) / (double)r.n;
        print_message("%s: %.2f bytes an element, %.2f told\n", r.spec, counted, told);
        if (counted > 1.2 * told || counted < 0.9 * told) fail_run(&r, "other traffic than predicted");
        plan_request_drop(&request);
        riffle_perm_free(perm);
        riffle_report_free(report);
    }
}

/* Rows that begin and end at multiples of 16 bytes on both sides go by words of so many bytes, and what is read of shared
 * memory to put them together has no conflicts, or few. */
static void even_rows_go_by_vectors(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
    } even[] = {
        {"axes:256x192:1,0", 256 * 192},
        {"axes:128x160:1,0", 128 * 160},
        {"axes:96x3x128:2,1,0", 96 * 3 * 128},
        {"axes:7x64x3x48:3,0,2,1", 7 * 64 * 3 * 48},
        {"axes:64x8x4x64:3,1,2,0", 64 * 8 * 4 * 64},
    };
    for (size_t k = 0; k < sizeof even / sizeof even[0]; k++) {
        run r = {.n = even[k].n, .elem_bytes = 4};
        snprintf(r.spec, SPEC_BYTES, "%s", even[k].spec);
        riffle_report *report = simulate(&r);
        uint64_t vectors = 0, others = 0, taken = 0, ideal = 0;
        for (size_t i = 0; i < report->lines; i++) {
            const report_line *const line = &report->line[i];
            if (line->space == SPACE_GLOBAL) *(line->cell_bytes == 16 ? &vectors : &others) += line->requests;
            if (line->space != SPACE_SHARED || line->op != OP_READ || line->cell_bytes != r.elem_bytes)
                continue;
            taken += line->requests, ideal += line->ideal_requests;
        }
        if (vectors == 0 || others > 0) fail_run(&r, "it does not go by vectors");
        if (taken > ideal + ideal / 8) fail_run(&r, "its reads conflict");
        riffle_report_free(report);
    }
}

/* Elements of 1 and 2 bytes whose rows begin anywhere: src is read in words of 16 bytes but for its ends, and the elements of dst's
 * words have no conflicts, or few. */
static void short_elements_go_by_words(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
    } odd[] = {
        {"axes:251x257:1,0", 251 * 257},
        {"axes:307x411:1,0", 307 * 411},
        {"axes:101x3x211:2,0,1", 101 * 3 * 211},
    };
    for (size_t k = 0; k < 2 * sizeof odd / sizeof odd[0]; k++) {
        run r = {.n = odd[k / 2].n, .elem_bytes = 1 + k % 2};
        snprintf(r.spec, SPEC_BYTES, "%s", odd[k / 2].spec);
        riffle_report *report = simulate(&r);
        uint64_t words = 0, others = 0, taken = 0, ideal = 0;
        for (size_t i = 0; i < report->lines; i++) {
            const report_line *const line = &report->line[i];
            if (line->space == SPACE_GLOBAL && line->op == OP_READ)
                *(line->cell_bytes == 16 ? &words : &others) += line->requests;
            if (line->space != SPACE_SHARED || line->op != OP_READ || line->cell_bytes != r.elem_bytes)
                continue;
            taken += line->requests, ideal += line->ideal_requests;
        }
        if (others * 20 > words) fail_run(&r, "src is not read in words");
        if (taken > 2 * ideal) fail_run(&r, "reads of elements conflict");
        riffle_report_free(report);
    }
}

/* Machines with little of everything, and batches. */
static void small_machines_move_as_well(void **state) {
    (void)state;
    rng g = {seed + 1};
    for (unsigned round = 0; round < rounds_of(200); round++) {
        run r = {.elem_bytes = (size_t)1 << rng_below(&g, 5)};
        random_spec(&g, &r);
        r.machine.width = 1u << rng_below(&g, 6);
        r.machine.block_threads = r.machine.width << rng_below(&g, 3);
        r.machine.shared_bytes = 256 + rng_below(&g, 4096);
        r.options.batch = 1 + rng_below(&g, 4);
        r.options.stride = rng_below(&g, 2) == 0 ? 0 : r.n + rng_below(&g, 20);
        riffle_report_free(simulate(&r));
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_axes_arrive),          cmocka_unit_test(the_traffic_is_as_predicted),
        cmocka_unit_test(even_rows_go_by_vectors),     cmocka_unit_test(short_elements_go_by_words),
        cmocka_unit_test(small_machines_move_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
