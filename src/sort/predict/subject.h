/* SPDX-License-Identifier: Apache-2.0
 *
 * All that patterns are given of a sort, beside a launch: how long segments are, where keys are random.
 */
#ifndef RIFFLE_SORT_PREDICT_SUBJECT_H
#define RIFFLE_SORT_PREDICT_SUBJECT_H

#include <stdbool.h>

#include "sort/kernels/kernel.h"
#include "sort/predict/lengths.h"

enum { SUBJECT_LEVELS = 2 };

/** A level of k-partition. */
typedef struct sort_subject_level {
    uint32_t segments, bucket, ways, samples; /**< as its launches have them */
    length_classes of;                        /**< its segments */
} sort_subject_level;

typedef struct sort_subject {
    double n;
    double values; /**< different keys that there are; 0: more than can be told from n */
    bool is_float; /**< keys are numbers drawn from 0 to 1 */
    double elem_bytes, fields, field_bytes; /**< field_bytes: that are read at once of a field, about */
    double filled; /**< places at the end of a selection's list that hold the bound, for which there is room */
    double
        filled_bits; /**< bits in which keys of that list differ, where places tell bounds apart, in reverse; 0: they are equal */
    double key_bits; /**< in which keys differ */
    double parted;   /**< elements of each segment that come before those that keep their order behind them; 0: none do */
    bool *
        sorts_ties; /**< the caller's, false at first: whether launches are of what ties by a long key's first bits; NULL: none ties */
    unsigned levels; /**< 0: there is none, and leaves are the segments */
    sort_subject_level level[SUBJECT_LEVELS];
} sort_subject;

/** Segments of a table: those of its level. */
static inline const length_classes *sort_subject_segments(const sort_subject *of, uint32_t segments) {
    return &of->level[of->levels > 1 && of->level[1].segments == segments ? 1 : 0].of;
}

/** Buckets of a segment of that length. */
uint32_t sort_subject_ways(uint32_t bucket, uint32_t most, double length);

/** Keys that a segment's sample has for each of its buckets. */
double sort_subject_samples(const sort_subject_level *level, double length);

/** Buckets of all of a level's segments that are longer than so many keys, and the keys in these. */
double sort_subject_longer(const sort_subject_level *level, double most, double *keys);

/** The part of the last level's keys whose buckets have equal keys: values with two splitters or more. */
double sort_subject_alike(const sort_subject *of);

/** Candidates that a selection's sample lets through. */
double sort_subject_candidates(const select_table *t);

/** Adds a level's numbers: its segments are the buckets of the level before. */
void sort_subject_add(sort_subject *of, const sort_subject_level *level);

/** Only the buckets that have so many places side by side are segments of the last level: from its first one on, or anywhere. */
void sort_subject_keep(sort_subject *of, double places, bool is_first);

#endif
