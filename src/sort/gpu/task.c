/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/task.h"

#include <math.h>

#include "device/workspace.h"
#include "sort/gpu/codes/coding.h"

enum {
    ROW_BLOCKS = 8,         /* blocks of a multiprocessor */
    SELECT_LEAST = 1 << 19, /* fewer elements are sorted as soon */
    PART_STRETCH = 8,       /* times as many are counted as soon as they are sampled, to be parted */
};

/* Strings are no numbers here: their bytes would have to be turned. */
static sort_way way_of(const riffle_sort_plan *plan) {
    const sort_layout *const layout = &plan->layout;
    const riffle_sort_key_kind kind = (riffle_sort_key_kind)layout->field[0].kind;
    const bool is_wide = layout->elem_bytes == 4 || layout->elem_bytes == 8 || layout->elem_bytes == 16;
    const bool carries = plan->value_bytes == 4 || plan->index_bytes == 4;
    if (plan->key.before != NULL) return SORT_OWN;
    if (plan->task == RIFFLE_SORT_TASK_PARTITION) return SORT_IN_ORDER; /* places are parted */
    if (!sort_layout_is_number(layout) || kind == RIFFLE_SORT_KEY_BYTES) return SORT_IN_ORDER;
    if (plan->is_number) return is_wide ? SORT_NUMBERS : SORT_SMALL;
    return is_wide && kind != RIFFLE_SORT_KEY_FLOAT && carries ? SORT_CARRIED : SORT_IN_ORDER;
}

/* Codes of rows have 8 bytes, by which sorting is twice as fast as by 16; those of a block's worth, and those of which only
 * some places are asked for, the whole key where it can be: then nothing ties that is not the same. */
static uint32_t row_code_bytes(const sort_task *task) {
    const uint32_t key_bytes = task->layout.key_bytes;
    const bool is_part = task->kind == RIFFLE_SORT_TASK_TOP || task->kind == RIFFLE_SORT_TASK_PARTITION;
    if (key_bytes <= 8) return key_bytes <= 4 ? 4 : 8;
    return task->n <= SORT_CHUNK || (is_part && !task->is_segmented && key_bytes <= 16) ? 16 : 8;
}

static uint32_t code_bytes(const sort_task *task) {
    if (task->way == SORT_SMALL) return 4;
    return task->way == SORT_IN_ORDER ? row_code_bytes(task) : task->layout.elem_bytes;
}

static void lay_out_picks(sort_task *task) {
    const size_t n = task->n;
    task->picks = launch_lay(&task->bytes, task->results * sizeof(uint32_t));
    if (task->kind != RIFFLE_SORT_TASK_TOP) {
        task->ranks = launch_lay(&task->bytes, n * sizeof(uint32_t));
        task->sums = launch_lay(&task->bytes, (sort_mark_tiles(task) + 1) * sizeof(uint32_t));
    }
    if (sort_task_is_ordered(task)) return;
    task->sorted = launch_lay(&task->bytes, n * task->layout.elem_bytes);
    if (task->way == SORT_CARRIED) task->carried = launch_lay(&task->bytes, n * sizeof(uint32_t));
}

static void lay_out_ties(sort_task *task) {
    const size_t n = task->n;
    if (task->mends == 0) return;
    task->differs = launch_lay(&task->bytes, KEY_MOST_PIECES * sizeof(uint64_t));
    task->squeezes = launch_lay(&task->bytes, (KEY_MOST_PIECES + 1) * sizeof(sort_squeeze));
    task->stretch = launch_lay(&task->bytes, 2 * sizeof(uint32_t));
    task->tie_sums = launch_lay(&task->bytes, (2 * sort_tie_pieces(task) + 1) * sizeof(uint32_t));
    task->same = launch_lay(&task->bytes, n + 2 * sizeof(uint32_t));
    task->place = launch_lay(&task->bytes, n * sizeof(uint32_t));
    task->order[1] = launch_lay(&task->bytes, n * sizeof(uint32_t));
}

/* Codes and what sorts them are done with when elements and values are moved. */
static void lay_out(sort_task *task) {
    const size_t n = task->n, e = task->layout.elem_bytes;
    const bool is_made = task->way == SORT_SMALL || task->way == SORT_IN_ORDER;
    if (task->is_segmented) task->begin = launch_lay(&task->bytes, (task->segments + 2) * sizeof(uint32_t));
    if (sort_task_is_picked(task)) lay_out_picks(task);
    if (sort_task_is_ordered(task)) task->order[0] = launch_lay(&task->bytes, n * sizeof(uint32_t));
    if (task->way == SORT_OWN) task->order[1] = launch_lay(&task->bytes, n * sizeof(uint32_t));
    task->moved = task->bytes;
    lay_out_ties(task);
    /* Keys that are carried along and not wanted have to lie somewhere. */
    if (is_made || task->way == SORT_CARRIED)
        task->codes =
            launch_lay(&task->bytes, n * max(task->request.key_bytes, task->mends > 0 ? SORT_TIED_BYTES : 0));
    task->inner =
        launch_lay(&task->bytes, task->way == SORT_OWN ? sort_own_bytes(task->n)
                                                       : max(task->tied_steps.bytes, task->steps.bytes));
    const size_t room = task->bytes - task->moved, most = n * max(e, task->value_bytes);
    if (sort_task_is_ordered(task) && room < most) launch_lay(&task->bytes, most - room);
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
    const uint32_t bits = 8 * task->layout.key_bytes, made = 8 * task->request.key_bytes;
    if (task->way != SORT_IN_ORDER || bits <= made) return;
    task->mends = ceil_div(bits - made, SORT_TIED_BITS);
    task->request.needed = task->request.needed_end = 0;
    task->request.has_rest = false;
    task->tied = (sort_request){
        .n = task->n, .segments = 1, .is_segmented = true, .key_bytes = SORT_TIED_BYTES, .carries = true};
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
                                  .is_checked = plan->check != RIFFLE_CHECK_NONE,
                                  .key_bytes = row_bytes > 0 ? (uint32_t)row_bytes : code_bytes(&task),
                                  .carries = task.way == SORT_CARRIED || task.way == SORT_IN_ORDER};
    if (codes) task.request.coding = sort_coding_of(&plan->layout.field[0]);
    task.request.is_coded = sort_is_coded(&task.request.coding);
    choose_places(&task);
    choose_mends(&task);
    return task;
}

/* The first of each segment that is one number, or of a few that are long; or one array, parted. */
static void choose_selection(sort_task *task, uint32_t least, unsigned multiprocessors) {
    const select_request r = {.n = task->n / task->segments,
                              .count = task->count,
                              .segments = task->segments,
                              .is_uneven = task->request.is_uneven,
                              .field = task->layout.field[0],
                              .is_placed = task->way == SORT_CARRIED || task->way == SORT_IN_ORDER,
                              .value_bytes = task->value_bytes,
                              .index_bytes = task->index_bytes};
    const sort_coding coding = sort_coding_of(&r.field);
    if (task->way == SORT_OWN || r.field.kind == RIFFLE_SORT_KEY_BYTES || !sort_layout_is_number(&task->layout))
        return;
    if (task->kind == RIFFLE_SORT_TASK_TOP) task->select = select_choose(&r, &coding, least, multiprocessors);
    if (task->kind == RIFFLE_SORT_TASK_PARTITION)
        task->part = part_choose(&r, task->n, &coding, PART_STRETCH * least, multiprocessors);
}

sort_task sort_task_selected(const riffle_sort_plan *plan, bool has_first, uint32_t least,
                             unsigned multiprocessors) {
    sort_task task = begin_task(plan, has_first, 0, multiprocessors);
    choose_selection(&task, least, multiprocessors);
    if (!sort_task_is_selected(&task)) return task;
    task.inner = launch_lay(&task.bytes, task.part.is_chosen ? task.part.bytes : task.select.bytes);
    if (has_first) task.begin = launch_lay(&task.bytes, (task.segments + 2) * sizeof(uint32_t));
    return task;
}

sort_task sort_task_of(const riffle_sort_plan *plan, bool has_first, unsigned multiprocessors) {
    sort_task task = sort_task_selected(plan, has_first, SELECT_LEAST, multiprocessors);
    if (sort_task_is_selected(&task)) return task;
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

/* --------------------------------------------------------------- predictions */

static sort_subject_level level_of(const sort_request *r, const sort_level *level) {
    const double segments = r->segments;
    return (sort_subject_level){.segments = level->segments,
                                .bucket = level->bucket,
                                .ways = level->ways,
                                .samples = level->samples,
                                .of = lengths_even(segments, r->n / segments)};
}

static bool has_window(const sort_request *r, const sort_steps *steps) {
    return steps->count == 2 && !r->is_segmented && r->needed < r->needed_end;
}

/* Halves from 0 to 1 have 11 bits. */
static double values_of(const sort_layout *layout, bool is_float) {
    return layout->key_bytes > 2 ? 0 : is_float ? 1 << 11 : 1 << (8 * layout->key_bytes);
}

/* The list is one leaf, which is filled with the bound. */
static void fill_subject(const select_steps *s, sort_subject *out) {
    const double found = fmin(sort_subject_candidates(&s->table), s->table.capacity);
    out->filled = s->table.capacity - found;
    if (s->request.is_placed) out->filled_bits = 16 * s->word_bytes + ceil(log2(found / s->table.n));
}

sort_subject sort_task_subject(const sort_task *task) {
    const bool is_float = task->layout.field[0].kind == RIFFLE_SORT_KEY_FLOAT;
    const bool is_selected = task->select.is_chosen; /* the list is what is sorted */
    const sort_request *const r = is_selected ? &task->select.sort : &task->request;
    const sort_steps *const steps = is_selected ? &task->select.sort_steps : &task->steps;
    sort_subject out = {.n = is_selected ? r->n : task->n,
                        .values = is_selected ? 0 : values_of(&task->layout, is_float),
                        .is_float = is_float,
                        .key_bits = 8 * task->layout.key_bytes,
                        .elem_bytes = task->layout.elem_bytes,
                        .fields = task->layout.fields,
                        .parted = task->kind == RIFFLE_SORT_TASK_PARTITION ? task->count : 0,
                        .field_bytes = fmin(task->layout.field[0].bytes, 8)};
    for (unsigned k = 0; k < steps->count; k++) {
        const sort_subject_level level = level_of(r, &steps->level[k]);
        sort_subject_add(&out, &level);
    }
    if (is_selected && r->n > 0 && steps->count + steps->strips == 0) fill_subject(&task->select, &out);
    if (has_window(r, steps)) sort_subject_keep(&out, r->needed_end - r->needed, r->needed == 0);
    return out;
}
