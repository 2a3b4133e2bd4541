/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that the tests of the memory machine run, by their entries; machine_kernels.cpp says what each does.
 */
#ifndef RIFFLE_TESTS_MACHINE_KERNELS_H
#define RIFFLE_TESTS_MACHINE_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void test_kernel(void *const *args);

/** Longer than compilers copy word by word. */
typedef struct long_argument {
    uint32_t number[4096];
} long_argument;

/* Costs */
test_kernel enter_worked_global, enter_worked_shared, enter_indexed, enter_add, enter_tile, enter_branches,
    enter_trips, enter_ragged_tiles, enter_wide_copy, enter_strided, enter_atomics, enter_static_shared,
    enter_copy_struct, enter_block_order, enter_large, enter_held, enter_held_loop, enter_halves,
    enter_live_ragged, enter_met_in_loop, enter_backwards, enter_long_argument;

/* Hazards */
test_kernel enter_beyond, enter_misaligned, enter_shared_race, enter_same_value, enter_exchanged,
    enter_shuffled, enter_stored_and_added, enter_different_values, enter_same_value_read, enter_half_exchanged,
    enter_reads_blocks, enter_two_barriers, enter_leaves, enter_lone_exchange, enter_left_exchange,
    enter_endless, enter_endless_writing, enter_turns, enter_bytes, enter_broadcast_then_write, enter_spin,
    enter_reads_shared, enter_long_work, enter_stored_records;

extern uint32_t test_static_tile[64];

#ifdef __cplusplus
}
#endif

#endif
