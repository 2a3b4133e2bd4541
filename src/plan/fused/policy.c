/* SPDX-License-Identifier: Apache-2.0
 *
 * All sizes are tried, for compiling takes less than a millisecond, and the passes that they give are weighed: by what a
 * pass was measured to take on an H200, over a copy. Tiles of 2^13 registers (256 threads) are the largest of which a
 * multiprocessor has four at a time; of larger ones one waits while it reads and writes.
 */
#include "plan/fused/policy.h"

enum { LEAST_THREADS_LOG2 = 5, LINE_LOG2 = 7, SIZES = FUSED_THREADS_LOG2 - LEAST_THREADS_LOG2 + 1 };

/* Of a pass over copies, by log2 of a block's threads from a warp on: Walsh-Hadamard transforms of floats. */
static const double copies_of_pass[SIZES] = {1.03, 1.05, 1.05, 1.06, 1.30, 1.70};

/* And what passes but the first take more, whose tiles have lines of 128 bytes, or halves of them. */
static const double more_of_lines = 0.05, more_of_half_lines = 0.15;

static double copies_of(const program_passes *passes, unsigned size, bool half_lines) {
    const double count = (double)passes->count, more = half_lines ? more_of_half_lines : more_of_lines;
    return count == 0 ? 0 : count * copies_of_pass[size] + (count - 1) * more;
}

static riffle_status try_policy(const riffle_program *program, riffle_type type, unsigned size, bool half_lines,
                                double *best, program_passes *out) {
    const unsigned unit_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type));
    const unsigned most = fused_most_tile_bits(unit_bits);
    const program_policy policy = {most - FUSED_THREADS_LOG2 + LEAST_THREADS_LOG2 + size,
                                   LINE_LOG2 - unit_bits - (half_lines ? 1 : 0)};
    program_passes tried;
    if (2 * policy.lane_bits > policy.tile_bits) return RIFFLE_OK;
    const riffle_status status = program_compile(program, type, &policy, &tried);
    if (status != RIFFLE_OK) return status;
    const double copies = copies_of(&tried, size, half_lines);
    if (*best >= 0 && copies >= *best) {
        program_passes_free(&tried);
        return RIFFLE_OK;
    }
    if (*best >= 0) program_passes_free(out);
    *best = copies;
    *out = tried;
    return RIFFLE_OK;
}

riffle_status fused_compile(const riffle_program *program, riffle_type type, size_t shared_bytes,
                            unsigned block_threads, program_passes *out) {
    riffle_status status = RIFFLE_OK;
    double best = -1;
    for (unsigned size = 0; status == RIFFLE_OK && size < SIZES; size++) {
        /* A thread has 128 bytes and padding. */
        const size_t threads = (size_t)1 << (LEAST_THREADS_LOG2 + size);
        if (best >= 0 && (threads > block_threads || threads * (FUSED_HELD_BYTES + 16) > shared_bytes)) break;
        status = try_policy(program, type, size, false, &best, out);
        if (status == RIFFLE_OK) status = try_policy(program, type, size, true, &best, out);
    }
    if (status != RIFFLE_OK && best >= 0) program_passes_free(out);
    return status;
}
