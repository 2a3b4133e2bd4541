/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `arbitrary`: permutations without structure, in groups:
 *
 *     ways         random:1 of 2^20 to 2^28 floats by every way. Scheduling is done by the host, half a minute
 *                  for 2^28, so that is left to the suite hmm, and here stops at 2^26.
 *     sizes        random:1 of other sizes of element, and of a length that is no power of two
 *     checked      random:1 by buckets without a check, with one of the result, and with one of what is between passes
 *     rows         random:1 of rows of 32 to 4096 bytes, 2^30 bytes in all
 *     tables       tables in device memory: random:1, and permutations other than random (bench/tables.h)
 *     crossovers   random:1 of short arrays: where the policy changes its mind
 */
#include "bench/suite.h"
#include "kinds/kinds.h"

#define POWER(k) ((uint64_t)1 << (k))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { ODD = 100000007 };
static const char *const random_spec = "random:1";
static const riffle_algorithm all_ways[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_BUCKET,
                                            RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_SCATTER};

static bench_row random_row(uint64_t n, size_t elem_bytes, riffle_algorithm algorithm) {
    return (bench_row){
        .by = random_spec, .n = n, .elem_bytes = elem_bytes, .algorithm = algorithm, .as_spec = true};
}

enum { WAYS_LEAST_BITS = 20, WAYS_SIZES = 9, SCHEDULED_STEP_BITS = 2, SCHEDULED_SIZES = 4 };
enum { WAYS_ROWS = WAYS_SIZES * COUNT(all_ways) };

static bench_row ways_row(size_t k) {
    if (k < WAYS_ROWS)
        return random_row(POWER(WAYS_LEAST_BITS + k / COUNT(all_ways)), 4, all_ways[k % COUNT(all_ways)]);
    const size_t bits = WAYS_LEAST_BITS + SCHEDULED_STEP_BITS * (k - WAYS_ROWS);
    return random_row(POWER(bits), 4, RIFFLE_ALGORITHM_SCHEDULED);
}

static const struct {
    uint64_t n;
    size_t elem_bytes;
} sizes[] = {{POWER(27), 8}, {POWER(26), 8}, {POWER(26), 16}, {POWER(30), 1}, {POWER(28), 2}, {ODD, 4}};

static bench_row sizes_row(size_t k) {
    const size_t size = k / COUNT(all_ways);
    return random_row(sizes[size].n, sizes[size].elem_bytes, all_ways[k % COUNT(all_ways)]);
}

static const struct {
    unsigned m;
    size_t elem_bytes;
} checked[] = {{28, 4}, {27, 8}, {26, 16}, {28, 2}};
static const riffle_check checks[] = {RIFFLE_CHECK_NONE, RIFFLE_CHECK_FULL, RIFFLE_CHECK_PASSES};

static bench_row checked_row(size_t k) {
    const size_t size = k / COUNT(checks);
    bench_row row = random_row(POWER(checked[size].m), checked[size].elem_bytes, RIFFLE_ALGORITHM_BUCKET);
    row.check = checks[k % COUNT(checks)];
    return row;
}

static const size_t row_bytes[] = {32, 64, 128, 256, 1000, 4096};
static const riffle_algorithm row_ways[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_GATHER,
                                            RIFFLE_ALGORITHM_SCATTER};

static bench_row rows_row(size_t k) {
    const size_t bytes = row_bytes[k / COUNT(row_ways)];
    return random_row(POWER(30) / bytes, bytes, row_ways[k % COUNT(row_ways)]);
}

enum { TABLES_RANDOM = 3, TABLES_LEAST_BITS = 24, TABLES_STEP_BITS = 2, TABLES_BITS = 26 };
enum { GRID_CELLS = 406 * 406 * 406 }; /* about 2^26 */
static const char *const tables[] = {"bit-reversal except 2", "shuffled blocks 2^12", "shuffled blocks 2^20",
                                     "reverse with 1% noise", "reverse Cuthill-McKee"};

static bench_row tables_row(size_t k) {
    if (k < TABLES_RANDOM) {
        bench_row row = random_row(POWER(TABLES_LEAST_BITS + TABLES_STEP_BITS * k), 4, RIFFLE_ALGORITHM_AUTO);
        row.kind = &bench_table_kind;
        return row;
    }
    const size_t table = (k - TABLES_RANDOM) / COUNT(all_ways);
    const bool is_grid = table == COUNT(tables) - 1;
    return (bench_row){.by = tables[table],
                       .n = is_grid ? GRID_CELLS : POWER(TABLES_BITS),
                       .elem_bytes = 4,
                       .algorithm = all_ways[(k - TABLES_RANDOM) % COUNT(all_ways)],
                       .kind = &bench_table_kind};
}

/* 2^18 and 2^19 floats, for the rest of which the group ways has rows, then 2^18 to 2^24 elements of each of
 * the other sizes. */
enum { CROSSOVERS_LEAST_BITS = 18, CROSSOVERS_OF_4 = 2, CROSSOVERS_SIZES = 7 };
static const riffle_algorithm crossover_ways[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_GATHER,
                                                  RIFFLE_ALGORITHM_BUCKET};

static const size_t crossover_bytes[] = {8, 16, 1, 2};

static bench_row crossovers_row(size_t k) {
    const size_t size = k / COUNT(crossover_ways);
    const riffle_algorithm way = crossover_ways[k % COUNT(crossover_ways)];
    if (size < CROSSOVERS_OF_4) return random_row(POWER(CROSSOVERS_LEAST_BITS + size), 4, way);
    const size_t longer = size - CROSSOVERS_OF_4;
    return random_row(POWER(CROSSOVERS_LEAST_BITS + longer % CROSSOVERS_SIZES),
                      crossover_bytes[longer / CROSSOVERS_SIZES], way);
}

enum {
    ALL_WAYS_ROWS = WAYS_ROWS + SCHEDULED_SIZES,
    SIZES_ROWS = COUNT(sizes) * COUNT(all_ways),
    CHECKED_ROWS = COUNT(checked) * COUNT(checks),
    ROWS_ROWS = COUNT(row_bytes) * COUNT(row_ways),
    TABLES_ROWS = TABLES_RANDOM + COUNT(tables) * COUNT(all_ways),
    CROSSOVERS_ROWS = (CROSSOVERS_OF_4 + COUNT(crossover_bytes) * CROSSOVERS_SIZES) * COUNT(crossover_ways),
};

/* The last groups are the ones that are missed least if the time is over. */
static const bench_group groups[] = {
    {"ways", ALL_WAYS_ROWS, .row = ways_row},
    {"sizes", SIZES_ROWS, .row = sizes_row},
    {"checked", CHECKED_ROWS, .row = checked_row},
    {"rows", ROWS_ROWS, .row = rows_row},
    {"tables", TABLES_ROWS, .row = tables_row},
    {"crossovers", CROSSOVERS_ROWS, .row = crossovers_row},
    {0},
};

const bench_suite bench_suite_arbitrary = {
    .name = "arbitrary",
    .about = "permutations without structure; on a GPU",
    .needs_gpu = true,
    .groups = groups,
};
