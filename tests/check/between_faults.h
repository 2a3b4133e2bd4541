/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves by buckets whose check compares what is between passes, on any device: right ones pass, and faults that are put between two passes
 * are to be found.
 */
#ifndef RIFFLE_TESTS_CHECK_BETWEEN_FAULTS_H
#define RIFFLE_TESTS_CHECK_BETWEEN_FAULTS_H

#include <stdio.h>
#include <stdlib.h>

#include "check/check.h"
#include "device/device.h"
#include "faults.h"
#include "move/gpu/launch.h"
#include "plan/choose/choose.h"

typedef struct between_case {
    uint64_t n;
    size_t elem_bytes, shared_bytes; /* shared: a block's, by which pieces are long or short */
    size_t lead;                     /* bytes from a vector to where src and dst begin */
    unsigned passes;
} between_case;

typedef struct between_counts {
    uint64_t faults, missed, refused; /* refused: right moves, or calls that failed */
} between_counts;

typedef struct between_room {
    const device *on;
    const between_case *of;
    riffle_perm *perm;
    riffle_plan *plan;
    void *tables[BUCKET_TILE_PASSES][LAUNCH_MAX_ARRAYS];
    void *whole[BUFFERS]; /* as they were allocated */
    char *buffer[BUFFERS];
    void *record;
    char *src, *held, *wrong; /* on the host */
    size_t bytes;
} between_room;

static inline bool between_plan(between_room *room) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET, .check = RIFFLE_CHECK_PASSES};
    device_limits limits;
    plan_request request;
    if (riffle_perm_parse("random:11", room->of->n, &room->perm) != RIFFLE_OK) return false;
    riffle_status status = room->on->ops->describe(room->on, &limits);
    limits.shared_bytes = room->of->shared_bytes;
    limits.block_threads = 256;
    const plan_target target = plan_target_of(TARGET_MACHINE, "machine", &limits);
    if (status == RIFFLE_OK)
        status = plan_request_take(room->perm, room->of->elem_bytes, &target, &options, &request);
    if (status != RIFFLE_OK) return false;
    status = plan_build(&request, &room->plan);
    plan_request_drop(&request);
    return status == RIFFLE_OK && room->plan->built == room->of->passes;
}

static inline bool between_bring(between_room *room) {
    const device *const on = room->on;
    riffle_status status = on->ops->allocate(on, "a record", CHECK_RECORD_BYTES, &room->record);
    for (unsigned k = 0; status == RIFFLE_OK && k < BUFFERS; k++) {
        const size_t lead = k == BUFFER_WORKSPACE ? 0 : room->of->lead;
        status = on->ops->allocate(on, "an array", room->bytes + 16 + lead, &room->whole[k]);
        room->buffer[k] = (char *)room->whole[k] + lead;
    }
    for (unsigned p = 0; p < room->plan->built; p++) {
        launch_array arrays[LAUNCH_MAX_ARRAYS];
        launch_arrays(&room->plan->passes[p], arrays);
        for (unsigned k = 0; status == RIFFLE_OK && k < LAUNCH_MAX_ARRAYS; k++)
            status = device_bring(on, arrays[k].name, arrays[k].start, arrays[k].bytes, &room->tables[p][k]);
        room->tables[p][LAUNCH_RECORD] = room->record;
    }
    return status == RIFFLE_OK;
}

static inline void between_end(between_room *room) {
    const device *const on = room->on;
    for (unsigned p = 0; room->plan != NULL && p < room->plan->built; p++)
        for (unsigned k = 0; k < LAUNCH_RECORD; k++) on->ops->release(on, room->tables[p][k]);
    for (unsigned k = 0; k < BUFFERS; k++) on->ops->release(on, room->whole[k]);
    on->ops->release(on, room->record);
    plan_destroy(room->plan);
    riffle_perm_free(room->perm);
    free(room->src);
    free(room->held);
    free(room->wrong);
}

/* Runs passes from `first` to before `end`. */
static inline bool between_run(between_room *room, unsigned first, unsigned end) {
    launch_list list;
    launch_list_begin(&list);
    if (first == 0) check_append_begin(room->record, &list);
    for (unsigned k = first; k < end; k++) {
        const pass *const p = &room->plan->passes[k];
        p->kind->launches(p, (const void *const *)room->tables[k], room->buffer[p->to], room->buffer[p->from],
                          &list);
    }
    return device_load_and_run(room->on, "passes", "passes", &list, NULL) == RIFFLE_OK;
}

static inline bool between_agree(between_room *room) {
    return check_ask(room->on, room->record, "the move", NULL) == RIFFLE_OK;
}

static inline bool between_download(between_room *room, char *to, const char *from) {
    return room->on->ops->download(room->on, "an array", to, from, room->bytes, NULL) == RIFFLE_OK;
}

static inline bool between_is_moved(between_room *room) {
    const size_t each = room->of->elem_bytes;
    if (!between_download(room, room->held, room->buffer[BUFFER_DST])) return false;
    for (uint64_t i = 0; i < room->of->n; i++)
        if (memcmp(room->held + riffle_perm_at(room->perm, i) * each, room->src + i * each, each) != 0)
            return false;
    return true;
}

/* Faults before pass k, which and all behind it run again after each. */
static inline bool between_before(rng *r, between_room *room, unsigned k, uint64_t faults,
                                  between_counts *counts) {
    const device *const on = room->on;
    char *const array = room->buffer[room->plan->passes[k].from];
    unsigned char record[CHECK_RECORD_BYTES];
    bool is_well = between_run(room, 0, k) && between_download(room, room->held, array) &&
                   on->ops->download(on, "a record", record, room->record, sizeof record, NULL) == RIFFLE_OK;
    for (uint64_t round = 0; is_well && round <= faults; round++) {
        memcpy(room->wrong, room->held, room->bytes);
        const bool is_wrong = round < faults && fault_put(r, (fault)(round % FAULTS), room->wrong, room->of->n,
                                                          room->of->elem_bytes);
        is_well = on->ops->upload(on, "an array", array, room->wrong, room->bytes) == RIFFLE_OK &&
                  on->ops->upload(on, "a record", room->record, record, sizeof record) == RIFFLE_OK &&
                  between_run(room, k, room->plan->built);
        counts->faults += is_wrong;
        if (is_wrong)
            counts->missed += between_agree(room);
        else
            is_well &= between_agree(room);
    }
    return is_well;
}

/* So many faults, one after the other, before each pass but the first of one case; what is found of them is added to counts. */
static inline void between_faults(const device *on, rng *r, const between_case *c, uint64_t faults,
                                  between_counts *counts) {
    between_room room = {.on = on, .of = c, .bytes = (size_t)c->n * c->elem_bytes};
    room.src = malloc(room.bytes), room.held = malloc(room.bytes), room.wrong = malloc(room.bytes);
    bool is_well = room.src != NULL && room.held != NULL && room.wrong != NULL && between_plan(&room) &&
                   between_bring(&room);
    for (size_t k = 0; is_well && k < room.bytes; k++) room.src[k] = (char)(rng_next(r) >> 56);
    is_well = is_well &&
              on->ops->upload(on, "src", room.buffer[BUFFER_SRC], room.src, room.bytes) == RIFFLE_OK &&
              between_run(&room, 0, room.plan->built) && between_agree(&room) && between_is_moved(&room);
    for (unsigned k = 1; is_well && k < room.plan->built; k++)
        is_well = between_before(r, &room, k, faults, counts);
    counts->refused += !is_well;
    between_end(&room);
}

/* All sizes of elements, two passes and three, on vectors and not, with a last chunk that is whole and one that is not. */
static const between_case BETWEEN_CASES[] = {
    {3000, 4, 4608, 0, 2},  {3001, 4, 4608, 4, 2},   {5003, 1, 2560, 0, 2}, {5003, 1, 2560, 1, 2},
    {2999, 2, 2560, 0, 2},  {2500, 8, 8704, 8, 2},   {2501, 8, 8704, 0, 2}, {1200, 16, 8704, 0, 2},
    {12007, 4, 1536, 0, 3}, {12007, 4, 1536, 12, 3}, {9001, 2, 1024, 2, 3},
};
enum { BETWEEN_CASE_COUNT = sizeof BETWEEN_CASES / sizeof *BETWEEN_CASES };

#endif
