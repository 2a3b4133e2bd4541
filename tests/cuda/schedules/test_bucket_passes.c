/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes of every shape on the GPU, at small n: with shared memory that is said to be small, and with
 * shapes that no GPU would get, pieces that must be halved among them. Planned and executed as by
 * riffle_plan_create, against the definition.
 */
#include "test_bucket_passes.h"

#include <inttypes.h>
#include <stdio.h>

#include "../check.h"
#include "../orders.h"
#include "move/cuda/engine.h"
#include "plan/choose/choose.h"
#include "riffle/cuda.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { SIZES = 5 };

/* How many plans of so many passes there were, and with halved pieces, by the logarithm of elements' bytes. */
static struct { unsigned of_passes[BUCKET_TILE_PASSES + 1], halved; } seen[SIZES];

static uint32_t units_of(size_t elem_bytes) { return BUCKET_TILE_CHUNK_BYTES / (uint32_t)elem_bytes; }

static uint32_t below(uint32_t count) { return (uint32_t)(check_random() % count); }

/* -------------------------------------------------------------- one schedule */

static void count_plan(const riffle_plan *plan) {
    const unsigned size = (unsigned)__builtin_ctzll(plan->request.elem_bytes);
    seen[size].of_passes[plan->built]++;
    seen[size].halved +=
        plan->built > 1 && plan->passes[plan->built - 1].bucket_tile.piece < plan->choice.tile_shape.piece;
}

static void run_plan(const riffle_perm *perm, const riffle_plan *plan, check_arrays *arrays, const char *what) {
    const size_t elem_bytes = plan->request.elem_bytes;
    for (unsigned k = 0; k < 2 && arrays_renew(arrays); k++) {
        const riffle_status status =
            riffle_cuda_execute(plan, arrays->device_dst, arrays->device_src, NULL, 0, NULL);
        if (check(status == RIFFLE_OK, "%s: not executed", what)) arrays_moved(arrays, perm, elem_bytes, what);
    }
}

/* Runs a choice: it is built, made on the GPU and run. */
static void run_chosen(const plan_request *s, const plan_choice *choice, const check_arrays *room,
                       const char *by) {
    char what[256];
    check_arrays arrays = *room; /* room for the longest; what is used is its beginning */
    const riffle_perm *const perm = s->perm;
    const bucket_tile_shape *shape = &choice->tile_shape;
    riffle_plan *plan = NULL;
    snprintf(what, sizeof what,
             "%s, n = %" PRIu64 ", %zu bytes, %u passes, pieces %u and %u, fan %u, %u positions, %u threads",
             by, s->n, s->elem_bytes, shape->passes, shape->first_piece, shape->piece, shape->fan,
             shape->positions, s->target.block_threads);
    if (!check(plan_build_chosen(s, choice, &plan) == RIFFLE_OK, "%s: not built", what)) return;
    if (!check(cuda_plan_create(plan, &(cuda_source){.perm = perm}) == RIFFLE_OK, "%s: not made", what)) {
        plan_destroy(plan);
        return;
    }
    count_plan(plan);
    arrays.bytes = s->array_bytes;
    run_plan(perm, plan, &arrays, what);
    riffle_plan_free(plan);
}

/* Asks for buckets on a target; the permutation is taken as it is. */
static bool ask(const riffle_perm *perm, size_t elem_bytes, const plan_target *target, plan_request *request,
                plan_choice *choice) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    if (!check(plan_request_take_recognized(perm, elem_bytes, target, &options, request) == RIFFLE_OK,
               "not asked"))
        return false;
    if (check(plan_choose(request, choice) == RIFFLE_OK, "not chosen")) return true;
    plan_request_drop(request);
    return false;
}

/* ----------------------------------------------------------- small GPUs */

/* This GPU with less shared memory, and another number of multiprocessors and of threads. */
static plan_target some_target(const plan_target *gpu) {
    static const size_t shared_bytes[] = {256, 512, 1024, 2048, 4096, 16 << 10, 48 << 10};
    static const unsigned processors[] = {1, 3, 132}, threads[] = {32, 128, 256, 1024};
    plan_target out = *gpu;
    out.shared_bytes = shared_bytes[below(COUNT(shared_bytes))];
    out.multiprocessors = processors[below(COUNT(processors))];
    out.block_threads = threads[below(COUNT(threads))];
    return out;
}

static void test_target(const plan_target *gpu, size_t elem_bytes, uint64_t most, const check_arrays *room) {
    char by[ORDER_NAME_BYTES];
    plan_request request;
    plan_choice choice;
    const plan_target target = some_target(gpu);
    const uint64_t n = 1 + check_random() % (most >> check_random() % 6);
    riffle_perm *perm = order_create((order)below(ORDERS), n, by);
    if (ask(perm, elem_bytes, &target, &request, &choice)) {
        run_chosen(&request, &choice, room, by);
        plan_request_drop(&request);
    }
    riffle_perm_free(perm);
}

/* ------------------------------------------------------------- any shape */

static uint32_t some_piece(uint32_t units, uint32_t positions) {
    return units * (1 + below(positions / units));
}

/* Pieces of any length that the positions hold if their elements lie well, so that many must be halved; the
 * shortest always fit. */
static bucket_tile_shape any_shape(uint64_t n, size_t elem_bytes) {
    const uint32_t units = units_of(elem_bytes);
    bucket_tile_shape shape = {.passes = 1 + below(BUCKET_TILE_PASSES), .fan = 1};
    shape.positions = units * (units + below(400));
    if (shape.passes == 1 && shape.positions < n) shape.positions = (uint32_t)(n + units - 1) / units * units;
    shape.first_piece = shape.passes == 1 ? shape.positions : some_piece(units, shape.positions);
    shape.piece = shape.passes == 1 ? shape.first_piece : some_piece(units, shape.positions);
    if (shape.passes == 3) shape.fan = 1 + below(20);
    return shape;
}

static void test_shape(const plan_target *gpu, size_t elem_bytes, uint64_t most, const check_arrays *room) {
    char by[ORDER_NAME_BYTES];
    plan_request request;
    plan_choice choice;
    const uint64_t n = 1 + check_random() % (most >> check_random() % 6);
    riffle_perm *perm = order_create((order)below(ORDERS), n, by);
    if (ask(perm, elem_bytes, gpu, &request, &choice)) {
        choice.tile_shape = any_shape(n, elem_bytes);
        choice.passes = choice.tile_shape.passes;
        run_chosen(&request, &choice, room, by);
        plan_request_drop(&request);
    }
    riffle_perm_free(perm);
}

/* A chunk of one element brings nothing along, so pieces of those are never too long. */
static void check_seen(void) {
    for (unsigned size = 0; size < SIZES; size++) {
        for (unsigned passes = 1; passes <= BUCKET_TILE_PASSES; passes++)
            check(seen[size].of_passes[passes] > 0, "no plan of %u passes was tried, %u bytes", passes,
                  1u << size);
        check((seen[size].halved > 0) == (size < SIZES - 1), "%u plans were halved, %u bytes",
              seen[size].halved, 1u << size);
    }
}

void test_bucket_passes(bool small) {
    const uint64_t most = small ? 2000 : 12000; /* 48 KiB of elements of 4 bytes hold as many: also one pass */
    const size_t longest_elem_bytes = (size_t)1 << (SIZES - 1);
    plan_target gpu;
    check_arrays room;
    if (!check(cuda_engine_target(&gpu) == RIFFLE_OK, "the GPU")) return;
    if (arrays_create((size_t)most * longest_elem_bytes, &room))
        for (unsigned k = 0; k < (small ? 75 : 1000); k++) {
            const size_t elem_bytes = (size_t)1 << k % SIZES;
            test_target(&gpu, elem_bytes, most, &room);
            test_shape(&gpu, elem_bytes, most, &room);
        }
    arrays_free(&room);
    if (!small) check_seen();
}
