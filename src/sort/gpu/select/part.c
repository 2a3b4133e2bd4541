/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/select/part.h"

#include <math.h>

#include "device/workspace.h"

enum {
    LEAST_LIST = 1024, /* elements between the bounds that there is room for */
    DEVIATIONS = 6,    /* standard deviations of a rank in the sample: groups have windows of their own */
    ROOM = 5,          /* quarters of what is between the bounds on the average */
};

/* -------------------------------------------------------------------- steps */

/* Where a bound of that rank is among what goes on of the sample; false where none is so low, or so high. */
static bool choose_rank(part_table *p, unsigned side, double rank) {
    select_table *const t = &p->of;
    const double samples = t->groups * (double)SELECT_GROUP;
    p->is_open[side] = rank < 1 || rank >= samples - 1;
    if (p->is_open[side]) return false;
    const uint32_t of_group = (uint32_t)rank / t->groups, half = SELECT_WINDOW / 2,
                   last = SELECT_GROUP - SELECT_WINDOW;
    t->window[side] = min(of_group > half ? of_group - half : 0, last);
    p->rank[side] = min((uint32_t)rank - t->window[side] * t->groups, t->groups * SELECT_WINDOW - 1);
    return true;
}

static bool choose_bounds(part_table *p) {
    select_table *const t = &p->of;
    const double samples = t->groups * (double)SELECT_GROUP, each = t->n / samples, at = (t->count - 1) / each,
                 apart = DEVIATIONS * sqrt(at * (1 - at / samples)) + DEVIATIONS;
    double between = 0;
    between += choose_rank(p, 0, at - apart) ? apart : at;
    between += choose_rank(p, 1, at + apart) ? apart : samples - at;
    const double capacity = ceil(each * (between + DEVIATIONS * sqrt(between)) * ROOM / 4);
    if (capacity > t->n / 2.0) return false;
    t->capacity = max((uint32_t)capacity, (uint32_t)LEAST_LIST);
    return true;
}

static void lay_out(part_steps *s) {
    const select_table *const t = &s->table.of;
    const select_request *const r = &s->request;
    s->list = launch_lay(&s->bytes, (size_t)t->capacity * 2 * s->word_bytes);
    s->picked = launch_lay(&s->bytes, (size_t)t->sides * t->groups * SELECT_WINDOW * s->word_bytes);
    s->bounds = launch_lay(&s->bytes, 2 * (size_t)SELECT_BOUNDS * s->word_bytes);
    s->counts = launch_lay(&s->bytes, 2 * SELECT_COUNTS * sizeof(uint32_t));
    s->digits = launch_lay(&s->bytes, (size_t)t->sides * t->rounds * SELECT_DIGITS * sizeof(uint32_t));
    s->classes = launch_lay(&s->bytes, (PART_CLASSES + 2) * (size_t)t->blocks * sizeof(uint32_t));
    s->keys = launch_lay(&s->bytes, (size_t)r->n * r->field.bytes);
    s->values = launch_lay(&s->bytes, (size_t)r->n * r->value_bytes);
}

part_steps part_choose(const select_request *r, const sort_coding *coding, uint32_t least,
                       unsigned multiprocessors) {
    part_steps s = {.request = *r, .word_bytes = max((uint32_t)r->field.bytes, 4U)};
    select_table *const t = &s.table.of;
    if (r->segments > 1 || r->is_uneven || r->field.bytes > 8 || r->count >= r->n ||
        r->n < max(least, (uint32_t)SELECT_GROUP))
        return s;
    *t = select_table_of(r, coding);
    t->count = r->count + 1;
    t->sides = PART_SIDES;
    if (!choose_bounds(&s.table)) return s;
    select_choose_blocks(t, r->field.bytes, multiprocessors);
    s.table.elements = t->vectors * (uint32_t)(2 * sizeof(uint64_t) / r->field.bytes);
    s.table.value_bytes = (uint32_t)r->value_bytes;
    s.table.index_bytes = (uint32_t)r->index_bytes;
    lay_out(&s);
    s.is_chosen = true;
    return s;
}

/* ------------------------------------------------------------------ launches */

typedef struct part_work {
    const part_steps *s;
    const riffle_sort_arrays *arrays;
    part_table table;
    launch_list *out;
} part_work;

static size_t elem_bytes(const part_work *w) { return w->s->request.field.bytes; }

/* All but results. */
static part_table table_of(const part_steps *s, const riffle_sort_arrays *arrays, char *workspace) {
    part_table p = s->table;
    select_table *const t = &p.of;
    t->list = workspace + s->list;
    t->picked = workspace + s->picked;
    t->bounds = workspace + s->bounds;
    t->counts = (uint32_t *)(workspace + s->counts);
    t->digits = (uint32_t *)(workspace + s->digits);
    p.listed = *t;
    p.listed.bounds = workspace + s->bounds + (size_t)SELECT_BOUNDS * s->word_bytes;
    p.listed.counts = t->counts + SELECT_COUNTS;
    p.listed.digits = t->digits + (size_t)t->rounds * SELECT_DIGITS;
    p.listed.before = p.listed.counts + PART_BEFORE;
    p.classes = (uint32_t *)(workspace + s->classes);
    p.fronts = p.classes + (size_t)PART_CLASSES * t->blocks;
    p.equals = p.fronts + t->blocks;
    p.lead = (uint32_t)((uintptr_t)arrays->from_keys % (2 * sizeof(uint64_t)) / s->request.field.bytes);
    return p;
}

/* A launch that reads all elements, or what has been made of them. */
static void add_all(const part_work *w, const part_kernel *kernel, size_t shared_bytes, uint32_t attempt) {
    struct part_arguments arguments = {w->table};
    arguments.table.of.attempt = attempt;
    launch_set(append_part(w->out, kernel, elem_bytes(w), &arguments), w->table.of.blocks, SELECT_THREADS,
               shared_bytes, NULL, w->arrays->from_keys);
}

static void add_words(const part_work *w, const part_kernel *kernel, uint32_t grid, size_t shared_bytes,
                      uint32_t round) {
    struct part_arguments arguments = {w->table};
    arguments.table.listed.round = round;
    launch_set(append_part(w->out, kernel, w->s->word_bytes, &arguments), grid, SELECT_THREADS, shared_bytes,
               NULL, NULL);
}

static void add_exact(const part_work *w, uint32_t round, size_t sums) {
    struct select_arguments arguments = {w->table.of};
    arguments.table.round = round;
    launch_set(append_select(w->out, &KERNEL_select_placed_digits, elem_bytes(w), &arguments),
               w->table.of.blocks, SELECT_THREADS, sums, NULL, w->arrays->from_keys);
}

static void add_sample(const part_work *w) {
    const struct select_arguments arguments = {w->table.of};
    launch_set(append_select(w->out, &KERNEL_select_sample, elem_bytes(w), &arguments), w->table.of.groups,
               SELECT_THREADS, (size_t)SELECT_GROUP * w->s->word_bytes, NULL, w->arrays->from_keys);
}

static void add_pivot(const part_work *w) {
    enum { WARPS = SELECT_THREADS / WARP_LANES, SUMS = PART_LEAD * sizeof(uint32_t) };
    const select_table *const t = &w->table.of;
    const size_t staged = SUMS + WARPS * SELECT_STAGED * 2 * (size_t)w->s->word_bytes;
    add_sample(w);
    add_words(w, &KERNEL_part_bounds, PART_SIDES, (size_t)SELECT_GROUP * w->s->word_bytes, 0);
    add_all(w, &KERNEL_part_filter, staged, 0);
    add_words(w, &KERNEL_part_settle, 1, SUMS, 0);
    for (uint32_t round = 0; round < t->rounds; round++)
        add_words(w, &KERNEL_part_digits, t->blocks, SUMS, round);
    add_words(w, &KERNEL_part_tally, t->blocks, SUMS + 2 * t->blocks * sizeof(uint32_t), 0);
    for (uint32_t round = 0; round < t->rounds; round++) add_exact(w, round, SUMS);
    add_all(w, &KERNEL_part_filter, staged, 1);
}

/* Results that take the place of their elements come there from the workspace. */
static void *place_of(void *all, const void *from, void *staged) {
    return all != NULL && all == from ? staged : all;
}

static void add_copy(const part_work *w, void *all, const void *from, size_t bytes) {
    if (all != NULL && all != from) launch_append_copy(w->out, all, from, w->s->request.n * bytes);
}

static void add_move(part_work *w, char *workspace) {
    enum { TILE = PART_VECTORS * SELECT_THREADS, LEAD = PART_LEAD * sizeof(uint32_t), VECTOR = 16 };
    const part_steps *const s = w->s;
    const riffle_sort_arrays *const a = w->arrays;
    const bool carries = s->request.value_bytes + s->request.index_bytes > 0;
    const size_t slots = carries ? TILE * VECTOR / elem_bytes(w) * sizeof(uint16_t) : (size_t)TILE * VECTOR;
    void *const keys = place_of(a->keys, a->from_keys, workspace + s->keys);
    void *const values =
        s->request.value_bytes > 0 ? place_of(a->values, a->from_values, workspace + s->values) : NULL;
    w->table.from_values = a->from_values;
    w->table.values = values;
    w->table.indices = s->request.index_bytes > 0 ? a->indices : NULL;
    const struct part_arguments arguments = {w->table};
    launch_set(
        append_part(w->out, carries ? &KERNEL_part_move_carried : &KERNEL_part_move, elem_bytes(w), &arguments),
        w->table.of.blocks, SELECT_THREADS, LEAD + slots, keys, a->from_keys);
    add_copy(w, a->keys, keys, elem_bytes(w));
    if (values != NULL) add_copy(w, a->values, values, s->request.value_bytes);
}

void launch_part(const part_steps *s, const riffle_sort_arrays *arrays, void *workspace, launch_list *out) {
    part_work w = {.s = s, .arrays = arrays, .table = table_of(s, arrays, workspace), .out = out};
    add_pivot(&w);
    add_move(&w, workspace);
}
