/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on the memory machine for tests: a case, what it runs, and whether the result is as by the definition. Arrays are poisoned, and
 * a hazard fails. Steps are cut shorter than a GPU's, so that short arrays have two levels, several pieces and leaves of every
 * length.
 */
#ifndef RIFFLE_TESTS_SORT_MACHINE_SUPPORT_H
#define RIFFLE_TESTS_SORT_MACHINE_SUPPORT_H

#include "device_support.h"
#include "sort/gpu/own_kernel.h"
#include "sort/gpu/task.h"
#include "sort_support.h"

enum { MULTIPROCESSORS = 2, MACHINE_THREADS = 1024, SHARED_BYTES = 200 << 10, WHOLE = -1, SELECTED = -2 };

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
    int levels; /* WHOLE: as a GPU has it; SELECTED: the first are selected, of short arrays too */
    uint32_t leaf, piece;
    uint64_t mask[2];      /* bits kept of each 8 bytes of the elements, in turn; 0, 0: all */
    uint64_t outlier;      /* or-ed to the last 8 bytes of one element in 500 */
    size_t row_bytes;      /* bytes of codes of rows, where levels are not WHOLE; 0: 8 */
    const uint64_t *first; /* where is_uneven; NULL: anywhere */
    sort_before *before;   /* the order by key.before; NULL where that is no order */
    void (*fill)(rng *r, const struct sort_case *c, unsigned char *elements); /* NULL: by shape alone */
    void (*change)(sort_task *task); /* changes steps; NULL: as they are */
} sort_case;

typedef struct sort_run {
    machine *m;
    riffle_sort_plan plan;
    sort_task task;
    unsigned char *from, *values;
    uint64_t *first; /* NULL: segments are even */
    riffle_sort_arrays arrays;
    users_kernel users; /* the user's comparison */
} sort_run;

static inline uint64_t segments_of(const sort_case *c) { return c->segments > 0 ? c->segments : 1; }

static inline uint64_t begin_of(const sort_case *c, const sort_run *run, uint64_t s) {
    return run->first != NULL ? run->first[s] : s * (c->n / segments_of(c));
}

static inline void *buffer(machine *m, const char *name, size_t bytes) {
    void *out;
    if (machine_buffer(m, name, bytes > 0 ? bytes : 1, &out) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    memset(out, POISON_VALUE, bytes);
    return out;
}

static inline void *written(machine *m, const char *name, const void *bytes, size_t count) {
    void *const out = buffer(m, name, count);
    memcpy(out, bytes, count);
    machine_written(m, out, count);
    return out;
}

static inline sort_task task_of(const sort_case *c, const riffle_sort_plan *plan) {
    const sort_task_steps steps = {.row_bytes = c->row_bytes > 0 ? c->row_bytes : 8,
                                   .levels = (unsigned)c->levels,
                                   .leaf = c->leaf,
                                   .piece = c->piece};
    if (c->levels == SELECTED) return sort_task_selected(plan, c->is_uneven, 0, MULTIPROCESSORS);
    if (c->levels == WHOLE) return sort_task_of(plan, c->is_uneven, MULTIPROCESSORS);
    return sort_task_cut(plan, c->is_uneven, &steps, MULTIPROCESSORS);
}

/* Some are empty; what is before the first and behind the last is not sorted. */
static inline void bring_first(const sort_case *c, sort_run *run, rng *r) {
    const size_t bytes = (segments_of(c) + 1) * sizeof *run->first;
    if (!c->is_uneven) return;
    run->first = malloc(bytes);
    assert_non_null(run->first);
    for (uint64_t s = 0; s <= segments_of(c); s++) run->first[s] = rng_below(r, c->n + 1);
    qsort(run->first, segments_of(c) + 1, sizeof *run->first, sort_compare_places);
    if (c->first != NULL) memcpy(run->first, c->first, bytes);
    if (c->is_wrong) run->first[segments_of(c) / 2] = c->n + 1;
    run->arrays.first = written(run->m, "first", run->first, bytes);
}

static inline void mask_elements(const sort_case *c, unsigned char *elements) {
    const size_t element = c->key.elem_bytes;
    uint64_t *const words = (void *)elements;
    for (uint64_t k = 0; (c->mask[0] | c->mask[1]) != 0 && k < c->n * element / 8; k++)
        words[k] &= c->mask[k % 2];
    for (uint64_t k = 250; c->outlier != 0 && k < c->n; k += 500)
        words[(k + 1) * element / 8 - 1] |= c->outlier;
}

static inline sort_run run_case(const sort_case *c, rng *r) {
    sort_run run = {.m = machine_or_fail((riffle_machine_options){
                        .width = 32, .block_threads = MACHINE_THREADS, .shared_bytes = SHARED_BYTES})};
    launch_list list;
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
                         c->key.before == NULL && !sort_task_shows_equals(c->task);
    run.task = task_of(c, &run.plan);
    if (c->change != NULL) c->change(&run.task);
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
    if (c->task == RIFFLE_SORT_TASK_UNIQUE)
        run.arrays.lengths = buffer(run.m, "lengths", segments_of(c) * sizeof *run.arrays.lengths);
    bring_first(c, &run, r);
    const device on = device_of_machine(run.m);
    if (own_load_sort(&on, &c->key, &run.users) != RIFFLE_OK)
        fail_msg("%s: %s", c->key.before, riffle_error_detail());
    launch_list_begin(&list);
    launch_sort_task(&run.task, &run.arrays, buffer(run.m, "workspace", run.task.bytes),
                     users_kernel_of(&run.users), (sort_compared){0}, &list);
    run_list_or_fail(run.m, &list);
    if (machine_report(run.m)->hazards > 0) fail_msg("%s", machine_report(run.m)->hazard[0].text);
    return run;
}

/* True if result `at` is element e; where e is NONE, true if it was left alone. */
static inline bool is_element(const sort_case *c, const sort_run *run, uint64_t at, uint64_t e) {
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

static inline bool comes_before(const sort_case *c, const sort_run *run, uint64_t a, uint64_t b) {
    sort_before *const before = c->before != NULL ? c->before : sort_before_by_fields;
    return before(&run->plan.layout, run->from + a * c->key.elem_bytes, run->from + b * c->key.elem_bytes);
}

/* The order of elements first to end - 1, by the definition. */
static inline void expect_order(const sort_case *c, const sort_run *run, uint64_t first, uint64_t end,
                                uint64_t *order, uint64_t *room) {
    if (c->before == NULL) {
        sort_expected(&c->key, run->plan.is_number, run->from, first, end, order, room);
        return;
    }
    for (uint64_t i = first; i < end; i++) order[i - first] = i;
    sort_definition(c->before, &run->plan.layout, run->from, c->key.elem_bytes, order, room, end - first);
}

/* Results of segment s, whose elements in order are `order`: `kept` receives which of these they are. */
static inline uint64_t keep(const sort_case *c, const sort_run *run, const uint64_t *order, uint64_t length,
                            uint64_t *kept) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < length; i++) {
        if (c->task == RIFFLE_SORT_TASK_TOP && i >= c->count) break;
        if (c->task == RIFFLE_SORT_TASK_UNIQUE && i > 0 && !comes_before(c, run, order[i - 1], order[i]))
            continue;
        kept[count++] = order[i];
    }
    return count;
}

/* Each place has what it should; what UNIQUE leaves behind its results is anything. */
static inline bool is_right(const sort_case *c, const sort_run *run) {
    uint64_t *const order = malloc((4 * c->n + 1) * sizeof *order), *const kept = order + 2 * c->n,
                    *const wanted = order + 3 * c->n;
    bool right = order != NULL;
    assert_non_null(order);
    for (uint64_t i = 0; i < c->n; i++) wanted[i] = NONE;
    for (uint64_t s = 0; s < segments_of(c) && !c->is_wrong; s++) {
        const uint64_t first = begin_of(c, run, s), length = begin_of(c, run, s + 1) - first;
        expect_order(c, run, first, first + length, order, order + c->n);
        if (c->task == RIFFLE_SORT_TASK_PARTITION) sort_part_order(order, length, c->count);
        const uint64_t count = keep(c, run, order, length, kept);
        const uint64_t to = c->task == RIFFLE_SORT_TASK_TOP ? s * c->count : first;
        for (uint64_t k = 0; k < count; k++) wanted[to + k] = kept[k];
        for (uint64_t k = count; c->task == RIFFLE_SORT_TASK_UNIQUE && k < length; k++)
            wanted[to + k] = ANYTHING;
        if (c->task == RIFFLE_SORT_TASK_UNIQUE) right = right && run->arrays.lengths[s] == count;
    }
    for (uint64_t i = 0; right && i < c->n; i++)
        right = wanted[i] == ANYTHING || is_element(c, run, i, wanted[i]);
    free(order);
    return right;
}

static inline void end(sort_run *run) {
    machine_free(run->m);
    users_kernel_unload(&run->users);
    free(run->from), free(run->values), free(run->first);
}

static inline void expect_sorted(rng *r, const sort_case *c) {
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

static inline sort_case random_case(rng *r, uint64_t n) {
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
static inline void make_task(rng *r, sort_case *c) {
    static const riffle_sort_task tasks[] = {RIFFLE_SORT_TASK_SORT, RIFFLE_SORT_TASK_TOP,
                                             RIFFLE_SORT_TASK_PARTITION, RIFFLE_SORT_TASK_UNIQUE};
    c->task = tasks[rng_below(r, 4)];
    if (rng_below(r, 4) > 0) c->segments = 2 + rng_below(r, rng_below(r, 2) ? 4 : c->n);
    c->is_uneven = c->n % segments_of(c) != 0 || rng_below(r, 2);
    if (c->task == RIFFLE_SORT_TASK_TOP || c->task == RIFFLE_SORT_TASK_PARTITION)
        c->count = rng_below(r, c->n / segments_of(c) + 1);
}

/* Leaves of a warp and of two, as segments that are leaves. */
static inline sort_case leaves_case(size_t bytes, size_t value_bytes) {
    enum { SEGMENTS = 5 };
    static const uint64_t first[SEGMENTS + 1] = {0, 1, 201, 571, 1083, 2007};
    return (sort_case){.key = {.elem_bytes = bytes,
                               .fields = 1,
                               .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = bytes}}},
                       .n = first[SEGMENTS],
                       .segments = SEGMENTS,
                       .is_uneven = true,
                       .first = first,
                       .with_keys = true,
                       .value_bytes = value_bytes,
                       .levels = WHOLE};
}

/* Numbers of so many bytes, sorted by levels of k-partition. */
static inline sort_run run_numbers(size_t bytes, uint64_t n, sort_shape shape, int levels, uint32_t leaf) {
    rng r = {bytes + n};
    const sort_case c = {.key = {.elem_bytes = bytes,
                                 .fields = 1,
                                 .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = bytes}}},
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

/* Sums a kernel's accesses over all its lines. */
static inline report_line sum_of_kernel(const machine *m, const char *kernel, report_space space,
                                        report_op op) {
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

static inline void expect_no_conflict(const machine *m, const char *kernel) {
    for (report_op op = OP_READ; op <= OP_WRITE; op++) {
        const report_line sum = sum_of_kernel(m, kernel, SPACE_SHARED, op);
        if (sum.warps == 0 || sum.requests != sum.ideal_requests)
            fail_msg("%s: %llu wavefronts where %llu do", kernel, (unsigned long long)sum.requests,
                     (unsigned long long)sum.ideal_requests);
    }
}

#endif
