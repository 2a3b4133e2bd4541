/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves whose passes add what they read to a check's record, on any device: right ones pass, and faults that are put into dst between a move and the
 * reading of dst are to be found.
 */
#ifndef RIFFLE_TESTS_CHECK_MOVED_FAULTS_H
#define RIFFLE_TESTS_CHECK_MOVED_FAULTS_H

#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "move/gpu/launch.h"
#include "plan/checked.h"
#include "plan/choose/choose.h"
#include "random_numbers.h"

typedef struct moved_case {
    const char *spec;
    uint64_t n, batch, gap; /* elements between arrays */
    size_t elem_bytes, lead;
    bool on_vectors; /* the move adds up what it reads itself, and reads nothing before */
} moved_case;

typedef struct moved_counts {
    uint64_t faults, missed, refused; /* refused: right moves, or calls that failed */
} moved_counts;

typedef struct moved_room {
    const device *on;
    riffle_plan *plan;
    plan_check check;
    char *src, *dst, *found; /* found: dst on the host */
    size_t bytes;
    unsigned char before[CHECK_RECORD_BYTES]; /* the record, once src has been read */
} moved_room;

static inline bool moved_plan(const device *on, const moved_case *c, riffle_plan **out) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_AFFINE,
                                         .batch = c->batch,
                                         .stride = c->n + c->gap,
                                         .check = RIFFLE_CHECK_FULL};
    device_limits limits;
    riffle_perm *perm = NULL;
    plan_request request;
    if (riffle_perm_parse(c->spec, c->n, &perm) != RIFFLE_OK) return false;
    riffle_status status = on->ops->describe(on, &limits);
    const plan_target target = plan_target_of(TARGET_MACHINE, "machine", &limits);
    if (status == RIFFLE_OK) status = plan_request_take(perm, c->elem_bytes, &target, &options, &request);
    riffle_perm_free(perm);
    if (status != RIFFLE_OK) return false;
    status = plan_build(&request, out);
    plan_request_drop(&request);
    return status == RIFFLE_OK && plan_adds_read(*out);
}

/* Moves, and has src in the record. */
static inline bool moved_move(moved_room *room, bool on_vectors) {
    const pass *const p = &room->plan->passes[0];
    launch_list list;
    launch_list_begin(&list);
    plan_check_append_before(room->plan, &room->check, room->src, &list);
    p->kind->launches(p, (const void *[LAUNCH_MAX_ARRAYS]){[LAUNCH_RECORD] = room->check.record}, room->dst,
                      room->src, &list);
    unsigned kernels = 0;
    for (const launch *l = list.first; l != NULL; l = l->next) kernels += l->kind == LAUNCH_KERNEL;
    if (device_load_and_run(room->on, "a move", "a move", &list, NULL) != RIFFLE_OK) return false;
    return kernels == (on_vectors ? 1 : 2) &&
           room->on->ops->download(room->on, "a record", room->before, room->check.record, CHECK_RECORD_BYTES,
                                   NULL) == RIFFLE_OK &&
           room->on->ops->download(room->on, "dst", room->found, room->dst, room->bytes, NULL) == RIFFLE_OK;
}

/* True if the check finds that dst is as it has to be. */
static inline bool moved_is_right(const moved_room *room) {
    launch_list list;
    launch_list_begin(&list);
    plan_check_append_behind(room->plan, &room->check, room->dst, &list);
    return room->on->ops->upload(room->on, "a record", room->check.record, room->before, CHECK_RECORD_BYTES) ==
               RIFFLE_OK &&
           device_load_and_run(room->on, "a check", "a check", &list, NULL) == RIFFLE_OK &&
           check_ask(room->on, room->check.record, "the move", NULL) == RIFFLE_OK;
}

/* The element that a number says, of all arrays. */
static inline char *moved_element(const moved_case *c, char *dst, uint64_t number) {
    return dst + (number / c->n * (c->n + c->gap) + number % c->n) * c->elem_bytes;
}

/* A bit flips, two elements change places, or one is there twice. False where dst is as it was. */
static inline bool moved_put(rng *r, const moved_case *c, moved_room *room, char *held[2], size_t at[2]) {
    const uint64_t all = c->n * c->batch, kind = rng_below(r, 3);
    char *const a = moved_element(c, room->found, rng_below(r, all)), *const b = moved_element(
                                                                          c, room->found, rng_below(r, all));
    at[0] = (size_t)(a - room->found), at[1] = (size_t)(b - room->found);
    memcpy(held[0], a, c->elem_bytes), memcpy(held[1], b, c->elem_bytes);
    if (kind == 0) {
        held[0][rng_below(r, c->elem_bytes)] ^= (char)(1 << rng_below(r, 8));
        at[1] = at[0];
        memcpy(held[1], held[0], c->elem_bytes);
        return true;
    }
    if (memcmp(a, b, c->elem_bytes) == 0) return false;
    memcpy(held[0], b, c->elem_bytes);
    if (kind == 1) memcpy(held[1], a, c->elem_bytes);
    return true;
}

static inline bool moved_write(const moved_room *room, size_t elem_bytes, char *const from[2],
                               const size_t at[2]) {
    bool is_written = true;
    for (unsigned k = 0; k < 2; k++)
        is_written &=
            room->on->ops->upload(room->on, "a fault", room->dst + at[k], from[k], elem_bytes) == RIFFLE_OK;
    return is_written;
}

static inline void moved_fault(rng *r, const moved_case *c, moved_room *room, moved_counts *counts) {
    char bytes[2][16], *held[2] = {bytes[0], bytes[1]};
    size_t at[2];
    if (!moved_put(r, c, room, held, at)) return;
    counts->refused += !moved_write(room, c->elem_bytes, held, at);
    counts->missed += moved_is_right(room);
    counts->faults++;
    char *const good[2] = {room->found + at[0], room->found + at[1]};
    counts->refused += !moved_write(room, c->elem_bytes, good, at);
}

/* So many faults, one after the other, in one case; what is found of them is added to counts. */
static inline void moved_faults(const device *on, rng *r, const moved_case *c, uint64_t faults,
                                moved_counts *counts) {
    moved_room room = {.on = on, .bytes = (size_t)((c->batch - 1) * (c->n + c->gap) + c->n) * c->elem_bytes};
    void *src = NULL, *dst = NULL;
    char *const random = malloc(room.bytes);
    room.found = malloc(room.bytes);
    for (size_t k = 0; random != NULL && k < room.bytes; k++) random[k] = (char)(rng_next(r) >> 56);
    bool is_ready = random != NULL && room.found != NULL && moved_plan(on, c, &room.plan) &&
                    on->ops->allocate(on, "src", room.bytes + c->lead, &src) == RIFFLE_OK &&
                    on->ops->allocate(on, "dst", room.bytes + c->lead, &dst) == RIFFLE_OK &&
                    on->ops->allocate(on, "a record", CHECK_RECORD_BYTES, &room.check.record) == RIFFLE_OK;
    if (is_ready) room.src = (char *)src + c->lead, room.dst = (char *)dst + c->lead;
    is_ready = is_ready && on->ops->upload(on, "src", room.src, random, room.bytes) == RIFFLE_OK &&
               on->ops->upload(on, "dst", room.dst, random, room.bytes) == RIFFLE_OK &&
               moved_move(&room, c->on_vectors);
    counts->refused += !is_ready || !moved_is_right(&room);
    for (uint64_t k = 0; is_ready && k < faults; k++) moved_fault(r, c, &room, counts);
    counts->refused += is_ready && !moved_is_right(&room);
    on->ops->release(on, room.check.record);
    on->ops->release(on, dst);
    on->ops->release(on, src);
    plan_destroy(room.plan);
    free(room.found);
    free(random);
}

/* Cases of all sizes of elements and of batches, on vectors and not. */
static const moved_case MOVED_CASES[] = {
    {"bit-reversal", 4096, 1, 0, 4, 0, true},      {"random-affine:5", 8192, 1, 0, 8, 0, true},
    {"transpose:64x128", 8192, 1, 0, 4, 0, true},  {"random-affine:6", 2048, 1, 0, 16, 0, true},
    {"bit-reversal", 16384, 1, 0, 1, 0, true},     {"random-affine:7", 8192, 1, 0, 2, 0, true},
    {"random-affine:8", 4096, 3, 8, 4, 0, true},   {"bit-reversal", 2048, 6, 0, 8, 0, true},
    {"random-affine:9", 4096, 1, 0, 4, 4, false},  {"random-affine:10", 2048, 2, 4, 8, 8, false},
    {"random-affine:11", 65536, 1, 0, 4, 0, true},
};
enum { MOVED_CASE_COUNT = sizeof MOVED_CASES / sizeof *MOVED_CASES };

#endif
