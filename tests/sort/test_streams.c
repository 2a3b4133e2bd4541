/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 9 on streams of blocks: the result is the stable merge, each block is read once and in order of rank, and what
 * fails while blocks are read or written is passed on.
 */
#include "papers/sort/streams.h"

#include <math.h>

#include "riffle/papers.h"
#include "support.h"

static uint64_t seed;

/* Items are 4 bytes of key, and 4 that say the stream and the place. */
typedef struct entry {
    uint32_t key, from;
} entry;

typedef struct store {
    stream_merge merge;
    uint64_t *first, *at; /* for each stream: where it begins, and how far it is read */
    entry *items, *out;
    uint64_t n, written, blocks, fails_after;
    uint32_t last; /* the rank of the block read last */
    bool has_last;
} store;

static bool by_key(const void *context, const void *a, const void *b) {
    (void)context;
    return ((const entry *)a)->key < ((const entry *)b)->key;
}

static riffle_status read_items(void *context, uint32_t s, void *items, uint32_t *count) {
    store *const all = context;
    const uint64_t left = all->first[s + 1] - all->at[s];
    if (all->blocks == all->fails_after) return RIFFLE_ERROR_IO;
    if (all->at[s] > all->first[s]) {
        const uint32_t rank = all->items[all->at[s] - 1].key;
        if (all->has_last && rank < all->last)
            fail_msg("seed %llu: rank %u is read behind %u", (unsigned long long)seed, rank, all->last);
        all->last = rank;
        all->has_last = true;
    }
    *count = left < all->merge.block ? (uint32_t)left : all->merge.block;
    memcpy(items, all->items + all->at[s], *count * sizeof(entry));
    all->at[s] += *count;
    all->blocks += *count > 0;
    return RIFFLE_OK;
}

static riffle_status write_items(void *context, const void *items, uint64_t count) {
    store *const all = context;
    assert_true(count <= all->n - all->written);
    memcpy(all->out + all->written, items, (size_t)count * sizeof(entry));
    all->written += count;
    return RIFFLE_OK;
}

static int compare(const void *a, const void *b) {
    const entry *const x = a, *const y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static store make_store(rng *r, uint32_t streams, uint32_t block, uint32_t memory_blocks, uint32_t keys) {
    store all = {.merge = {.streams = streams,
                           .block = block,
                           .memory_blocks = memory_blocks,
                           .item_bytes = sizeof(entry),
                           .before = by_key,
                           .read = read_items,
                           .write = write_items},
                 .fails_after = UINT64_MAX};
    all.first = calloc(streams + 1, sizeof *all.first);
    all.at = calloc(streams + 1, sizeof *all.at);
    assert_non_null(all.first);
    assert_non_null(all.at);
    for (uint32_t s = 0; s < streams; s++) all.first[s + 1] = all.first[s] + rng_below(r, 5 * block + 1);
    all.n = all.merge.items = all.first[streams];
    all.items = calloc(all.n + 1, sizeof *all.items);
    all.out = calloc(all.n + 1, sizeof *all.out);
    assert_non_null(all.items);
    assert_non_null(all.out);
    for (uint64_t i = 0; i < all.n; i++) all.items[i] = (entry){(uint32_t)rng_below(r, keys), 0};
    for (uint32_t s = 0; s < streams; s++) {
        qsort(all.items + all.first[s], all.first[s + 1] - all.first[s], sizeof *all.items, compare);
        all.at[s] = all.first[s];
    }
    for (uint64_t i = 0; i < all.n; i++) all.items[i].from = (uint32_t)i;
    return all;
}

static void free_store(store *all) {
    free(all->first);
    free(all->at);
    free(all->items);
    free(all->out);
}

static void streams_are_merged(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < test_rounds(500); k++) {
        const uint32_t streams = 1 + (uint32_t)rng_below(&r, k % 10 == 0 ? 200 : 9),
                       block = 1 + (uint32_t)rng_below(&r, 7);
        store all =
            make_store(&r, streams, block, streams + (uint32_t)rng_below(&r, 12), k % 3 == 0 ? 4 : 1000);
        uint64_t blocks = 0;
        for (uint32_t s = 0; s < streams; s++) blocks += (all.first[s + 1] - all.first[s] + block - 1) / block;
        all.merge.context = &all;
        assert_int_equal(stream_merge_run(&all.merge), RIFFLE_OK);
        assert_int_equal(all.written, all.n);
        assert_int_equal(all.blocks, blocks);
        qsort(all.items, all.n, sizeof *all.items, compare);
        if (memcmp(all.items, all.out, (size_t)all.n * sizeof(entry)) != 0)
            fail_msg("seed %llu: %u streams of blocks of %u are wrong", (unsigned long long)seed, streams,
                     block);
        free_store(&all);
    }
}

static bool by_key_counted(const void *context, const void *a, const void *b) {
    ++**(uint64_t *const *)context;
    return by_key(NULL, a, b);
}

/* A block costs two comparisons for each doubling of the streams, and an item one for each doubling of the items. */
static void many_streams_are_few_comparisons(void **state) {
    (void)state;
    rng r = {seed};
    uint64_t comparisons = 0, *const counter = &comparisons;
    store all = make_store(&r, 3000, 1, 4000, UINT32_MAX);
    all.merge.context = &all;
    all.merge.before = by_key_counted;
    all.merge.order = &counter;
    uint64_t sorts = 0;
    all.merge.sorts = &sorts;
    assert_int_equal(stream_merge_run(&all.merge), RIFFLE_OK);
    assert_int_equal(all.written, all.n);
    for (uint64_t i = 1; i < all.n; i++) assert_true(all.out[i - 1].key <= all.out[i].key);
    if (comparisons > (all.n + 3000) * 24 + sorts * 4000 * 12)
        fail_msg("seed %llu: %llu comparisons, %llu items, %llu sorts", (unsigned long long)seed,
                 (unsigned long long)comparisons, (unsigned long long)all.n, (unsigned long long)sorts);
    free_store(&all);
}

static void failures_are_passed_on(void **state) {
    (void)state;
    rng r = {seed};
    for (uint64_t after = 0; after < 4; after++) {
        store all = make_store(&r, 40, 3, 60, 100); /* store of 4 blocks and more, but for one seed in 10^40 */
        all.merge.context = &all;
        all.fails_after = after;
        assert_int_equal(stream_merge_run(&all.merge), RIFFLE_ERROR_IO);
        free_store(&all);
    }
}

static void memory_is_a_block_a_stream(void **state) {
    (void)state;
    rng r = {seed};
    store all = make_store(&r, 4, 3, 3, 100);
    assert_int_equal(stream_merge_run(&all.merge), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "memory of 3 blocks for 4 streams; it takes one for each");
    free_store(&all);
}

static void sizes_that_no_memory_has_are_refused(void **state) {
    (void)state;
    rng r = {seed};
    store all = make_store(&r, 4, 3, UINT32_MAX, 100);
    all.merge.context = &all;
    all.merge.block = UINT32_MAX;
    all.merge.items = (uint64_t)1 << 62;
    assert_int_equal(stream_merge_run(&all.merge), RIFFLE_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(riffle_error_detail(), "no memory for blocks of streams"));
    assert_int_equal(all.blocks + all.written, 0);
    free_store(&all);
}

static void streams_bring_what_was_said(void **state) {
    (void)state;
    rng r = {seed};
    store all = make_store(&r, 40, 3, 60, 100);
    all.merge.context = &all;
    all.merge.items--;
    assert_int_equal(stream_merge_run(&all.merge), RIFFLE_ERROR_INTERNAL);
    assert_non_null(strstr(riffle_error_detail(), "or than there is"));
    free_store(&all);
}

/* ------------------------------------------------------------------------------- the public call */

static riffle_sort_plan *merge_plan(uint64_t n, uint64_t segments, const riffle_sort_options *more) {
    riffle_sort_options options = more != NULL ? *more : (riffle_sort_options){.task = RIFFLE_SORT_TASK_MERGE};
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    options.segments = segments;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_F32, false, &key), RIFFLE_OK);
    if (riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return plan;
}

/* An insertion: stable, -0.0 equals 0.0, and NaN comes last. */
static void sort_floats(float *of, uint64_t n) {
    for (uint64_t i = 1; i < n; i++) {
        const float x = of[i];
        uint64_t at = i;
        for (; at > 0 && !isnan(x) && (isnan(of[at - 1]) || x < of[at - 1]); at--) of[at] = of[at - 1];
        of[at] = x;
    }
}

/* Floats with zeros of both signs and NaNs, whose order is seen: stable, as the segments' merge by definition. */
static void segments_are_merged_by_blocks(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const uint64_t segments = 1 + rng_below(&r, 8), n = rng_below(&r, 300), block = 1 + rng_below(&r, 9);
        uint64_t first[10] = {0}, blocks = 0;
        float from[300], to[300], wanted[300];
        for (uint64_t s = 0; s < segments; s++) first[s + 1] = first[s] + rng_below(&r, n - first[s] + 1);
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t kind = rng_below(&r, 9);
            from[i] = kind == 0 ? NAN : kind == 1 ? -0.0F : (float)rng_below(&r, 5);
        }
        for (uint64_t s = 0; s < segments; s++) {
            blocks += (first[s + 1] - first[s] + block - 1) / block;
            sort_floats(from + first[s], first[s + 1] - first[s]);
        }
        memcpy(wanted, from, sizeof wanted);
        sort_floats(wanted, first[segments]);
        memset(to, 0x5a, sizeof to);
        for (uint64_t i = first[segments]; i < n; i++) wanted[i] = to[i]; /* left out at the end */
        riffle_sort_plan *plan = merge_plan(n, segments, NULL);
        riffle_merge_counts counts = {9, 9, 9};
        const riffle_sort_arrays arrays = {.keys = to, .from_keys = from, .first = first};
        if (riffle_merge_by_blocks(plan, &arrays, block, segments + rng_below(&r, 9), &counts) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
        if (memcmp(to, wanted, n * sizeof *to) != 0 || counts.reads != blocks)
            fail_msg("seed %llu, round %u: wrong order, or %llu blocks of %llu", (unsigned long long)seed,
                     round, (unsigned long long)counts.reads, (unsigned long long)blocks);
        assert_true(n == 0 ? counts.writes == 0 : counts.sorts > 0);
        riffle_sort_plan_free(plan);
    }
}

/* No more memory is asked for than the elements want, of blocks of any size and however many. */
static void blocks_beyond_the_elements_cost_nothing(void **state) {
    (void)state;
    enum { N = 1000 };
    const uint64_t sizes[][2] = {{(uint64_t)1 << 31, (uint64_t)1 << 31},
                                 {UINT32_MAX, UINT32_MAX},
                                 {UINT32_MAX, 2},
                                 {1, UINT32_MAX},
                                 {N, 2},
                                 {N - 1, UINT32_MAX},
                                 {N + 1, 3},
                                 {N / 2, 3}};
    rng r = {seed};
    float from[N], to[N], wanted[N];
    for (unsigned i = 0; i < N; i++) from[i] = wanted[i] = (float)rng_below(&r, 700);
    sort_floats(from, N / 2);
    sort_floats(from + N / 2, N / 2);
    sort_floats(wanted, N);
    riffle_sort_plan *plan = merge_plan(N, 2, NULL);
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint64_t block = sizes[k][0], of_each = (N / 2 + block - 1) / block;
        riffle_merge_counts counts = {0};
        memset(to, 0x5a, sizeof to);
        if (riffle_merge_by_blocks(plan, &(riffle_sort_arrays){.keys = to, .from_keys = from}, block,
                                   sizes[k][1], &counts) != RIFFLE_OK)
            fail_msg("%u: %s", k, riffle_error_detail());
        assert_memory_equal(to, wanted, sizeof to);
        assert_int_equal(counts.reads, 2 * of_each);
        if (block >= N) assert_int_equal(counts.writes, 1);
    }
    riffle_sort_plan_free(plan);
}

static void what_cannot_be_merged_is_refused(void **state) {
    (void)state;
    float from[6] = {1, 2, 3, 1, 2, 3}, to[6] = {7, 7, 7, 7, 7, 7};
    const uint64_t down[] = {0, 5, 4};
    const riffle_sort_options sorts = {.task = RIFFLE_SORT_TASK_SORT},
                              indices = {.task = RIFFLE_SORT_TASK_MERGE, .index_bytes = 8};
    const struct {
        const riffle_sort_options *options;
        riffle_sort_arrays arrays;
        uint64_t block, memory_blocks;
        riffle_status status;
        const char *words;
    } cases[] = {
        {NULL,
         {.keys = to, .from_keys = from},
         0,
         9,
         RIFFLE_ERROR_INVALID_ARGUMENT,
         "9 blocks of 0 elements for 2 segments"},
        {NULL,
         {.keys = to, .from_keys = from},
         1,
         1,
         RIFFLE_ERROR_INVALID_ARGUMENT,
         "1 blocks of 1 elements for 2 segments"},
        {NULL,
         {.keys = to, .from_keys = from},
         1,
         1ULL << 32,
         RIFFLE_ERROR_INVALID_ARGUMENT,
         "from 1 to 2^32 - 1"},
        {NULL, {.keys = from, .from_keys = from}, 1, 9, RIFFLE_ERROR_INVALID_ARGUMENT, "are one array"},
        {NULL,
         {.keys = to, .from_keys = from, .first = down},
         1,
         9,
         RIFFLE_ERROR_INVALID_ARGUMENT,
         "begins at element 5"},
        {NULL, {.from_keys = from}, 1, 9, RIFFLE_ERROR_INVALID_ARGUMENT, "keys"},
        {&sorts, {.keys = to, .from_keys = from}, 1, 9, RIFFLE_ERROR_UNSUPPORTED, "without values and indices"},
        {&indices,
         {.keys = to, .from_keys = from, .indices = (uint64_t[6]){0}},
         1,
         9,
         RIFFLE_ERROR_UNSUPPORTED,
         "merges by fields"},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_sort_plan *plan = merge_plan(6, 2, cases[k].options);
        assert_int_equal(
            riffle_merge_by_blocks(plan, &cases[k].arrays, cases[k].block, cases[k].memory_blocks, NULL),
            cases[k].status);
        if (strstr(riffle_error_detail(), cases[k].words) == NULL)
            fail_msg("'%s' lacks '%s'", riffle_error_detail(), cases[k].words);
        assert_true(to[0] == 7 && to[5] == 7);
        riffle_sort_plan_free(plan);
    }
    assert_int_equal(riffle_merge_by_blocks(NULL, &cases[0].arrays, 1, 9, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "plan is NULL");
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_merged),
        cmocka_unit_test(many_streams_are_few_comparisons),
        cmocka_unit_test(failures_are_passed_on),
        cmocka_unit_test(memory_is_a_block_a_stream),
        cmocka_unit_test(sizes_that_no_memory_has_are_refused),
        cmocka_unit_test(streams_bring_what_was_said),
        cmocka_unit_test(segments_are_merged_by_blocks),
        cmocka_unit_test(blocks_beyond_the_elements_cost_nothing),
        cmocka_unit_test(what_cannot_be_merged_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
