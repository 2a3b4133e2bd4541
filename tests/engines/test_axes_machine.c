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

static void random_axes_arrive(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 16, 3, 6, 12, 40};
    rng g = {seed};
    for (unsigned round = 0; round < test_rounds(1000); round++) {
        run r = {.elem_bytes = sizes[rng_below(&g, 12)]};
        random_spec(&g, &r);
        riffle_report_free(simulate(&r));
    }
}

/* Machines with little of everything, and batches. */
static void small_machines_move_as_well(void **state) {
    (void)state;
    rng g = {seed + 1};
    for (unsigned round = 0; round < test_rounds(200); round++) {
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
        cmocka_unit_test(random_axes_arrive),
        cmocka_unit_test(small_machines_move_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
