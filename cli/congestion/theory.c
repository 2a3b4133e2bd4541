/* SPDX-License-Identifier: Apache-2.0 */
#include "congestion/theory.h"

#include <math.h>

/* The kinds of knowledge about the congestion of a layout under a pattern. */
typedef enum guarantee {
    NONE = 0,
    ONE,   /* congestion 1 */
    WIDTH, /* congestion w */
    FOUR,  /* congestion 4 */
    TWICE, /* congestion 2 for even w, 1 for odd */
    FREE,  /* each request in a bank of its own choice: independent */
    BALLS, /* the sum of congestion_bound */
} guarantee;

static const guarantee guarantees[RIFFLE_LAYOUT_COUNT][PATTERN_COUNT] = {
    /* contiguous, stride1, stride2, stride3, diagonal, random, malicious, file */
    [RIFFLE_LAYOUT_RAW] = {ONE, WIDTH, WIDTH, WIDTH, ONE, FREE, WIDTH, NONE},
    [RIFFLE_LAYOUT_RAS] = {ONE, FREE, FREE, FREE, FREE, FREE, FREE, BALLS},
    [RIFFLE_LAYOUT_RAP] = {ONE, ONE, NONE, NONE, BALLS, FREE, BALLS, BALLS},
    [RIFFLE_LAYOUT_1P] = {ONE, ONE, WIDTH, WIDTH, BALLS, FREE, WIDTH, NONE},
    [RIFFLE_LAYOUT_R1P] = {ONE, ONE, ONE, ONE, BALLS, FREE, NONE, NONE},
    [RIFFLE_LAYOUT_3P] = {ONE, ONE, ONE, ONE, BALLS, FREE, NONE, NONE},
    [RIFFLE_LAYOUT_W2P] = {ONE, ONE, FREE, FREE, BALLS, FREE, BALLS, BALLS},
    [RIFFLE_LAYOUT_1PW2R] = {ONE, ONE, FREE, FREE, BALLS, FREE, NONE, NONE},
    [RIFFLE_LAYOUT_PADDED] = {ONE, ONE, WIDTH, WIDTH, TWICE, FREE, WIDTH, NONE},
    [RIFFLE_LAYOUT_XOR] = {ONE, ONE, WIDTH, WIDTH, NONE, FREE, WIDTH, NONE},
    [RIFFLE_LAYOUT_SWIZZLE128] = {ONE, FOUR, WIDTH, WIDTH, ONE, FREE, WIDTH, NONE},
};

static double balls_bound(double w) {
    double sum = 0, chance = w;
    for (int t = 1; chance > 1e-18; chance /= ++t) sum += fmin(1, chance);
    return sum;
}

double congestion_bound(const riffle_layout *layout, const pattern *asked) {
    const double w = layout->width;
    switch (guarantees[layout->kind][asked->kind]) {
    case ONE: return 1;
    case WIDTH: return w;
    case FOUR: return 4;
    case TWICE: return layout->width % 2 == 0 ? 2 : 1;
    case FREE:
    case BALLS: return fmin(w, balls_bound(w));
    default: return NAN;
    }
}

double congestion_theorem2(const riffle_layout *layout, const pattern *asked) {
    const guarantee known = guarantees[layout->kind][asked->kind];
    if ((known != FREE && known != BALLS) || layout->width < 4) return NAN;
    const double log_width = log((double)layout->width);
    return 2 * exp(2) * log_width / log(log_width) + 1;
}

enum { MOST_BALLS = 40 }; /* most balls of one bank; more have probability below 1 / 40! */

/* chance[n]: n requests of a bank of `cells` cells name at most `most` different ones. */
static void chances_of_few(uint32_t most, double cells, double chance[MOST_BALLS + 1]) {
    double different[MOST_BALLS + 2] = {1}; /* [d]: the probability that n requests name d cells */
    for (int n = 0; n <= MOST_BALLS; ++n) {
        chance[n] = 0;
        for (uint32_t d = 0; d <= most && d <= MOST_BALLS; ++d) chance[n] += different[d];
        for (int d = MOST_BALLS; d >= 1; --d)
            different[d] = different[d] * (d / cells) + different[d - 1] * fmax(0, (cells - (d - 1)) / cells);
        different[0] = 0;
    }
}

/* The probability that w requests to w banks of `cells` cells each make a congestion of at most `most`:
 * w! / w^w times the coefficient of x^w in f(x)^w, where f(x) = sum of chance[n] x^n / n!. The coefficients of
 * f^w follow one from another by f (f^w)' = w f' f^w; none of the terms is negative, so nothing is lost. */
static double chance_of_congestion(uint32_t w, uint32_t most, double cells) {
    double f[MOST_BALLS + 1], factorial = 1;
    chances_of_few(most, cells, f);
    for (int n = 1; n <= MOST_BALLS; ++n) f[n] /= factorial *= n;
    double recent[MOST_BALLS + 1] = {1}; /* [k]: coefficient n - k, times exp(-scale) */
    double scale = 0;
    for (uint32_t n = 1; n <= w; ++n) {
        double sum = 0;
        for (uint32_t k = MOST_BALLS; k >= 1; --k) {
            recent[k] = recent[k - 1];
            if (k <= n) sum += (k * (w + 1.0) - n) * f[k] * recent[k];
        }
        recent[0] = sum / n;
        if (recent[0] < 1e100) continue;
        for (int k = 0; k <= MOST_BALLS; ++k) recent[k] *= 1e-100;
        scale += 100 * log(10);
    }
    return exp(log(recent[0]) + scale + lgamma(w + 1.0) - w * log((double)w));
}

double congestion_expected(const riffle_layout *layout, const pattern *asked) {
    if (guarantees[layout->kind][asked->kind] != FREE) return NAN;
    const double merging = (double)riffle_layout_rows(layout), never = 1e300;
    const double cells = asked->kind == PATTERN_RANDOM ? merging : never;
    double expected = 1;
    for (uint32_t most = 1; most <= layout->width && most <= MOST_BALLS; ++most) {
        const double more = 1 - chance_of_congestion(layout->width, most, cells);
        if (more > 0) expected += more;
    }
    return expected;
}
