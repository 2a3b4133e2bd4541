/* SPDX-License-Identifier: Apache-2.0 */
#include "move/gpu/once.h"

#include "base/arithmetic.h"
#include "move/gpu/rows.h"
#include "perm/perm.h"

/* Launches as they are added. */
typedef struct launches {
    const once_request *r;
    const once_shape *s;
    const once_arrays *arrays;
    const plan_target *target;
    once_table table;
    launch_list *out;
} launches;

static void *at(const launches *l, size_t offset) { return (char *)l->arrays->workspace + offset; }

/* A multiplier of 2^32 is one too large: then one bit less is shifted off. */
static void fill_tile(once_table *t) {
    t->tile_shift = (uint32_t)__builtin_ctz(t->tile);
    if (t->tile >> t->tile_shift == 1) t->tile_shift--;
    const uint32_t divisor = t->tile >> t->tile_shift;
    t->tile_factor = (uint32_t)((((uint64_t)1 << 32) + divisor - 1) / divisor);
}

static void fill_random(const perm_random *random, bool inverted, once_table *t) {
    t->net = feistel_create(t->n, random->round_key, inverted);
    if (inverted) {
        t->swap_before = (uint32_t)random->swap;
    } else {
        t->swap_after = (uint32_t)random->swap;
    }
}

/* Fills in what both ways need. A random permutation is sorted as what is put, and gathered along its inverse. */
static void fill_common(launches *l) {
    const riffle_perm *const random = l->arrays->random;
    l->table = (once_table){
        .n = l->r->n, .m = l->r->m, .indices = l->arrays->indices, .record = at(l, l->s->at.record)};
    if (random != NULL) fill_random(&random->random, random->random.inverted == l->s->sorts, &l->table);
}

static void fill_sorted(launches *l) {
    const once_shape *const s = l->s;
    once_table *const t = &l->table;
    const unsigned threads = once_threads(s, l->target);
    const size_t behind_slots = s->tiles / 2 + 1 + threads / WARP_LANES;
    t->piece = s->piece, t->pieces = s->pieces;
    t->tile = s->tile, t->tiles = s->tiles;
    t->room = s->room, t->row = s->row, t->column = s->column;
    t->items = s->items, t->item_answers = s->item_answers;
    t->slots = (uint32_t)(once_sort_bytes(l->r, s, threads) / sizeof(uint32_t) - behind_slots);
    t->ahead = l->target->multiprocessors * (l->target->block_threads / threads);
    t->starts = at(l, s->at.starts);
    t->runs = at(l, s->at.runs);
    t->lows = at(l, s->at.lows);
    t->places = at(l, s->at.places);
    t->before = at(l, s->at.before);
    t->sums = at(l, s->at.sums);
    t->totals = at(l, s->at.totals);
    t->list = at(l, s->at.list);
    fill_tile(t);
}

static void add(launches *l, const once_kernel *kernel, size_t elem_bytes, uint32_t grid, unsigned threads,
                size_t shared_bytes, void *to, const void *from) {
    launch_set(append_once(l->out, kernel, elem_bytes, &(struct once_arguments){l->table}), grid, threads,
               shared_bytes, to, from);
}

static unsigned flat_threads(const launches *l) {
    const unsigned most = l->target->block_threads;
    return ONCE_COUNT_THREADS < most ? ONCE_COUNT_THREADS : most;
}

/* A thread for each tile, or for each tile and span. */
static void add_columns(launches *l, const once_kernel *kernel, bool of_spans, bool turns, uint32_t *to) {
    const size_t turned = turns ? flat_threads(l) * (ONCE_SPAN + 1) * sizeof(uint32_t) : 0;
    const uint32_t groups = ceil_div(l->table.tiles, flat_threads(l));
    const uint32_t spans = of_spans ? ceil_div(l->table.pieces, ONCE_SPAN) : 1;
    add(l, kernel, sizeof *to, groups * spans, flat_threads(l), turned, to, NULL);
}

static void add_sums(launches *l) {
    const once_table *const t = &l->table;
    const unsigned threads = l->target->block_threads;
    add_columns(l, &KERNEL_once_span_sums, true, false, t->sums);
    add_columns(l, &KERNEL_once_tile_sums, false, false, t->totals);
    add(l, &KERNEL_once_tile_begins, sizeof *t->totals, 1, threads, threads / WARP_LANES * sizeof(uint32_t),
        t->totals, NULL);
    add_columns(l, &KERNEL_once_run_begins, true, true, t->before);
}

/* Indices sorted by tile: their low parts, or whole. */
static void add_requests(launches *l) {
    const once_table *const t = &l->table;
    const bool is_narrow = l->arrays->index_bytes == 4;
    const unsigned threads = once_threads(l->s, l->target);
    const once_kernel *kernel = is_narrow ? &KERNEL_once_requests_32 : &KERNEL_once_requests_64;
    size_t bytes = sizeof(uint16_t);
    if (l->s->in_cache) {
        kernel = is_narrow ? &KERNEL_once_indices_32 : &KERNEL_once_indices_64;
        bytes = sizeof(uint32_t);
    }
    add(l, kernel, bytes, t->pieces, threads, once_sort_bytes(l->r, l->s, threads), t->lows, NULL);
}

/* In shared memory a block has an item, else a tile's runs in a span of pieces. */
static void add_answers(launches *l, void *answers) {
    const once_table *const t = &l->table;
    const unsigned threads = l->target->block_threads;
    if (l->s->in_cache) {
        add(l, &KERNEL_once_look_up, l->r->elem_bytes, t->tiles * ceil_div(t->pieces, ONCE_SPAN),
            flat_threads(l), 2 * ONCE_SPAN * sizeof(uint32_t), answers, l->arrays->src);
    } else {
        add(l, &KERNEL_once_answer, l->r->elem_bytes, t->items, threads,
            once_move_bytes(l->r, t->tile, threads), answers, l->arrays->src);
    }
}

/* Requests, sorted and answered; values are left in the workspace. */
static void sort_take(launches *l) {
    add_requests(l);
    add_sums(l);
    add_answers(l, at(l, l->s->at.values));
}

/* Values, sorted by tile. */
static void sort_put(launches *l) {
    const once_table *const t = &l->table;
    const unsigned threads = l->target->block_threads;
    const once_kernel *sort = l->arrays->index_bytes == 4 ? &KERNEL_once_values_32 : &KERNEL_once_values_64;
    if (l->arrays->random != NULL) sort = &KERNEL_once_values_random;
    add(l, sort, l->r->elem_bytes, t->pieces, threads, once_sort_bytes(l->r, l->s, threads),
        at(l, l->s->at.values), l->arrays->src);
    add_columns(l, &KERNEL_once_run_lists, true, true, t->runs);
}

static void collect_take(launches *l) {
    const once_table *const t = &l->table;
    const unsigned threads = once_threads(l->s, l->target);
    add(l, &KERNEL_once_collect, l->r->elem_bytes, t->pieces, threads, once_move_bytes(l->r, t->room, threads),
        l->arrays->dst, at(l, l->s->at.values));
}

static void collect_put(launches *l) {
    const once_table *const t = &l->table;
    const unsigned threads = l->target->block_threads;
    add(l, &KERNEL_once_place, l->r->elem_bytes, t->tiles, threads, once_move_bytes(l->r, t->tile, threads),
        l->arrays->dst, at(l, l->s->at.values));
}

/* ------------------------------------------------------------------- unsorted */

/* A thread an index. */
static void add_flat(launches *l, const once_kernel *kernel, void *to) {
    const unsigned threads = flat_threads(l);
    add(l, kernel, sizeof(uint32_t), (uint32_t)ceil_div(l->r->m, threads), threads, 0, to, NULL);
}

/* Rows of any length. */
static void add_rows(launches *l, const void *indices, size_t index_bytes) {
    const plan_target *const target = l->target;
    const once_request *const r = l->r;
    const rows_move move = {.scatters = r->puts && !r->is_random,
                            .rows = r->m,
                            .rows_read = r->puts ? r->m : r->n,
                            .row_bytes = r->elem_bytes,
                            .entry_bytes = index_bytes,
                            .limit = r->n,
                            .out_of_range = r->is_random ? NULL : &l->table.record->out_of_range};
    const launch_limits limits = {.width = target->width,
                                  .block_threads = target->block_threads,
                                  .shared_bytes = target->shared_bytes,
                                  .moves = 1};
    launch_between(launch_rows_move(&move, &limits, indices, l->out), l->arrays->dst, l->arrays->src);
}

/* Rows that are elements have a kernel of their own. */
static void add_gather(launches *l, const void *indices, size_t index_bytes) {
    const unsigned threads = flat_threads(l);
    if (once_obstacle(l->r) != NULL) {
        add_rows(l, indices, index_bytes);
        return;
    }
    l->table.indices = indices;
    add(l, index_bytes == 4 ? &KERNEL_once_gather_32 : &KERNEL_once_gather_64, l->r->elem_bytes,
        (uint32_t)ceil_div(l->r->m, ONCE_GATHERED * threads), threads, 0, l->arrays->dst, l->arrays->src);
}

static void add_plain(launches *l) {
    const once_arrays *const arrays = l->arrays;
    void *const marks = at(l, l->s->at.marks);
    if (arrays->random != NULL) {
        add_flat(l, &KERNEL_once_write_random, marks);
        add_gather(l, marks, sizeof(uint32_t));
    } else if (l->r->puts) {
        add_flat(l, arrays->index_bytes == 4 ? &KERNEL_once_mark_32 : &KERNEL_once_mark_64, marks);
        add_rows(l, arrays->indices, arrays->index_bytes);
    } else {
        add_gather(l, arrays->indices, arrays->index_bytes);
    }
}

static launches begin(const once_request *r, const once_shape *s, const once_arrays *arrays,
                      const plan_target *target, launch_list *out) {
    launches l = {.r = r, .s = s, .arrays = arrays, .target = target, .out = out};
    fill_common(&l);
    if (s->sorts) fill_sorted(&l);
    return l;
}

void launch_once_sort(const once_request *r, const once_shape *s, const once_arrays *arrays,
                      const plan_target *target, launch_list *out) {
    launches l = begin(r, s, arrays, target, out);
    (r->puts ? sort_put : sort_take)(&l);
}

void launch_once_collect(const once_request *r, const once_shape *s, const once_arrays *arrays,
                         const plan_target *target, launch_list *out) {
    launches l = begin(r, s, arrays, target, out);
    (r->puts ? collect_put : collect_take)(&l);
}

void launch_once(const once_request *r, const once_shape *s, const once_arrays *arrays,
                 const plan_target *target, launch_list *out) {
    if (s->sorts) {
        launch_once_sort(r, s, arrays, target, out);
        launch_once_collect(r, s, arrays, target, out);
    } else {
        launches l = begin(r, s, arrays, target, out);
        add_plain(&l);
    }
}
