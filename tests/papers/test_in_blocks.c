/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMM paper's moves in shared memory, on the machine: Table I, the congestion, and the time as the paper has it, for random
 * permutations, lengths and machines; and what is refused.
 */
#include "support.h"

#include "machine/count/report.h"
#include "riffle/papers.h"

static uint64_t seed;

static const riffle_algorithm ALGORITHMS_OF_BLOCKS[] = {
    RIFFLE_ALGORITHM_COPY, RIFFLE_ALGORITHM_SCATTER, RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_CONFLICT_FREE};

/* Stages of warps that access cells in the order of a table: of each the most cells in a bank. */
static uint64_t congestion(const riffle_perm *perm, unsigned width) {
    const uint64_t n = riffle_perm_length(perm);
    uint64_t sum = 0;
    for (uint64_t first = 0; first < n; first += width) {
        unsigned in_bank[32] = {0}, most = 0;
        for (uint64_t i = first; i < first + width && i < n; i++) {
            const unsigned bank = (unsigned)(riffle_perm_at(perm, i) % width);
            if (++in_bank[bank] > most) most = in_bank[bank];
        }
        sum += most;
    }
    return sum;
}

/* The move's stages in a block. */
static uint64_t stages_of(const riffle_perm *perm, riffle_algorithm algorithm, unsigned width) {
    const uint64_t n = riffle_perm_length(perm), warps = (n + width - 1) / width;
    riffle_perm *inverse;
    assert_int_equal(riffle_perm_invert(perm, &inverse), RIFFLE_OK);
    const uint64_t scattered = congestion(perm, width), gathered = congestion(inverse, width);
    riffle_perm_free(inverse);
    return algorithm == RIFFLE_ALGORITHM_COPY      ? 2 * warps
           : algorithm == RIFFLE_ALGORITHM_SCATTER ? 2 * warps + scattered
           : algorithm == RIFFLE_ALGORITHM_GATHER  ? 2 * warps + gathered
                                                   : 4 * warps;
}

static uint64_t reads_an_element(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_COPY ? 1 : algorithm == RIFFLE_ALGORITHM_CONFLICT_FREE ? 3 : 2;
}

static void check_counts(const riffle_perm *perm, riffle_algorithm algorithm, unsigned blocks,
                         const riffle_machine_options *m, const riffle_report *report) {
    const report_in_block *const b = &report->in_block;
    const uint64_t n = riffle_perm_length(perm), cells = (n + m->width - 1) / m->width * m->width,
                   moves = algorithm == RIFFLE_ALGORITHM_CONFLICT_FREE ? cells : n;
    assert_int_equal(b->blocks, blocks);
    assert_int_equal(b->reads, blocks * reads_an_element(algorithm) * moves);
    assert_int_equal(b->writes, blocks * moves);
    assert_int_equal(b->stages, blocks * stages_of(perm, algorithm, m->width));
    assert_int_equal(b->time_units, b->predicted_time_units);
    assert_int_equal(riffle_report_time_units(report), riffle_report_predicted_time_units(report));
    if (cells > m->block_threads || m->dmms > 1) return;
    const unsigned rounds = algorithm == RIFFLE_ALGORITHM_COPY            ? 2
                            : algorithm == RIFFLE_ALGORITHM_CONFLICT_FREE ? 4
                                                                          : 3;
    assert_int_equal(b->time_units, b->stages + (uint64_t)rounds * (m->shared_latency - 1));
}

static void every_move_is_counted_as_the_paper_has_it(void **state) {
    (void)state;
    static const unsigned widths[] = {4, 8, 16, 32}, dmms[] = {1, 1, 3};
    static const char *const specs[] = {"identity", "random:%llu", "bit-reversal", "shuffle"};
    rng r = {seed};
    const unsigned cases = is_sanitized() ? 4 : test_rounds(20);
    for (unsigned k = 0; k < cases; k++) {
        const unsigned kind = (unsigned)(rng_next(&r) % 4), blocks = 1 + (unsigned)(rng_next(&r) % 5);
        const uint64_t n = kind < 2 ? 1 + rng_next(&r) % 1200 : (uint64_t)1 << (2 + rng_next(&r) % 9);
        const riffle_algorithm algorithm = ALGORITHMS_OF_BLOCKS[rng_next(&r) % 4];
        riffle_machine_options m = {.width = widths[rng_next(&r) % 4], .dmms = dmms[rng_next(&r) % 3]};
        m.latency = 1 + (unsigned)(rng_next(&r) % 400);
        m.shared_latency = 1 + (unsigned)(rng_next(&r) % 9);
        m.block_threads = m.width << rng_next(&r) % 6;
        char spec[64];
        riffle_perm *perm;
        riffle_report *report;
        snprintf(spec, sizeof spec, specs[kind], (unsigned long long)rng_next(&r));
        assert_int_equal(riffle_perm_parse(spec, n, &perm), RIFFLE_OK);
        print_message("seed %llu: %s of %llu, %s, width %u\n", (unsigned long long)seed, spec,
                      (unsigned long long)n, riffle_algorithm_string(algorithm), m.width);
        const riffle_status status =
            riffle_simulate_in_blocks(perm, (size_t)4 << rng_next(&r) % 2, algorithm, blocks, &m, &report);
        if (status != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
        check_counts(perm, algorithm, blocks, &m, report);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

static void refused(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm, unsigned blocks,
                    const riffle_machine_options *machine, const char *word) {
    riffle_report *report;
    assert_int_not_equal(riffle_simulate_in_blocks(perm, elem_bytes, algorithm, blocks, machine, &report),
                         RIFFLE_OK);
    if (strstr(riffle_error_detail(), word) == NULL) fail_msg("%s: no %s", riffle_error_detail(), word);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const riffle_machine_options odd = {.width = 12}, small = {.shared_bytes = 512};
    riffle_perm *perm;
    riffle_report *report;
    assert_int_equal(riffle_perm_identity(100, &perm), RIFFLE_OK);
    refused(perm, 4, RIFFLE_ALGORITHM_AFFINE, 1, NULL, "copy, scatter, gather and conflict-free");
    refused(perm, 12, RIFFLE_ALGORITHM_COPY, 1, NULL, "not 12");
    refused(perm, 4, RIFFLE_ALGORITHM_COPY, 0, NULL, "not 0");
    refused(perm, 4, RIFFLE_ALGORITHM_COPY, 1, &odd, "power of two, not 12");
    refused(perm, 4, RIFFLE_ALGORITHM_COPY, 1, &small, "of which there are 512");
    riffle_perm_free(perm);
    assert_int_equal(riffle_perm_identity(0, &perm), RIFFLE_OK);
    assert_int_equal(riffle_simulate_in_blocks(perm, 4, RIFFLE_ALGORITHM_SCATTER, 1, NULL, &report), RIFFLE_OK);
    assert_int_equal(riffle_report_time_units(report), 0);
    riffle_report_free(report);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_move_is_counted_as_the_paper_has_it),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
