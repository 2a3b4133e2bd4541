/* SPDX-License-Identifier: Apache-2.0
 *
 * How long segments and buckets are, where keys are random: a few classes of lengths, and how many have each.
 */
#ifndef RIFFLE_SORT_PREDICT_LENGTHS_H
#define RIFFLE_SORT_PREDICT_LENGTHS_H

enum { LENGTHS_MOST = 33 };

typedef struct length_class {
    double length, count;
} length_class;

typedef struct length_classes {
    unsigned classes;
    length_class of[LENGTHS_MOST];
    double count, mean, longest; /**< which have a key each */
} length_classes;

/** So many of one length. */
length_classes lengths_even(double count, double length);

/** So many buckets of random keys, of that mean length, each between two of each so many-th keys of a sample. */
length_classes lengths_of_buckets(double count, double mean, double samples);

#endif
