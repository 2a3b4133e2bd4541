/* SPDX-License-Identifier: Apache-2.0
 *
 * All sizes are tried, and the passes that they give are weighed: by what a pass was measured to take on an H200, over a
 * copy. Tiles of 2^13 registers (256 threads) are the largest of which a multiprocessor has four at a time; of larger ones
 * more of the time goes by waiting for what is read. The extra time of half lines depends on whether the second cache brings
 * the other halves back together before they are written.
 */
#include "program/fused/policy.h"

enum { LEAST_THREADS_LOG2 = 5, LINE_LOG2 = 7, SIZES = FUSED_THREADS_LOG2 - LEAST_THREADS_LOG2 + 1 };

/* Time of a first pass over copies, by log2 of a block's threads from a warp on: Walsh-Hadamard transforms of 2^28 floats,
 * alone and in batches. Sorting networks take up to 0.1 more. */
static const double copies_of_pass[SIZES] = {1.02, 1.02, 1.03, 1.04, 1.06, 1.10};

/* And what passes but the first take more, whose tiles have lines of 128 bytes, or halves of them: those of an array that
 * the second cache has most of, and of a larger one. */
static const double more_of_lines[SIZES] = {0.04, 0.04, 0.04, 0.04, 0.06, 0.20};
static const double more_of_cached_halves = 0.04, more_of_halves = 0.16;
enum { CACHED_BYTES_LOG2 = 26 };

static program_choice choice_of(unsigned unit_bits, unsigned size, double more_of_half_lines, bool half_lines) {
    const unsigned most = fused_most_tile_bits(unit_bits);
    const double copies = copies_of_pass[size];
    return (program_choice){
        .policy = {most - FUSED_THREADS_LOG2 + LEAST_THREADS_LOG2 + size, LINE_LOG2 - unit_bits - half_lines},
        .first = copies,
        .other = copies + more_of_lines[size] + (half_lines ? more_of_half_lines : 0),
    };
}

riffle_status fused_compile(const riffle_program *program, riffle_type type, size_t shared_bytes,
                            unsigned block_threads, program_passes *out) {
    const unsigned unit_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type));
    const bool is_cached = riffle_program_bits(program) + unit_bits <= CACHED_BYTES_LOG2;
    const double more_of_half_lines = is_cached ? more_of_cached_halves : more_of_halves;
    program_choice choices[2 * SIZES];
    size_t count = 0;
    for (unsigned size = 0; size < SIZES; size++) {
        /* A thread has 128 bytes and padding. */
        const size_t threads = (size_t)1 << (LEAST_THREADS_LOG2 + size);
        if (count > 0 && (threads > block_threads || threads * (FUSED_HELD_BYTES + 16) > shared_bytes)) break;
        for (int half_lines = 0; half_lines < 2; half_lines++) {
            const program_choice choice = choice_of(unit_bits, size, more_of_half_lines, half_lines != 0);
            if (2 * choice.policy.lane_bits <= choice.policy.tile_bits) choices[count++] = choice;
        }
    }
    return program_compile_best(program, type, choices, count, out);
}
