/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/task.h"

#include "base/reciprocal.h"

enum {
    ALIGNMENT = 256,
    UNIT_BYTES = 16,
    TIED_BYTES = 16,                             /* bytes of the codes of elements that tie */
    ROW_BLOCKS = 8,                              /* blocks of a multiprocessor */
    ROW_TILE = SORT_ROW_THREADS * SORT_ROW_EACH, /* rows of a block that does several of each thread */
};

/* --------------------------------------------------------------------- tasks */

/* The coding that does sort_code_of's work in the kernels. */
static sort_coding coding_of(const sort_field *field) {
    const unsigned bytes = field->bytes < 8 ? field->bytes : 8;
    const uint64_t mask = sort_mask(bytes), top = mask / 2 + 1;
    sort_coding c = {0};
    if (field->kind == RIFFLE_SORT_KEY_SIGNED) c.positive = c.negative = top;
    if (field->kind == RIFFLE_SORT_KEY_FLOAT) {
        c.positive = top, c.negative = mask;
        c.minus = top - 1 - sort_infinity(bytes);
    }
    if (field->descending) c.turn = mask, c.plus = sort_numbers(field->kind, bytes);
    return c;
}

/* True if codes are not the numbers themselves. */
static bool is_coded(const sort_coding *c) {
    return (c->positive | c->negative | c->minus | c->turn | c->plus) != 0;
}

/* Strings are no numbers here: their bytes would have to be turned. */
static sort_way way_of(const riffle_sort_plan *plan) {
    const sort_layout *const layout = &plan->layout;
    const riffle_sort_key_kind kind = (riffle_sort_key_kind)layout->field[0].kind;
    const bool is_wide = layout->elem_bytes == 4 || layout->elem_bytes == 8 || layout->elem_bytes == 16;
    const bool carries = plan->value_bytes == 4 || plan->index_bytes == 4;
    if (plan->key.before != NULL) return SORT_OWN;
    if (!sort_layout_is_number(layout) || kind == RIFFLE_SORT_KEY_BYTES) return SORT_IN_ORDER;
    if (plan->is_number) return is_wide ? SORT_NUMBERS : SORT_SMALL;
    return is_wide && kind != RIFFLE_SORT_KEY_FLOAT && carries ? SORT_CARRIED : SORT_IN_ORDER;
}

/* Codes of rows have 8 bytes, by which sorting is twice as fast as by 16; those of a block's worth, and those of which only
 * some places are asked for, the whole key where it can be: then nothing ties that is not the same. */
static size_t row_code_bytes(const sort_task *task) {
    const uint32_t key_bytes = task->layout.key_bytes;
    const bool is_part = task->kind == RIFFLE_SORT_TASK_TOP || task->kind == RIFFLE_SORT_TASK_PARTITION;
    if (key_bytes <= 8) return key_bytes <= 4 ? 4 : 8;
    return task->n <= SORT_CHUNK || (is_part && !task->is_segmented && key_bytes <= 16) ? 16 : 8;
}

static size_t code_bytes(const sort_task *task) {
    if (task->way == SORT_SMALL) return 4;
    return task->way == SORT_IN_ORDER ? row_code_bytes(task) : task->layout.elem_bytes;
}

static size_t take(sort_task *task, size_t bytes) {
    const size_t at = task->bytes;
    task->bytes = (task->bytes + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* True if elements and values are moved by an order of places. */
static bool is_ordered(const sort_task *task) { return task->way == SORT_IN_ORDER || task->way == SORT_OWN; }

static bool is_picked(const sort_task *task) {
    return task->kind == RIFFLE_SORT_TASK_TOP || task->kind == RIFFLE_SORT_TASK_UNIQUE;
}

static uint32_t tiles_of(const sort_task *task) { return (task->n + SORT_MARKS - 1) / SORT_MARKS; }

static void lay_out_picks(sort_task *task) {
    const size_t n = task->n;
    task->picks = take(task, task->results * sizeof(uint32_t));
    if (task->kind == RIFFLE_SORT_TASK_UNIQUE) {
        task->ranks = take(task, n * sizeof(uint32_t));
        task->sums = take(task, (tiles_of(task) + 1) * sizeof(uint32_t));
    }
    if (is_ordered(task)) return;
    task->sorted = take(task, n * task->layout.elem_bytes);
    if (task->way == SORT_CARRIED) task->carried = take(task, n * sizeof(uint32_t));
}

static size_t most_of(size_t a, size_t b) { return a > b ? a : b; }

/* A block's part of all places, of the launches that look for ties. */
static uint32_t tie_piece(const sort_task *task) {
    const uint64_t even = ((uint64_t)task->n + task->blocks - 1) / task->blocks;
    return (uint32_t)((even + ROW_TILE - 1) / ROW_TILE * ROW_TILE);
}

static uint32_t tie_pieces(const sort_task *task) {
    return (uint32_t)(((uint64_t)task->n + tie_piece(task) - 1) / tie_piece(task));
}

static void lay_out_ties(sort_task *task) {
    const size_t n = task->n;
    if (task->mends == 0) return;
    task->differs = take(task, KEY_MOST_PIECES * sizeof(uint64_t));
    task->squeezes = take(task, (KEY_MOST_PIECES + 1) * sizeof(sort_squeeze));
    task->stretch = take(task, 2 * sizeof(uint32_t));
    task->tie_sums = take(task, (2 * tie_pieces(task) + 1) * sizeof(uint32_t));
    task->same = take(task, n + 2 * sizeof(uint32_t));
    task->place = take(task, n * sizeof(uint32_t));
    task->order[1] = take(task, n * sizeof(uint32_t));
}

/* Codes and what sorts them are done with when elements and values are moved. */
static void lay_out(sort_task *task) {
    const size_t n = task->n, e = task->layout.elem_bytes;
    const bool is_made = task->way == SORT_SMALL || task->way == SORT_IN_ORDER;
    if (task->is_segmented) task->begin = take(task, (task->segments + 2) * sizeof(uint32_t));
    if (is_picked(task)) lay_out_picks(task);
    if (is_ordered(task)) task->order[0] = take(task, n * sizeof(uint32_t));
    if (task->way == SORT_OWN) task->order[1] = take(task, n * sizeof(uint32_t));
    task->moved = task->bytes;
    lay_out_ties(task);
    /* Keys that are carried along and not wanted have to lie somewhere. */
    if (is_made || task->way == SORT_CARRIED)
        task->codes = take(task, n * most_of(task->request.key_bytes, task->mends > 0 ? TIED_BYTES : 0));
    task->inner = take(task, task->way == SORT_OWN ? sort_own_bytes(task->n)
                                                   : most_of(task->tied_steps.bytes, task->steps.bytes));
    const size_t room = task->bytes - task->moved, most = n * most_of(e, task->value_bytes);
    if (is_ordered(task) && room < most) take(task, most - room);
}

/* Which places are asked for. */
static void choose_places(sort_task *task) {
    if (task->kind == RIFFLE_SORT_TASK_TOP) task->request.needed_end = task->count;
    if (task->kind != RIFFLE_SORT_TASK_PARTITION || task->count == task->n) return;
    task->request.needed = task->count;
    task->request.needed_end = task->count + 1;
    task->request.has_rest = true;
}

/* Elements that tie may be some that are not asked for, and others that are: where any may, all are sorted. */
static void choose_mends(sort_task *task) {
    const uint32_t bits = 8 * task->layout.key_bytes, made = 8 * (uint32_t)task->request.key_bytes;
    if (task->way != SORT_IN_ORDER || bits <= made) return;
    task->mends = (bits - made + SORT_TIED_BITS - 1) / SORT_TIED_BITS;
    task->request.needed = task->request.needed_end = 0;
    task->request.has_rest = false;
    task->tied = (sort_request){
        .n = task->n, .segments = 1, .is_segmented = true, .key_bytes = TIED_BYTES, .carries = true};
}

/* The task without its steps, of codes of rows of so many bytes, or of as many as are best. */
static sort_task begin_task(const riffle_sort_plan *plan, bool has_first, size_t row_bytes,
                            unsigned multiprocessors) {
    const bool is_top = plan->task == RIFFLE_SORT_TASK_TOP;
    sort_task task = {.n = (uint32_t)plan->n,
                      .segments = (uint32_t)plan->segments,
                      .count = (uint32_t)plan->count,
                      .results = (uint32_t)(is_top ? plan->segments * plan->count : plan->n),
                      .is_segmented = has_first || plan->segments > 1,
                      .kind = plan->task,
                      .layout = plan->layout,
                      .value_bytes = plan->value_bytes,
                      .index_bytes = plan->index_bytes,
                      .blocks = ROW_BLOCKS * multiprocessors,
                      .way = way_of(plan)};
    const bool codes = task.way == SORT_NUMBERS || task.way == SORT_CARRIED;
    task.request = (sort_request){.n = task.n,
                                  .segments = task.segments,
                                  .is_segmented = task.is_segmented,
                                  .is_uneven = has_first,
                                  .key_bytes = row_bytes > 0 ? row_bytes : code_bytes(&task),
                                  .carries = task.way == SORT_CARRIED || task.way == SORT_IN_ORDER};
    if (codes) task.request.coding = coding_of(&plan->layout.field[0]);
    task.request.encodes = task.request.decodes = is_coded(&task.request.coding);
    choose_places(&task);
    choose_mends(&task);
    return task;
}

sort_task sort_task_of(const riffle_sort_plan *plan, bool has_first, unsigned multiprocessors) {
    sort_task task = begin_task(plan, has_first, 0, multiprocessors);
    if (task.way != SORT_OWN) task.steps = sort_choose_steps(&task.request, multiprocessors);
    if (task.mends > 0) task.tied_steps = sort_choose_steps(&task.tied, multiprocessors);
    lay_out(&task);
    return task;
}

static sort_steps cut(const sort_request *request, const sort_task_steps *steps, unsigned multiprocessors) {
    return sort_cut(request, steps->levels, steps->leaf, steps->piece, multiprocessors);
}

sort_task sort_task_cut(const riffle_sort_plan *plan, bool has_first, const sort_task_steps *steps,
                        unsigned multiprocessors) {
    const bool is_row = way_of(plan) == SORT_IN_ORDER && plan->layout.key_bytes > 8;
    sort_task task = begin_task(plan, has_first, is_row ? steps->row_bytes : 0, multiprocessors);
    if (task.way != SORT_OWN) task.steps = cut(&task.request, steps, multiprocessors);
    if (task.mends > 0) task.tied_steps = cut(&task.tied, steps, multiprocessors);
    lay_out(&task);
    return task;
}

/* ------------------------------------------------------------------ launches */

typedef struct launches {
    const sort_task *task;
    char *workspace;
    const users_kernel *users;
    launch_list *out;
    sort_table table;
} launches;

static launch *add(launches *l, const sort_kernel *kernel, size_t bytes, uint64_t threads, void *to,
                   const void *from) {
    launch *const work = append_sort(l->out, kernel, bytes, &(struct sort_arguments){l->table});
    work->grid = (unsigned)((threads + SORT_ROW_THREADS - 1) / SORT_ROW_THREADS);
    work->block_x = SORT_ROW_THREADS;
    launch_between(work, to, from);
    return work;
}

/* Segments of one length that are leaves need no array of where they begin, if nothing else asks. */
static bool needs_begin(const sort_task *task) {
    return task->is_segmented &&
           (is_ordered(task) || is_picked(task) || sort_needs_begin(&task->request, &task->steps));
}

/* Threads do several each. */
static launch *add_rows(launches *l, const sort_kernel *kernel, size_t bytes, uint64_t count, void *to,
                        const void *from) {
    return add(l, kernel, bytes, (count + SORT_ROW_EACH - 1) / SORT_ROW_EACH, to, from);
}

/* No more blocks than run at a time, so that those of nothing to do are soon done. */
static launch *add_blocks(launches *l, const sort_kernel *kernel, size_t bytes, void *to, const void *from) {
    const uint64_t most = (uint64_t)ROW_TILE * l->task->blocks;
    return add_rows(l, kernel, bytes, l->task->n < most ? l->task->n : most, to, from);
}

/* Where segments begin. */
static void add_begin(launches *l, const uint64_t *first) {
    const sort_task *const task = l->task;
    sort_table *const t = &l->table;
    if (!needs_begin(task)) return;
    uint32_t *const begin = (uint32_t *)(l->workspace + task->begin);
    t->units = 1;
    if (first != NULL) add(l, &KERNEL_sort_clear, 4, 1, begin + task->segments + 1, NULL);
    t->first = first;
    add(l, &KERNEL_sort_begin, 4, (uint64_t)task->segments + 1, begin, NULL);
    if (first != NULL) add(l, &KERNEL_sort_settle, 4, (uint64_t)task->segments + 1, begin, NULL);
    t->begin = begin;
}

static void add_steps(launches *l, const sort_request *request, const sort_steps *steps, void *to,
                      const void *from, uint32_t *carried, const uint32_t *from_carried) {
    const sort_buffers b = {from, to, from_carried, carried, l->table.begin, l->workspace + l->task->inner};
    launch_sort(request, steps, &b, l->out);
}

static void add_sort(launches *l, void *to, const void *from, uint32_t *carried, const uint32_t *from_carried) {
    add_steps(l, &l->task->request, &l->task->steps, to, from, carried, from_carried);
}

/* A block that adds up what others have counted. */
static void add_sum(launches *l, uint32_t *sums, uint32_t count) {
    l->table.units = count;
    launch *const work = add(l, &KERNEL_sort_add_marks, 4, 1, sums, NULL);
    work->block_x = SORT_SUM_THREADS;
    work->shared_bytes = SORT_LANES * sizeof(uint32_t);
}

/* Adds the picks of what is asked for: elements one behind the other, or, in the table's order, anywhere. */
static void add_picks(launches *l, const void *elements, uint64_t *lengths) {
    const sort_task *const task = l->task;
    sort_table *const t = &l->table;
    if (!is_picked(task)) return;
    t->picks = (uint32_t *)(l->workspace + task->picks);
    if (task->kind == RIFFLE_SORT_TASK_TOP) {
        add(l, &KERNEL_sort_top, 4, task->results, t->picks, NULL);
        return;
    }
    t->elements = elements;
    t->ranks = (uint32_t *)(l->workspace + task->ranks);
    t->sums = (uint32_t *)(l->workspace + task->sums);
    add(l, &KERNEL_sort_marks, 4, (uint64_t)tiles_of(task) * SORT_ROW_THREADS, t->ranks, NULL)->shared_bytes =
        SORT_LANES * sizeof(uint32_t);
    add_sum(l, t->sums, tiles_of(task));
    add(l, &KERNEL_sort_pick, 4, task->n, t->picks, NULL);
    add(l, &KERNEL_sort_lengths, 8, task->segments, lengths, NULL);
}

/* Results of so many bytes each; those that come into the place of what they are made of from a copy of that. */
static void add_gather(launches *l, void *to, const void *from, size_t bytes) {
    const sort_task *const task = l->task;
    if (to == NULL || bytes == 0) return;
    if (to == from) {
        launch_append_copy(l->out, l->workspace + task->moved, from, task->n * bytes);
        from = l->workspace + task->moved;
    }
    const uintptr_t odd = (uintptr_t)bytes | (uintptr_t)from | (uintptr_t)to | UNIT_BYTES;
    const size_t unit = (size_t)(odd & (0 - odd));
    l->table.units = bytes / unit;
    l->table.reciprocal = reciprocal_of(l->table.units, &l->table.shift);
    add_rows(l, &KERNEL_sort_gather, unit, task->results * l->table.units, to, from);
}

/* The order, where it is not the indices already. */
static void add_indices(launches *l, void *to) {
    const sort_task *const task = l->task;
    if (task->index_bytes == 0 || to == (void *)l->table.order) return;
    add(l, &KERNEL_sort_widen, task->index_bytes, task->results, to, NULL);
}

/* Adds the results that are asked for, in the table's order. */
static void add_results(launches *l, const riffle_sort_arrays *arrays) {
    add_picks(l, arrays->from_keys, arrays->lengths);
    add_indices(l, arrays->indices);
    add_gather(l, arrays->keys, arrays->from_keys, l->task->layout.elem_bytes);
    add_gather(l, arrays->values, arrays->from_values, l->task->value_bytes);
}

static void sort_by_comparison(launches *l, const riffle_sort_arrays *arrays) {
    const sort_task *const task = l->task;
    uint32_t *const order = (uint32_t *)(l->workspace + task->order[0]);
    const bool is_result = task->index_bytes == 4 && !is_picked(task) && l->table.begin == NULL;
    const sort_own_arrays own = {.elements = arrays->from_keys,
                                 .begin = l->table.begin,
                                 .n = task->n,
                                 .segments = task->segments,
                                 .result = is_result ? arrays->indices : order,
                                 .room = (uint32_t *)(l->workspace + task->order[1]),
                                 .workspace = l->workspace + task->inner,
                                 .users = l->users};
    launch_sort_own(&own, l->out);
    l->table.order = own.result;
    if (task->kind == RIFFLE_SORT_TASK_UNIQUE) {
        launch_sort_own_marks(&own, own.result, own.room, l->out);
        l->table.marks = own.room;
    }
    add_results(l, arrays);
}

/* Which bits differ, and how they are moved together. */
static void add_squeezes(launches *l) {
    const sort_task *const task = l->task;
    sort_table *const t = &l->table;
    const size_t pieces = t->pieces.count;
    t->differs = (uint64_t *)(l->workspace + task->differs);
    t->squeezes = (sort_squeeze *)(l->workspace + task->squeezes);
    t->units = pieces * (sizeof *t->differs / sizeof(uint32_t));
    add(l, &KERNEL_sort_clear, 4, 1, t->differs, NULL);
    add_blocks(l, &KERNEL_sort_differ, 8, NULL, NULL)->shared_bytes =
        pieces * SORT_ROW_THREADS * sizeof(uint64_t);
    add(l, &KERNEL_sort_squeezes, 8, 1, NULL, NULL)->block_x = SORT_LANES;
}

/* Lists elements that tie, with codes of the bits from t->skip on, and sorts them by these. */
static void add_tied(launches *l, void *codes) {
    const sort_task *const task = l->task;
    sort_table *const t = &l->table;
    const uint64_t threads = (uint64_t)tie_pieces(task) * SORT_ROW_THREADS;
    t->sums = (uint32_t *)(l->workspace + task->tie_sums);
    t->piece = tie_piece(task);
    add(l, &KERNEL_sort_tie_counts, 4, threads, t->sums, NULL)->shared_bytes = SORT_LANES * sizeof(uint32_t);
    add_sum(l, t->sums, 2 * tie_pieces(task));
    t->begin = (uint32_t *)(l->workspace + task->stretch);
    t->segments = 1;
    t->place = (uint32_t *)(l->workspace + task->place);
    t->tied = (uint32_t *)(l->workspace + task->order[1]);
    add(l, &KERNEL_sort_tie_codes, TIED_BYTES, threads, codes, NULL)->shared_bytes =
        SORT_LANES * sizeof(uint32_t);
    add_steps(l, &task->tied, &task->tied_steps, codes, codes, t->tied, t->tied);
}

/* Brings elements that are in order by codes into order by the whole key. */
static void add_mends(launches *l, uint32_t *order, void *codes) {
    const sort_task *const task = l->task;
    const sort_table before = l->table;
    size_t bytes = task->request.key_bytes;
    l->table.same = (uint8_t *)(l->workspace + task->same);
    l->table.whole = order;
    l->table.skip = 8 * (uint32_t)bytes;
    for (unsigned k = 0; k < task->mends; k++) {
        add_blocks(l, &KERNEL_sort_ties, bytes, NULL, codes);
        add_tied(l, codes);
        bytes = TIED_BYTES;
        l->table.skip += SORT_TIED_BITS;
    }
    if (task->mends > 0) add_blocks(l, &KERNEL_sort_ties, bytes, NULL, codes);
    l->table = before;
}

static void sort_in_order(launches *l, const riffle_sort_arrays *arrays) {
    const sort_task *const task = l->task;
    void *const codes = l->workspace + task->codes;
    const bool is_result = task->index_bytes == 4 && !is_picked(task);
    uint32_t *const order = is_result ? arrays->indices : (uint32_t *)(l->workspace + task->order[0]);
    l->table.elements = arrays->from_keys;
    if (task->mends > 0) add_squeezes(l);
    add_rows(l, &KERNEL_sort_codes, task->request.key_bytes, task->n, codes, NULL);
    add_sort(l, codes, codes, order, NULL);
    add_mends(l, order, codes);
    l->table.order = order;
    add_results(l, arrays);
}

static void sort_small(launches *l, void *keys, const riffle_sort_arrays *arrays) {
    void *const codes = l->workspace + l->task->codes;
    l->table.number = l->task->layout.field[0];
    add(l, &KERNEL_sort_number_codes, 4, l->task->n, codes, arrays->from_keys);
    add_sort(l, codes, codes, NULL, NULL);
    add(l, &KERNEL_sort_numbers, 4, l->task->n, keys, codes);
}

/* Where keys are sorted to, and what goes along. */
static void *keys_of(const launches *l, const riffle_sort_arrays *arrays) {
    if (is_picked(l->task)) return l->workspace + l->task->sorted;
    return arrays->keys != NULL ? arrays->keys : l->workspace + l->task->codes;
}

static void sort_carried(launches *l, void *keys, const riffle_sort_arrays *arrays) {
    const sort_task *const task = l->task;
    void *const to = task->value_bytes > 0 ? arrays->values : arrays->indices;
    uint32_t *const carried = is_picked(task) ? (uint32_t *)(l->workspace + task->carried) : to;
    add_sort(l, keys, arrays->from_keys, carried, task->value_bytes > 0 ? arrays->from_values : NULL);
    if (!is_picked(task)) return;
    add_picks(l, keys, arrays->lengths);
    add_gather(l, to, carried, sizeof *carried);
}

void launch_sort_task(const sort_task *task, const riffle_sort_arrays *arrays, void *workspace,
                      const users_kernel *users, launch_list *out) {
    launches l = {.task = task,
                  .workspace = workspace,
                  .users = users,
                  .out = out,
                  .table = {.n = task->n,
                            .segments = task->segments,
                            .count = task->count,
                            .results = task->results,
                            .elem_bytes = task->layout.elem_bytes}};
    if (task->way != SORT_OWN) l.table.pieces = key_pieces_of(&task->layout);
    void *const keys = keys_of(&l, arrays);
    if (task->results == 0) return;
    add_begin(&l, arrays->first);
    switch (task->way) {
    case SORT_IN_ORDER: sort_in_order(&l, arrays); return;
    case SORT_OWN: sort_by_comparison(&l, arrays); return;
    case SORT_NUMBERS: add_sort(&l, keys, arrays->from_keys, NULL, NULL); break;
    case SORT_CARRIED: sort_carried(&l, keys, arrays); break;
    default: sort_small(&l, keys, arrays);
    }
    if (!is_picked(task)) return;
    if (task->way != SORT_CARRIED) add_picks(&l, keys, arrays->lengths);
    add_gather(&l, arrays->keys, keys, task->layout.elem_bytes);
    return;
}
