/* SPDX-License-Identifier: Apache-2.0
 *
 * A double is an integer of 53 bits times a power of two. The least power that any weight has is the unit of all.
 *
 *     weight 0    |.......xxxxxxxx|      bits, the unit's at the right end
 *     weight 1    |xxxxxxx00000000|      top - unit + 1 bits, and some more for sums
 */
#include "cycles/weights.h"

#include <math.h>

#include "base/status.h"

enum { MANTISSA = 53, MOST_BITS = 125 };

typedef struct span {
    int unit, top; /* powers of two: of the lowest bit that is 1 in any weight, and above all */
} span;

static riffle_status refuse(uint32_t edge, const char *what) {
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "weights: that of edge %u is %s; weights are 0 or more", edge,
                what);
}

/* The integer of a double and its power of two. */
static uint64_t mantissa_of(double x, int *power) {
    const double fraction = frexp(x, power);
    uint64_t mantissa = (uint64_t)ldexp(fraction, MANTISSA);
    *power -= MANTISSA;
    while (mantissa != 0 && mantissa % 2 == 0) {
        mantissa /= 2;
        ++*power;
    }
    return mantissa;
}

static riffle_status check_double(uint32_t edge, double x) {
    if (isnan(x)) return refuse(edge, "NaN");
    if (isinf(x)) return refuse(edge, x > 0 ? "infinite" : "minus infinity");
    return x < 0 ? refuse(edge, "negative") : RIFFLE_OK;
}

static riffle_status find_span(const double *weights, uint32_t edges, span *out) {
    *out = (span){.unit = 0, .top = 0};
    bool any = false;
    for (uint32_t e = 0; e < edges; e++) {
        const riffle_status status = check_double(e, weights[e]);
        if (status != RIFFLE_OK) return status;
        if (weights[e] == 0) continue;
        int power, top;
        mantissa_of(weights[e], &power);
        frexp(weights[e], &top);
        if (!any || power < out->unit) out->unit = power;
        if (!any || top > out->top) out->top = top;
        any = true;
    }
    return RIFFLE_OK;
}

static riffle_status read_doubles(const double *weights, cycles_graph *graph) {
    span bits;
    int more = 1;
    const riffle_status status = find_span(weights, graph->edges, &bits);
    if (status != RIFFLE_OK) return status;
    while (graph->edges >> more > 0) more++;
    if (bits.top - bits.unit + more > MOST_BITS)
        return fail(RIFFLE_ERROR_LENGTH,
                    "weights: doubles with bits from 2^%d to 2^%d; sums of %u of them do not fit %d bits; "
                    "round the weights to multiples "
                    "of a larger number",
                    bits.unit, bits.top - 1, graph->edges, MOST_BITS);
    graph->unit = bits.unit;
    for (uint32_t e = 0; e < graph->edges; e++) {
        int power;
        const uint64_t mantissa = mantissa_of(weights[e], &power);
        graph->weight[e] = mantissa == 0 ? 0 : (cycles_weight)mantissa << (power - bits.unit);
    }
    return RIFFLE_OK;
}

static riffle_status read_integers(const riffle_cycles_graph *from, cycles_graph *graph) {
    const bool is_signed = from->type == RIFFLE_TYPE_I64;
    for (uint32_t e = 0; e < graph->edges; e++) {
        const uint64_t bits = ((const uint64_t *)from->weights)[e];
        if (is_signed && (int64_t)bits < 0) return refuse(e, "negative");
        graph->weight[e] = bits;
    }
    return RIFFLE_OK;
}

riffle_status cycles_read_weights(const riffle_cycles_graph *from, cycles_graph *graph) {
    riffle_status status = RIFFLE_OK;
    graph->unit = 0;
    if (from->weights == NULL) {
        for (uint32_t e = 0; e < graph->edges; e++) graph->weight[e] = 1;
    } else if (from->type == RIFFLE_TYPE_I64 || from->type == RIFFLE_TYPE_U64) {
        status = read_integers(from, graph);
    } else if (from->type == RIFFLE_TYPE_F64) {
        status = read_doubles(from->weights, graph);
    } else {
        return fail(RIFFLE_ERROR_UNSUPPORTED, "weights: are int64, uint64 or float64; convert them");
    }
    graph->total = graph->heaviest = 0;
    graph->lightest = graph->edges > 0 ? graph->weight[0] : 0;
    for (uint32_t e = 0; e < graph->edges && status == RIFFLE_OK; e++) {
        graph->total += graph->weight[e];
        if (graph->weight[e] > graph->heaviest) graph->heaviest = graph->weight[e];
        if (graph->weight[e] < graph->lightest) graph->lightest = graph->weight[e];
    }
    return status;
}

double cycles_as_double(const cycles_graph *graph, cycles_weight weight) {
    return ldexp((double)weight, graph->unit);
}
