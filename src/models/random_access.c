/* SPDX-License-Identifier: Apache-2.0
 *
 * The fullest bank: polynomials in x whose coefficient of x^k has the ways to place k lanes in the banks multiplied so far, over k!, none of
 * them above a bound. Where accesses merge a bank's factor counts cells, not lanes.
 */
#include "models/random_access.h"

#include <math.h>

enum { TERMS = RANDOM_MOST_LANES + 1 };

typedef struct series {
    double term[TERMS];
} series;

static series multiplied(const series *a, const series *b) {
    series out = {0};
    for (unsigned i = 0; i < TERMS; i++)
        for (unsigned k = 0; a->term[i] != 0 && i + k < TERMS; k++) out.term[i + k] += a->term[i] * b->term[k];
    return out;
}

/* e^(p x), up to x^last. */
static series exponential(double p, unsigned last) {
    series out = {{1}};
    for (unsigned k = 1; k < TERMS && k <= last; k++) out.term[k] = out.term[k - 1] * p / k;
    return out;
}

/* A bank of `cells` of all cells, of which `most` at most are taken. */
static series bank_of_cells(double cells, double all, unsigned most) {
    series taken = exponential(1 / all, RANDOM_MOST_LANES), power = {{1}}, out = {{1}};
    double choices = 1;
    taken.term[0] = 0;
    for (unsigned k = 1; k <= most && k <= cells; k++) {
        choices *= (cells - k + 1) / k;
        power = multiplied(&power, &taken);
        for (unsigned i = 0; i < TERMS; i++) out.term[i] += choices * power.term[i];
    }
    return out;
}

/* The probability that no bank has more than `most`. */
static double none_above(unsigned most, unsigned lanes, uint64_t cells, unsigned banks, bool merges) {
    series all = {{1}};
    double factorial = 1;
    for (unsigned b = 0; b < banks; b++) {
        const double own = (double)(cells / banks + (b < cells % banks ? 1 : 0));
        const series bank =
            merges ? bank_of_cells(own, (double)cells, most) : exponential(own / (double)cells, most);
        all = multiplied(&all, &bank);
    }
    for (unsigned k = 2; k <= lanes; k++) factorial *= k;
    return all.term[lanes] * factorial;
}

double random_fullest_bank(unsigned lanes, uint64_t cells, unsigned banks, bool merges) {
    double mean = 0;
    for (unsigned most = 0; most < lanes; most++) {
        const double above = 1 - none_above(most, lanes, cells, banks, merges);
        if (above < 1e-9) break;
        mean += above;
    }
    return mean;
}

/* Two neighbours' places are a triangle apart; they are in one group as often as it has room for both. */
double random_drawn_groups(unsigned lanes, double stretch, unsigned unit) {
    double same = 0;
    if (stretch <= unit / 2.0) return 1 + (lanes - 1) * stretch / unit;
    for (unsigned d = 0; d < unit; d++) {
        const double apart = d + 0.5, density = apart < stretch ? apart : 2 * stretch - apart;
        if (density > 0) same += (1 - apart / unit) * density / (stretch * stretch);
    }
    return 1 + (lanes - 1) * (1 - fmin(same, 1));
}

double random_run_groups(double cells, unsigned unit) { return cells < 1 ? cells : 1 + (cells - 1) / unit; }

/* ------------------------------------------------------------------- buckets */

/* A bucket between two of each so many-th keys of a sample is a gamma distribution's, of that shape: by the cube root, which is nearly
 * normal (Wilson and Hilferty 1931). */
static double normal_below(double z) { return 0.5 * erfc(-z / sqrt(2)); }

static double cube_root_normal(double ratio, double shape) {
    return (cbrt(ratio) - 1 + 1 / (9 * shape)) * 3 * sqrt(shape);
}

double random_length(double z, double samples) {
    const double root = fmax(1 - 1 / (9 * samples) + z / (3 * sqrt(samples)), 0);
    return root * root * root;
}

double random_no_longer(double longest, double samples, double *keys) {
    if (longest <= 0) return *keys = 0;
    /* Keys are in buckets as these are in number, weighed by their length: of a shape more by 1. */
    *keys = normal_below(cube_root_normal(longest * samples / (samples + 1), samples + 1));
    return normal_below(cube_root_normal(longest, samples));
}

double random_longest(double buckets, double samples) {
    double low = 1, high = 64, keys;
    for (unsigned k = 0; k < 48; k++) {
        const double middle = (low + high) / 2;
        if (pow(random_no_longer(middle, samples, &keys), buckets) < 0.5)
            low = middle;
        else
            high = middle;
    }
    return low;
}
