/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/means.h"

#include <math.h>

void bench_means_add(bench_means *means, const bench_row *row, const bench_result *result) {
    const bool is_timed = result->right && result->seconds > 0 && result->copy_seconds > 0;
    if (row->group == NULL || !is_timed) return;
    if (means->count == 0 || means->of[means->count - 1].group != row->group) {
        if (means->count == BENCH_MOST_GROUPS) return;
        means->of[means->count++] = (bench_mean){.group = row->group};
    }
    bench_mean *mean = &means->of[means->count - 1];
    ++mean->rows;
    mean->ratio += log(result->seconds / result->copy_seconds);
}

void bench_means_end(bench_means *means) {
    for (size_t k = 0; k < means->count; ++k) means->of[k].ratio = exp(means->of[k].ratio / means->of[k].rows);
}
