/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/suite.h"

#include <string.h>

size_t bench_suite_rows(const bench_suite *suite) {
    size_t sum = 0;
    for (const bench_group *group = suite->groups; group->count > 0; ++group) sum += group->count;
    return sum;
}

bench_row bench_suite_row(const bench_suite *suite, const bench_variant *variant, size_t k) {
    const bench_group *group = suite->groups;
    while (k >= group->count) k -= (group++)->count;
    bench_row row = group->drawn != NULL ? group->drawn(k, variant->seed) : group->row(k);
    if (variant->most_bytes > 0) row = suite->shrink(row, variant->most_bytes);
    row.group = group->name;
    if (variant->way != 0) row.way = variant->way;
    return row;
}

bool bench_row_is_named(const bench_row *row, const char *only) {
    if (only == NULL || strstr(row->by, only) != NULL) return true;
    return row->group != NULL && strcmp(row->group, only) == 0;
}

bool bench_suite_is_drawn(const bench_suite *suite) {
    for (const bench_group *group = suite->groups; group->count > 0; ++group)
        if (group->drawn != NULL) return true;
    return false;
}

bench_row bench_shrink_batch(bench_row row, uint64_t most_bytes) {
    while (row.batch > 1 && row.batch * row.n * row.elem_bytes > most_bytes) row.batch /= 2;
    while (row.n > 1 && (row.batch > 0 ? row.batch : 1) * row.n * row.elem_bytes > most_bytes) row.n /= 2;
    return row;
}
