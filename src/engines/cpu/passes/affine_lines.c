/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/passes/affine_lines.h"

#include "engines/cpu/passes/loops.h"

affine_lines_range *affine_lines_best_range(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")) {
        return affine_lines_range_avx512;
    }
#endif
    return affine_lines_range_portable;
}

void cpu_affine_lines(const cpu_move *move, team_member me) {
    const affine_lines_schedule *const s = &move->p->affine_lines;
    const team_share mine = team_share_of((uint64_t)1 << s->tile_bits, me);
    affine_lines_best_range()(s, move->dst, move->src, mine.first, mine.end - mine.first);
}
