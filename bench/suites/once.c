/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `once`: indices that are used once, random:1 beside a plan's plain gather along the same, in groups:
 *
 *     take       x[indices] of floats, 2^20 to 2^28 of them, by indices of 4 and of 8 bytes
 *     put        out[indices] = x
 *     shuffle    by a seed
 *     sizes      elements of other sizes
 *     plan       the shuffle, and a put along a table in device memory, as plans
 */
#include "bench/suite.h"
#include "kinds/kinds.h"

#define POWER(k) ((uint64_t)1 << (k))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const bench_once_row take_by_4 = {4, false}, take_by_8 = {8, false}, put_by_4 = {4, true},
                            put_by_8 = {8, true}, shuffle = {0, true};

static bench_row once_row(const char *by, uint64_t n, size_t elem_bytes, const bench_once_row *of) {
    return (bench_row){.by = by,
                       .n = n,
                       .elem_bytes = elem_bytes,
                       .algorithm = RIFFLE_ALGORITHM_AUTO,
                       .kind = &bench_once,
                       .of = of};
}

static bench_row plain_row(uint64_t n, size_t elem_bytes) {
    return (bench_row){.by = "random:1",
                       .n = n,
                       .elem_bytes = elem_bytes,
                       .algorithm = RIFFLE_ALGORITHM_GATHER,
                       .as_spec = true};
}

static bench_row take_row(uint64_t n, size_t elem_bytes, size_t way) {
    if (way == 0) return plain_row(n, elem_bytes);
    return way == 1 ? once_row("take by 4-byte indices", n, elem_bytes, &take_by_4)
                    : once_row("take by 8-byte indices", n, elem_bytes, &take_by_8);
}

static bench_row put_row(uint64_t n, size_t elem_bytes, size_t way) {
    return way == 0 ? once_row("put by 4-byte indices", n, elem_bytes, &put_by_4)
                    : once_row("put by 8-byte indices", n, elem_bytes, &put_by_8);
}

enum { LEAST_BITS = 20, STEP_BITS = 2, LENGTHS = 5, TAKES = 3, PUTS = 2, PLANS = 2 };

static uint64_t length_of(size_t k) { return POWER(LEAST_BITS + STEP_BITS * k); }

static bench_row takes(size_t k) { return take_row(length_of(k / TAKES), 4, k % TAKES); }

static bench_row puts_row(size_t k) { return put_row(length_of(k / PUTS), 4, k % PUTS); }

static bench_row shuffles(size_t k) { return once_row("shuffle by a seed", length_of(k), 4, &shuffle); }

static const struct {
    uint64_t n;
    size_t elem_bytes;
} sizes[] = {{POWER(28), 1},  {POWER(28), 2},  {POWER(27), 8}, {POWER(28), 8},
             {POWER(26), 16}, {POWER(25), 32}, {100000007, 4}};
enum { SIZE_WAYS = 4 };

static bench_row sizes_row(size_t k) {
    const uint64_t n = sizes[k / SIZE_WAYS].n;
    const size_t bytes = sizes[k / SIZE_WAYS].elem_bytes, way = k % SIZE_WAYS;
    if (way < 2) return take_row(n, bytes, way);
    return way == 2 ? put_row(n, bytes, 0) : once_row("shuffle by a seed", n, bytes, &shuffle);
}

/* By name, since auto gathers few elements. */
static bench_row plan_row(size_t k) {
    const bool is_table = k % PLANS == 1;
    return (bench_row){.by = is_table ? "random:2" : "random:1",
                       .n = length_of(k / PLANS),
                       .elem_bytes = 4,
                       .algorithm = RIFFLE_ALGORITHM_ONCE,
                       .as_spec = !is_table,
                       .kind = is_table ? &bench_table_kind : NULL};
}

static const bench_group groups[] = {
    {"take", LENGTHS *TAKES, .row = takes},    {"put", LENGTHS *PUTS, .row = puts_row},
    {"shuffle", LENGTHS, .row = shuffles},     {"sizes", COUNT(sizes) * SIZE_WAYS, .row = sizes_row},
    {"plan", LENGTHS *PLANS, .row = plan_row}, {0},
};

const bench_suite bench_suite_once = {
    .name = "once",
    .about = "indices used once: takes, puts and shuffles; on a GPU",
    .needs_gpu = true,
    .groups = groups,
};
