/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/select/select.h"

typedef struct select_work {
    const select_steps *s;
    const riffle_sort_arrays *arrays;
    const uint32_t *begin; /* NULL: segments are even */
    char *workspace;
    launch_list *out;
    uint32_t segment;
} select_work;

/* Kernels for candidates that are codes, and for those with places. */
static const select_kernel *const bounds[2] = {&KERNEL_select_bound, &KERNEL_select_placed_bound};
static const select_kernel *const filters[2] = {&KERNEL_select_filter, &KERNEL_select_placed_filter};
static const select_kernel *const digits[2] = {&KERNEL_select_digits, &KERNEL_select_placed_digits};

static size_t elem_bytes(const select_work *w) { return w->s->request.field.bytes; }

/* The segment's first element. */
static const void *elements_of(const select_work *w) {
    const size_t first = (size_t)w->segment * w->s->request.n;
    return (const char *)w->arrays->from_keys + first * elem_bytes(w);
}

static select_table table_of(const select_work *w, uint32_t attempt, uint32_t round) {
    const select_steps *const s = w->s;
    select_table t = s->table;
    t.first = w->segment * s->request.n;
    t.attempt = attempt, t.round = round;
    t.list = w->workspace + s->list;
    t.picked = w->workspace + s->picked;
    t.bounds = w->workspace + s->bounds;
    t.counts = (uint32_t *)(w->workspace + s->counts);
    t.ties = (uint32_t *)(w->workspace + s->ties);
    t.digits = (uint32_t *)(w->workspace + s->digits);
    return t;
}

/* A launch that reads the segment. */
static void add(const select_work *w, const select_kernel *kernel, uint32_t grid, size_t shared_bytes,
                uint32_t attempt, uint32_t round) {
    const struct select_arguments arguments = {table_of(w, attempt, round)};
    launch_set(append_select(w->out, kernel, elem_bytes(w), &arguments), grid, SELECT_THREADS, shared_bytes,
               NULL, elements_of(w));
}

static void add_bound(const select_work *w) {
    enum { FILLED = 4 * SELECT_THREADS }; /* candidates that a block clears */
    const select_steps *const s = w->s;
    const struct select_arguments arguments = {table_of(w, 0, 0)};
    add(w, &KERNEL_select_sample, s->table.groups, (size_t)SELECT_GROUP * s->word_bytes, 0, 0);
    launch_set(append_select(w->out, bounds[s->request.is_placed], s->word_bytes, &arguments),
               min(ceil_div(s->table.capacity, (uint32_t)FILLED), (uint32_t)SELECT_MOST_GROUPS), SELECT_THREADS,
               (SELECT_GROUP + 2) * 16, NULL, NULL);
}

static void add_candidates(const select_work *w) {
    enum { WARPS = SELECT_THREADS / WARP_LANES, SUMS = 2 * WARPS * sizeof(uint32_t) };
    const select_steps *const s = w->s;
    const bool is_placed = s->request.is_placed;
    const size_t staged = SUMS + WARPS * SELECT_STAGED * s->listed_bytes;
    add(w, filters[is_placed], s->table.blocks, staged, 0, 0);
    for (uint32_t round = 0; round < s->table.rounds; round++)
        add(w, digits[is_placed], s->table.blocks, SUMS, 0, round);
    add(w, filters[is_placed], s->table.blocks, staged, 1, 0);
    if (is_placed) add(w, &KERNEL_select_ties, s->table.blocks, SUMS, 0, 0);
}

/* Shared memory of a block that selects alone. */
static size_t kept_bytes(const select_work *w) { return SELECT_KEPT_LEAD + SELECT_KEPT * w->s->listed_bytes; }

/* Candidates are in the order of their bits. */
static void add_last(const select_work *w) {
    struct select_arguments arguments = {table_of(w, 0, 0)};
    arguments.table.coder = (select_coder){.factor = 1};
    launch_set(append_select(w->out, &KERNEL_select_last, w->s->listed_bytes, &arguments), 1, SELECT_THREADS,
               kept_bytes(w), NULL, NULL);
}

static void add_sort(const select_work *w) {
    void *const list = w->workspace + w->s->list;
    const sort_buffers b = {.from = list, .to = list, .workspace = w->workspace + w->s->inner};
    launch_sort(&w->s->sort, &w->s->sort_steps, &b, w->out);
}

/* Segments whose results a launch writes, and the first of these. */
static uint32_t segments_of(const select_work *w) { return w->s->is_by_rows ? w->s->request.segments : 1; }

static void *result(const select_work *w, void *all, size_t bytes) {
    const size_t first = (size_t)w->segment * w->s->request.count;
    return all != NULL && bytes > 0 ? (char *)all + first * bytes : NULL;
}

static size_t result_bytes(const select_work *w, size_t bytes) {
    return (size_t)segments_of(w) * w->s->request.count * bytes;
}

/* Results that take the place of their elements come there from the workspace, with all that is left alone there. */
static void *place_of(const select_work *w, void *all, const void *from, size_t staged, size_t bytes) {
    void *const to = result(w, all, bytes);
    if (to == NULL || all != from) return to;
    if (w->begin != NULL) launch_append_copy(w->out, w->workspace + staged, to, result_bytes(w, bytes));
    return w->workspace + staged;
}

static void add_copy(const select_work *w, void *all, const void *from, size_t bytes) {
    void *const to = result(w, all, bytes);
    if (to != NULL && from != to) launch_append_copy(w->out, to, from, result_bytes(w, bytes));
}

static void add_results(const select_work *w) {
    const select_steps *const s = w->s;
    const select_request *const r = &s->request;
    const riffle_sort_arrays *const a = w->arrays;
    void *const keys = place_of(w, a->keys, a->from_keys, s->keys, elem_bytes(w));
    void *const values = place_of(w, a->values, a->from_values, s->values, r->value_bytes);
    struct select_results_arguments arguments = {{.coder = s->table.coder,
                                                  .sorted = w->workspace + s->list,
                                                  .begin = w->begin,
                                                  .segments = segments_of(w),
                                                  .count = r->count,
                                                  .from_values = a->from_values,
                                                  .values = values,
                                                  .indices = result(w, a->indices, r->index_bytes),
                                                  .value_bytes = (uint32_t)r->value_bytes,
                                                  .index_bytes = (uint32_t)r->index_bytes}};
    if (!s->is_by_rows) arguments.table.of = table_of(w, 0, 0);
    launch_set(append_select_results(w->out, r->is_placed ? &KERNEL_select_taken : &KERNEL_select_numbers,
                                     elem_bytes(w), &arguments),
               (unsigned)ceil_div((uint64_t)segments_of(w) * r->count, (uint64_t)SORT_ROW_THREADS),
               SORT_ROW_THREADS, 0, keys, r->is_placed ? a->from_keys : NULL);
    add_copy(w, a->keys, keys, elem_bytes(w));
    add_copy(w, a->values, values, r->value_bytes);
}

static void add_rows(const select_work *w) {
    static const select_rows_kernel *const kernels[2] = {&KERNEL_select_rows, &KERNEL_select_placed_rows};
    const select_steps *const s = w->s;
    const struct select_rows_arguments arguments = {{.coder = s->table.coder,
                                                     .begin = w->begin,
                                                     .length = s->request.n,
                                                     .count = s->request.count,
                                                     .list = w->workspace + s->list}};
    launch_set(append_select_rows(w->out, kernels[s->request.is_placed], elem_bytes(w), &arguments),
               s->request.segments, SELECT_THREADS, kept_bytes(w), NULL, w->arrays->from_keys);
}

void launch_select(const select_steps *s, const riffle_sort_arrays *arrays, const uint32_t *begin,
                   void *workspace, launch_list *out) {
    select_work w = {.s = s, .arrays = arrays, .begin = begin, .workspace = workspace, .out = out};
    if (s->is_by_rows) {
        add_rows(&w);
        add_results(&w);
    }
    for (; !s->is_by_rows && w.segment < s->request.segments; w.segment++) {
        add_bound(&w);
        add_candidates(&w);
        if (s->is_last_alone)
            add_last(&w);
        else
            add_sort(&w);
        add_results(&w);
    }
}
