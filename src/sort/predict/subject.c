/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/subject.h"

#include <math.h>

#include "models/random_access.h"

uint32_t sort_subject_ways(uint32_t bucket, uint32_t most, double length) {
    return (uint32_t)fmax(fmin(ceil(length / bucket), most), 1);
}

double sort_subject_samples(const sort_subject_level *level, double length) {
    return fmin(level->samples, length) / sort_subject_ways(level->bucket, level->ways, length);
}

/* Segments of one level have nearly one length. */
static length_classes buckets_of(const sort_subject_level *level) {
    const double ways = sort_subject_ways(level->bucket, level->ways, level->of.mean);
    return lengths_of_buckets(level->of.count * ways, level->of.mean / ways,
                              sort_subject_samples(level, level->of.mean));
}

double sort_subject_longer(const sort_subject_level *level, double most, double *keys) {
    double count = 0, shorter;
    *keys = 0;
    for (unsigned k = 0; k < level->of.classes; k++) {
        const length_class c = level->of.of[k];
        const double ways = sort_subject_ways(level->bucket, level->ways, c.length), mean = c.length / ways;
        count += c.count * ways *
                 (1 - random_no_longer(most / mean, sort_subject_samples(level, c.length), &shorter));
        *keys += c.count * c.length * (1 - shorter);
    }
    return count;
}

double sort_subject_alike(const sort_subject *of) {
    if (of->values == 0) return 0;
    return fmin(fmax(of->n / of->values / of->level[of->levels - 1].bucket - 1, 0), 1);
}

void sort_subject_add(sort_subject *of, const sort_subject_level *level) {
    sort_subject_level *const next = &of->level[of->levels];
    *next = *level;
    if (of->levels > 0) next->of = buckets_of(next - 1);
    of->levels++;
}

/* A bucket that has a place is longer than others are. */
void sort_subject_keep(sort_subject *of, double places, bool is_first) {
    sort_subject_level *const level = &of->level[of->levels - 1];
    const sort_subject_level *const before = level - 1;
    const double mean = level->of.mean, samples = sort_subject_samples(before, before->of.mean);
    const double count = fmax(places / mean + (is_first ? 0.5 : 1), 1), longer = is_first ? 1 : 1 + 1 / samples;
    level->of = lengths_of_buckets(fmin(count, level->of.count), mean * longer, samples);
}

double sort_subject_candidates(const select_table *t) {
    const double each = t->n / (t->groups * (double)SELECT_GROUP);
    return fmin(each * (t->rank[0] + (double)t->window[0] * t->groups + 1), t->n);
}
