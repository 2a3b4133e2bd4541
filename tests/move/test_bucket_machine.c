/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes on the memory machine: whatever the permutation, the size of elements and the machine, all
 * elements arrive without a hazard and are stored by whole sectors, in as many passes as the shape says.
 * riffle_simulate itself compares the result with the definition.
 */
#include "machine_support.h"

#include "plan/bucket/tile.h"
#include "riffle/machine.h"

static uint64_t seed;

static unsigned rounds_of(unsigned usual) { return is_sanitized() ? usual / 10 + 1 : test_rounds(usual); }

/* ------------------------------------------------------------------ runs */

typedef struct run {
    const riffle_perm *perm;
    size_t elem_bytes;
    riffle_plan_options options;
    riffle_machine_options machine;
} run;

static void fail_run(const run *r, const char *what) {
    char spec[256];
    riffle_perm_print(r->perm, spec, sizeof spec, NULL);
    fail_msg("seed %llu: %s: %s, n %llu, %zu bytes, %llu arrays %llu apart, width %u, block %u, shared %zu: %s",
             (unsigned long long)seed, what, spec, (unsigned long long)riffle_perm_length(r->perm),
             r->elem_bytes, (unsigned long long)r->options.batch, (unsigned long long)r->options.stride,
             r->machine.width, r->machine.block_threads, r->machine.shared_bytes, riffle_error_detail());
}

static riffle_report *simulate(run *r) {
    riffle_report *report = NULL;
    r->options.algorithm = RIFFLE_ALGORITHM_BUCKET;
    if (riffle_simulate(r->perm, r->elem_bytes, &r->options, &r->machine, &report) != RIFFLE_OK)
        fail_run(r, "not simulated");
    if (report->hazards > 0) fail_run(r, report->hazard[0].text);
    if (strcmp(report->algorithm, "bucket") != 0) fail_run(r, "another algorithm");
    return report;
}

static bool is_vector_store(const report_line *line) {
    return line->space == SPACE_GLOBAL && line->op == OP_WRITE && line->cell_bytes == BUCKET_TILE_CHUNK_BYTES;
}

/* All stores are vectors of whole sectors, but for the array's last elements; returns how many were. */
static uint64_t check_stores(const run *r, const riffle_report *report) {
    uint64_t warps = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (!is_vector_store(line)) continue;
        if (line->requests != line->ideal_requests) fail_run(r, "sectors in part");
        warps += line->warps;
    }
    return warps;
}

static unsigned launches(const riffle_report *report) {
    unsigned count = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].launch >= count) count = report->line[k].launch + 1;
    return count;
}

static bucket_tile_shape shape_of(const run *r) {
    const plan_target target = {
        .kind = TARGET_MACHINE, .shared_bytes = r->machine.shared_bytes, .multiprocessors = 1};
    return bucket_tile_choose(riffle_perm_length(r->perm), r->elem_bytes, &target);
}

/* A run of one array; returns the number of passes, which are launches. */
static unsigned check_run(run r) {
    riffle_report *report = simulate(&r);
    const unsigned passes = launches(report);
    if (passes != shape_of(&r).passes) fail_run(&r, "another number of passes");
    const bool has_vectors = riffle_perm_length(r.perm) * r.elem_bytes >= BUCKET_TILE_CHUNK_BYTES;
    if ((check_stores(&r, report) > 0) != has_vectors) fail_run(&r, "no vectors");
    riffle_report_free(report);
    return passes;
}

/* ------------------------------------------------------------------ cases */

static const riffle_machine_options MACHINES[] = {
    {.width = 32, .block_threads = 1024, .shared_bytes = 227 << 10},
    {.width = 32, .block_threads = 32, .shared_bytes = 4 << 10},
    {.width = 32, .block_threads = 96, .shared_bytes = 2 << 10},
    {.width = 16, .block_threads = 64, .shared_bytes = 8 << 10},
    {.width = 4, .block_threads = 8, .shared_bytes = 3 << 10},
};
enum { MACHINE_COUNT = sizeof MACHINES / sizeof MACHINES[0] };

static riffle_perm *random_perm(rng *r, uint64_t n) {
    static const char *const specs[] = {"identity", "reverse", "rotate:7", "random:5"};
    const uint64_t which = rng_below(r, 8);
    return which < 4 ? parse_or_fail(specs[which], n) : random_table(r, n);
}

static void any_length_arrives_in_whole_sectors(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < rounds_of(200); round++) {
        const uint64_t n = 1 + rng_below(&r, (uint64_t)1 << (1 + rng_below(&r, 12)));
        riffle_perm *perm = random_perm(&r, n);
        check_run((run){.perm = perm,
                        .elem_bytes = (size_t)1 << round % 5,
                        .machine = MACHINES[rng_below(&r, MACHINE_COUNT)]});
        riffle_perm_free(perm);
    }
}

/* The last elements may be more than a block has threads, and less than a vector. */
static void short_arrays_arrive_with_few_threads(void **state) {
    (void)state;
    rng r = {seed + 4};
    const riffle_machine_options few = {.width = 4, .block_threads = 4, .shared_bytes = 1 << 10};
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        for (uint64_t n = 1; n <= 33; n++) {
            riffle_perm *perm = random_table(&r, n);
            check_run((run){.perm = perm, .elem_bytes = elem_bytes, .machine = few});
            riffle_perm_free(perm);
        }
    }
}

/* Lengths around those that fill a piece or several. */
static void lengths_around_pieces_arrive(void **state) {
    (void)state;
    rng r = {seed + 1};
    const riffle_machine_options limits = MACHINES[2];
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        const uint64_t whole = limits.shared_bytes / elem_bytes;
        for (uint64_t pieces = 1; pieces <= (is_sanitized() ? 1 : 2); pieces++) {
            for (uint64_t n = pieces * whole - 1; n <= pieces * whole + 1; n++) {
                riffle_perm *perm = random_table(&r, n);
                const unsigned passes =
                    check_run((run){.perm = perm, .elem_bytes = elem_bytes, .machine = limits});
                assert_true(n <= whole ? passes == 1 : passes > 1);
                riffle_perm_free(perm);
            }
        }
    }
}

static void small_shared_memories_take_more_passes(void **state) {
    (void)state;
    rng r = {seed + 2};
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        const uint64_t n = is_sanitized() ? 2047 : 8191;
        riffle_perm *perm = random_table(&r, n);
        run one = {.perm = perm, .elem_bytes = elem_bytes, .machine = {32, .block_threads = 64}};
        unsigned seen[BUCKET_TILE_PASSES + 1] = {0};
        for (one.machine.shared_bytes = 256; one.machine.shared_bytes <= 64 << 10;
             one.machine.shared_bytes *= 16)
            seen[check_run(one)]++;
        assert_true((elem_bytes < 16) == (seen[3] > 0));
        riffle_perm_free(perm);
    }
}

/* Arrays of a batch begin on 16 bytes, and are moved one by one. */
static void batches_arrive(void **state) {
    (void)state;
    rng r = {seed + 3};
    for (unsigned round = 0; round < rounds_of(30); round++) {
        const size_t elem_bytes = (size_t)1 << round % 5, units = 16 / elem_bytes;
        const uint64_t n = 1 + rng_below(&r, 1500);
        riffle_perm *perm = random_perm(&r, n);
        run one = {.perm = perm, .elem_bytes = elem_bytes, .machine = MACHINES[1 + rng_below(&r, 2)]};
        one.options.batch = 1 + rng_below(&r, 3);
        one.options.stride = (n + units - 1) / units * units + units * rng_below(&r, 3);
        riffle_report_free(simulate(&one));
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_length_arrives_in_whole_sectors),
        cmocka_unit_test(short_arrays_arrive_with_few_threads),
        cmocka_unit_test(lengths_around_pieces_arrive),
        cmocka_unit_test(small_shared_memories_take_more_passes),
        cmocka_unit_test(batches_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
