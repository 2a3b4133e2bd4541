/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on the memory machine: the launches that a GPU gets, of every way and kind of key, compared with the definition; arrays
 * are poisoned, and a hazard fails. Steps are cut shorter than a GPU's, so that short arrays have two levels, several
 * pieces and leaves of every length. What is claimed of accesses is counted.
 */
#include "engines/launch/sort_task.h"
#include "engines/simulate/own.h"
#include "engines/simulate/sort_kernels.h"
#include "machine/device/shared_memory.h"
#include "machine_support.h"
#include "sort_support.h"

enum { MULTIPROCESSORS = 2, MACHINE_THREADS = 1024, SHARED_BYTES = 200 << 10, WHOLE = -1 };

#define NONE UINT64_MAX
#define ANYTHING (UINT64_MAX - 1)

typedef struct sort_case {
    riffle_sort_key key;
    sort_shape shape;
    uint64_t n;
    size_t value_bytes, index_bytes;
    bool in_place, with_keys;
    riffle_sort_task task;
    uint64_t segments, count; /* 0 segments: one */
    bool is_uneven, is_wrong; /* segments begin where an array says, or where that makes no sense */
    int levels;               /* WHOLE: as a GPU has it */
    uint32_t leaf, piece;
    uint64_t mask[2];      /* of each 8 bytes of the elements, in turn, these bits; 0, 0: all */
    uint64_t outlier;      /* or-ed to the last 8 bytes of one element in 500 */
    size_t row_bytes;      /* of codes of rows, where levels are not WHOLE; 0: 8 */
    const uint64_t *first; /* where is_uneven; NULL: anywhere */
    sort_before *before;   /* what key.before says; NULL where that is no order */
    void (*fill)(rng *r, const struct sort_case *c, unsigned char *elements); /* NULL: by shape alone */
} sort_case;

typedef struct sort_run {
    machine *m;
    riffle_sort_plan plan;
    sort_task task;
    unsigned char *from, *values;
    uint64_t *first; /* NULL: segments are even */
    riffle_sort_arrays arrays;
    lint_object own; /* of a comparison of the user's */
} sort_run;

static uint64_t segments_of(const sort_case *c) { return c->segments > 0 ? c->segments : 1; }

static uint64_t begin_of(const sort_case *c, const sort_run *run, uint64_t s) {
    return run->first != NULL ? run->first[s] : s * (c->n / segments_of(c));
}

static void *buffer(machine *m, const char *name, size_t bytes) {
    void *out;
    if (machine_buffer(m, name, bytes > 0 ? bytes : 1, &out) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    memset(out, POISON_VALUE, bytes);
    return out;
}

static void *written(machine *m, const char *name, const void *bytes, size_t count) {
    void *const out = buffer(m, name, count);
    memcpy(out, bytes, count);
    machine_written(m, out, count);
    return out;
}

static void run_launch(machine *m, const lint_object *own, sort_launch *work) {
    void *arguments[] = {&work->to, &work->from, work->is_own ? (void *)&work->own : &work->table};
    if (work->copied > 0) {
        memcpy(work->to, work->from, work->copied);
        machine_written(m, work->to, work->copied);
        return;
    }
    const machine_launch launch = {.kernel = work->name,
                                   .entry = work->is_own ? own->entry
                                                         : machine_sort_kernel(work->kernel, work->key_bytes),
                                   .args = arguments,
                                   .grid = {work->grid, 1, 1},
                                   .block = {work->block, 1, 1},
                                   .shared_bytes = work->shared_bytes};
    machine_place_dynamic_shared(m, work->is_own ? own->dynamic_start() : riffle_machine_shared_memory);
    if (machine_run(m, &launch) != RIFFLE_OK) fail_msg("%s: %s", work->name, riffle_error_detail());
    if (machine_report(m)->hazards > 0) fail_msg("%s: %s", work->name, machine_report(m)->hazard[0].text);
}

static sort_task task_of(const sort_case *c, const riffle_sort_plan *plan) {
    const sort_task_steps steps = {.row_bytes = c->row_bytes > 0 ? c->row_bytes : 8,
                                   .levels = (unsigned)c->levels,
                                   .leaf = c->leaf,
                                   .piece = c->piece};
    if (c->levels == WHOLE) return sort_task_of(plan, c->is_uneven, MULTIPROCESSORS);
    return sort_task_cut(plan, c->is_uneven, &steps, MULTIPROCESSORS);
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Some are empty; what is before the first and behind the last is not sorted. */
static void bring_first(const sort_case *c, sort_run *run, rng *r) {
    const size_t bytes = (segments_of(c) + 1) * sizeof *run->first;
    if (!c->is_uneven) return;
    run->first = malloc(bytes);
    assert_non_null(run->first);
    for (uint64_t s = 0; s <= segments_of(c); s++) run->first[s] = rng_below(r, c->n + 1);
    qsort(run->first, segments_of(c) + 1, sizeof *run->first, compare_numbers);
    if (c->first != NULL) memcpy(run->first, c->first, bytes);
    if (c->is_wrong) run->first[segments_of(c) / 2] = c->n + 1;
    run->arrays.first = written(run->m, "first", run->first, bytes);
}

static void mask_elements(const sort_case *c, unsigned char *elements) {
    const size_t element = c->key.elem_bytes;
    uint64_t *const words = (void *)elements;
    for (uint64_t k = 0; (c->mask[0] | c->mask[1]) != 0 && k < c->n * element / 8; k++)
        words[k] &= c->mask[k % 2];
    for (uint64_t k = 250; c->outlier != 0 && k < c->n; k += 500)
        words[(k + 1) * element / 8 - 1] |= c->outlier;
}

static sort_run run_case(const sort_case *c, rng *r) {
    sort_run run = {.m = machine_or_fail((riffle_machine_options){
                        .width = 32, .block_threads = MACHINE_THREADS, .shared_bytes = SHARED_BYTES})};
    sort_launch list[SORT_TASK_LAUNCHES];
    const size_t bytes = c->n * c->key.elem_bytes;
    run.plan = (riffle_sort_plan){.n = c->n,
                                  .segments = segments_of(c),
                                  .count = c->count,
                                  .task = c->task,
                                  .key = c->key,
                                  .value_bytes = c->value_bytes,
                                  .index_bytes = c->index_bytes};
    assert_int_equal(sort_layout_make(&c->key, &run.plan.layout), RIFFLE_OK);
    run.plan.is_number = sort_layout_is_number(&run.plan.layout) && c->value_bytes + c->index_bytes == 0 &&
                         c->key.before == NULL;
    run.task = task_of(c, &run.plan);
    run.from = malloc(bytes), run.values = malloc(c->n * 8);
    assert_non_null(run.from);
    assert_non_null(run.values);
    sort_fill(r, &c->key, c->shape, run.from, c->n);
    mask_elements(c, run.from);
    if (c->fill != NULL) c->fill(r, c, run.from);
    fill_random(r, run.values, c->n * 8);
    run.arrays.from_keys = written(run.m, "from_keys", run.from, bytes);
    if (c->with_keys)
        run.arrays.keys = c->in_place ? (void *)(uintptr_t)run.arrays.from_keys : buffer(run.m, "keys", bytes);
    if (c->value_bytes > 0)
        run.arrays.from_values = written(run.m, "from_values", run.values, c->n * c->value_bytes);
    if (c->value_bytes > 0)
        run.arrays.values = c->in_place ? (void *)(uintptr_t)run.arrays.from_values
                                        : buffer(run.m, "values", c->n * c->value_bytes);
    if (c->index_bytes > 0) run.arrays.indices = buffer(run.m, "indices", c->n * c->index_bytes);
    if (c->task == RIFFLE_SORT_UNIQUE)
        run.arrays.lengths = buffer(run.m, "lengths", segments_of(c) * sizeof *run.arrays.lengths);
    bring_first(c, &run, r);
    const unsigned count =
        launch_sort_task(&run.task, &run.arrays, buffer(run.m, "workspace", run.task.bytes), list);
    if (c->key.before != NULL && simulate_own_load_sort(run.m, &c->key, &run.own) != RIFFLE_OK)
        fail_msg("%s: %s", c->key.before, riffle_error_detail());
    for (unsigned k = 0; k < count; k++) run_launch(run.m, &run.own, &list[k]);
    return run;
}

/* Whether result `at` is element e; where e is NONE, whether it was left alone. */
static bool is_element(const sort_case *c, const sort_run *run, uint64_t at, uint64_t e) {
    const struct {
        const void *found, *from;
        size_t bytes;
    } all[] = {{run->arrays.keys, run->from, c->key.elem_bytes},
               {run->arrays.values, run->values, c->value_bytes},
               {run->arrays.indices, NULL, c->index_bytes}};
    for (unsigned k = 0; k < 3; k++) {
        unsigned char wanted[RIFFLE_SORT_MAX_KEY_BYTES * 2];
        const size_t bytes = all[k].bytes;
        if (all[k].found == NULL || bytes == 0) continue;
        if (e == NONE && c->in_place && all[k].from != NULL)
            memcpy(wanted, (const char *)all[k].from + at * bytes, bytes);
        else if (e == NONE)
            memset(wanted, POISON_VALUE, bytes);
        else
            memcpy(wanted, all[k].from != NULL ? (const char *)all[k].from + e * bytes : (const char *)&e,
                   bytes);
        if (memcmp((const char *)all[k].found + at * bytes, wanted, bytes) != 0) return false;
    }
    return true;
}

static bool comes_before(const sort_case *c, const sort_run *run, uint64_t a, uint64_t b) {
    sort_before *const before = c->before != NULL ? c->before : sort_before_by_fields;
    return before(&run->plan.layout, run->from + a * c->key.elem_bytes, run->from + b * c->key.elem_bytes);
}

/* The order of elements first to end - 1, by the definition. */
static void expect_order(const sort_case *c, const sort_run *run, uint64_t first, uint64_t end, uint64_t *order,
                         uint64_t *room) {
    if (c->before == NULL) {
        sort_expected(&c->key, run->plan.is_number, run->from, first, end, order, room);
        return;
    }
    for (uint64_t i = first; i < end; i++) order[i - first] = i;
    sort_definition(c->before, &run->plan.layout, run->from, c->key.elem_bytes, order, room, end - first);
}

/* Results of segment s, whose elements in order are `order`: `kept` receives which of these they are. */
static uint64_t keep(const sort_case *c, const sort_run *run, const uint64_t *order, uint64_t length,
                     uint64_t *kept) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < length; i++) {
        if (c->task == RIFFLE_SORT_TOP && i >= c->count) break;
        if (c->task == RIFFLE_SORT_UNIQUE && i > 0 && !comes_before(c, run, order[i - 1], order[i])) continue;
        kept[count++] = order[i];
    }
    return count;
}

/* Results of segment s, `order` of `length` elements, as PARTITION has them. */
static bool is_partition(const sort_case *c, const sort_run *run, const uint64_t *order, uint64_t first,
                         uint64_t length) {
    const size_t e = c->key.elem_bytes, v = c->value_bytes;
    char *const keys = calloc(c->n + 1, e), *const values = calloc(c->n + 1, v + 1);
    uint64_t *const indices = calloc(c->n + 1, sizeof *indices);
    assert_true(keys != NULL && values != NULL && indices != NULL);
    for (uint64_t i = 0; i < length; i++) {
        memcpy(keys + (first + i) * e, run->from + order[i] * e, e);
        memcpy(values + (first + i) * v, run->values + order[i] * v, v);
        memcpy((char *)indices + (first + i) * c->index_bytes, &order[i], c->index_bytes);
    }
    const sort_column columns[] = {{run->arrays.keys, keys, e},
                                   {run->arrays.values, values, v},
                                   {run->arrays.indices, indices, c->index_bytes}};
    const bool is = sort_is_partition(columns, 3, first, first + length, c->count);
    free(keys), free(values), free(indices);
    return is;
}

/* Each place has what it should; what UNIQUE leaves behind its results is anything. */
static bool is_right(const sort_case *c, const sort_run *run) {
    uint64_t *const order = malloc((4 * c->n + 1) * sizeof *order), *const kept = order + 2 * c->n,
                    *const wanted = order + 3 * c->n;
    bool right = order != NULL;
    assert_non_null(order);
    for (uint64_t i = 0; i < c->n; i++) wanted[i] = NONE;
    for (uint64_t s = 0; s < segments_of(c) && !c->is_wrong; s++) {
        const uint64_t first = begin_of(c, run, s), length = begin_of(c, run, s + 1) - first;
        expect_order(c, run, first, first + length, order, order + c->n);
        const uint64_t count = keep(c, run, order, length, kept);
        const uint64_t to = c->task == RIFFLE_SORT_TOP ? s * c->count : first;
        const bool is_partitioned = c->task == RIFFLE_SORT_PARTITION;
        for (uint64_t k = 0; k < count; k++) wanted[to + k] = is_partitioned ? ANYTHING : kept[k];
        if (is_partitioned) right = right && is_partition(c, run, order, first, length);
        for (uint64_t k = count; c->task == RIFFLE_SORT_UNIQUE && k < length; k++) wanted[to + k] = ANYTHING;
        if (c->task == RIFFLE_SORT_UNIQUE) right = right && run->arrays.lengths[s] == count;
    }
    for (uint64_t i = 0; right && i < c->n; i++)
        right = wanted[i] == ANYTHING || is_element(c, run, i, wanted[i]);
    free(order);
    return right;
}

static void end(sort_run *run) {
    machine_free(run->m);
    lint_object_unload(&run->own);
    free(run->from), free(run->values), free(run->first);
}

static void expect_sorted(rng *r, const sort_case *c) {
    const uint64_t seed = r->state;
    sort_run run = run_case(c, r);
    if (!is_right(c, &run))
        fail_msg("seed %llu: %llu elements of %zu bytes, %u fields, shape %d, way %d, levels %d, leaf %u, "
                 "piece %u, values %zu, indices %zu, in place %d, keys %d, task %d, %llu segments, count %llu, "
                 "uneven %d: not "
                 "as by definition",
                 (unsigned long long)seed, (unsigned long long)c->n, c->key.elem_bytes, c->key.fields,
                 (int)c->shape, (int)run.task.way, c->levels, c->leaf, c->piece, c->value_bytes, c->index_bytes,
                 c->in_place, c->with_keys, (int)c->task, (unsigned long long)c->segments,
                 (unsigned long long)c->count, c->is_uneven);
    end(&run);
}

static sort_case random_case(rng *r, uint64_t n) {
    sort_case c = {.n = n, .shape = (sort_shape)rng_below(r, SORT_SHAPES)};
    c.key = rng_below(r, 2) ? sort_random_number(r) : sort_random_row(r);
    const uint64_t extra = rng_below(r, 6);
    if (extra < 2) c.value_bytes = 4 + 4 * extra;
    if (extra == 2 || extra == 3) c.index_bytes = 4 * (extra - 1);
    c.in_place = rng_below(r, 3) == 0;
    c.with_keys = c.value_bytes + c.index_bytes == 0 || rng_below(r, 2);
    c.levels = (int)rng_below(r, 4) - 1;
    c.leaf = 10 + (uint32_t)rng_below(r, 300);
    c.piece = 200 + (uint32_t)rng_below(r, 3000);
    return c;
}

/* Any task, of segments or of one. */
static void make_task(rng *r, sort_case *c) {
    static const riffle_sort_task tasks[] = {RIFFLE_SORT_ALL, RIFFLE_SORT_TOP, RIFFLE_SORT_PARTITION,
                                             RIFFLE_SORT_UNIQUE};
    c->task = tasks[rng_below(r, 4)];
    if (rng_below(r, 4) > 0) c->segments = 2 + rng_below(r, rng_below(r, 2) ? 4 : c->n);
    c->is_uneven = c->n % segments_of(c) != 0 || rng_below(r, 2);
    if (c->task == RIFFLE_SORT_TOP || c->task == RIFFLE_SORT_PARTITION)
        c->count = rng_below(r, c->n / segments_of(c) + 1);
}

static void test_random(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(6); round++) {
        const sort_case c = random_case(&r, 1 + rng_below(&r, round % 3 > 0 ? 100 : 1500));
        expect_sorted(&r, &c);
    }
}

static void test_random_tasks(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(12); round++) {
        sort_case c = random_case(&r, 1 + rng_below(&r, round % 8 > 0 ? 60 : 1500));
        c.shape = round % 2 ? SORT_SHAPE_FEW : c.shape;
        c.piece = 1 << 20;
        if (c.levels == 2) c.leaf = 200;
        make_task(&r, &c);
        if (c.levels > 0 && (c.segments > 4 || round % 4 > 0))
            c.levels = 0; /* each segment has a sample of its own */
        expect_sorted(&r, &c);
    }
}

/* Many short segments: every length that leaves have, and longer ones; codes of numbers that are none by themselves. */
static void test_segments(void **state) {
    (void)state;
    rng r = {8};
    for (unsigned k = 0; k < 4; k++) {
        sort_case c = {
            .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_FLOAT, .bytes = 4}}},
            .n = 5000,
            .with_keys = true,
            .segments = k % 2 ? 100 : 7,
            .is_uneven = true,
            .levels = WHOLE};
        if (k >= 2) {
            c.key.field[0].kind = RIFFLE_SORT_SIGNED;
            c.index_bytes = 4;
        }
        expect_sorted(&r, &c);
    }
}

/* Keys of 4, 8 and 16 bytes: alone, or with indices or values; with signs, NaN, and what descends. */
static sort_case segments_case(unsigned kind) {
    static const riffle_sort_kind kinds[] = {RIFFLE_SORT_FLOAT, RIFFLE_SORT_SIGNED, RIFFLE_SORT_UNSIGNED};
    const size_t bytes = (size_t)4 << kind % 3;
    sort_case c = {.key = {.elem_bytes = bytes,
                           .fields = 1,
                           .field = {{.kind = bytes == 16 ? RIFFLE_SORT_UNSIGNED : kinds[kind % 4 % 3],
                                      .bytes = bytes,
                                      .descending = kind % 5 == 0}}},
                   .shape = kind % 7 < 2   ? SORT_SHAPE_ZEROS
                            : kind % 7 < 4 ? SORT_SHAPE_FEW
                                           : SORT_SHAPE_UNIFORM,
                   .in_place = kind % 4 == 3,
                   .with_keys = true,
                   .levels = WHOLE};
    if (kind / 3 % 2 == 1) *(kind % 2 ? &c.index_bytes : &c.value_bytes) = 4;
    return c;
}

/* Segments of one length: those that a lane holds, a warp, several, a block, and longer ones, and one more or less. */
static void test_even_segments(void **state) {
    (void)state;
    static const uint64_t lengths[] = {1,   2,   31,  32,   33,   64,   100,  255,  256,  257,
                                       512, 513, 769, 1000, 1025, 2048, 2049, 4000, 4096, 4097};
    rng r = {31};
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (unsigned kind = 0; kind < 6; kind++) {
            sort_case c = segments_case(kind + 5 * k);
            c.segments = lengths[k] > 2000 ? 2 : 2 + 600 / lengths[k];
            c.n = c.segments * lengths[k];
            if (lengths[k] > 1000 && kind % 3 != k % 3) continue;
            expect_sorted(&r, &c);
        }
}

/* Segments of lengths that have nothing to do with each other: empty ones, those of a row, of several, of all, and longer ones. */
static void test_uneven_segments(void **state) {
    (void)state;
    static const uint64_t lengths[] = {0, 1,   2,  31, 0,  0,   32,   33, 64,  100,  255, 256, 257,
                                       1, 300, 16, 8,  17, 512, 1000, 9,  513, 2048, 3,   7,   2049};
    enum { SEGMENTS = sizeof lengths / sizeof *lengths, MOST = 64 };
    rng r = {32};
    for (unsigned kind = 0; kind < 12; kind++) {
        uint64_t first[MOST + 1] = {rng_below(&r, 5)};
        sort_case c = segments_case(kind);
        c.segments = kind % 2 ? MOST : SEGMENTS;
        c.first = first, c.is_uneven = true;
        for (unsigned s = 0; s < c.segments; s++)
            first[s + 1] = first[s] + (kind % 2 ? lengths[rng_below(&r, 12)] : lengths[s]);
        c.n = first[c.segments] + rng_below(&r, 5);
        expect_sorted(&r, &c);
    }
}

/* Arrays that a warp sorts, or a block. */
static void test_few(void **state) {
    (void)state;
    static const uint64_t lengths[] = {1, 100, 256, 257, 700, 1024, 2000, 2049, 4096, 4097, 8192};
    rng r = {34};
    for (unsigned k = 0; k < 2 * sizeof lengths / sizeof *lengths; k++) {
        sort_case c = segments_case(k);
        c.n = lengths[k / 2];
        expect_sorted(&r, &c);
    }
}

/* Lengths for which a level is cut, and one segment that a block sorts among short ones. */
static void test_longer_segments(void **state) {
    (void)state;
    static const uint64_t first[] = {0, 3, 4000, 4001, 8098, 18098, 18100};
    rng r = {33};
    for (unsigned kind = 0; kind < 4; kind++) {
        sort_case c = segments_case(kind);
        c.segments = 2, c.n = 20000;
        if (kind % 2) c.segments = 6, c.n = first[6], c.first = first, c.is_uneven = true;
        expect_sorted(&r, &c);
    }
}

/* Segments of more than a chunk are merged by all blocks: two that meet in a tile, and one of three chunks. */
static void test_long_segments(void **state) {
    (void)state;
    static const uint64_t two[] = {5, 8300, 8303, 17000}, three[] = {1, 2, 16900, 17100};
    rng r = {21};
    for (unsigned k = 0; k < 2; k++) {
        sort_case c = {
            .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_FLOAT, .bytes = 4}}},
            .shape = SORT_SHAPE_ZIPF,
            .n = 17200,
            .with_keys = true,
            .segments = 3,
            .is_uneven = true,
            .first = k == 0 ? two : three,
            .levels = WHOLE};
        if (k == 1) c.key.field[0].kind = RIFFLE_SORT_SIGNED, c.index_bytes = 4, c.in_place = true;
        expect_sorted(&r, &c);
    }
}

/* `first` goes beyond n and descends: nothing is sorted, no segment has a result. */
static void test_segments_that_are_none(void **state) {
    (void)state;
    rng r = {9};
    for (unsigned k = 0; k < 4; k++) {
        sort_case c = {.key = sort_random_row(&r), .n = 300, .with_keys = true, .segments = 9, .levels = WHOLE};
        c.is_uneven = c.is_wrong = true;
        c.index_bytes = 4 * (k % 2);
        c.task = k < 2 ? RIFFLE_SORT_ALL : RIFFLE_SORT_TOP;
        c.count = k < 2 ? 0 : 3;
        expect_sorted(&r, &c);
    }
}

/* Values, or indices, are wanted and keys are not: on every number of levels. */
static void test_without_keys(void **state) {
    (void)state;
    rng r = {5};
    for (int levels = WHOLE; levels <= 2; levels++) {
        sort_case c = {
            .key = {.elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_SIGNED, .bytes = 8}}},
            .shape = SORT_SHAPE_ZIPF,
            .n = 600,
            .with_keys = false,
            .levels = levels,
            .leaf = 200,
            .piece = 250};
        c.value_bytes = levels % 2 == 0 ? 4 : 0;
        c.index_bytes = levels % 2 == 0 ? 0 : 4;
        expect_sorted(&r, &c);
    }
}

/* -------------------------------------------------------------- comparisons */

static uint32_t word_at(const void *element, size_t offset) {
    uint32_t word;
    memcpy(&word, (const char *)element + offset, sizeof word);
    return word;
}

static bool by_last_digits(const void *context, const void *a, const void *b) {
    (void)context;
    return word_at(a, 0) % 1000 < word_at(b, 0) % 1000;
}

/* Doubles at 8, descending, and of equal ones the rests of integers at 0. */
static bool by_weight(const void *context, const void *a, const void *b) {
    double x, y;
    (void)context;
    memcpy(&x, (const char *)a + 8, sizeof x);
    memcpy(&y, (const char *)b + 8, sizeof y);
    return x > y || (x == y && (int32_t)word_at(a, 0) % 7 < (int32_t)word_at(b, 0) % 7);
}

static sort_case own_case(const char *before, uint64_t n) {
    sort_case c = {.key = {.elem_bytes = 4,
                           .fields = 1,
                           .field = {{.kind = RIFFLE_SORT_UNSIGNED, .bytes = 4}},
                           .before = before},
                   .n = n,
                   .with_keys = true};
    return c;
}

static sort_case own_row_case(uint64_t n) {
    sort_case c = own_case("a.weight > b.weight || (a.weight == b.weight && a.count % 7 < b.count % 7)", n);
    c.key = (riffle_sort_key){.elem_bytes = 24,
                              .fields = 2,
                              .field = {{.kind = RIFFLE_SORT_FLOAT, .bytes = 8, .offset = 8, .name = "weight"},
                                        {.kind = RIFFLE_SORT_SIGNED, .bytes = 4, .name = "count"}},
                              .before = c.key.before};
    c.shape = SORT_SHAPE_FEW; /* without NaN */
    c.before = by_weight;
    return c;
}

/* Segments that are shorter than a tile and longer, and rows. */
static void test_comparisons(void **state) {
    (void)state;
    rng r = {17};
    sort_case c = own_case("a % 1000 < b % 1000", 6500);
    c.before = by_last_digits;
    c.segments = 3, c.is_uneven = true, c.in_place = true, c.value_bytes = 8;
    expect_sorted(&r, &c);
    c.n = 2500, c.segments = 900, c.task = RIFFLE_SORT_UNIQUE, c.in_place = false;
    expect_sorted(&r, &c);
    c = own_row_case(4097);
    c.task = RIFFLE_SORT_TOP, c.count = 3077, c.index_bytes = 8;
    expect_sorted(&r, &c);
}

/* What is no order gives a permutation: borders of merges cross, and what lies between them is left as it is. */
static void test_comparisons_that_are_no_order(void **state) {
    (void)state;
    enum { N = 9000 };
    rng r = {18};
    sort_case c = own_case("(a * 2654435761u ^ b * 40503u) >> 9 & 1", N);
    c.index_bytes = 4;
    sort_run run = run_case(&c, &r);
    const uint32_t *const indices = run.arrays.indices;
    bool found[N] = {false};
    for (unsigned i = 0; i < N; i++) {
        assert_true(indices[i] < N);
        assert_false(found[indices[i]]);
        found[indices[i]] = true;
        assert_true(is_element(&c, &run, i, indices[i]));
    }
    end(&run);
}

static void expect_refused(const riffle_sort_key *key, riffle_status wanted, const char *words) {
    lint_object own = {0};
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    assert_int_equal(simulate_own_load_sort(m, key, &own), wanted);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("%s", riffle_error_detail());
    machine_free(m);
}

static void test_comparisons_are_refused(void **state) {
    (void)state;
    sort_case c = own_case("a < c", 10);
    expect_refused(&c.key, RIFFLE_ERROR_SYNTAX, "the compiler refuses this comparison: ");
    c.key.before = "a.class < b.class";
    c.key.field[0].name = "class";
    expect_refused(&c.key, RIFFLE_ERROR_UNSUPPORTED, "field 0: 'class' is a word of C++");
}

/* ------------------------------------------------------------ where keys are dense */

/* Any number of the key's first bits, so that each is as likely to have few as many: their logarithms are even. */
static void fill_by_logarithm(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t k = 0; k < c->n; k++) {
        const uint64_t number = (rng_next(r) | (uint64_t)1 << 63) >> rng_below(r, 64);
        const size_t bytes = c->key.elem_bytes < 8 ? c->key.elem_bytes : 8,
                     at = (k + 1) * c->key.elem_bytes - bytes;
        const uint64_t first = bytes == 8 ? number : number >> 32;
        memcpy(elements + at, &first, bytes);
    }
}

/* Five dense places, one of which has one number only. */
static void fill_in_clusters(rng *r, const sort_case *c, unsigned char *elements) {
    static const uint64_t places[] = {0, 0x1000000000000000, 0x7ffffffff0000000, 0x8000000000000000,
                                      0xffffffff00000000};
    for (uint64_t k = 0; k < c->n; k++) {
        const uint64_t place = rng_below(r, 5), width = place == 1 ? 1 : (uint64_t)1 << 20;
        const size_t bytes = c->key.elem_bytes < 8 ? c->key.elem_bytes : 8,
                     at = (k + 1) * c->key.elem_bytes - bytes;
        const uint64_t number = places[place] + (rng_below(r, width) << (bytes == 8 ? 0 : 12));
        const uint64_t first = bytes == 8 ? number : number >> 32;
        memcpy(elements + at, &first, bytes);
    }
}

/* All equal but a few below, and a few above. */
static void fill_with_one(rng *r, const sort_case *c, unsigned char *elements) {
    memset(elements, 0x55, c->n * c->key.elem_bytes);
    for (uint64_t k = rng_below(r, 50); k < c->n; k += 1 + rng_below(r, 100))
        fill_random(r, elements + k * c->key.elem_bytes, c->key.elem_bytes);
}

/* Cells with many splitters, and none; equal splitters; keys before the first one and behind the last. */
static void test_dense_keys(void **state) {
    (void)state;
    static const riffle_sort_kind kinds[] = {RIFFLE_SORT_UNSIGNED, RIFFLE_SORT_SIGNED, RIFFLE_SORT_FLOAT};
    static void (*const fills[])(rng *, const sort_case *, unsigned char *) = {fill_by_logarithm,
                                                                               fill_in_clusters, fill_with_one};
    rng r = {41};
    for (unsigned k = 0; k < 27; k++) {
        const size_t bytes = (size_t)4 << k % 3;
        const riffle_sort_kind kind = bytes == 16 ? RIFFLE_SORT_UNSIGNED : kinds[k / 9];
        expect_sorted(&r, &(sort_case){.key = {.elem_bytes = bytes,
                                               .fields = 1,
                                               .field = {{.kind = kind, .bytes = bytes, .descending = k % 2}}},
                                       .n = 2500,
                                       .with_keys = true,
                                       .value_bytes = k % 4 == 0 ? 4 : 0,
                                       .levels = 1 + (int)(k % 5) / 4,
                                       .leaf = k % 5 == 4 ? 150 : 40,
                                       .piece = 900,
                                       .fill = fills[k / 3 % 3]});
    }
}

/* Buckets of equal keys that no leaf holds: moved by a block, and, where there are more than 2^17, by all; numbers are made of codes on
 * the way, and what goes along keeps its order. */
static void test_many_equal_keys(void **state) {
    (void)state;
    rng r = {42};
    for (unsigned k = 0; k < 4; k++)
        expect_sorted(
            &r, &(sort_case){
                    .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_SIGNED, .bytes = 4}}},
                    .shape = k < 2 ? SORT_SHAPE_EQUAL : SORT_SHAPE_FEW,
                    .n = k < 2 ? (1 << 17) + 777 : 20000,
                    .with_keys = true,
                    .value_bytes = k % 2 ? 4 : 0,
                    .levels = 1,
                    .leaf = 1000,
                    .piece = 1 << 20});
}

/* ----------------------------------------------------------------- near ties */

/* Keys that differ in their first bit and their last ones only: what is looked up of splitters ties though they differ, and so does
 * what leaves are sorted by first. */
static void test_first_and_last_bits(void **state) {
    (void)state;
    rng r = {12};
    for (unsigned k = 0; k < 6; k++) {
        const size_t bytes = k % 2 == 0 ? 8 : 16;
        const uint64_t mask = k < 3 ? 0x8000000000000007 : 0x800000000000ffff;
        const sort_case c = {.key = {.elem_bytes = bytes,
                                     .fields = 1,
                                     .field = {{.kind = RIFFLE_SORT_UNSIGNED, .bytes = bytes}}},
                             .shape = SORT_SHAPE_UNIFORM,
                             .n = 1500,
                             .with_keys = true,
                             .value_bytes = k < 4 ? 4 : 0,
                             .levels = k < 2 ? 2 : 1,
                             .leaf = k < 4 ? 130 : 400,
                             .piece = 700,
                             .mask = {mask, mask}};
        expect_sorted(&r, &c);
    }
}

/* Leaves of a warp and of two, as segments that are leaves. */
static sort_case leaves_case(size_t bytes, size_t value_bytes) {
    enum { SEGMENTS = 5 };
    static const uint64_t first[SEGMENTS + 1] = {0, 1, 201, 571, 1083, 2007};
    return (sort_case){
        .key = {.elem_bytes = bytes, .fields = 1, .field = {{.kind = RIFFLE_SORT_UNSIGNED, .bytes = bytes}}},
        .n = first[SEGMENTS],
        .segments = SEGMENTS,
        .is_uneven = true,
        .first = first,
        .with_keys = true,
        .value_bytes = value_bytes,
        .levels = WHOLE};
}

/* The uppermost bits of leaves tell apart all keys but some pairs, or fewer, and the last bits the rest, or not even these:
 * equal keys keep their order, which their values show. */
static void test_leaves_that_tie(void **state) {
    (void)state;
    static const uint64_t masks[] = {0xfffc0000000003ff, 0xff000000000003ff, 0xff00000000000001,
                                     0xc0000000000003ff, 0xc000000000000001, 0x00000000000003ff};
    rng r = {31};
    for (unsigned k = 0; k < 2 * sizeof masks / sizeof *masks; k++) {
        const uint64_t mask = masks[k / 2];
        sort_case c = leaves_case(k % 2 ? 16 : 8, k % 3 < 2 ? 4 : 0);
        c.mask[0] = k % 4 < 3 ? mask : 0;
        c.mask[1] = mask;
        expect_sorted(&r, &c);
    }
}

/* Leaves of four warps, which a level has that is to have few. */
static void test_long_leaves_that_tie(void **state) {
    (void)state;
    rng r = {35};
    for (unsigned k = 0; k < 3; k++) {
        sort_case c = leaves_case(k < 2 ? 8 : 16, k == 1 ? 4 : 0);
        c.segments = 0, c.is_uneven = false, c.n = 3000;
        c.levels = 1, c.leaf = 650, c.piece = 1 << 20;
        c.mask[0] = c.mask[1] = k == 1 ? 0xc0000000000003ff : 0xfffc0000000003ff;
        expect_sorted(&r, &c);
    }
}

/* Of keys with 4 bytes, and the last 9 bits that do not fit. */
static void test_short_keys_that_tie(void **state) {
    (void)state;
    rng r = {32};
    for (unsigned k = 0; k < 2; k++) {
        sort_case c = leaves_case(4, 4);
        c.mask[0] = c.mask[1] = k == 0 ? 0xfff8000ffff8000f : 0xc000000fc000000f;
        expect_sorted(&r, &c);
    }
}

/* One key has a first bit that others have not, so that their uppermost bits are all the same; all upper halves are. */
static void test_useless_upper_bits(void **state) {
    (void)state;
    rng r = {33};
    for (unsigned k = 0; k < 4; k++) {
        sort_case c = leaves_case(k % 2 ? 16 : 8, k < 2 ? 4 : 0);
        c.mask[0] = 0x0000000000ffffff;
        c.mask[1] = k % 2 ? 0 : 0x0000000000ffffff;
        c.outlier = (uint64_t)1 << 63;
        expect_sorted(&r, &c);
        if (k % 2 == 0) continue;
        c.outlier = 0;
        c.mask[0] = UINT64_MAX;
        expect_sorted(&r, &c);
    }
}

/* --------------------------------------------------------------------- rows */

/* Rows of so many integers of 8 bytes, ascending and descending in turn. */
static sort_case row_case(unsigned fields, uint64_t n) {
    sort_case c = {.key = {.elem_bytes = 8 * fields, .fields = fields},
                   .n = n,
                   .index_bytes = 4,
                   .leaf = 150,
                   .piece = 400};
    for (unsigned k = 0; k < fields; k++)
        c.key.field[k] = (riffle_sort_field){.kind = k % 3 == 1 ? RIFFLE_SORT_UNSIGNED : RIFFLE_SORT_SIGNED,
                                             .bytes = 8,
                                             .offset = 8 * k,
                                             .descending = (int)k % 2};
    return c;
}

static void put_field(const sort_case *c, unsigned char *elements, uint64_t i, unsigned field,
                      uint64_t number) {
    const riffle_sort_field *const f = &c->key.field[field];
    memcpy(elements + i * c->key.elem_bytes + f->offset, &number, f->bytes < 8 ? f->bytes : 8);
}

/* One of a few numbers that differ in all of their bits. */
static uint64_t one_of(uint64_t k) {
    return k % 2 ? ~(k / 2 * 0x9e3779b97f4a7c15) : k / 2 * 0x9e3779b97f4a7c15;
}

/* Two fields of ten bits each, and a random one: 84 bits. */
static void fill_few(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < 2; k++) put_field(c, elements, i, k, rng_below(r, 1024));
}

/* Every other bit of all fields, a few of them the same: what differs fits into 64. */
static void fill_gaps(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < c->key.fields; k++)
            put_field(c, elements, i, k, (rng_next(r) & 0x5000500000550005) | 0x20000);
}

/* Each field has two values that differ in all bits: elements tie up to any field, and most of them altogether. */
static void fill_deep(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < c->key.fields; k++) put_field(c, elements, i, k, one_of(rng_below(r, 2)));
}

/* The first field is the same in pairs, whose elements are apart. */
static void fill_pairs(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        put_field(c, elements, i, 0, i < c->n / 2 ? rng_next(r) : (c->n - 1 - i) * 0x9e3779b97f4a7c15);
    for (uint64_t i = 0; i < c->n / 2; i++) put_field(c, elements, i, 0, i * 0x9e3779b97f4a7c15);
}

/* The first field is the same in all elements of the middle, and bits of it differ elsewhere. */
static void fill_run(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        put_field(c, elements, i, 0, i < c->n / 8 || i % 7 == 0 ? rng_next(r) : 0x1234567812345678);
}

/* All but one element are the same in the first field. */
static void fill_all_but_one(rng *r, const sort_case *c, unsigned char *elements) {
    (void)r;
    for (uint64_t i = 0; i < c->n; i++) put_field(c, elements, i, 0, i == c->n / 3 ? UINT64_MAX : 0);
}

typedef void fill_rows(rng *r, const sort_case *c, unsigned char *elements);

static fill_rows *const row_fills[] = {fill_few, fill_gaps, fill_deep, fill_pairs, fill_run, fill_all_but_one};

enum { ROW_FILLS = sizeof row_fills / sizeof *row_fills };

/* What ties in the first 64 bits, or 128, on every number of levels. */
static void test_rows_that_tie(void **state) {
    (void)state;
    rng r = {31};
    for (unsigned k = 0; k < 2 * ROW_FILLS; k++) {
        sort_case c = row_case(2 + k % 3, 500 + k);
        c.fill = row_fills[k % ROW_FILLS];
        c.levels = (int)(k % 3);
        c.row_bytes = k % 4 == 3 ? 16 : 8;
        expect_sorted(&r, &c);
    }
}

/* Keys of 1 to 8 fields of 64 bits that tie up to any of them. */
static void test_rows_of_any_length(void **state) {
    (void)state;
    rng r = {32};
    for (unsigned fields = 1; fields <= 8; fields++) {
        sort_case c = row_case(fields, 400);
        c.fill = fill_deep;
        c.levels = (int)(fields % 2);
        c.row_bytes = fields % 4 == 0 ? 16 : 8;
        expect_sorted(&r, &c);
    }
}

/* Fields of every kind, not aligned: a half, a float, a double, strings of 9 and 3 bytes, 128 bits; keys of few values, many of them
 * zeros with a sign and NaNs. */
static void test_rows_of_every_kind(void **state) {
    (void)state;
    rng r = {33};
    for (unsigned k = 0; k < 6; k++) {
        sort_case c = {
            .key =
                {.elem_bytes = 45 + (size_t)k,
                 .fields = 6,
                 .field = {{.kind = RIFFLE_SORT_FLOAT, .bytes = 2, .offset = 2, .descending = (int)k % 2},
                           {.kind = RIFFLE_SORT_BYTES, .bytes = 9, .offset = 5, .descending = (int)k / 2 % 2},
                           {.kind = RIFFLE_SORT_SIGNED, .bytes = 16, .offset = 28, .descending = (int)k % 2},
                           {.kind = RIFFLE_SORT_FLOAT, .bytes = 8, .offset = 16},
                           {.kind = RIFFLE_SORT_BYTES, .bytes = 3, .offset = 25, .descending = 1},
                           {.kind = RIFFLE_SORT_FLOAT, .bytes = 4, .offset = 14, .descending = (int)k / 3}}},
            .shape = k % 3 == 0   ? SORT_SHAPE_ZEROS
                     : k % 3 == 1 ? SORT_SHAPE_FEW
                                  : SORT_SHAPE_ZIPF,
            .n = 301,
            .with_keys = true,
            .in_place = k % 2,
            .value_bytes = 8,
            .levels = (int)(k % 3),
            .leaf = 100,
            .piece = 200};
        expect_sorted(&r, &c);
    }
}

/* Every task and segments of any length, some in which all ties. */
static void test_tasks_of_rows_that_tie(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned k = 0; k < test_rounds(16); k++) {
        sort_case c = row_case(2 + (unsigned)rng_below(&r, 3), 1 + rng_below(&r, k % 4 == 0 ? 900 : 200));
        c.fill = row_fills[rng_below(&r, ROW_FILLS)];
        c.index_bytes = k % 3 == 0 ? 8 : k % 3 == 1 ? 4 : 0;
        c.with_keys = c.index_bytes == 0 || rng_below(&r, 2);
        c.in_place = rng_below(&r, 2);
        c.row_bytes = rng_below(&r, 3) == 0 ? 16 : 8;
        c.piece = 1 << 20;
        make_task(&r, &c);
        c.levels = segments_of(&c) > 1 ? 0 : (int)rng_below(&r, 3);
        expect_sorted(&r, &c);
    }
}

/* As a GPU has it, of more elements than a block sorts, and than blocks look through at a time: each has several turns. */
static void test_many_rows(void **state) {
    (void)state;
    rng r = {34};
    for (unsigned k = 0; k < 2; k++) {
        sort_case c = row_case(3, k == 0 ? SORT_CHUNK + 809 : 17209);
        c.fill = k == 0 ? fill_run : fill_pairs;
        c.levels = WHOLE;
        c.with_keys = true;
        expect_sorted(&r, &c);
    }
}

/* ------------------------------------------------------------------- claims */

/* Numbers of so many bytes, sorted by levels of k-partition. */
static sort_run run_numbers(size_t bytes, uint64_t n, sort_shape shape, int levels, uint32_t leaf) {
    rng r = {bytes + n};
    const sort_case c = {
        .key = {.elem_bytes = bytes, .fields = 1, .field = {{.kind = RIFFLE_SORT_UNSIGNED, .bytes = bytes}}},
        .shape = shape,
        .n = n,
        .with_keys = true,
        .levels = levels,
        .leaf = leaf,
        .piece = 1 << 20};
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    return run;
}

/* What a kernel did in all its lines. */
static report_line sum_of_kernel(const machine *m, const char *kernel, report_space space, report_op op) {
    const riffle_report *const report = machine_report(m);
    report_line sum = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (strstr(line->kernel, kernel) == NULL || line->space != space || line->op != op) continue;
        sum.requests += line->requests;
        sum.ideal_requests += line->ideal_requests;
        sum.warps += line->warps;
    }
    return sum;
}

static void expect_no_conflict(const machine *m, const char *kernel) {
    for (report_op op = OP_READ; op <= OP_WRITE; op++) {
        const report_line sum = sum_of_kernel(m, kernel, SPACE_SHARED, op);
        if (sum.warps == 0 || sum.requests != sum.ideal_requests)
            fail_msg("%s: %llu wavefronts where %llu do", kernel, (unsigned long long)sum.requests,
                     (unsigned long long)sum.ideal_requests);
    }
}

/* Sorting in registers, by warps and by blocks, and turning what is sorted: whatever the keys are. Only blocks that exchange
 * what is longer than 8 bytes meet its halves in two wavefronts each. */
static void test_registers_have_no_conflicts(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned shape = SORT_SHAPE_UNIFORM; shape <= SORT_SHAPE_ZIPF; shape += SORT_SHAPE_ZIPF) {
            sort_run run = run_numbers((size_t)4 << k, 3000, (sort_shape)shape, k == 0 ? 2 : 1, 900 >> k);
            if (k == 0) expect_no_conflict(run.m, "sort_leaves_4_");
            expect_no_conflict(run.m, "sort_ranks");
            if (k == 0) expect_no_conflict(run.m, "sort_sample");
            end(&run);
        }
}

/* Leaves by order meet shared memory where the keys say only when they take the keys in order: equal ones they take as they lie, and
 * what they write has no conflict whatever the keys are. */
static void test_orders_have_no_conflicts(void **state) {
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        rng r = {34 + k};
        sort_case c = leaves_case((size_t)8 << k % 2, k < 4 ? 0 : 4);
        c.shape = k < 2 ? SORT_SHAPE_UNIFORM : SORT_SHAPE_EQUAL;
        sort_run run = run_case(&c, &r);
        assert_true(is_right(&c, &run));
        const report_line writes = sum_of_kernel(run.m, "leaves_", SPACE_SHARED, OP_WRITE);
        assert_true(writes.warps > 0 && writes.requests == writes.ideal_requests);
        if (k >= 2) expect_no_conflict(run.m, "leaves_");
        end(&run);
    }
}

/* A bucket's keys in a tile are a run side by side: sectors are whole but at the ends of runs, and where a warp ends and the
 * next goes on. */
static void test_partition_writes_runs(void **state) {
    (void)state;
    for (size_t bytes = 4; bytes <= 16; bytes *= 2) {
        enum { N = 3200 };
        sort_run run = run_numbers(bytes, N, SORT_SHAPE_UNIFORM, 2, 400);
        const sort_level *const level = run.task.steps.level;
        const uint64_t tiles = level[0].pieces + level[1].pieces + 2 * N * bytes / 32768;
        const uint64_t runs = tiles * (level[0].ways > level[1].ways ? level[0].ways : level[1].ways);
        const report_line writes = sum_of_kernel(run.m, "sort_move", SPACE_GLOBAL, OP_WRITE);
        assert_true(writes.requests <= 2 * N * bytes / 32 + 2 * runs + writes.warps);
        assert_true(writes.requests >= 2 * N * bytes / 32);
        end(&run);
    }
}

/* Two levels read keys four times and write them twice, and leaves both once: eight blocks for each block of keys, of an exchange
 * of which the bound counts two. What goes along, samples, splitters and counts are less than half as much again, here,
 * where there is a count for each few keys. */
static void test_blocks_exchanged(void **state) {
    (void)state;
    enum { N = 8000 };
    sort_run run = run_numbers(8, N, SORT_SHAPE_UNIFORM, 2, 600);
    uint64_t keys = 0, all = 0;
    static const char *const moves[] = {"sort_move", "sort_leaves"};
    for (report_op op = OP_READ; op <= OP_ATOMIC; op++) {
        all += sum_of_kernel(run.m, "sort_", SPACE_GLOBAL, op).requests;
        for (unsigned k = 0; k < 2; k++)
            keys += sum_of_kernel(run.m, moves[k], SPACE_GLOBAL, op).ideal_requests;
    }
    const uint64_t blocks = N * 8 / 32;
    assert_true(keys >= 6 * blocks);
    assert_true(all <= 16 * blocks);
    end(&run);
}

/* Of one array in two levels: numbers, what goes along, and rows. */
static void test_windows(void **state) {
    (void)state;
    static const uint64_t counts[] = {700, 999, 1};
    rng r = {23};
    for (unsigned k = 0; k < 3; k++) {
        sort_case c = {
            .key = {.elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_SIGNED, .bytes = 8}}},
            .shape = k == 1 ? SORT_SHAPE_FEW : SORT_SHAPE_UNIFORM,
            .n = 1000,
            .with_keys = true,
            .in_place = k == 1,
            .task = k < 2 ? RIFFLE_SORT_PARTITION : RIFFLE_SORT_TOP,
            .count = counts[k],
            .levels = 2,
            .leaf = 300,
            .piece = 500};
        if (k == 1) c.index_bytes = 4;
        if (k == 2) c.key.elem_bytes = 9;
        expect_sorted(&r, &c);
    }
}

/* The first of many: the second level and the leaves meet one bucket only. */
static void test_windows_exchanged(void **state) {
    (void)state;
    enum { N = 8000 };
    rng r = {24};
    const sort_case c = {
        .key = {.elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_UNSIGNED, .bytes = 8}}},
        .n = N,
        .with_keys = true,
        .task = RIFFLE_SORT_TOP,
        .count = 10,
        .levels = 2,
        .leaf = 200,
        .piece = 1 << 20};
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const report_line moves = sum_of_kernel(run.m, "sort_move", SPACE_GLOBAL, OP_WRITE);
    const report_line leaves = sum_of_kernel(run.m, "sort_leaves", SPACE_GLOBAL, OP_WRITE);
    const uint64_t blocks = N * 8 / 32;
    assert_true(moves.ideal_requests <= blocks + blocks / 4);
    assert_true(leaves.ideal_requests <= blocks / 4);
    end(&run);
}

/* So many segments of one length, of keys of so many bytes; with `beside`, indices too. */
static sort_run run_even(size_t bytes, uint64_t segments, uint64_t length, size_t beside) {
    rng r = {11 + length};
    const sort_case c = {
        .key = {.elem_bytes = bytes, .fields = 1, .field = {{.kind = RIFFLE_SORT_UNSIGNED, .bytes = bytes}}},
        .n = segments * length,
        .segments = segments,
        .index_bytes = beside,
        .with_keys = true,
        .levels = WHOLE};
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    return run;
}

static void expect_exchanged_once(const sort_run *run, const char *kernel, uint64_t bytes) {
    const report_line reads = sum_of_kernel(run->m, kernel, SPACE_GLOBAL, OP_READ);
    const report_line writes = sum_of_kernel(run->m, kernel, SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(writes.requests, bytes / 32);
    assert_int_equal(reads.requests, bytes / 32);
}

/* No kernel but this one. */
static void expect_one_launch(const sort_run *run, const char *kernel) {
    const riffle_report *const report = machine_report(run->m);
    for (size_t k = 0; k < report->lines; k++) {
        const char *const name = report->line[k].kernel;
        if (strstr(name, kernel) == NULL) fail_msg("%s", name);
    }
}

/* Short segments are read once and written once, in whole sectors, by one launch, and meet shared memory without a conflict, of
 * whatever size keys are, unless more than one lie in a row. */
static void test_short_segments_exchanged(void **state) {
    (void)state;
    static const uint64_t lengths[] = {8, 16, 32, 64, 128};
    enum { N = 4096 };
    for (unsigned k = 0; k < 15; k++) {
        const size_t bytes = (size_t)4 << k % 3;
        const uint64_t length = lengths[k / 3], row = bytes == 4 ? 16 : 8;
        sort_run run = run_even(bytes, N / length, length, 0);
        expect_one_launch(&run, "sort_short");
        expect_exchanged_once(&run, "sort_short", N * bytes);
        if (length >= row) expect_no_conflict(run.m, "sort_short");
        end(&run);
    }
}

/* Of other lengths half as many wavefronts again at most: keys that a warp reads lie on both sides of a gap. */
static void test_short_segments_of_odd_lengths(void **state) {
    (void)state;
    static const uint64_t lengths[] = {3, 7, 15, 31, 33, 100};
    for (unsigned k = 0; k < 18; k++) {
        const uint64_t length = lengths[k / 3];
        sort_run run = run_even((size_t)4 << k % 3, 2048 / length, length, 0);
        for (report_op op = OP_READ; op <= OP_WRITE; op++) {
            const report_line sum = sum_of_kernel(run.m, "sort_short", SPACE_SHARED, op);
            assert_true(2 * sum.requests <= 3 * sum.ideal_requests);
        }
        end(&run);
    }
}

/* Indices are written once too. */
static void test_short_segments_carry(void **state) {
    (void)state;
    enum { N = 2048, LENGTH = 32 };
    for (size_t bytes = 4; bytes <= 16; bytes *= 2) {
        sort_run run = run_even(bytes, N / LENGTH, LENGTH, 4);
        const report_line writes = sum_of_kernel(run.m, "sort_carry_short", SPACE_GLOBAL, OP_WRITE);
        assert_int_equal(writes.requests, N * (bytes + 4) / 32);
        expect_one_launch(&run, "sort_carry_short");
        end(&run);
    }
}

/* Where all segments of unknown lengths are short, a warp of the launches for longer ones reads that there are none, and no more. */
static void test_short_segments_are_not_met_again(void **state) {
    (void)state;
    enum { SEGMENTS = 500, LENGTH = 11, LAUNCHES = 5 };
    uint64_t first[SEGMENTS + 1] = {0};
    rng r = {13};
    sort_case c = segments_case(0);
    for (unsigned s = 0; s < SEGMENTS; s++) first[s + 1] = first[s] + 1 + rng_below(&r, 2 * LENGTH);
    c.first = first, c.segments = SEGMENTS, c.n = first[SEGMENTS], c.is_uneven = true;
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const riffle_report *const report = machine_report(run.m);
    unsigned lines = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (strstr(line->kernel, "sort_leaves") == NULL || line->space != SPACE_GLOBAL) continue;
        assert_int_equal(line->requests, line->warps);
        lines++;
    }
    assert_int_equal(lines, LAUNCHES);
    end(&run);
}

/* Segments of one length that are a warp's each, or a block's, likewise; the last is one array. */
static void test_segments_exchanged(void **state) {
    (void)state;
    enum { N = 8192 };
    for (unsigned k = 0; k < 5; k++) {
        const uint64_t length = 512U << k;
        sort_run run = run_even(4, N / length, length, 0);
        expect_one_launch(&run, "sort_leaves");
        expect_exchanged_once(&run, "sort_leaves", N * 4);
        expect_no_conflict(run.m, "sort_leaves");
        end(&run);
    }
}

/* Of keys whose bits that differ fit into a code no element is looked at again, and nothing is listed. Codes are written, and
 * rows moved, in whole sectors; each row that is read has 24 bytes in one sector or two, by turns, and a warp begins in the middle of one. */
static void test_rows_exchanged(void **state) {
    (void)state;
    enum { N = 4096 };
    rng r = {35};
    sort_case c = row_case(3, N);
    c.fill = fill_gaps;
    c.with_keys = true;
    c.levels = 1, c.leaf = 400, c.piece = 1 << 20;
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const report_line codes = sum_of_kernel(run.m, "sort_codes", SPACE_GLOBAL, OP_WRITE);
    const report_line ties = sum_of_kernel(run.m, "sort_ties", SPACE_GLOBAL, OP_WRITE);
    const report_line listed = sum_of_kernel(run.m, "sort_tie_codes", SPACE_GLOBAL, OP_WRITE);
    const report_line rows = sum_of_kernel(run.m, "sort_gather", SPACE_GLOBAL, OP_WRITE);
    const report_line read = sum_of_kernel(run.m, "sort_gather", SPACE_GLOBAL, OP_READ);
    assert_int_equal(codes.requests, N * 8 / 32);
    assert_int_equal(rows.requests, N * 24 / 32);
    assert_int_equal(ties.requests, 0);
    assert_true(listed.requests <= 2 * run.task.mends);
    assert_true(read.requests <= N * 3 / 2 + 3 * N / 32 * 4);
    end(&run);
}

/* A merge writes each number once, in whole sectors, and puts what it has merged into the tile without a conflict. */
static void test_merges_by_comparison(void **state) {
    (void)state;
    enum { N = 4 * SORT_OWN_TILE, MERGES = 2 };
    rng r = {19};
    sort_case c = own_case("a % 1000 < b % 1000", N);
    c.before = by_last_digits;
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const report_line writes = sum_of_kernel(run.m, "sort_own_merges", SPACE_GLOBAL, OP_WRITE);
    const report_line stores = sum_of_kernel(run.m, "sort_own_merges", SPACE_SHARED, OP_WRITE);
    assert_int_equal(writes.requests, MERGES * N * 4 / 32);
    assert_int_equal(stores.requests, stores.ideal_requests);
    end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_tasks),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_even_segments),
        cmocka_unit_test(test_uneven_segments),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_longer_segments),
        cmocka_unit_test(test_long_segments),
        cmocka_unit_test(test_segments_that_are_none),
        cmocka_unit_test(test_without_keys),
        cmocka_unit_test(test_dense_keys),
        cmocka_unit_test(test_many_equal_keys),
        cmocka_unit_test(test_first_and_last_bits),
        cmocka_unit_test(test_leaves_that_tie),
        cmocka_unit_test(test_long_leaves_that_tie),
        cmocka_unit_test(test_short_keys_that_tie),
        cmocka_unit_test(test_useless_upper_bits),
        cmocka_unit_test(test_rows_that_tie),
        cmocka_unit_test(test_rows_of_any_length),
        cmocka_unit_test(test_rows_of_every_kind),
        cmocka_unit_test(test_tasks_of_rows_that_tie),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_rows_exchanged),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_comparisons_that_are_no_order),
        cmocka_unit_test(test_comparisons_are_refused),
        cmocka_unit_test(test_merges_by_comparison),
        cmocka_unit_test(test_registers_have_no_conflicts),
        cmocka_unit_test(test_orders_have_no_conflicts),
        cmocka_unit_test(test_partition_writes_runs),
        cmocka_unit_test(test_blocks_exchanged),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_windows_exchanged),
        cmocka_unit_test(test_short_segments_exchanged),
        cmocka_unit_test(test_short_segments_of_odd_lengths),
        cmocka_unit_test(test_short_segments_carry),
        cmocka_unit_test(test_short_segments_are_not_met_again),
        cmocka_unit_test(test_segments_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
