/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that merge, on the memory machine: streams of every kind against a plain stable merge, what is counted of
 * them, and the input that Berney and Sitchinava (2020) build against pairwise merging.
 */
#include "device_support.h"
#include "models/io_bounds.h"
#include "papers/sort/worst_pairs.h"
#include "sort/gpu/merge.h"

static uint64_t seed;

typedef unsigned __int128 wide;

/* Streams of keys of up to 16 bytes, those of stream k from first[k] on. */
typedef struct streams {
    uint64_t n, count;
    uint64_t *first;
    wide *keys;
} streams;

typedef enum kind { UNIFORM, FEW, EQUAL, EXTREMES, IN_TURN, ONE_AFTER_THE_OTHER, BACKWARDS, KINDS } kind;

static int compare(const void *a, const void *b) {
    const wide x = *(const wide *)a, y = *(const wide *)b;
    return x < y ? -1 : x > y;
}

static wide key_of(rng *r, kind what, uint64_t stream, uint64_t i, uint64_t count) {
    const wide random = (wide)rng_next(r) << 64 | rng_next(r);
    switch (what) {
    case UNIFORM: return random;
    case FEW: return (random % 5) << 60 | random % 5;
    case EQUAL: return (wide)7 << 64 | 7;
    case EXTREMES: return random % 2 ? (wide)-1 : 0;
    case IN_TURN: return (wide)(i * count + stream) << 64 | (i * count + stream);
    case ONE_AFTER_THE_OTHER: return (wide)(stream << 20 | i) << 64 | (stream << 20 | i);
    default: return (wide)((count - stream) << 20 | i) << 64 | ((count - stream) << 20 | i);
    }
}

static wide cut(wide key, uint32_t key_bytes) {
    return key_bytes == 16 ? key : key_bytes == 8 ? (uint64_t)key : (uint32_t)key;
}

static streams make_streams(rng *r, kind what, uint32_t key_bytes, uint64_t count, uint64_t longest) {
    streams s = {.count = count};
    s.first = calloc(count + 1, sizeof *s.first);
    assert_non_null(s.first);
    s.first[0] = what == FEW ? 3 : 0; /* keys of no stream before */
    for (uint64_t k = 0; k < count; k++) s.first[k + 1] = s.first[k] + rng_next(r) % (longest + 1);
    s.n = s.first[count] + (what == FEW ? 5 : 0);
    s.keys = calloc(s.n + 1, sizeof *s.keys);
    assert_non_null(s.keys);
    for (uint64_t k = 0; k < count; k++) {
        for (uint64_t i = s.first[k]; i < s.first[k + 1]; i++)
            s.keys[i] = cut(key_of(r, what, k, i - s.first[k], count), key_bytes);
        qsort(s.keys + s.first[k], s.first[k + 1] - s.first[k], sizeof *s.keys, compare);
    }
    return s;
}

static void free_streams(streams *s) {
    free(s->first);
    free(s->keys);
}

/* Where the keys merged come from, by the plainest way: the least first, of equal ones that of the first stream. */
static uint32_t *merged_places(const streams *s) {
    uint32_t *const places = calloc(s->n + 1, sizeof *places);
    uint64_t *const at = calloc(s->count + 1, sizeof *at);
    assert_non_null(places);
    assert_non_null(at);
    memcpy(at, s->first, s->count * sizeof *at);
    for (uint64_t i = s->first[0]; i < s->first[s->count]; i++) {
        uint64_t least = s->count;
        for (uint64_t k = 0; k < s->count; k++)
            if (at[k] < s->first[k + 1] && (least == s->count || s->keys[at[k]] < s->keys[at[least]]))
                least = k;
        places[i] = (uint32_t)at[least]++;
    }
    free(at);
    return places;
}

static void narrow(const wide *keys, uint64_t n, uint32_t key_bytes, unsigned char *out) {
    for (uint64_t i = 0; i < n; i++) memcpy(out + i * key_bytes, &keys[i], key_bytes);
}

typedef struct merged {
    unsigned char *from, *keys;
    uint32_t *places;
} merged;

/* Adds `count` units behind `offset` of them; written with what is at `data`, if anything. */
static riffle_status add_array(machine *m, const char *name, uint64_t offset, uint64_t count, size_t unit,
                               const void *data, void **out) {
    void *start;
    const size_t bytes = (size_t)count * unit;
    *out = NULL;
    if (bytes == 0) return RIFFLE_OK;
    const riffle_status status = machine_buffer(m, name, (size_t)offset * unit + bytes, &start);
    if (status != RIFFLE_OK) return status;
    *out = (char *)start + (size_t)offset * unit;
    if (data == NULL) return RIFFLE_OK;
    memcpy(*out, data, bytes);
    machine_written(m, *out, bytes);
    return RIFFLE_OK;
}

static riffle_status add_arrays(machine *m, const merge_job *job, const merge_arrays *host, uint64_t offset,
                                merge_arrays *out) {
    void *keys, *places = NULL, *from, *first = NULL;
    riffle_status status = add_array(m, "from_keys", offset, job->n, job->key_bytes, host->from_keys, &from);
    if (status == RIFFLE_OK) status = add_array(m, "keys", offset, job->n, job->key_bytes, NULL, &keys);
    if (status == RIFFLE_OK && job->is_placed)
        status = add_array(m, "places", offset, job->n, sizeof(uint32_t), NULL, &places);
    if (status == RIFFLE_OK && !job->is_sort)
        status = add_array(m, "first", 0, job->streams + 1, sizeof(uint64_t), host->first, &first);
    if (status == RIFFLE_OK)
        status = add_array(m, "workspace", 0, merge_workspace_bytes(job), 1, NULL, &out->workspace);
    if (status != RIFFLE_OK) return status;
    out->keys = keys;
    out->places = places;
    out->from_keys = from;
    out->first = first;
    memcpy(keys, host->keys, (size_t)job->n * job->key_bytes);
    if (places != NULL) memcpy(places, host->places, (size_t)job->n * sizeof(uint32_t));
    return RIFFLE_OK;
}

/* Does the job, not in place, with the arrays' keys, places, from_keys and first in host memory, by way of the machine's, where each
 * begins `offset` keys behind a line. All else is left alone. */
static riffle_status run_on_machine(machine *m, const merge_job *job, const merge_arrays *arrays,
                                    uint64_t offset) {
    const device on = device_of_machine(m);
    merge_arrays own = {0};
    launch_list list;
    if (job->n == 0) return RIFFLE_OK;
    riffle_status status = add_arrays(m, job, arrays, offset, &own);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    launch_merge(job, &own, &list);
    status = device_run(&on, "a step of a merge", &list, NULL);
    if (status != RIFFLE_OK) return status;
    memcpy(arrays->keys, own.keys, (size_t)job->n * job->key_bytes);
    if (own.places != NULL) memcpy(arrays->places, own.places, (size_t)job->n * sizeof(uint32_t));
    return RIFFLE_OK;
}

static merged run_job(machine *m, const merge_job *job, const streams *s, uint64_t offset) {
    const size_t bytes = s->n * job->key_bytes;
    merged out = {malloc(bytes + 1), malloc(bytes + 1), malloc(s->n * sizeof(uint32_t) + 1)};
    assert_non_null(out.from);
    assert_non_null(out.keys);
    assert_non_null(out.places);
    narrow(s->keys, s->n, job->key_bytes, out.from);
    memset(out.keys, POISON_VALUE, bytes);
    memset(out.places, POISON_VALUE, s->n * sizeof(uint32_t));
    const merge_arrays arrays = {
        .keys = out.keys, .places = out.places, .from_keys = out.from, .first = s->first};
    if (run_on_machine(m, job, &arrays, offset) != RIFFLE_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    const riffle_report *const report = machine_report(m);
    if (report->hazards > 0)
        fail_msg("seed %llu: %llu streams, %llu keys: %s, line %u: %s", (unsigned long long)seed,
                 (unsigned long long)s->count, (unsigned long long)s->n, report->hazard[0].kernel,
                 report->hazard[0].line, report->hazard[0].text);
    return out;
}

static void free_merged(merged *out) {
    free(out->from);
    free(out->keys);
    free(out->places);
}

static void assert_merged(const merge_job *job, const streams *s, const merged *out) {
    uint32_t *const places = merged_places(s);
    for (uint64_t i = 0; i < s->n; i++) {
        unsigned char poison[16];
        memset(poison, POISON_VALUE, sizeof poison);
        const bool is_in = i >= s->first[0] && i < s->first[s->count];
        const unsigned char *const wanted = is_in ? out->from + (size_t)places[i] * job->key_bytes : poison;
        if (memcmp(out->keys + i * job->key_bytes, wanted, job->key_bytes) != 0)
            fail_msg("seed %llu: %llu streams of %u bytes: key %llu of %llu is wrong", (unsigned long long)seed,
                     (unsigned long long)s->count, job->key_bytes, (unsigned long long)i,
                     (unsigned long long)s->n);
        if (job->is_placed && is_in && out->places[i] != places[i])
            fail_msg("seed %llu: %llu streams: key %llu came from %u, not %u", (unsigned long long)seed,
                     (unsigned long long)s->count, (unsigned long long)i, places[i], out->places[i]);
    }
    free(places);
}

static machine *warp_machine(void) { return machine_or_fail((riffle_machine_options){.latency = 7}); }

static void streams_are_merged(void **state) {
    (void)state;
    rng r = {seed};
    static const struct {
        uint64_t count, longest;
    } shapes[] = {{1, 100}, {2, 700},  {3, 1},   {5, 300},  {16, 100},
                  {31, 40}, {32, 150}, {33, 50}, {100, 20}, {30, 500}};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (unsigned k = 0; k < SHAPES * KINDS; k++) { /* places are wanted in turn, for KINDS is odd */
        const kind what = (kind)(k % KINDS);
        const bool is_long = k / KINDS == SHAPES - 1; /* parts of many rounds, for equal keys */
        if (is_long && what != FEW && what != EXTREMES) continue;
        if (!is_long && !test_takes(k)) continue;
        const uint32_t key_bytes = 4U << rng_next(&r) % 3;
        streams s = make_streams(&r, what, key_bytes, shapes[k / KINDS].count, shapes[k / KINDS].longest);
        const merge_job job = {.n = s.n,
                               .streams = s.count,
                               .key_bytes = key_bytes,
                               .is_placed = k % 2 == 0,
                               .part = is_long ? merge_most_part(key_bytes) : 0};
        machine *const m = warp_machine();
        merged out = run_job(m, &job, &s, rng_next(&r) % 20);
        assert_merged(&job, &s, &out);
        free_merged(&out);
        free_streams(&s);
        machine_free(m);
    }
}

/* ------------------------------------------------------------------- sorts */

static const wide *sorted_keys; /* keys that qsort sorts places by */

static int compare_places(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (sorted_keys[x] != sorted_keys[y]) return sorted_keys[x] < sorted_keys[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static streams make_keys(rng *r, kind what, uint32_t key_bytes, uint64_t n) {
    streams s = {
        .n = n, .count = 1, .first = calloc(2, sizeof *s.first), .keys = calloc(n + 1, sizeof *s.keys)};
    assert_non_null(s.first);
    assert_non_null(s.keys);
    s.first[1] = n;
    for (uint64_t i = 0; i < n; i++) s.keys[i] = cut(key_of(r, what, i % 3, i, 3), key_bytes);
    return s;
}

static void assert_sorted(const merge_job *job, const streams *s, const merged *out) {
    uint32_t *const places = calloc(s->n + 1, sizeof *places);
    assert_non_null(places);
    for (uint64_t i = 0; i < s->n; i++) places[i] = (uint32_t)i;
    sorted_keys = s->keys;
    qsort(places, s->n, sizeof *places, compare_places);
    for (uint64_t i = 0; i < s->n; i++) {
        if (memcmp(out->keys + i * job->key_bytes, &s->keys[places[i]], job->key_bytes) != 0 ||
            (job->is_placed && out->places[i] != places[i]))
            fail_msg("seed %llu: %llu keys of %u bytes: key %llu is wrong", (unsigned long long)seed,
                     (unsigned long long)s->n, job->key_bytes, (unsigned long long)i);
    }
    free(places);
}

static void keys_are_sorted_by_merging(void **state) {
    (void)state;
    rng r = {seed};
    static const uint64_t lengths[] = {0, 1, 2, 255, 256, 257, 511, 513, 1024, 1025, 3001};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    for (unsigned k = 0; k < LENGTHS * KINDS; k++) {
        if (!test_takes(k / KINDS + k % KINDS)) continue;
        const uint32_t key_bytes = 4U << k % 3;
        streams s = make_keys(&r, (kind)(k % KINDS), key_bytes, lengths[k / KINDS]);
        const merge_job job = {
            .n = s.n, .key_bytes = key_bytes, .is_placed = rng_next(&r) % 2, .is_sort = true};
        machine *const m = warp_machine();
        merged out = run_job(m, &job, &s, rng_next(&r) % 20);
        assert_sorted(&job, &s, &out);
        free_merged(&out);
        free_streams(&s);
        machine_free(m);
    }
}

static void streams_are_merged_two_by_two(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < 4 * KINDS; k++) {
        const uint32_t key_bytes = 4U << k / KINDS % 2;
        streams s = make_streams(&r, (kind)(k % KINDS), key_bytes, 1 + rng_next(&r) % 7, 1500);
        const merge_job job = {.n = s.n, .streams = s.count, .key_bytes = key_bytes, .is_pairwise = true};
        machine *const m = warp_machine();
        merged out = run_job(m, &job, &s, rng_next(&r) % 20);
        assert_merged(&job, &s, &out);
        free_merged(&out);
        free_streams(&s);
        machine_free(m);
    }
}

/* ------------------------------------------------------------------ counts */

/* The sums of one kernel's rows. */
static report_line sum_of_kernel(const machine *m, const char *kernel, report_space space, report_op op) {
    const riffle_report *const report = machine_report(m);
    report_line sum = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (strcmp(line->kernel, kernel) != 0 || line->space != space || line->op != op) continue;
        sum.warps += line->warps;
        sum.requests += line->requests;
        sum.ideal_requests += line->ideal_requests;
    }
    return sum;
}

static streams worst_streams(uint64_t n, uint64_t count) {
    const worst_pairs merge = {32, MERGE_PAIR_EACH, MERGE_PAIR_THREADS / 32};
    streams s = {
        .n = n, .count = count, .first = calloc(count + 1, sizeof *s.first), .keys = calloc(n, sizeof *s.keys)};
    uint32_t *const keys = calloc(n, sizeof *keys);
    assert_non_null(s.first);
    assert_non_null(s.keys);
    assert_non_null(keys);
    assert_int_equal(worst_pairs_streams(&merge, n, count, keys), RIFFLE_OK);
    for (uint64_t i = 0; i < n; i++) s.keys[i] = keys[i];
    for (uint64_t k = 0; k <= count; k++) s.first[k] = n / count * k;
    free(keys);
    return s;
}

static streams random_streams(rng *r, uint64_t n, uint64_t count) {
    streams s = make_keys(r, UNIFORM, 4, n);
    free(s.first);
    s.count = count;
    s.first = calloc(count + 1, sizeof *s.first);
    assert_non_null(s.first);
    for (uint64_t k = 0; k <= count; k++) s.first[k] = n / count * k;
    for (uint64_t k = 0; k < count; k++) qsort(s.keys + s.first[k], n / count, sizeof *s.keys, compare);
    return s;
}

static machine *counted(const streams *s, merge_job job) {
    machine *const m = warp_machine();
    job.n = s->n;
    job.key_bytes = 4;
    if (!job.is_sort) job.streams = s->count;
    merged out = run_job(m, &job, s, 0);
    if (job.is_sort)
        assert_sorted(&job, s, &out);
    else
        assert_merged(&job, s, &out);
    free_merged(&out);
    return m;
}

enum { WORST_STREAMS = 4, WORST_KEYS = WORST_STREAMS * MERGE_PAIR_EACH * MERGE_PAIR_THREADS };

/* Wavefronts of the reads key by key, MERGE_PAIR_EACH a warp: of the line that takes the most of those that each thread makes
 * for each of its keys. */
static uint64_t serial_wavefronts(const machine *m, uint64_t warps) {
    const riffle_report *const report = machine_report(m);
    uint64_t most[2] = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_SHARED || line->op != OP_READ || line->warps != warps * MERGE_PAIR_EACH)
            continue;
        assert_true(line->launch < 2);
        if (line->requests > most[line->launch]) most[line->launch] = line->requests;
    }
    return most[0] + most[1];
}

/* Where keys are random a warp reads its next ones in 2 to 5 wavefronts; where they are the published worst, in as many as
 * a thread has keys, each time. */
static void pairwise_merging_has_a_worst_case(void **state) {
    (void)state;
    rng r = {seed};
    const uint64_t warps = WORST_KEYS / MERGE_PAIR_EACH / 32, reads = 2 * warps * MERGE_PAIR_EACH;
    streams random = random_streams(&r, WORST_KEYS, WORST_STREAMS);
    streams worst = worst_streams(WORST_KEYS, WORST_STREAMS);
    machine *m = counted(&random, (merge_job){.is_pairwise = true});
    const uint64_t usual = serial_wavefronts(m, warps);
    assert_true(usual > 2 * reads && usual < 5 * reads);
    machine_free(m);
    m = counted(&worst, (merge_job){.is_pairwise = true});
    assert_int_equal(serial_wavefronts(m, warps), MERGE_PAIR_EACH * reads);
    machine_free(m);
    free_streams(&random);
    free_streams(&worst);
}

/* Writes may take `most` wavefronts more. */
static void assert_no_conflict(const machine *m, const char *kernel, uint64_t most) {
    for (unsigned op = OP_READ; op <= OP_WRITE; op++) {
        const report_line sum = sum_of_kernel(m, kernel, SPACE_SHARED, (report_op)op);
        assert_true(sum.requests > 0);
        if (sum.requests > sum.ideal_requests + (op == OP_WRITE ? most : 0))
            fail_msg("seed %llu: %s: %llu wavefronts where %llu do", (unsigned long long)seed, kernel,
                     (unsigned long long)sum.requests, (unsigned long long)sum.ideal_requests);
    }
}

/* Whatever the keys. Pieces of 16 bytes that lie across an end of the array are copied key by key; where one at its begin and one at its
 * end are copied in one step, each of these keys may meet the other in a bank. */
static void merging_by_blocks_has_no_bank_conflicts(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    rng r = {seed};
    for (kind what = UNIFORM; what < KINDS; what++) {
        for (uint32_t key_bytes = 4; key_bytes <= 16; key_bytes *= 2) {
            streams s = make_streams(&r, what, key_bytes, 7, 300);
            const merge_job job = {
                .n = s.n, .streams = s.count, .key_bytes = key_bytes, .is_placed = what % 2 == 1};
            machine *const m = warp_machine();
            merged out = run_job(m, &job, &s, 0);
            assert_no_conflict(m, "merge_parts", 16 / key_bytes);
            free_merged(&out);
            free_streams(&s);
            machine_free(m);
        }
    }
    streams worst = worst_streams(WORST_KEYS, WORST_STREAMS);
    machine *const m = counted(&worst, (merge_job){0});
    assert_no_conflict(m, "merge_parts", 0);
    machine_free(m);
    free_streams(&worst);
}

/* All is written in whole sectors, once a level. Exchanges of blocks, ranks that are read ahead counted as such, are within twice
 * the bound of section 4.1.2. The searches for parts, of which caches serve the most, are fewer than the keys are sectors. */
static void block_exchanges_are_near_the_bound(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    enum { KEYS = 1 << 15, SECTOR = 32 / 4, BLOCK = 16 };
    rng r = {1}; /* how long the searches are depends on the keys */
    streams s = make_keys(&r, UNIFORM, 4, KEYS);
    machine *const m = counted(&s, (merge_job){.is_sort = true, .part = merge_most_part(4)});
    assert_no_conflict(m, "merge_runs", 0);
    assert_int_equal(sum_of_kernel(m, "merge_runs", SPACE_GLOBAL, OP_WRITE).requests, KEYS / SECTOR);
    assert_int_equal(sum_of_kernel(m, "merge_parts", SPACE_GLOBAL, OP_WRITE).requests, KEYS / SECTOR);
    const uint64_t runs = sum_of_kernel(m, "merge_runs", SPACE_GLOBAL, OP_READ).requests;
    const uint64_t parts = sum_of_kernel(m, "merge_parts", SPACE_GLOBAL, OP_READ).requests;
    assert_int_equal(runs, KEYS / SECTOR);
    assert_true(parts < 2 * KEYS / SECTOR);
    assert_true(sum_of_kernel(m, "merge_split", SPACE_GLOBAL, OP_READ).requests < KEYS / SECTOR);
    const double exchanges =
        (double)((runs + parts) * SECTOR) / (double)BLOCK; /* more is read than is written */
    const double bound =
        io_bound_sorting(KEYS, (io_machine){.processors = 1, .block = BLOCK, .cache_blocks = 64});
    if (exchanges > 2 * bound) fail_msg("%.0f exchanges of blocks, where the bound is %.0f", exchanges, bound);
    machine_free(m);
    free_streams(&s);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_merged),
        cmocka_unit_test(keys_are_sorted_by_merging),
        cmocka_unit_test(streams_are_merged_two_by_two),
        cmocka_unit_test(pairwise_merging_has_a_worst_case),
        cmocka_unit_test(merging_by_blocks_has_no_bank_conflicts),
        cmocka_unit_test(block_exchanges_are_near_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
