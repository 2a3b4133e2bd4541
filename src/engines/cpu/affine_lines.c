/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/affine_lines.h"

#include "engines/cpu/team.h"

affine_lines_range *affine_lines_best_range(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")) {
        return affine_lines_range_avx512;
    }
#endif
    return affine_lines_range_portable;
}

typedef struct job {
    const affine_lines_schedule *schedule;
    affine_lines_range *move;
    void *dst;
    const void *src;
} job;

static void move_share(const void *context, team_member me) {
    const job *j = context;
    const team_share mine = team_share_of((uint64_t)1 << j->schedule->tile_bits, me);
    j->move(j->schedule, j->dst, j->src, mine.first, mine.end - mine.first);
}

void cpu_affine_lines(const affine_lines_schedule *schedule, void *dst, const void *src, unsigned threads) {
    const job j = {schedule, affine_lines_best_range(), dst, src};
    team_run(threads, move_share, &j);
}
