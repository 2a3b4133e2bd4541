/* SPDX-License-Identifier: Apache-2.0
 *
 * Any permutation on the GPU by BUCKET and by AUTO: elements of every size, lengths on and around the edges of
 * chunks, stores, pieces and multiprocessors, permutations of every order, against the definition; batches; and
 * long arrays, which take all of the passes.
 */
#include "test_arbitrary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "../orders.h"
#include "riffle/cuda.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { CHUNK_BYTES = 16, STORE_BYTES = 512, LONGEST_ELEM_BYTES = 16 };

static riffle_cuda_device gpu;

/* Counts of what has been tried, so that the test can say that it tried what it is for. */
static unsigned cases, one_pass, two_passes;

static uint64_t units_of(size_t elem_bytes) { return CHUNK_BYTES / elem_bytes; }

/* The longest array that one block's shared memory holds: 16-bit places, and whole rows of 128 bytes. */
static uint64_t capacity_of(size_t elem_bytes) {
    const uint64_t places = 1 << 16, held = gpu.shared_bytes / elem_bytes, row = 8 * units_of(elem_bytes);
    return (held < places ? held : places) / row * row;
}

/* ------------------------------------------------------------------ one array */

static void run_plan(const riffle_perm *perm, size_t elem_bytes, const riffle_plan *plan, check_arrays *arrays,
                     const char *what) {
    if (!arrays_renew(arrays)) return;
    const riffle_status status =
        riffle_cuda_execute(plan, arrays->device_dst, arrays->device_src, NULL, 0, NULL);
    if (check(status == RIFFLE_OK, "%s: not executed", what)) arrays_moved(arrays, perm, elem_bytes, what);
}

/* Twice, because the second finds a used workspace. */
static void run_algorithm(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm,
                          check_arrays *arrays, const char *by) {
    char what[160];
    riffle_plan *plan;
    const riffle_plan_options options = {.algorithm = algorithm};
    snprintf(what, sizeof what, "%s of %llu x %zu bytes by %s", by,
             (unsigned long long)riffle_perm_length(perm), elem_bytes, riffle_algorithm_string(algorithm));
    if (!check(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
               "%s: not planned", what))
        return;
    if (algorithm == RIFFLE_ALGORITHM_BUCKET) {
        check(riffle_plan_algorithm(plan) == algorithm, "%s: planned otherwise", what);
        one_pass += riffle_plan_passes(plan) == 1;
        two_passes += riffle_plan_passes(plan) == 2;
    }
    for (unsigned k = 0; k < 2; k++) run_plan(perm, elem_bytes, plan, arrays, what);
    riffle_plan_free(plan);
}

/* `room` is for the longest arrays; a case uses the beginning of it, with guards behind that. */
static void test_case(order kind, uint64_t n, size_t elem_bytes, const check_arrays *room) {
    char by[ORDER_NAME_BYTES];
    check_arrays arrays = *room;
    riffle_perm *perm = order_create(kind, n, by);
    arrays.bytes = (size_t)n * elem_bytes;
    run_algorithm(perm, elem_bytes, RIFFLE_ALGORITHM_BUCKET, &arrays, by);
    run_algorithm(perm, elem_bytes, RIFFLE_ALGORITHM_AUTO, &arrays, by);
    riffle_perm_free(perm);
    cases++;
}

static order any_order(void) { return (order)(check_random() % ORDERS); }

/* Mostly a few elements more or fewer than a multiple of something that lengths are cut to. */
static uint64_t any_length(size_t elem_bytes, uint64_t most) {
    const uint64_t units = units_of(elem_bytes), store = STORE_BYTES / elem_bytes;
    const uint64_t edges[] = {units, store, store * gpu.multiprocessors, 1024 * units, capacity_of(elem_bytes)};
    const uint64_t edge = edges[check_random() % COUNT(edges)] * (1 + check_random() % 3);
    const uint64_t n =
        edge + check_random() % (2 * units + 3) - (units + 1); /* may be below 0, hence very long */
    if (check_random() % 4 > 0 && n > 0 && n <= most) return n;
    return 1 + check_random() % (most >> check_random() % 8);
}

static void test_short(size_t elem_bytes, const check_arrays *room) {
    const uint64_t longest = 40;
    for (uint64_t n = 1; n <= longest; n++)
        for (unsigned k = 0; k < 2; k++) test_case(any_order(), n, elem_bytes, room);
}

/* Where one pass becomes two, every order. */
static void test_capacity(size_t elem_bytes, const check_arrays *room) {
    const uint64_t capacity = capacity_of(elem_bytes), units = units_of(elem_bytes);
    const uint64_t lengths[] = {
        capacity - units - 1, capacity - units,  capacity - 1,         capacity,
        capacity + 1,         capacity + units,  capacity + units + 1, 2 * capacity - units / 2,
        2 * capacity + 1,     (uint64_t)1 << 15, (uint64_t)1 << 17};
    for (size_t k = 0; k < COUNT(lengths); k++)
        for (unsigned kind = 0; kind < ORDERS; kind++) test_case((order)kind, lengths[k], elem_bytes, room);
}

static void test_longer(size_t elem_bytes, const check_arrays *room) {
    static const uint64_t lengths[] = {(3 << 17) + 1, (3 << 18) + 1, 1 << 20, (1 << 20) + 13};
    for (size_t k = 0; k < COUNT(lengths); k++) {
        test_case(ORDER_RANDOM, lengths[k], elem_bytes, room);
        test_case((order)(1 + check_random() % (ORDERS - 1)), lengths[k], elem_bytes, room);
    }
    test_case(ORDER_BITS, 1 << 20, elem_bytes, room);
}

static void test_size(size_t elem_bytes, bool small, const check_arrays *room) {
    const uint64_t capacity = capacity_of(elem_bytes);
    for (unsigned k = 0; k < (small ? 12 : 320); k++)
        test_case(any_order(), any_length(elem_bytes, small ? 3000 : 100000), elem_bytes, room);
    if (small) {
        test_case(ORDER_RANDOM, capacity + 1, elem_bytes, room);
        test_case(ORDER_SHUFFLED, 2 * capacity - 1, elem_bytes, room);
        return;
    }
    test_short(elem_bytes, room);
    test_capacity(elem_bytes, room);
    test_longer(elem_bytes, room);
}

static void test_cases(bool small) {
    const size_t most = small ? 1 << 18 : (1 << 20) + 13;
    check_arrays room;
    if (arrays_create(most * LONGEST_ELEM_BYTES, &room))
        for (size_t elem_bytes = 1; elem_bytes <= LONGEST_ELEM_BYTES; elem_bytes *= 2)
            test_size(elem_bytes, small, &room);
    arrays_free(&room);
    check(small || cases >= 2000, "only %u cases were tried", cases);
    check(one_pass > 0 && two_passes > 0, "%u plans of one pass and %u of two", one_pass, two_passes);
    printf("any permutation: %u cases, each by bucket and by auto\n", cases);
}

/* -------------------------------------------------------------------- batches */

enum { BATCH = 3, LEFT_ALONE = 0x3c };

/* Each array of the batch is as the definition says, and between them all is as it was. */
static bool batch_moved(const riffle_perm *perm, size_t elem_bytes, uint64_t stride, const unsigned char *dst,
                        const unsigned char *src) {
    const size_t bytes = (size_t)riffle_perm_length(perm) * elem_bytes, step = (size_t)stride * elem_bytes;
    for (size_t k = 0; k < BATCH; k++) {
        if (!is_moved(perm, elem_bytes, dst + k * step, src + k * step)) return false;
        for (size_t i = bytes; k + 1 < BATCH && i < step; i++)
            if (dst[k * step + i] != LEFT_ALONE) return false;
    }
    return true;
}

static void run_batch(const riffle_perm *perm, size_t elem_bytes, uint64_t stride, const riffle_plan *plan,
                      const char *what) {
    const size_t n = (size_t)riffle_perm_length(perm), bytes = ((BATCH - 1) * (size_t)stride + n) * elem_bytes;
    check_arrays arrays;
    if (arrays_create(bytes, &arrays) &&
        check_cuda(cudaMemset(arrays.device_dst, LEFT_ALONE, bytes), "filling a batch") &&
        check(riffle_cuda_execute(plan, arrays.device_dst, arrays.device_src, NULL, 0, NULL) == RIFFLE_OK,
              "%s: not executed", what) &&
        arrays_moved(&arrays, perm, elem_bytes, what) &&
        check_cuda(cudaMemcpy(arrays.dst, arrays.device_dst, bytes, cudaMemcpyDeviceToHost), what))
        check(batch_moved(perm, elem_bytes, stride, arrays.dst, arrays.src), "%s: a later array", what);
    arrays_free(&arrays);
}

/* BUCKET or GATHER is what must come of it. */
static void test_batch(uint64_t n, size_t elem_bytes, uint64_t stride, riffle_algorithm asked,
                       riffle_algorithm wanted) {
    const riffle_plan_options options = {.algorithm = asked, .batch = BATCH, .stride = stride};
    char what[160], by[ORDER_NAME_BYTES];
    riffle_plan *plan;
    riffle_perm *perm = order_create(ORDER_RANDOM, n, by);
    snprintf(what, sizeof what, "%u arrays of %llu x %zu bytes, %llu apart, by %s", (unsigned)BATCH,
             (unsigned long long)n, elem_bytes, (unsigned long long)stride, riffle_algorithm_string(asked));
    const riffle_status status = riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan);
    if (check(status == RIFFLE_OK, "%s: not planned", what)) {
        check(riffle_plan_algorithm(plan) == wanted, "%s: planned otherwise", what);
        run_batch(perm, elem_bytes, stride, plan, what);
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
}

static void test_batches(bool small) {
    for (size_t elem_bytes = 1; elem_bytes <= LONGEST_ELEM_BYTES; elem_bytes *= 2) {
        const uint64_t units = units_of(elem_bytes), lengths[] = {31, small ? 3001 : 70001};
        for (size_t k = 0; k < COUNT(lengths); k++) {
            const uint64_t n = lengths[k], least = (n + units - 1) / units * units;
            test_batch(n, elem_bytes, least, RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_BUCKET);
            test_batch(n, elem_bytes, least + 3 * units, RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_BUCKET);
            test_batch(n, elem_bytes, least + 1, RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_BUCKET);
            test_batch(n, elem_bytes, least + 1, RIFFLE_ALGORITHM_ONCE, RIFFLE_ALGORITHM_ONCE);
        }
    }
    test_batch(5001, 24, 5004, RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_GATHER);
    test_batch(501, 1000, 501, RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_GATHER);
    if (!small) test_batch(1 << 22, 4, (1 << 22) + 1, RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_BUCKET);
}

/* ----------------------------------------------------------------------- long */

/* True if the GPU has room for the arrays and for planning. */
static bool has_room(uint64_t n, size_t elem_bytes) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    const size_t reserve = (size_t)1 << 30;
    riffle_cuda_needs needs;
    size_t left = 0, all = 0;
    if (!check(riffle_cuda_plan_needs(n, elem_bytes, &options, &needs) == RIFFLE_OK, "needs") ||
        !check_cuda(cudaMemGetInfo(&left, &all), "free memory"))
        return false;
    const size_t sum = needs.plan_bytes + needs.planning_bytes + needs.workspace_bytes;
    return sum + 2 * (size_t)n * elem_bytes + reserve <= left;
}

static void run_long(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm, unsigned passes,
                     check_arrays *arrays) {
    const riffle_plan_options options = {.algorithm = algorithm};
    const uint64_t n = riffle_perm_length(perm), most_bytes = 10; /* kept of each element, riffle.h says */
    char what[128];
    riffle_plan *plan;
    snprintf(what, sizeof what, "random of %llu x %zu bytes by %s", (unsigned long long)n, elem_bytes,
             riffle_algorithm_string(algorithm));
    if (!check(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
               "%s: not planned", what))
        return;
    check(riffle_plan_algorithm(plan) == RIFFLE_ALGORITHM_BUCKET, "%s: planned otherwise", what);
    check(passes == 0 || riffle_plan_passes(plan) == passes, "%s: %u passes", what, riffle_plan_passes(plan));
    check(riffle_plan_bytes(plan) <= most_bytes * n, "%s: keeps %zu bytes", what, riffle_plan_bytes(plan));
    const riffle_status status =
        riffle_cuda_execute(plan, arrays->device_dst, arrays->device_src, NULL, 0, NULL);
    if (check(status == RIFFLE_OK, "%s: not executed", what))
        arrays_moved_at_samples(arrays, perm, elem_bytes, what);
    riffle_plan_free(plan);
}

/* False where the GPU is too small. `passes` 0: as many as the planner likes. */
static bool test_long(uint64_t n, size_t elem_bytes, riffle_algorithm algorithm, unsigned passes) {
    char by[ORDER_NAME_BYTES];
    check_arrays arrays;
    if (!has_room(n, elem_bytes)) {
        printf("left out: %llu x %zu bytes in bucket passes, for which the GPU has too little memory\n",
               (unsigned long long)n, elem_bytes);
        return false;
    }
    riffle_perm *perm = order_create(ORDER_RANDOM, n, by);
    if (arrays_create((size_t)n * elem_bytes, &arrays)) run_long(perm, elem_bytes, algorithm, passes, &arrays);
    arrays_free(&arrays);
    riffle_perm_free(perm);
    return true;
}

static void test_long_arrays(void) {
    const uint64_t most = (uint64_t)1 << 32;
    test_long((uint64_t)1 << 24, 8, RIFFLE_ALGORITHM_AUTO, 2);
    test_long((uint64_t)1 << 28, 4, RIFFLE_ALGORITHM_AUTO, 0);
    test_long((uint64_t)1 << 30, 1, RIFFLE_ALGORITHM_AUTO, 3);
    if (!test_long(most, 1, RIFFLE_ALGORITHM_BUCKET, 3)) test_long(most / 2 + 5, 1, RIFFLE_ALGORITHM_BUCKET, 3);
}

void test_arbitrary(bool small) {
    if (!check(riffle_cuda_describe(&gpu) == RIFFLE_OK, "describing the GPU")) return;
    test_cases(small);
    test_batches(small);
    if (!small) test_long_arrays();
}
