/* SPDX-License-Identifier: Apache-2.0
 *
 * The boxes that the planner cuts for a GPU of 227 KiB of shared memory a block.
 */
#include "support.h"
#include "view_support.h"

#include "perm/perm.h"
#include "plan/axes/box.h"

enum { SHARED_BYTES = 232448, BLOCK_THREADS = 1024 };

static const struct {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
} awkward[] = {
    {"axes:16x7x2x11x23x64x3x7:0,4,6,5,7,1,2,3", 16 * 7 * 2 * 11 * 23 * 64 * 3 * 7, 1},
    {"axes:19x64x29x26x5x16:3,5,2,4,1,0", 19 * 64 * 29 * 26 * 5 * 16, 1},
    {"axes:23x8x256x16x2x53:3,4,1,0,2,5", 23 * 8 * 256 * 16 * 2 * 53, 1},
    {"axes:60x16x3x20x3x8x20x3:6,4,3,7,1,5,2,0", 60 * 16 * 3 * 20 * 3 * 8 * 20 * 3, 1},
    {"axes:20x32x24x13x3x20x2x4:6,5,0,2,7,1,4,3", 20 * 32 * 24 * 13 * 3 * 20 * 2 * 4, 1},
};

static uint64_t bytes_a_box(const strided_move *move) {
    box_schedule s;
    box_plan(move, &(box_device){SHARED_BYTES, BLOCK_THREADS, 132}, &s);
    assert_true(s.boxes > 0 && s.shared_bytes <= SHARED_BYTES);
    return strided_elements(move) * move->elem_bytes / s.boxes;
}

/* A box of one element is right, and takes thousands of copies' time. */
static void test_awkward_shapes(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof awkward / sizeof awkward[0]; k++) {
        riffle_perm *perm = parse_or_fail(awkward[k].by, awkward[k].n);
        strided_move move;
        strided_of_axes(&perm->axes, awkward[k].elem_bytes, &move);
        if (bytes_a_box(&move) < 1 << 10) fail_msg("%s: boxes are tiny", awkward[k].by);
        riffle_perm_free(perm);
    }
}

static void test_random_shapes(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        rng r = {seed * 0x9e3779b97f4a7c15u};
        perm_axes axes = {.rank = 2 + (unsigned)rng_below(&r, 7)};
        const size_t elem_bytes = (size_t)1 << rng_below(&r, 5);
        uint64_t n = 1;
        for (unsigned k = 0; k < axes.rank; k++) n *= axes.shape[k] = random_length(&r);
        random_order(&r, axes.rank, axes.order);
        strided_move move;
        strided_of_axes(&axes, elem_bytes, &move);
        if (n * elem_bytes < 1 << 20) continue;
        if (bytes_a_box(&move) < 1 << 9) fail_msg("seed %d: boxes are tiny", (int)seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_awkward_shapes),
        cmocka_unit_test(test_random_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
