/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/axis.h"

#include <math.h>

static const double FAR = 8; /* the ratio from which on an axis is logarithmic */
enum { DECADES_WITH_PARTS = 2, DECADES_WITH_ALL = 10, LEAST_TICKS = 4 };

static double place_of(const axis *a, double number) { return a->is_logarithmic ? log(number) : number; }

double axis_pixel(const axis *a, double number) {
    const double least = place_of(a, a->least), most = place_of(a, a->most);
    const double share = most > least ? (place_of(a, number) - least) / (most - least) : 0.5;
    return a->from + share * (a->to - a->from);
}

/* Beyond rounding. */
static bool is_on(const axis *a, double number) {
    return number >= a->least * (1 - 1e-9) && number <= a->most * (1 + 1e-9);
}

static void add_tick(axis *a, double number) {
    if (is_on(a, number) && a->ticks < AXIS_MOST_TICKS) a->tick[a->ticks++] = number;
}

static void add_powers(axis *a) {
    const double first = floor(log10(a->least)), last = ceil(log10(a->most));
    const double step = last - first > DECADES_WITH_ALL ? ceil((last - first) / DECADES_WITH_ALL) : 1;
    for (double k = first; k <= last; k += step) {
        add_tick(a, pow(10, k));
        if (log10(a->most / a->least) > DECADES_WITH_PARTS) continue;
        add_tick(a, 2 * pow(10, k));
        add_tick(a, 5 * pow(10, k));
    }
}

/* 1, 2 or 5 times a power of ten, so that there are some of them. */
static void add_multiples(axis *a) {
    const double length = a->most - a->least;
    double step = pow(10, floor(log10(length)));
    if (length / step < LEAST_TICKS) step /= 2;
    if (length / step < LEAST_TICKS) step /= 2.5;
    for (double k = ceil(a->least / step); k * step <= a->most * (1 + 1e-9); k++) add_tick(a, k * step);
}

bool axis_is_far(double least, double most) { return least > 0 && most / least >= FAR; }

axis axis_of(double least, double most, bool is_logarithmic, double from, double to) {
    axis a = {.least = least, .most = most, .from = from, .to = to, .is_logarithmic = is_logarithmic};
    if (is_logarithmic)
        add_powers(&a);
    else if (most > least)
        add_multiples(&a);
    else
        add_tick(&a, most);
    return a;
}

static void print_power(int base, int exponent, FILE *stream) {
    fprintf(stream, "%d<tspan dy=\"-5\" font-size=\"9\">%d</tspan>", base, exponent);
}

void axis_print(const axis *a, double number, FILE *stream) {
    const double tens = number > 0 ? log10(number) : 0, twos = number > 0 ? log2(number) : 0;
    if (!a->is_logarithmic)
        fprintf(stream, "%.7g", number);
    else if (number >= 1024 && twos == floor(twos))
        print_power(2, (int)twos, stream);
    else if ((number >= 1e4 || number < 1e-2) && number > 0 && fabs(tens - nearbyint(tens)) < 1e-9)
        print_power(10, (int)nearbyint(tens), stream);
    else
        fprintf(stream, "%.5g", number);
}
