/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups with a check on any device: right ones pass, and faults that are put into the rows of a column or into places, before these are read
 * once more, are to be found.
 */
#ifndef RIFFLE_TESTS_CHECK_GROUPED_FAULTS_H
#define RIFFLE_TESTS_CHECK_GROUPED_FAULTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "faults.h"
#include "group/gpu/launches.h"
#include "random_numbers.h"
#include "riffle/cuda.h"

enum { GROUPED_COLUMNS = 3 }; /* most, with the first */

typedef struct grouped_case {
    uint64_t n, groups, below; /* keys are below this; those of `groups` and more name none */
    size_t row_bytes[GROUPED_COLUMNS];
    unsigned columns;
    riffle_group_options options;
} grouped_case;

typedef struct grouped_counts {
    uint64_t faults, missed, refused; /* refused: right groups, or calls that failed */
} grouped_counts;

/* An array that faults are put into: the device's, what is right, and room for what is wrong. */
typedef struct grouped_array {
    void *there;
    char *good, *bad;
    size_t each;
    uint64_t count;
} grouped_array;

enum { GROUPED_PLACES = GROUPED_COLUMNS, GROUPED_ARRAYS };

typedef struct grouped_room {
    const device *on;
    riffle_group_plan *plan;
    void *keys, *offsets, *from[GROUPED_COLUMNS];
    uint16_t *named; /* the keys, on the host */
    grouped_array array[GROUPED_ARRAYS];
    riffle_group_column others[GROUPED_COLUMNS - 1];
    riffle_group_arrays arrays;
} grouped_room;

/* Memory of the device; random where it is read. */
static inline bool grouped_bring(const device *on, rng *r, size_t bytes, void **out) {
    char *const random = malloc(bytes + 8);
    bool is_well = random != NULL && on->ops->allocate(on, "an array", bytes + 16, out) == RIFFLE_OK;
    for (size_t k = 0; is_well && r != NULL && k < bytes; k++) random[k] = (char)(rng_next(r) >> 56);
    if (is_well && r != NULL) is_well = on->ops->upload(on, "an array", *out, random, bytes) == RIFFLE_OK;
    free(random);
    return is_well;
}

static inline bool grouped_bring_keys(rng *r, const grouped_case *c, grouped_room *room) {
    const size_t bytes = (size_t)room->plan->entries * sizeof(uint16_t);
    room->named = malloc(bytes);
    const bool is_well = room->named != NULL && grouped_bring(room->on, NULL, bytes, &room->keys);
    for (uint64_t e = 0; room->named != NULL && e < room->plan->entries; e++)
        room->named[e] = (uint16_t)rng_below(r, c->below);
    return is_well && room->on->ops->upload(room->on, "keys", room->keys, room->named, bytes) == RIFFLE_OK;
}

static inline bool grouped_bring_array(const device *on, grouped_array *a, size_t each, uint64_t count) {
    *a = (grouped_array){.each = each, .count = count};
    if (each == 0) return true;
    a->good = malloc((size_t)count * each), a->bad = malloc((size_t)count * each);
    return a->good != NULL && a->bad != NULL && grouped_bring(on, NULL, (size_t)count * each, &a->there);
}

static inline bool grouped_begin(rng *r, const grouped_case *c, grouped_room *room) {
    riffle_group_options options = c->options;
    if (options.check == RIFFLE_CHECK_NONE) options.check = RIFFLE_CHECK_FULL;
    options.columns = c->columns - 1, options.column_bytes = c->row_bytes + 1;
    bool is_well = group_plan_create(c->n, c->row_bytes[0], RIFFLE_TYPE_U16, c->groups, RIFFLE_ENGINE_CUDA,
                                     room->on, &options, &room->plan) == RIFFLE_OK &&
                   grouped_bring_keys(r, c, room) &&
                   grouped_bring(room->on, NULL, (size_t)(c->groups + 1) * sizeof(uint64_t), &room->offsets);
    for (unsigned k = 0; is_well && k < c->columns; k++)
        is_well = grouped_bring(room->on, r, (size_t)c->n * c->row_bytes[k], &room->from[k]) &&
                  grouped_bring_array(room->on, &room->array[k], c->row_bytes[k], room->plan->room);
    is_well = is_well && grouped_bring_array(room->on, &room->array[GROUPED_PLACES], options.index_bytes,
                                             room->plan->entries);
    for (unsigned k = 1; k < c->columns; k++)
        room->others[k - 1] = (riffle_group_column){room->array[k].there, room->from[k]};
    room->arrays = (riffle_group_arrays){.rows = room->array[0].there,
                                         .from_rows = room->from[0],
                                         .keys = room->keys,
                                         .offsets = room->offsets,
                                         .places = room->array[GROUPED_PLACES].there,
                                         .columns = c->columns > 1 ? room->others : NULL};
    return is_well;
}

static inline void grouped_end(grouped_room *room) {
    const device *const on = room->on;
    riffle_group_plan_free(room->plan);
    free(room->named);
    for (unsigned k = 0; k < GROUPED_ARRAYS; k++) {
        if (room->array[k].there != NULL) on->ops->release(on, room->array[k].there);
        free(room->array[k].good);
        free(room->array[k].bad);
    }
    for (unsigned k = 0; k < GROUPED_COLUMNS; k++)
        if (room->from[k] != NULL) on->ops->release(on, room->from[k]);
    if (room->keys != NULL) on->ops->release(on, room->keys);
    if (room->offsets != NULL) on->ops->release(on, room->offsets);
}

/* True for calls that succeed. Arrays as they are right; of columns, the rows that groups have. */
static inline bool grouped_keep(const grouped_case *c, grouped_room *room) {
    const device *const on = room->on;
    uint64_t *const offsets = malloc((size_t)(c->groups + 1) * sizeof *offsets);
    bool is_well =
        offsets != NULL && on->ops->download(on, "offsets", offsets, room->offsets,
                                             (size_t)(c->groups + 1) * sizeof *offsets, NULL) == RIFFLE_OK;
    for (unsigned k = 0; is_well && k < GROUPED_ARRAYS; k++) {
        grouped_array *const a = &room->array[k];
        if (k < GROUPED_COLUMNS) a->count = offsets[c->groups];
        if (a->each > 0)
            is_well = on->ops->download(on, "an array", a->good, a->there, (size_t)a->count * a->each, NULL) ==
                      RIFFLE_OK;
    }
    free(offsets);
    return is_well;
}

/* The check's answer, of arrays as they are now. */
static inline riffle_status grouped_look(const grouped_room *room) {
    launch_list list;
    launch_list_begin(&list);
    group_append_check(room->plan, &room->arrays, room->plan->base.workspace, &list);
    const riffle_status status = device_run(room->on, "a check", &list, NULL);
    return status == RIFFLE_OK ? riffle_cuda_group_check(room->plan, NULL, NULL) : status;
}

static inline bool grouped_write(const grouped_room *room, const grouped_array *a, const char *from) {
    return room->on->ops->upload(room->on, "an array", a->there, from, (size_t)a->count * a->each) == RIFFLE_OK;
}

/* True where keys of one row that name the same group have changed places: either place has that row, so that nothing is wrong. */
static inline bool grouped_is_same(const grouped_room *room, const grouped_array *a, fault what) {
    if (what != FAULT_SWAP || a != &room->array[GROUPED_PLACES]) return false;
    const uint64_t each = room->plan->keys_per_row;
    uint64_t e = 0;
    while (memcmp(a->good + e * a->each, a->bad + e * a->each, a->each) == 0) e++;
    for (uint64_t k = e + 1; k < (e / each + 1) * each; k++)
        if (memcmp(a->good + k * a->each, a->bad + k * a->each, a->each) != 0)
            return room->named[e] == room->named[k];
    return false;
}

/* One that is missed is printed. */
static inline void grouped_fault(rng *r, const grouped_room *room, fault what, grouped_counts *counts) {
    const grouped_array *const a = &room->array[rng_below(r, GROUPED_ARRAYS)];
    if (a->each == 0 || a->count == 0) return;
    memcpy(a->bad, a->good, (size_t)a->count * a->each);
    if (!fault_put(r, what, a->bad, a->count, a->each) || grouped_is_same(room, a, what)) return;
    const bool is_written = grouped_write(room, a, a->bad);
    const riffle_status found = grouped_look(room);
    counts->faults++;
    if (found == RIFFLE_OK)
        printf("missed: %s of array %u, the %llu-th fault\n", fault_name(what), (unsigned)(a - room->array),
               (unsigned long long)counts->faults);
    counts->missed += found == RIFFLE_OK;
    counts->refused += !is_written || (found != RIFFLE_OK && found != RIFFLE_ERROR_DAMAGED) ||
                       !grouped_write(room, a, a->good);
}

/* So many faults in one case, one after the other; what is found of them is added to counts. */
static inline void grouped_faults(const device *on, rng *r, const grouped_case *c, uint64_t faults,
                                  grouped_counts *counts) {
    grouped_room room = {.on = on};
    const bool is_ready = grouped_begin(r, c, &room) &&
                          riffle_cuda_group_execute(room.plan, &room.arrays, NULL, 0, NULL) == RIFFLE_OK &&
                          riffle_cuda_group_check(room.plan, NULL, NULL) == RIFFLE_OK && grouped_keep(c, &room);
    for (uint64_t k = 0; is_ready && k < faults; k++) grouped_fault(r, &room, (fault)(k % FAULTS), counts);
    counts->refused += !is_ready || grouped_look(&room) != RIFFLE_OK;
    grouped_end(&room);
}

/* One way each: tiles with places that the caller wants and that he does not, one block, places in memory; several keys a row, padding,
 * capacities, keys that name no group; one column and several, of tiles and along places. */
static const grouped_case GROUPED_CASES[] = {
    {9001, 100, 100, {8}, 1, {.index_bytes = 4}},
    {9001, 100, 120, {4}, 1, {.multiple = 8}},
    {5001, 1000, 1000, {16}, 1, {.capacity = 5, .index_bytes = 8}},
    {700, 8, 8, {256}, 1, {.keys_per_row = 2, .index_bytes = 4, .multiple = 16}},
    {9001, 5000, 5100, {12}, 1, {.index_bytes = 4}},
    {3001, 3000, 3000, {8}, 1, {.multiple = 3}},
    {9001, 300, 310, {8, 4, 8}, 3, {.index_bytes = 4}},
    {9001, 16, 16, {40, 2, 16}, 3, {.multiple = 8}},
    {1000, 8, 9, {64, 4}, 2, {.keys_per_row = 2, .capacity = 200, .index_bytes = 4}},
};
enum { GROUPED_CASE_COUNT = sizeof GROUPED_CASES / sizeof *GROUPED_CASES };

#endif
