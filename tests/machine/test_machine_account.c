/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs of single accesses of one warp on the hardware: the machine's rules against counts that Nsight Compute made on an H200
 * (docs/machine.md, bench/results).
 */
#include "support.h"

#include "machine/count/account.h"

enum { LANES = 32 };

/* Which cell a lane accesses; LANE_OUT for none. */
typedef unsigned pattern(unsigned lane);
enum { LANE_OUT = 1 << 20 };

static unsigned stride_1(unsigned lane) { return lane; }
static unsigned stride_2(unsigned lane) { return 2 * lane; }
static unsigned stride_32(unsigned lane) { return 32 * lane; }
static unsigned one_cell(unsigned lane) { return 0 * lane; }
static unsigned each_half_one_cell(unsigned lane) { return lane / 16; }
static unsigned halves_the_same(unsigned lane) { return lane % 16; }
static unsigned quarters_the_same(unsigned lane) { return lane % 8; }
static unsigned pairs(unsigned lane) { return lane / 2; }
static unsigned even_lanes(unsigned lane) { return lane % 2 == 0 ? lane : LANE_OUT; }

static warp_access access_of(pattern *cell, unsigned bytes, report_space space, report_op op) {
    warp_access a = {.space = space, .op = op, .bytes = bytes, .width = LANES};
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (cell(lane) == LANE_OUT) continue;
        a.lane[a.lanes] = (uint8_t)lane;
        a.at[a.lanes++] = (place)cell(lane) * bytes;
    }
    return a;
}

static warp_cost cost_of(pattern *cell, unsigned bytes, report_space space, report_op op) {
    const warp_access a = access_of(cell, bytes, space, op);
    return account_warp(&a);
}

typedef struct measured {
    pattern *cell;
    unsigned bytes;
    unsigned read, written; /* wavefronts */
} measured;

static void shared_wavefronts_are_the_hardwares(void **state) {
    (void)state;
    static const measured rows[] = {
        {stride_1, 1, 1, 1},
        {stride_1, 4, 1, 1},
        {stride_1, 8, 2, 2},
        {stride_1, 16, 4, 4},
        {stride_2, 4, 2, 2},
        {stride_2, 8, 4, 4},
        {stride_2, 16, 8, 8},
        {stride_32, 4, 32, 32},
        {stride_32, 8, 32, 32},
        {stride_32, 16, 32, 32},
        {one_cell, 4, 1, 1},
        {one_cell, 8, 1, 2},
        {one_cell, 16, 2, 4},
        {each_half_one_cell, 8, 1, 2},
        {each_half_one_cell, 16, 2, 4},
        {halves_the_same, 8, 2, 2},
        {halves_the_same, 16, 4, 4},
        {quarters_the_same, 8, 2, 2},
        {quarters_the_same, 16, 4, 4},
        {pairs, 4, 1, 1},
        {pairs, 8, 1, 2},
        {pairs, 16, 2, 4},
        {even_lanes, 4, 1, 1},
        {even_lanes, 8, 2, 2},
        {even_lanes, 16, 4, 4},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const warp_cost read = cost_of(rows[k].cell, rows[k].bytes, SPACE_SHARED, OP_READ);
        const warp_cost written = cost_of(rows[k].cell, rows[k].bytes, SPACE_SHARED, OP_WRITE);
        if (read.requests != rows[k].read || written.requests != rows[k].written) {
            fail_msg("row %u: %u and %u wavefronts, measured %u and %u", k, read.requests, written.requests,
                     rows[k].read, rows[k].written);
        }
        assert_true(read.ideal_requests <= read.requests && written.ideal_requests <= written.requests);
    }
}

static void global_sectors_are_the_hardwares(void **state) {
    (void)state;
    assert_int_equal(cost_of(stride_1, 4, SPACE_GLOBAL, OP_READ).requests, 4);
    assert_int_equal(cost_of(stride_2, 8, SPACE_GLOBAL, OP_WRITE).requests, 16);
    assert_int_equal(cost_of(stride_32, 1, SPACE_GLOBAL, OP_READ).requests, 32);
    assert_int_equal(cost_of(one_cell, 16, SPACE_GLOBAL, OP_READ).requests, 1);
}

static void atomics_on_one_address_take_turns(void **state) {
    (void)state;
    assert_int_equal(cost_of(one_cell, 4, SPACE_GLOBAL, OP_ATOMIC).requests, 32);
    assert_int_equal(cost_of(pairs, 4, SPACE_GLOBAL, OP_ATOMIC).requests, 4);
    assert_int_equal(cost_of(stride_1, 4, SPACE_GLOBAL, OP_ATOMIC).requests, 4);
    assert_int_equal(cost_of(one_cell, 4, SPACE_SHARED, OP_ATOMIC).requests, 32);
    assert_int_equal(cost_of(pairs, 4, SPACE_SHARED, OP_ATOMIC).requests, 2);
    assert_int_equal(cost_of(stride_32, 4, SPACE_SHARED, OP_ATOMIC).requests, 32);
}

/* Counted on an H200: a histogram of ten cells takes one wavefront a warp. */
static void atomics_that_count_take_none(void **state) {
    (void)state;
    static const struct {
        pattern *cell;
        unsigned wavefronts;
    } rows[] = {{one_cell, 1}, {pairs, 1}, {stride_1, 1}, {stride_2, 2}, {stride_32, 32}};
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        warp_access a = access_of(rows[k].cell, 4, SPACE_SHARED, OP_ATOMIC);
        a.counts = true;
        assert_int_equal(account_warp(&a).requests, rows[k].wavefronts);
    }
}

/* Each lane a cell of bank 0 of a block of its own, of 16 in turn; and two of them there. */
static void banks_of_several_blocks_do_not_conflict(void **state) {
    (void)state;
    for (unsigned cells = 1; cells <= 2; cells++) {
        warp_access a = access_of(one_cell, 4, SPACE_SHARED, OP_WRITE);
        for (unsigned k = 0; k < LANES; k++) {
            const place block = 1 + k % 16, array = 7 + block, cell = k / 16 % cells * LANES;
            a.at[k] = array << PLACE_ARRAY_SHIFT | block << PLACE_OFFSET_BITS | cell * 4;
            assert_int_equal(place_block(a.at[k]), block);
            assert_int_equal(place_array(a.at[k]), array);
            assert_int_equal(place_offset(a.at[k]), cell * 4);
        }
        assert_int_equal(account_warp(&a).requests, cells);
        assert_int_equal(account_warp(&a).stages, cells);
        assert_int_equal(account_warp(&a).ideal_requests, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_wavefronts_are_the_hardwares),
        cmocka_unit_test(global_sectors_are_the_hardwares),
        cmocka_unit_test(atomics_on_one_address_take_turns),
        cmocka_unit_test(atomics_that_count_take_none),
        cmocka_unit_test(banks_of_several_blocks_do_not_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
