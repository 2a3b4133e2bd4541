/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/lengths.h"

#include <math.h>

#include "models/random_access.h"

enum { STEPS = 4 }; /* classes of a standard deviation */

length_classes lengths_even(double count, double length) {
    return (length_classes){
        .classes = 1, .of = {{length, count}}, .count = count, .mean = length, .longest = length};
}

length_classes lengths_of_buckets(double count, double mean, double samples) {
    length_classes out = {.classes = LENGTHS_MOST, .count = count, .mean = mean};
    double weights = 0, keys = 0;
    for (unsigned k = 0; k < LENGTHS_MOST; k++) {
        const double z = ((double)k - LENGTHS_MOST / 2) / STEPS, weight = exp(-z * z / 2);
        out.of[k] = (length_class){random_length(z, samples), weight};
        weights += weight, keys += weight * out.of[k].length;
    }
    for (unsigned k = 0; k < LENGTHS_MOST; k++) {
        out.of[k].count *= count / weights;
        out.of[k].length *= mean * weights / keys;
    }
    out.longest = mean * random_longest(count, samples);
    return out;
}
