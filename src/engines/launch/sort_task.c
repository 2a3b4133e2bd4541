/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/launch/sort_task.h"

enum { ALIGNMENT = 256, ROUND_BYTES = 16, UNIT_BYTES = 16 };

/* --------------------------------------------------------------------- tasks */

/* What sort_code_of does with a number, as the kernels do it. */
static sort_coding coding_of(const sort_field *field) {
    const unsigned bytes = field->bytes < 8 ? field->bytes : 8;
    const uint64_t mask = sort_mask(bytes), top = mask / 2 + 1;
    sort_coding c = {0};
    if (field->kind == RIFFLE_SORT_SIGNED) c.positive = c.negative = top;
    if (field->kind == RIFFLE_SORT_FLOAT) {
        c.positive = top, c.negative = mask;
        c.minus = top - 1 - sort_infinity(bytes);
    }
    if (field->descending) c.turn = mask, c.plus = sort_numbers(field->kind, bytes);
    return c;
}

/* Strings are no numbers here: their bytes would have to be turned. */
static sort_way way_of(const riffle_sort_plan *plan) {
    const sort_layout *const layout = &plan->layout;
    const riffle_sort_kind kind = (riffle_sort_kind)layout->field[0].kind;
    const bool is_wide = layout->elem_bytes == 4 || layout->elem_bytes == 8 || layout->elem_bytes == 16;
    const bool carries = plan->value_bytes == 4 || plan->index_bytes == 4;
    if (!sort_layout_is_number(layout) || kind == RIFFLE_SORT_BYTES) return SORT_IN_ORDER;
    if (plan->is_number) return is_wide ? SORT_NUMBERS : SORT_SMALL;
    return is_wide && kind != RIFFLE_SORT_FLOAT && carries ? SORT_CARRIED : SORT_IN_ORDER;
}

static size_t code_bytes(const sort_task *task) {
    if (task->way == SORT_SMALL) return 4;
    if (task->way != SORT_IN_ORDER) return task->layout.elem_bytes;
    return task->layout.key_bytes <= 4 ? 4 : task->layout.key_bytes <= 8 ? 8 : 16;
}

static size_t take(sort_task *task, size_t bytes) {
    const size_t at = task->bytes;
    task->bytes = (task->bytes + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* Codes and what sorts them are done with when elements and values are moved. */
static void lay_out(sort_task *task) {
    const size_t n = task->n, e = task->layout.elem_bytes;
    const bool is_made = task->way == SORT_SMALL || task->way == SORT_IN_ORDER;
    if (task->way == SORT_IN_ORDER) {
        task->order[0] = take(task, n * sizeof(uint32_t));
        task->order[1] = take(task, n * sizeof(uint32_t));
    }
    task->moved = task->bytes;
    /* Keys that are carried along and not wanted have to lie somewhere. */
    if (is_made || task->way == SORT_CARRIED) task->codes = take(task, n * code_bytes(task));
    task->inner = take(task, task->steps.bytes);
    const size_t room = task->bytes - task->moved, most = n * (e > task->value_bytes ? e : task->value_bytes);
    if (task->way == SORT_IN_ORDER && room < most) take(task, most - room);
}

sort_task sort_task_of(const riffle_sort_plan *plan, unsigned multiprocessors) {
    sort_task task = {.n = (uint32_t)plan->n,
                      .layout = plan->layout,
                      .value_bytes = plan->value_bytes,
                      .index_bytes = plan->index_bytes,
                      .way = way_of(plan)};
    const bool codes = task.way == SORT_NUMBERS || task.way == SORT_CARRIED;
    task.request = (sort_request){.n = task.n,
                                  .key_bytes = code_bytes(&task),
                                  .carries = task.way == SORT_CARRIED || task.way == SORT_IN_ORDER,
                                  .encodes = codes,
                                  .decodes = codes};
    if (codes) task.request.coding = coding_of(&plan->layout.field[0]);
    task.steps = sort_choose_steps(&task.request, multiprocessors);
    lay_out(&task);
    return task;
}

/* ------------------------------------------------------------------ launches */

typedef struct launches {
    const sort_task *task;
    char *workspace;
    sort_launch *out;
    unsigned count;
    sort_table table;
} launches;

static void add(launches *l, sort_kernel kernel, size_t bytes, uint64_t threads, void *to, const void *from) {
    l->out[l->count++] = (sort_launch){.kernel = kernel,
                                       .name = "sort_rows",
                                       .key_bytes = bytes,
                                       .grid = (unsigned)((threads + SORT_ROW_THREADS - 1) / SORT_ROW_THREADS),
                                       .block = SORT_ROW_THREADS,
                                       .to = to,
                                       .from = from,
                                       .table = l->table};
}

static void add_sort(launches *l, void *to, const void *from, uint32_t *carried, const uint32_t *from_carried) {
    const sort_buffers b = {from, to, from_carried, carried, l->workspace + l->task->inner};
    l->count += launch_sort(&l->task->request, &l->task->steps, &b, l->out + l->count);
}

/* Rows of so many bytes, in order; by way of the workspace where they are to lie in their own place. */
static void *add_gather(launches *l, void *to, const void *from, size_t bytes) {
    void *const place = to == from ? l->workspace + l->task->moved : to;
    const uintptr_t odd = (uintptr_t)bytes | (uintptr_t)from | (uintptr_t)place | UNIT_BYTES;
    const size_t unit = (size_t)(odd & (0 - odd));
    l->table.units = (uint32_t)(bytes / unit);
    add(l, KERNEL_OF_sort_gather, unit, (uint64_t)l->task->n * l->table.units, place, from);
    return place;
}

static void move_in_order(launches *l, const riffle_sort_arrays *arrays) {
    const sort_task *const task = l->task;
    const struct {
        void *to;
        const void *from;
        size_t bytes;
    } moves[] = {{arrays->keys, arrays->from_keys, task->layout.elem_bytes},
                 {arrays->values, arrays->from_values, task->value_bytes}};
    for (unsigned k = 0; k < 2; k++) {
        if (moves[k].to == NULL || moves[k].bytes == 0) continue;
        void *const place = add_gather(l, moves[k].to, moves[k].from, moves[k].bytes);
        if (place == moves[k].to) continue;
        l->out[l->count++] =
            (sort_launch){.name = "copy", .copied = task->n * moves[k].bytes, .to = moves[k].to, .from = place};
    }
}

static void sort_in_order(launches *l, const riffle_sort_arrays *arrays) {
    const sort_task *const task = l->task;
    void *const codes = l->workspace + task->codes;
    const uint32_t rounds = (task->layout.key_bytes + ROUND_BYTES - 1) / ROUND_BYTES;
    uint32_t *const order[2] = {(uint32_t *)(l->workspace + task->order[0]),
                                (uint32_t *)(l->workspace + task->order[1])};
    for (uint32_t k = 0; k < rounds; k++) { /* the key's last bytes first */
        l->table.word = (rounds - 1 - k) * (ROUND_BYTES / 8);
        l->table.elements = arrays->from_keys;
        add(l, KERNEL_OF_sort_codes, task->request.key_bytes, task->n, codes, NULL);
        const bool is_last = k + 1 == rounds && task->index_bytes == 4;
        l->table.order = is_last ? arrays->indices : order[k % 2];
        add_sort(l, codes, codes, is_last ? arrays->indices : order[k % 2], k > 0 ? order[(k + 1) % 2] : NULL);
    }
    if (task->index_bytes == 8) add(l, KERNEL_OF_sort_widen, 8, task->n, arrays->indices, NULL);
    move_in_order(l, arrays);
}

static void sort_small(launches *l, const riffle_sort_arrays *arrays) {
    void *const codes = l->workspace + l->task->codes;
    l->table.elements = arrays->from_keys;
    add(l, KERNEL_OF_sort_codes, 4, l->task->n, codes, NULL);
    add_sort(l, codes, codes, NULL, NULL);
    add(l, KERNEL_OF_sort_numbers, 4, l->task->n, arrays->keys, codes);
}

unsigned launch_sort_task(const sort_task *task, const riffle_sort_arrays *arrays, void *workspace,
                          sort_launch out[SORT_TASK_LAUNCHES]) {
    launches l = {.task = task,
                  .workspace = workspace,
                  .out = out,
                  .table = {.n = task->n, .layout = task->layout, .is_number = task->way == SORT_SMALL}};
    void *const keys = arrays->keys != NULL ? arrays->keys : l.workspace + task->codes;
    switch (task->way) {
    case SORT_NUMBERS: add_sort(&l, keys, arrays->from_keys, NULL, NULL); break;
    case SORT_CARRIED:
        add_sort(&l, keys, arrays->from_keys, task->value_bytes > 0 ? arrays->values : arrays->indices,
                 task->value_bytes > 0 ? arrays->from_values : NULL);
        break;
    case SORT_SMALL: sort_small(&l, arrays); break;
    case SORT_IN_ORDER: sort_in_order(&l, arrays); break;
    }
    return l.count;
}
