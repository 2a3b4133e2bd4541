/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/affine_lines/affine_lines.h"

#include "move/cpu/passes/loops.h"

affine_lines_range *const affine_lines_ranges[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = affine_lines_range_portable,
#if defined(__x86_64__)
    [VECTORS_SSSE3] = affine_lines_range_ssse3,
    [VECTORS_AVX2] = affine_lines_range_avx2,
    [VECTORS_AVX512_VBMI] = affine_lines_range_avx512,
#elif defined(__aarch64__)
    [VECTORS_NEON] = affine_lines_range_neon,
#endif
};

void cpu_affine_lines(const cpu_move *move, team_member me) {
    const affine_lines_schedule *const s = &move->p->affine_lines;
    const team_share mine = team_share_of((uint64_t)1 << s->tile_bits, me);
    affine_lines_range *const range = affine_lines_ranges[vectors_for(LOOPS_AFFINE)];
    range(s, move->dst, move->src, mine.first, mine.end - mine.first);
}
