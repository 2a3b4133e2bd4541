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
    bool in_place;
} sorted_case;

typedef struct sorted_counts {
    uint64_t faults, missed, refused; /* refused: right sorts, or calls that failed */
} sorted_counts;

typedef struct sorted_room {
    const device *on;
    const sorted_case *of;
    riffle_sort_plan plan;
    sort_task task;
    void *record, *from, *to, *workspace;
    char *elements, *right, *got; /* on the host */
    size_t bytes;
} sorted_room;

static inline bool sorted_bring(sorted_room *room) {
    const device *const on = room->on;
    const sorted_case *const c = room->of;
    riffle_sort_plan *const plan = &room->plan;
    plan->n = c->n, plan->segments = 1, plan->is_number = true;
    plan->key = (riffle_sort_key){.elem_bytes = c->field.bytes, .fields = 1, .field = {c->field}};
    riffle_status status = sort_layout_make(&plan->key, &plan->layout);
    if (status != RIFFLE_OK) return false;
    room->task = sort_task_cut(plan, false, &(sort_task_steps){8, c->levels, c->leaf, c->piece}, 2);
    status = on->ops->allocate(on, "a record", CHECK_RECORD_BYTES, &room->record);
    const size_t bytes =
        room->bytes +
        16; /* a key that goes to another bucket than was counted moves the last one behind the others */
    if (status == RIFFLE_OK) status = on->ops->allocate(on, "keys", bytes, &room->from);
    if (status == RIFFLE_OK && !c->in_place) status = on->ops->allocate(on, "results", bytes, &room->to);
    if (status == RIFFLE_OK) status = on->ops->allocate(on, "a workspace", room->task.bytes, &room->workspace);
    if (c->in_place) room->to = room->from;
    return status == RIFFLE_OK && sort_task_is_compared(&room->task);
}

static inline void sorted_end(sorted_room *room) {
    const device *const on = room->on;
    void *const all[] = {room->record, room->from, room->of->in_place ? NULL : room->to, room->workspace};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] != NULL) on->ops->release(on, all[k]);
    free(room->elements);
    free(room->right);
    free(room->got);
}

static inline void sorted_append(const sorted_room *room, bool are_passes, launch_list *out) {
    const riffle_sort_arrays arrays = {.keys = room->to, .from_keys = room->from};
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

/* A launch behind which a fault is put, from the first count to the last one before leaves, and the keys that are read next. */
static inline unsigned sorted_place(rng *r, const sorted_room *room, const launch_list *all, void **keys) {
    unsigned first = 0, end = 0, k = 0, moves = 0;
    for (const launch *work = all->first; work != NULL; work = work->next, k++) {
        if (first == 0 && sorted_is(work, "sort_summed_count")) first = k + 1;
        if (end == 0 && sorted_is(work, "sort_summed_leaves")) end = k;
    }
    const unsigned at = first + (unsigned)rng_below(r, end - first + 1);
    k = 0;
    for (const launch *work = all->first; k < at; work = work->next, k++) moves += sorted_is(work, "sort_move");
    *keys = moves == 0   ? room->from
            : moves == 1 ? (char *)room->workspace + room->task.inner + room->task.steps.keys
                         : room->to;
    return at;
}

static inline bool sorted_agree(const sorted_room *room) {
    return check_ask(room->on, room->record, "the sort", NULL) == RIFFLE_OK;
}

static inline bool sorted_download(const sorted_room *room, char *to, const void *from) {
    return room->on->ops->download(room->on, "keys", to, from, room->bytes, NULL) == RIFFLE_OK;
}

static inline bool sorted_upload(const sorted_room *room, void *to, const char *from) {
    return room->on->ops->upload(room->on, "keys", to, from, room->bytes) == RIFFLE_OK;
}

/* One fault; counts it where the result shows it. */
static inline bool sorted_fault(rng *r, const sorted_room *room, const launch_list *all, fault what,
                                sorted_counts *counts) {
    void *keys;
    const unsigned at = sorted_place(r, room, all, &keys);
    bool is_well = sorted_upload(room, room->from, room->elements) && sorted_run(room, all, 0, at) &&
                   sorted_download(room, room->got, keys);
    fault_put(r, what, room->got, room->of->n, room->of->field.bytes);
    is_well = is_well && sorted_upload(room, keys, room->got) && sorted_run(room, all, at, UINT32_MAX) &&
              sorted_download(room, room->got, room->to);
    if (!is_well || memcmp(room->got, room->right, room->bytes) == 0) return is_well;
    counts->faults++;
    counts->missed += sorted_agree(room);
    return true;
}

/* The right result is a plan's of the host. */
static inline bool sorted_right(const sorted_room *room) {
    const riffle_sort_arrays arrays = {.keys = room->right, .from_keys = room->elements};
    riffle_sort_plan *plan = NULL;
    riffle_status status =
        riffle_sort_plan_create(room->of->n, &room->plan.key, RIFFLE_ENGINE_CPU, NULL, &plan);
    if (status == RIFFLE_OK) status = riffle_sort_execute(plan, &arrays);
    riffle_sort_plan_free(plan);
    return status == RIFFLE_OK;
}

/* So many faults in one case, one after the other; what is found of them is added to counts. */
static inline void sorted_faults(const device *on, rng *r, const sorted_case *c, uint64_t faults,
                                 sorted_counts *counts) {
    sorted_room room = {.on = on, .of = c, .bytes = (size_t)c->n * c->field.bytes};
    launch_list all;
    room.elements = malloc(room.bytes), room.right = malloc(room.bytes), room.got = malloc(room.bytes);
    bool is_well = room.elements != NULL && room.right != NULL && room.got != NULL && sorted_bring(&room);
    launch_list_begin(&all);
    if (is_well) {
        sort_fill(r, &room.plan.key, c->shape, (unsigned char *)room.elements, c->n);
        sorted_append(&room, true, &all);
    }
    is_well = is_well && sorted_right(&room) && sorted_upload(&room, room.from, room.elements) &&
              sorted_run(&room, &all, 0, UINT32_MAX) && sorted_agree(&room) &&
              sorted_download(&room, room.got, room.to) && memcmp(room.got, room.right, room.bytes) == 0;
    for (uint64_t k = 0; is_well && k < faults; k++)
        is_well = sorted_fault(r, &room, &all, (fault)(k % FAULTS), counts);
    counts->refused += !is_well;
    launch_list_free(&all);
    sorted_end(&room);
}

#define SORTED_NUMBER(name, size)                                                                              \
    { .kind = RIFFLE_SORT_KEY_##name, .bytes = (size) }

/* One level and two, of all sizes of keys, codes that are numbers and that are not, leaves of a warp, of a block and longer ones. */
static const sorted_case SORTED_CASES[] = {
    {3000, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 1, 300, 1 << 20, false},
    {3001, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 2, 100, 700, false},
    {3001, SORTED_NUMBER(FLOAT, 4), SORT_SHAPE_UNIFORM, 2, 100, 700, true},
    {2500, SORTED_NUMBER(UNSIGNED, 8), SORT_SHAPE_UNIFORM, 2, 100, 700, false},
    {2500, SORTED_NUMBER(SIGNED, 8), SORT_SHAPE_UNIFORM, 1, 200, 1 << 20, true},
    {2000, SORTED_NUMBER(UNSIGNED, 16), SORT_SHAPE_UNIFORM, 2, 100, 700, false},
    {9000, SORTED_NUMBER(UNSIGNED, 4), SORT_SHAPE_UNIFORM, 1, 4500, 1 << 20, false},
};
enum { SORTED_CASE_COUNT = sizeof SORTED_CASES / sizeof *SORTED_CASES };

#endif
