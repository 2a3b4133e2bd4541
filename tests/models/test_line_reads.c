/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads of a gather: against a count by definition where the sample is all of src, of permutations whose answer is known, and
 * that samples cover src.
 */
#include "support.h"

#include <math.h>

#include "models/line_reads.h"

static uint64_t seed;

enum { H200_L2_BYTES = 50 << 20 };

static line_reads estimate(const riffle_perm *perm, size_t elem_bytes, uint64_t l2_bytes) {
    const line_reader reader = line_reader_of_perm(perm);
    line_reads reads = {-1, -1};
    assert_int_equal(line_reads_estimate(&reader, riffle_perm_length(perm), elem_bytes, 4, l2_bytes, &reads),
                     RIFFLE_OK);
    return reads;
}

/* The sectors that each block asks for, block by block in dst. */
static uint64_t count_sectors(const uint64_t *from, uint64_t n, uint64_t of_sector) {
    uint64_t sectors = 0;
    for (uint64_t first = 0; first < n; first += LINE_READS_BLOCK) {
        const uint64_t end = n - first < LINE_READS_BLOCK ? n : first + LINE_READS_BLOCK;
        for (uint64_t i = first; i < end; i++) {
            uint64_t before = first;
            while (before < i && from[before] / of_sector != from[i] / of_sector) before++;
            sectors += before == i;
        }
    }
    return sectors;
}

/* The lines that a cache asks memory for which loses a line when `reach` elements were moved since. */
static uint64_t count_lines(const uint64_t *from, uint64_t n, uint64_t of_line, double reach) {
    uint64_t lines = 0;
    double *last = calloc(n / of_line + 1, sizeof *last);
    assert_non_null(last);
    for (uint64_t i = 0; i < n; i++) {
        double *used = &last[from[i] / of_line]; /* one more than the element's place */
        lines += *used == 0 || (double)(i + 1) - *used > reach;
        *used = (double)(i + 1);
    }
    free(last);
    return lines;
}

static void whole_samples_are_counts(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned trial = 0; trial < 40; trial++) {
        const size_t elem_bytes = (size_t)1 << rng_below(&r, 5);
        const uint64_t of_line = LINE_READS_LINE_BYTES / elem_bytes, n = of_line * (1 + rng_below(&r, 128));
        const uint64_t l2_bytes = rng_below(&r, 1 << 18);
        char spec[64];
        snprintf(spec, sizeof spec, trial % 2 == 0 ? "random:%llu" : "axes:%llux%llu:1,0",
                 trial % 2 == 0 ? (unsigned long long)rng_next(&r) : (unsigned long long)n / of_line,
                 (unsigned long long)of_line);
        riffle_perm *perm = parse_or_fail(spec, n), *inverse;
        uint64_t *from = malloc(n * sizeof *from);
        assert_non_null(from);
        assert_int_equal(riffle_perm_invert(perm, &inverse), RIFFLE_OK);
        assert_int_equal(riffle_perm_map(inverse, 0, n, from), RIFFLE_OK);
        const line_reads reads = estimate(perm, elem_bytes, l2_bytes);
        const double reach = 0.75 * (double)l2_bytes /
                             ((double)LINE_READS_LINE_BYTES * reads.sectors + (double)(4 + elem_bytes));
        const uint64_t sectors = count_sectors(from, n, LINE_READS_SECTOR_BYTES / elem_bytes);
        const uint64_t lines = count_lines(from, n, of_line, reach);
        if (fabs(reads.sectors * (double)n - (double)sectors) > 1e-6 * (double)n ||
            fabs(reads.lines * (double)n - (double)lines) > 1e-6 * (double)n)
            fail_msg("seed %llu: trial %u, %s, n %llu, %zu bytes, cache %llu: %g and %g, not %llu and %llu",
                     (unsigned long long)seed, trial, spec, (unsigned long long)n, elem_bytes,
                     (unsigned long long)l2_bytes, reads.sectors * (double)n, reads.lines * (double)n,
                     (unsigned long long)sectors, (unsigned long long)lines);
        free(from);
        riffle_perm_free(inverse);
        riffle_perm_free(perm);
    }
}

static void expect(const char *spec, uint64_t n, size_t elem_bytes, double sectors, double lines) {
    riffle_perm *perm = parse_or_fail(spec, n);
    const line_reads reads = estimate(perm, elem_bytes, H200_L2_BYTES);
    if (fabs(reads.sectors - sectors) > 0.03 || fabs(reads.lines - lines) > 0.03)
        fail_msg("%s, n %llu, %zu bytes: %g sectors and %g lines, not %g and %g", spec, (unsigned long long)n,
                 elem_bytes, reads.sectors, reads.lines, sectors, lines);
    riffle_perm_free(perm);
}

static void known_permutations_have_known_reads(void **state) {
    (void)state;
    expect("identity", 1 << 20, 4, 1.0 / 8, 1.0 / 16);
    expect("reverse", 1 << 20, 2, 1.0 / 16, 1.0 / 32);
    expect("rotate:12345", 100000, 16, 1.0 / 2, 1.0 / 4);
    expect("shuffle", 1 << 20, 4, 1.0 / 8, 1.0 / 16);                   /* from both halves, each in order */
    expect("transpose:4096x4096", 1 << 24, 4, 1, 1.0 / 16);             /* the next row is soon there */
    expect("random:7", (uint64_t)1 << 32, 4, 1, 1);                     /* nothing is */
    expect("random:7", 1 << 20, 4, 1, 1.0 / 16);                        /* all is in the cache */
    expect("axes:48x28x28x28x48:4,1,2,0,3", 50577408, 4, 1, 1);         /* a line's next element is too far */
    expect("axes:48x28x28x28x48:0,1,2,4,3", 50577408, 4, 0.15, 0.0625); /* small transposes */
    expect("axes:128x224x224x64:0,3,1,2", 411041792, 2, 1, 1.0 / 32);
    expect("identity", 0, 4, 0, 0);
    expect("reverse", 1, 4, 1, 1);
}

/* Notes how far samples go, and that they stay below the length that `from` holds. */
static uint64_t first_read, last_read;

static riffle_status read_below(const void *from, const line_sample *sample, uint64_t *places) {
    const uint64_t n = *(const uint64_t *)from;
    first_read = line_sample_first(sample, 0);
    last_read = line_sample_first(sample, sample->lines - 1) + sample->elements;
    assert_true(last_read <= n && sample->lines <= LINE_READS_SAMPLES);
    for (size_t k = 0; k < (size_t)sample->lines * sample->elements; k++) places[k] = k;
    return RIFFLE_OK;
}

static riffle_status read_nothing(const void *from, const line_sample *sample, uint64_t *places) {
    (void)from, (void)sample, (void)places;
    return RIFFLE_ERROR_DEVICE;
}

/* From the beginning to less than a step from the end, and enough of it. */
static void samples_spread_over_the_array(void **state) {
    (void)state;
    const uint64_t lengths[] = {1,     15,    16,        17,      1000,    16383,
                                16384, 16400, 3 * 16384, 1 << 20, 1000003, ((uint64_t)1 << 32) - 1};
    line_reads reads;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
            const line_reader reader = {read_below, &lengths[i]};
            const line_sample sample = line_sample_of(lengths[i], elem_bytes);
            assert_int_equal(line_reads_estimate(&reader, lengths[i], elem_bytes, 4, 1 << 20, &reads),
                             RIFFLE_OK);
            assert_int_equal(first_read, 0);
            assert_true(last_read + sample.step * sample.elements + sample.elements > lengths[i]);
            assert_true(sample.lines >= LINE_READS_SAMPLES / 4 || sample.step == 1);
        }
    }
    const line_reader broken = {read_nothing, NULL};
    assert_int_equal(line_reads_estimate(&broken, 100, 4, 4, 1 << 20, &reads), RIFFLE_ERROR_DEVICE);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_samples_are_counts),
        cmocka_unit_test(known_permutations_have_known_reads),
        cmocka_unit_test(samples_spread_over_the_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
