/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/select/part.h"

#include <math.h>

#include "device/workspace.h"

enum {
    STRETCH = 1 << 20, /* elements of a long array that there are for each block of samples: many list less */
    COUNTS = 32,       /* words for both tables' counts: digits begin where a warp's words do */
    LEAST_LIST = 1024, /* elements between the bounds that there is room for */
    DEVIATIONS = 4,    /* standard deviations of a rank in the sample, beyond which one in 16,000 is */
    ROOM = 5,          /* quarters of what is between the bounds on the average */
    MOST_ARRAYS = 64,  /* segments that are parted one by one, each by all blocks, ... */
    LEAST_ARRAY = 1 << 20, /* ... if they have so many elements */
    LEAST_ROW = 1 << 15,   /* elements of a segment that a block parts: shorter ones are sorted sooner */
    LEAST_SEGMENTS =
        64, /* that have a block each: fewer keep too few busy, and of uneven ones one may have nearly all */
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

/* Results that may come into the place of what they are made of. */
static void lay_out_results(part_steps *s) {
    s->keys = launch_lay(&s->bytes, (size_t)s->all * s->request.field.bytes);
    s->values = launch_lay(&s->bytes, (size_t)s->all * s->request.value_bytes);
}

_Static_assert(2 * SELECT_COUNTS <= COUNTS, "counts have room");

/* Digits lie behind counts: both are cleared at once. */
static void lay_out(part_steps *s) {
    const select_table *const t = &s->table.of;
    s->list = launch_lay(&s->bytes, (size_t)t->capacity * 2 * s->word_bytes);
    s->picked = launch_lay(&s->bytes, (size_t)t->sides * t->groups * SELECT_WINDOW * s->word_bytes);
    s->bounds = launch_lay(&s->bytes, 2 * (size_t)SELECT_BOUNDS * s->word_bytes);
    s->counts = launch_lay(&s->bytes, (COUNTS + t->cleared) * sizeof(uint32_t));
    s->classes = launch_lay(&s->bytes, (PART_CLASSES + 2) * (size_t)s->table.shares * sizeof(uint32_t));
    lay_out_results(s);
}

/* An array of its own for all blocks, or several, one after the other. */
static void choose_array(part_steps *s, const sort_coding *coding, uint32_t least, unsigned multiprocessors) {
    const select_request *const r = &s->request;
    select_table *const t = &s->table.of;
    *t = select_table_of(r, coding, PART_DIGIT_BITS);
    t->count = r->count + 1;
    t->sides = PART_SIDES;
    t->groups = max(t->groups, min(t->n / STRETCH, (uint32_t)PART_MOST_GROUPS));
    t->cleared *= 2; /* a digit is counted of the list, too */
    s->is_exact = r->n < max(least, (uint32_t)SELECT_GROUP) || !choose_bounds(&s->table);
    select_choose_blocks(t, r->field.bytes, multiprocessors);
    s->table.shares = t->blocks * PART_SHARES;
    s->table.elements = t->vectors / PART_SHARES * (uint32_t)(2 * sizeof(uint64_t) / r->field.bytes);
    s->table.along.value_bytes = (uint32_t)r->value_bytes;
    s->table.along.index_bytes = (uint32_t)r->index_bytes;
    lay_out(s);
    s->is_chosen = true;
}

/* True if one of these segments, of which a block has each, would have few elements, or nearly all of many. */
static bool is_sorted_sooner(const part_steps *s, uint32_t least) {
    const select_request *const r = &s->request;
    return r->segments < LEAST_SEGMENTS || r->n < min(least, (uint32_t)LEAST_ROW);
}

static bool is_by_rows(const select_request *r, uint32_t least) {
    if (r->is_uneven) return true;
    return r->segments > MOST_ARRAYS || (r->segments > 1 && r->n < min(least, (uint32_t)LEAST_ARRAY));
}

/* True if a row is what registers hold, with others or alone. */
static bool is_held(const select_request *r, uint32_t least) {
    if (r->is_uneven || !part_is_held(r->n, (uint32_t)r->field.bytes)) return false;
    return r->segments > MOST_ARRAYS || r->n < least;
}

part_steps part_choose(const select_request *r, uint32_t all, const sort_coding *coding, uint32_t least,
                       unsigned multiprocessors) {
    part_steps s = {.request = *r, .all = all, .word_bytes = max((uint32_t)r->field.bytes, 4U)};
    if (r->field.bytes > 8 || (!r->is_uneven && r->count >= r->n)) return s;
    if (is_held(r, least)) {
        s.table.of = select_table_of(r, coding, PART_DIGIT_BITS);
        lay_out_results(&s);
        s.is_chosen = s.is_held = true;
        return s;
    }
    if (!is_by_rows(r, least)) {
        choose_array(&s, coding, least, multiprocessors);
        return s;
    }
    if (is_sorted_sooner(&s, least)) return s;
    s.table.of = select_table_of(r, coding, PART_DIGIT_BITS);
    lay_out_results(&s);
    s.is_chosen = s.is_by_rows = true;
    return s;
}

/* ------------------------------------------------------------------ launches */

typedef struct part_work {
    const part_steps *s;
    const riffle_sort_arrays *arrays;
    void *keys, *values; /* where results go: NULL, or where those of the first segment do */
    part_table table;
    uint32_t segment;
    launch_list *out;
} part_work;

enum { WARPS = SELECT_THREADS / WARP_LANES, LEAD = PART_LEAD * sizeof(uint32_t), VECTOR = 16 };

static size_t elem_bytes(const part_work *w) { return w->s->request.field.bytes; }
static uint32_t first_of(const part_work *w) { return w->segment * w->s->request.n; }

/* The segment's elements, and where they go. */
static const void *elements_of(const part_work *w) {
    return (const char *)w->arrays->from_keys + (size_t)first_of(w) * elem_bytes(w);
}
static void *results_of(const part_work *w) {
    return w->keys != NULL ? (char *)w->keys + (size_t)first_of(w) * elem_bytes(w) : NULL;
}

static part_along along_of(const part_work *w) {
    const part_steps *const s = w->s;
    return (part_along){.from_values = w->arrays->from_values,
                        .values = w->values,
                        .indices = s->request.index_bytes > 0 ? w->arrays->indices : NULL,
                        .value_bytes = (uint32_t)s->request.value_bytes,
                        .index_bytes = (uint32_t)s->request.index_bytes,
                        .first = first_of(w)};
}

static part_table table_of(const part_work *w, char *workspace) {
    const part_steps *const s = w->s;
    part_table p = s->table;
    select_table *const t = &p.of;
    t->list = workspace + s->list;
    t->picked = workspace + s->picked;
    t->bounds = workspace + s->bounds;
    t->counts = (uint32_t *)(workspace + s->counts);
    t->digits = t->counts + COUNTS;
    p.listed = *t;
    p.listed.bounds = workspace + s->bounds + (size_t)SELECT_BOUNDS * s->word_bytes;
    p.listed.counts = t->counts + SELECT_COUNTS;
    p.listed.digits = t->digits + t->cleared / 2;
    p.listed.before = p.listed.counts + PART_BEFORE;
    p.classes = (uint32_t *)(workspace + s->classes);
    p.fronts = p.classes + (size_t)PART_CLASSES * p.shares;
    p.equals = p.fronts + p.shares;
    p.lead = (uint32_t)((uintptr_t)elements_of(w) % VECTOR / elem_bytes(w));
    p.along = along_of(w);
    return p;
}

/* A launch that reads all elements, or what has been made of them. */
static void add_all(const part_work *w, const part_kernel *kernel, size_t shared_bytes, uint32_t attempt,
                    uint32_t round) {
    struct part_arguments arguments = {w->table};
    arguments.table.of.attempt = attempt;
    arguments.table.of.round = round;
    launch_set(append_part(w->out, kernel, elem_bytes(w), &arguments), w->table.of.blocks, SELECT_THREADS,
               shared_bytes, NULL, elements_of(w));
}

static void add_words(const part_work *w, const part_kernel *kernel, uint32_t grid, size_t shared_bytes,
                      uint32_t round) {
    struct part_arguments arguments = {w->table};
    arguments.table.listed.round = round;
    launch_set(append_part(w->out, kernel, w->s->word_bytes, &arguments), grid, SELECT_THREADS, shared_bytes,
               NULL, NULL);
}

static void add_sample(const part_work *w) {
    const struct select_arguments arguments = {w->table.of};
    launch_set(append_select(w->out, &KERNEL_select_sample, elem_bytes(w), &arguments), w->table.of.groups,
               SELECT_THREADS, (size_t)SELECT_GROUP * w->s->word_bytes, NULL, elements_of(w));
}

/* A warp's candidates that it holds back. */
static size_t staged_bytes(const part_work *w) {
    const size_t most = max((size_t)SELECT_STAGED, WARP_LANES * VECTOR / elem_bytes(w));
    return LEAD + WARPS * most * 2 * w->s->word_bytes;
}

/* The pivot, if it is between bounds that a sample makes. */
static void add_sampled(const part_work *w) {
    const select_table *const t = &w->table.of;
    const uint32_t listing = min(t->blocks, ceil_div(t->capacity, (uint32_t)PART_LISTED_TILE));
    add_sample(w);
    add_words(w, &KERNEL_part_bounds, PART_SIDES,
              (t->groups > SELECT_MOST_GROUPS ? PART_MOST_GROUPS : SELECT_MOST_GROUPS) * (size_t)SELECT_WINDOW *
                  w->s->word_bytes,
              0);
    add_all(w, &KERNEL_part_filter, staged_bytes(w), 0, 0);
    add_words(w, &KERNEL_part_settle, 1, LEAD, 0);
    for (uint32_t round = 0; round < t->rounds; round++)
        add_words(w, &KERNEL_part_digits, listing, LEAD + PART_DIGITS * sizeof(uint32_t), round);
    add_words(w, &KERNEL_part_tally, listing, LEAD, 0);
}

static void add_pivot(const part_work *w) {
    const select_table *const t = &w->table.of;
    if (w->s->is_exact)
        launch_append_fill(w->out, t->counts, 0, (COUNTS + t->cleared) * sizeof(uint32_t));
    else
        add_sampled(w);
    for (uint32_t round = 0; round < t->rounds; round++)
        add_all(w, &KERNEL_part_exact, LEAD + PART_DIGITS * sizeof(uint32_t), 0, round);
    add_all(w, &KERNEL_part_filter, staged_bytes(w), 1, 0);
}

static bool carries(const part_work *w) { return w->s->request.value_bytes + w->s->request.index_bytes > 0; }

/* Shared memory of a tile: elements, or their numbers where more goes along. */
static size_t tile_bytes(const part_work *w) {
    return LEAD + (carries(w) ? PART_TILE * VECTOR / elem_bytes(w) * sizeof(uint16_t) : PART_ROOM * VECTOR);
}

static void add_move(const part_work *w) {
    enum { MOVED = PART_MOVE_THREADS / WARP_LANES };
    const struct part_arguments arguments = {w->table};
    if (carries(w))
        launch_set(append_part(w->out, &KERNEL_part_move_carried, elem_bytes(w), &arguments),
                   w->table.of.blocks, SELECT_THREADS, tile_bytes(w), results_of(w), elements_of(w));
    else
        launch_set(append_part(w->out, &KERNEL_part_move, elem_bytes(w), &arguments), w->table.shares / MOVED,
                   PART_MOVE_THREADS, MOVED * 2 * PART_RING * VECTOR, results_of(w), elements_of(w));
}

static void add_rows(const part_work *w, const uint32_t *begin) {
    const part_steps *const s = w->s;
    const struct part_rows_arguments arguments = {{.coder = s->table.of.coder,
                                                   .begin = begin,
                                                   .length = s->request.n,
                                                   .place = s->request.count,
                                                   .rounds = s->table.of.rounds,
                                                   .along = along_of(w)}};
    launch_set(append_part_rows(w->out, carries(w) ? &KERNEL_part_rows_carried : &KERNEL_part_rows,
                                elem_bytes(w), &arguments),
               s->request.segments, SELECT_THREADS, max(tile_bytes(w), LEAD + PART_DIGITS * sizeof(uint32_t)),
               w->keys, w->arrays->from_keys);
}

static void add_held(const part_work *w) {
    const part_along along = along_of(w);
    launch_part_held(w->s, &along, w->keys, w->arrays->from_keys, w->out);
}

/* Results that take the place of their elements come there from the workspace, with what is in no segment. */
static void *place_of(const part_work *w, void *all, const void *from, void *staged, size_t bytes,
                      const uint32_t *begin) {
    if (all == NULL || all != from) return all;
    if (begin != NULL) launch_append_copy(w->out, staged, from, w->s->all * bytes);
    return staged;
}

static void add_copy(const part_work *w, void *all, const void *from, size_t bytes) {
    if (all != NULL && all != from) launch_append_copy(w->out, all, from, w->s->all * bytes);
}

void launch_part(const part_steps *s, const riffle_sort_arrays *arrays, const uint32_t *begin, void *workspace,
                 launch_list *out) {
    part_work w = {.s = s, .arrays = arrays, .out = out};
    const size_t value_bytes = s->request.value_bytes;
    char *const at = workspace;
    w.keys = s->is_held && !carries(&w) /* read before they are written */
                 ? arrays->keys
                 : place_of(&w, arrays->keys, arrays->from_keys, at + s->keys, elem_bytes(&w), begin);
    if (value_bytes > 0)
        w.values = place_of(&w, arrays->values, arrays->from_values, at + s->values, value_bytes, begin);
    if (s->is_by_rows) add_rows(&w, begin);
    if (s->is_held) add_held(&w);
    for (; !s->is_by_rows && !s->is_held && w.segment < s->request.segments; w.segment++) {
        w.table = table_of(&w, workspace);
        add_pivot(&w);
        add_move(&w);
    }
    add_copy(&w, arrays->keys, w.keys, elem_bytes(&w));
    if (value_bytes > 0) add_copy(&w, arrays->values, w.values, value_bytes);
}
