/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile has runs of 128 bytes on both sides, and 256 threads where a block can have them: of larger ones a multiprocessor has too few
 * at a time.
 */
#include "papers/program/tiles.h"

#include "papers/program/paper.h"
#include "program/fused/fused.h"

enum { LEAST_THREADS_LOG2 = 5, MOST_THREADS_LOG2 = 8, LINE_LOG2 = 7 };

riffle_status paper_compile_tiles(const riffle_program *program, riffle_type type, size_t shared_bytes,
                                  unsigned block_threads, program_passes *out) {
    const unsigned unit_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type));
    unsigned threads_log2 = MOST_THREADS_LOG2;
    while (threads_log2 > LEAST_THREADS_LOG2 &&
           (1U << threads_log2 > block_threads || ((size_t)FUSED_HELD_BYTES + 16) << threads_log2 >
                                                      shared_bytes)) /* a thread's registers and padding */
        threads_log2--;
    const unsigned held_bits = fused_most_tile_bits(unit_bits) - FUSED_THREADS_LOG2;
    program_policy policy = {held_bits + threads_log2, LINE_LOG2 - unit_bits};
    if (2 * policy.lane_bits > policy.tile_bits) policy.lane_bits = policy.tile_bits / 2;
    return paper_compile(program, type, &policy, out);
}
