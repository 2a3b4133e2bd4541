/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/drawn.h"

#include <math.h>

#include "base/arithmetic.h"

enum { SUMMED = 4 /* uniform numbers whose sum is nearly normal */ };

/* Groups of which so many columns from the first on consist, in either pass. */
static uint64_t groups_of(const group_subject *s, const group_pass *pass, uint32_t columns) {
    const uint64_t groups = s->plan->rule.groups;
    if (pass->is_second) return min((uint64_t)columns * GROUP_LOW, groups);
    return groups / pass->columns * columns + min(groups % pass->columns, (uint64_t)columns);
}

static uint64_t weight(const group_subject *s, const group_pass *pass, uint32_t column) {
    return groups_of(s, pass, column + 1) - groups_of(s, pass, column);
}

/* Some number near the mean, `most` at most. */
static uint64_t near(double mean, double variance, uint64_t most, uint64_t *seed) {
    double sum = 0;
    for (unsigned k = 0; k < SUMMED; k++) sum += (double)splitmix_next(seed) * 0x1p-64 - 0.5;
    const double at = mean + sum * sqrt(fmax(variance, 0) * 12 / SUMMED) + 0.5;
    return at <= 0 ? 0 : min((uint64_t)at, most);
}

void group_draw_totals(const group_subject *s, const group_pass *pass) {
    uint64_t left = pass->entries, groups = s->plan->rule.groups, seed = pass->is_second;
    for (uint32_t c = 0; c < pass->columns && groups > 0; c++) {
        const uint64_t own = weight(s, pass, c);
        const double mean = (double)left * (double)own / (double)groups;
        pass->total[c] = near(mean, mean * (1 - (double)own / (double)groups), left, &seed);
        left -= pass->total[c];
        groups -= own;
    }
}

/* The first pass's column that has made an entry of the second. */
static uint32_t low_of(const group_pass *low, uint64_t entry) {
    uint32_t at = 0, end = low->columns;
    while (at + 1 < end) {
        const uint32_t middle = (at + end) / 2;
        if (low->first[middle] <= entry)
            at = middle;
        else
            end = middle;
    }
    return at;
}

uint32_t group_draw_column(const group_subject *s, const group_pass *pass, uint64_t entry) {
    const group_pass *const low = s->known->pass;
    if (!pass->is_second) return group_drawn(s, entry) % pass->columns;
    const uint64_t groups = weight(s, low, low_of(low, entry));
    uint64_t seed = ~entry;
    return group_part(splitmix_next(&seed), (uint32_t)groups);
}

/* The mean number of a second pass's column: from each of the first's that has it, its share. */
static double mean_before(const group_subject *s, uint32_t column, uint64_t entry) {
    const group_pass *const low = s->known->pass;
    double sum = 0;
    for (uint32_t c = 0; c < low->columns && low->first[c] < entry; c++) {
        const uint64_t groups = weight(s, low, c);
        if (column < groups) sum += (double)(min(entry, low->first[c + 1]) - low->first[c]) / (double)groups;
    }
    return sum;
}

void group_draw_before(const group_subject *s, const group_pass *pass, uint64_t entry, uint64_t *out) {
    uint64_t seed = entry;
    for (uint32_t c = 0; c < pass->columns; c++) {
        const double all = (double)pass->total[c], mean = pass->is_second
                                                              ? mean_before(s, c, entry)
                                                              : all * (double)entry / (double)pass->entries;
        out[c] = near(mean, all > 0 ? mean * (1 - mean / all) : 0, pass->total[c], &seed);
    }
}
