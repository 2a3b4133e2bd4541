/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts whose check compares what levels and leaves read, on any device: right ones pass, and faults that are put between two launches are to be
 * found, unless the result is right in spite of them.
 */
#ifndef RIFFLE_TESTS_CHECK_SORTED_FAULTS_H
#define RIFFLE_TESTS_CHECK_SORTED_FAULTS_H

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "device/device.h"
#include "faults.h"
#include "sort/gpu/task.h"
#include "sort_support.h"

typedef struct sorted_case {
    uint64_t n;
    riffle_sort_field field; /* the element */
    sort_shape shape;
    unsigned levels;
    uint32_t leaf, piece;
    bool in_place, has_values; /* values of 4 bytes go along */
    unsigned segments;         /* 0: one */
} sorted_case;

typedef struct sorted_counts {
    uint64_t faults, missed, refused; /* refused: right sorts, or calls that failed */
} sorted_counts;

enum { SORTED_KEYS, SORTED_VALUES, SORTED_ARRAYS, SORTED_MOST_BYTES = 16 };

/* Keys, or what goes along. */
typedef struct sorted_array {
    void *from, *to;
    char *elements, *right, *got; /* on the host */
    size_t each, bytes;           /* no bytes: there are none */
} sorted_array;

typedef struct sorted_room {
    const device *on;
    const sorted_case *of;
    riffle_sort_plan plan;
    sort_task task;
    void *record, *workspace;
    sorted_array array[SORTED_ARRAYS];
} sorted_room;

static inline bool sorted_bring_array(const sorted_room *room, sorted_array *a, size_t each) {
    const device *const on = room->on;
    a->each = each, a->bytes = (size_t)room->of->n * each;
    a->elements = malloc(a->bytes), a->right = malloc(a->bytes);
    a->got = malloc((size_t)room->of->n * SORTED_MOST_BYTES);
    /* A key that goes to another bucket than was counted moves the last one behind the others. */
    riffle_status status = on->ops->allocate(on, "an array", a->bytes + 16, &a->from);
    if (status == RIFFLE_OK && !room->of->in_place)
        status = on->ops->allocate(on, "results", a->bytes + 16, &a->to);
    if (room->of->in_place) a->to = a->from;
    return status == RIFFLE_OK && a->elements != NULL && a->right != NULL && a->got != NULL;
}

static inline bool sorted_bring(sorted_room *room) {
    const device *const on = room->on;
    const sorted_case *const c = room->of;
    riffle_sort_plan *const plan = &room->plan;
    plan->n = c->n, plan->segments = c->segments > 0 ? c->segments : 1, plan->is_number = !c->has_values;
    plan->value_bytes = c->has_values ? sizeof(uint32_t) : 0;
    plan->key = (riffle_sort_key){.elem_bytes = c->field.bytes, .fields = 1, .field = {c->field}};
    riffle_status status = sort_layout_make(&plan->key, &plan->layout);
    if (status != RIFFLE_OK) return false;
    room->task = sort_task_cut(plan, false, &(sort_task_steps){8, c->levels, c->leaf, c->piece}, 2);
    status = on->ops->allocate(on, "a record", CHECK_RECORD_BYTES, &room->record);
    if (status == RIFFLE_OK) status = on->ops->allocate(on, "a workspace", room->task.bytes, &room->workspace);
    return status == RIFFLE_OK && sorted_bring_array(room, &room->array[SORTED_KEYS], c->field.bytes) &&
           (!c->has_values || sorted_bring_array(room, &room->array[SORTED_VALUES], sizeof(uint32_t))) &&
           sort_task_is_compared(&room->task);
}

static inline void sorted_end(sorted_room *room) {
    const device *const on = room->on;
    void *const both[] = {room->record, room->workspace};
    for (size_t k = 0; k < sizeof both / sizeof *both; k++)
        if (both[k] != NULL) on->ops->release(on, both[k]);
    for (unsigned k = 0; k < SORTED_ARRAYS; k++) {
        sorted_array *const a = &room->array[k];
        if (a->to != NULL && a->to != a->from) on->ops->release(on, a->to);
        if (a->from != NULL) on->ops->release(on, a->from);
        free(a->elements);
        free(a->right);
        free(a->got);
    }
}

static inline void sorted_append(const sorted_room *room, bool are_passes, launch_list *out) {
    const sorted_array *const keys = &room->array[SORTED_KEYS], *const values = &room->array[SORTED_VALUES];
    const riffle_sort_arrays arrays = {
        .keys = keys->to, .from_keys = keys->from, .values = values->to, .from_values = values->from};
    check_append_begin(room->record, out);
    launch_sort_task(&room->task, &arrays, room->workspace, NULL, (sort_compared){room->record, are_passes},
                     out);
}

/* Launches from the first-th on, before the end-th. */
static inline bool sorted_run(const sorted_room *room, const launch_list *all, unsigned first, unsigned end) {
    launch_list some;
    unsigned k = 0;
    launch_list_begin(&some);
    for (const launch *work = all->first; work != NULL; work = work->next, k++)
        if (k >= first && k < end) launch_append_again(&some, work);
    return device_load_and_run(room->on, "sorts", "a sort", &some, NULL) == RIFFLE_OK;
}

static inline bool sorted_is(const launch *work, const char *name) {
    return work->kernel != NULL && strncmp(work->kernel->name, name, strlen(name)) == 0;
}

/* Codes that are made of elements are sorted in the workspace, and places go along. */
static inline bool sorted_is_made(const sorted_room *room) {
    return room->task.way == SORT_SMALL || room->task.way == SORT_IN_ORDER;
}

/* An array that is read next, behind so many levels, and where it is. */
static inline sorted_array sorted_where(const sorted_room *room, unsigned which, unsigned moves, void **where) {
    const sort_steps *const steps = &room->task.steps;
    const size_t second = which == SORTED_KEYS ? steps->keys : steps->carried,
                 made = which == SORTED_KEYS ? room->task.codes : room->task.order[0];
    char *const workspace = room->workspace;
    const bool is_made = sorted_is_made(room);
    sorted_array out = room->array[which];
    if (is_made) out.each = which == SORTED_KEYS ? room->task.request.key_bytes : sizeof(uint32_t);
    out.bytes = (size_t)room->of->n * out.each;
    *where = moves == 1   ? workspace + room->task.inner + second
             : is_made    ? workspace + made
             : moves == 0 ? out.from
                          : out.to;
    return out;
}

/* A launch behind which a fault is put: from the first that adds up to the last one before leaves; and how many levels have been by then. */
static inline unsigned sorted_place(rng *r, const sorted_room *room, const launch_list *all, unsigned *moves) {
    const bool has_values = room->of->has_values;
    const char *const adds = has_values ? "sort_summed_carry_" : "sort_summed_count",
                      *const leaves = has_values ? "sort_summed_carry_leaves" : "sort_summed_leaves";
    unsigned first = 0, end = 0, k = 0;
    for (const launch *work = all->first; work != NULL; work = work->next, k++) {
        if (first == 0 && sorted_is(work, adds)) first = k + 1;
        if (end == 0 && sorted_is(work, leaves)) end = k;
    }
    const unsigned at = first + (unsigned)rng_below(r, end - first + 1);
    *moves = k = 0;
    for (const launch *work = all->first; k < at; work = work->next, k++)
        *moves += sorted_is(work, "sort_move") || sorted_is(work, "sort_carry_4") ||
                  sorted_is(work, "sort_carry_8") || sorted_is(work, "sort_carry_16") ||
                  sorted_is(work, "sort_summed_carry_");
    return at;
}

static inline bool sorted_agree(const sorted_room *room) {
    return check_ask(room->on, room->record, "the sort", NULL) == RIFFLE_OK;
}

static inline bool sorted_download(const sorted_room *room, const sorted_array *a, const void *from) {
    return a->bytes == 0 ||
           room->on->ops->download(room->on, "an array", a->got, from, a->bytes, NULL) == RIFFLE_OK;
}

static inline bool sorted_upload(const sorted_room *room, const sorted_array *a, void *to, const char *from) {
    return a->bytes == 0 || room->on->ops->upload(room->on, "an array", to, from, a->bytes) == RIFFLE_OK;
}

/* All as it was before the sort. */
static inline bool sorted_begin(const sorted_room *room) {
    bool is_well = true;
    for (unsigned k = 0; k < SORTED_ARRAYS; k++)
        is_well &= sorted_upload(room, &room->array[k], room->array[k].from, room->array[k].elements);
    return is_well;
}

/* True for calls that succeed; says whether the result is right. */
static inline bool sorted_compare(const sorted_room *room, bool *is_right) {
    bool is_well = true;
    *is_right = true;
    for (unsigned k = 0; k < SORTED_ARRAYS; k++) {
        const sorted_array *const a = &room->array[k];
        is_well &= sorted_download(room, a, a->to);
        *is_right = *is_right && (a->bytes == 0 || memcmp(a->got, a->right, a->bytes) == 0);
    }
    return is_well;
}

/* One fault; counts it where the result shows it. */
static inline bool sorted_fault(rng *r, const sorted_room *room, const launch_list *all, fault what,
                                sorted_counts *counts) {
    unsigned moves;
    bool is_right = true;
    const unsigned at = sorted_place(r, room, all, &moves);
    const bool has_places = room->task.way == SORT_IN_ORDER;
    const unsigned which = room->of->has_values && !(has_places && moves == 0)
                               ? (unsigned)rng_below(r, SORTED_ARRAYS)
                               : SORTED_KEYS;
    void *where;
    const sorted_array a = sorted_where(room, which, moves, &where);
    bool is_well = sorted_begin(room) && sorted_run(room, all, 0, at) && sorted_download(room, &a, where);
    if (which == SORTED_VALUES && has_places) what = FAULT_SWAP; /* any other place may be nowhere */
    fault_put(r, what, a.got, room->of->n, a.each);
    is_well = is_well && sorted_upload(room, &a, where, a.got) && sorted_run(room, all, at, UINT32_MAX) &&
              sorted_compare(room, &is_right);
    if (!is_well || is_right) return is_well;
    counts->faults++;
    counts->missed += sorted_agree(room);
    return true;
}

/* The right result is a plan's of the host. */
static inline bool sorted_right(const sorted_room *room) {
    const sorted_array *const keys = &room->array[SORTED_KEYS], *const values = &room->array[SORTED_VALUES];
    const riffle_sort_arrays arrays = {.keys = keys->right,
                                       .from_keys = keys->elements,
                                       .values = values->right,
                                       .from_values = values->elements};
    const riffle_sort_options options = {.value_bytes = room->plan.value_bytes,
                                         .segments = room->plan.segments};
    riffle_sort_plan *plan = NULL;
    riffle_status status =
        riffle_sort_plan_create(room->of->n, &room->plan.key, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_OK) status = riffle_sort_execute(plan, &arrays);
    riffle_sort_plan_free(plan);
    return status == RIFFLE_OK;
}

static inline void sorted_fill(rng *r, const sorted_room *room) {
    uint32_t *const values = (uint32_t *)room->array[SORTED_VALUES].elements;
    sort_fill(r, &room->plan.key, room->of->shape, (unsigned char *)room->array[SORTED_KEYS].elements,
              room->of->n);
    for (uint32_t k = 0; values != NULL && k < room->of->n; k++) values[k] = k;
}

/* So many faults in one case, one after the other; what is found of them is added to counts. */
static inline void sorted_faults(const device *on, rng *r, const sorted_case *c, uint64_t faults,
                                 sorted_counts *counts) {
    sorted_room room = {.on = on, .of = c};
    launch_list all;
    bool is_well = sorted_bring(&room), is_right = false;
    launch_list_begin(&all);
    if (is_well) {
        sorted_fill(r, &room);
        sorted_append(&room, true, &all);
    }
    is_well = is_well && sorted_right(&room) && sorted_begin(&room) && sorted_run(&room, &all, 0, UINT32_MAX) &&
              sorted_agree(&room) && sorted_compare(&room, &is_right) && is_right;
    for (uint64_t k = 0; is_well && k < faults; k++)
        is_well = sorted_fault(r, &room, &all, (fault)(k % FAULTS), counts);
    counts->refused += !is_well;
    launch_list_free(&all);
    sorted_end(&room);
}

#define SORTED_NUMBER(name, size)                                                                              \
    { .kind = RIFFLE_SORT_KEY_##name, .bytes = (size) }

/* One level and two, of all sizes of keys, codes that are numbers, that are not and that are made of them, leaves of a warp, of a block and longer ones;
 * with values; and of segments. */
static const sorted_case SORTED_CASES[] = {
    {3000, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 1, 300, 1 << 20, false, false, 0},
    {3001, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 2, 100, 700, false, false, 0},
    {3001, SORTED_NUMBER(FLOAT, 4), SORT_SHAPE_UNIFORM, 2, 100, 700, true, false, 0},
    {2500, SORTED_NUMBER(UNSIGNED, 8), SORT_SHAPE_UNIFORM, 2, 100, 700, false, false, 0},
    {2500, SORTED_NUMBER(SIGNED, 8), SORT_SHAPE_UNIFORM, 1, 200, 1 << 20, true, false, 0},
    {2000, SORTED_NUMBER(UNSIGNED, 16), SORT_SHAPE_UNIFORM, 2, 100, 700, false, false, 0},
    {9000, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 1, 4500, 1 << 20, false, false, 0},
    {3001, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 2, 100, 700, false, true, 0},
    {2500, SORTED_NUMBER(SIGNED, 8), SORT_SHAPE_UNIFORM, 2, 100, 700, true, true, 0},
    {2000, SORTED_NUMBER(UNSIGNED, 16), SORT_SHAPE_UNIFORM, 1, 200, 1 << 20, false, true, 0},
    {9000, SORTED_NUMBER(SIGNED, 4), SORT_SHAPE_UNIFORM, 1, 4500, 1 << 20, false, true, 0},
    {3000, SORTED_NUMBER(FLOAT, 4), SORT_SHAPE_UNIFORM, 1, 100, 1 << 20, false, false, 4},
    {3003, SORTED_NUMBER(UNSIGNED, 8), SORT_SHAPE_UNIFORM, 2, 50, 300, true, false, 3},
    {3000, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 2, 50, 300, false, true, 3},
    {3001, SORTED_NUMBER(SIGNED, 2), SORT_SHAPE_UNIFORM, 2, 100, 700, false, false, 0},
    {3001, SORTED_NUMBER(UNSIGNED, 1), SORT_SHAPE_UNIFORM, 1, 300, 1 << 20, true, false, 0},
    {3001, SORTED_NUMBER(FLOAT, 4), SORT_SHAPE_UNIFORM, 2, 100, 700, false, true, 0},
    {3000, SORTED_NUMBER(FLOAT, 8), SORT_SHAPE_UNIFORM, 1, 100, 1 << 20, true, true, 3},
};
enum { SORTED_CASE_COUNT = sizeof SORTED_CASES / sizeof *SORTED_CASES };

#endif
