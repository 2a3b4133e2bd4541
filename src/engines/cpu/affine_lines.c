/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/affine_lines.h"

#include "engines/cpu/share.h"

affine_lines_range *affine_lines_best_range(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")) {
        return affine_lines_range_avx512;
    }
#endif
    return affine_lines_range_portable;
}

void cpu_affine_lines(const affine_lines_schedule *schedule, void *dst, const void *src, unsigned threads) {
    affine_lines_range *const move = affine_lines_best_range();
#pragma omp parallel num_threads((int)threads)
    {
        const share mine = share_of((uint64_t)1 << schedule->tile_bits);
        move(schedule, dst, src, mine.first, mine.end - mine.first);
    }
}
