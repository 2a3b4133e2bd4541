/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of a sort over ranks by exact pivots (docs/beyond.md), of elements in random order: by closed forms.
 *
 *     a pair of ranks        n / P^2 elements go from one to the other, if any
 *     rounds of pivots       a pivot is near the median of a boundary's window, which is halved: log2 n; a quarter is done with at least
 *     a round                an all-to-all and an all-gather of candidates, and a sum of P counts
 */
#include <inttypes.h>
#include <math.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/status.h"
#include "exchange/exchange.h"

enum { LABEL = 16, COUNT = 8 }; /* bytes that go ahead of a candidate, and those of a count */

static unsigned ceil_log2(uint64_t n) { return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0; }

/* Rank p's equal part of n. */
static uint64_t part_of(uint64_t n, unsigned ranks, unsigned p) {
    const uint64_t block = ceil_div(n, (uint64_t)ranks), first = min(p * block, n);
    return min(block, n - first);
}

/* Elements between ranks: of each pair the part that is the receiver's share of all. */
static void cost_of_elements(uint64_t n, unsigned ranks, unsigned arrays, riffle_exchange_sort_cost *out) {
    for (unsigned p = 0; p < ranks; p++) {
        const double own = (double)part_of(n, ranks, p);
        out->volume += own * (1 - own / (double)n);
    }
    const double block = (double)part_of(n, ranks, 0), pair = block * block / (double)n;
    const double some = 1 - exp(-pair), holders = ceil((double)n / block); /* the last ranks may have none */
    out->most_sent = block * (1 - block / (double)n);
    out->most_messages = arrays * (holders - 1) * some;
    out->messages = holders * out->most_messages;
}

static void cost_of_pivots(uint64_t n, size_t elem_bytes, unsigned ranks, riffle_exchange_sort_cost *out) {
    const double others = ranks - 1;
    out->rounds = ceil_log2(n);
    out->most_rounds = (unsigned)ceil(log((double)n) / log(4.0 / 3));
    out->round_messages = others + 2 * ceil_log2(ranks);
    out->round_bytes = 2 * others * ((double)elem_bytes + LABEL) + 2.0 * COUNT * ranks;
}

riffle_status riffle_exchange_sort_cost_of(uint64_t n, size_t elem_bytes, size_t value_bytes, unsigned ranks,
                                           riffle_exchange_sort_cost *out) {
    RETURN_IF_NULL(out);
    if (n > RIFFLE_MAX_LENGTH)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " elements are more than 2^%d", n, RIFFLE_MAX_BITS);
    if (elem_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an element has at least 1 byte");
    if (ranks == 0 || ranks > RIFFLE_MAX_RANKS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a sort is among 1 to %u ranks, not %u", RIFFLE_MAX_RANKS,
                    ranks);
    *out = (riffle_exchange_sort_cost){.volume = 0};
    if (n <= 1 || ranks == 1) return RIFFLE_OK;
    cost_of_elements(n, ranks, value_bytes > 0 ? 2 : 1, out);
    cost_of_pivots(n, elem_bytes, ranks, out);
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ in words */

static void explain_time(double bytes, const riffle_exchange_link *link, const riffle_exchange_sort_cost *cost,
                         FILE *stream) {
    if (link == NULL || !(link->bytes_per_second > 0)) return;
    const double pivots =
        cost->rounds * (cost->round_bytes / link->bytes_per_second + cost->round_messages * link->latency);
    const double moving = cost->most_sent * bytes / link->bytes_per_second,
                 starting = cost->most_messages * link->latency;
    fprintf(stream,
            "  time:      %.4g ms: %.4g ms for pivots, %.4g ms at %.4g GB/s of a rank, %.4g ms for %.0f messages "
            "of %.4g us; the local sort and merge besides\n",
            1e3 * (pivots + moving + starting), 1e3 * pivots, 1e3 * moving, link->bytes_per_second / 1e9,
            1e3 * starting, cost->most_messages, link->latency * 1e6);
}

riffle_status riffle_exchange_explain_sort(uint64_t n, size_t elem_bytes, size_t value_bytes, unsigned ranks,
                                           const riffle_exchange_link *link, FILE *stream) {
    RETURN_IF_NULL(stream);
    riffle_exchange_sort_cost cost;
    const riffle_status status = riffle_exchange_sort_cost_of(n, elem_bytes, value_bytes, ranks, &cost);
    if (status != RIFFLE_OK) return status;
    const double bytes = (double)elem_bytes + (double)value_bytes;
    fprintf(stream, "sort:        %u rank%s, %" PRIu64 " elements of %zu bytes", ranks, plural(ranks), n,
            elem_bytes);
    if (value_bytes > 0) fprintf(stream, " with %zu bytes that go along", value_bytes);
    fprintf(stream,
            ", up to %" PRIu64 " on a rank\n"
            "  steps:     each rank sorts its part, exact pivots are found, each element goes once, each rank "
            "merges\n"
            "  volume:    %.0f bytes, %.2f %% of the array (of elements in random order)\n"
            "  messages:  %.0f between ranks, up to %.0f of a rank\n"
            "  of a rank: up to %.0f bytes sent or got\n"
            "  pivots:    about %u rounds, %u at most; in each %.0f messages of a rank, %.0f bytes\n",
            part_of(n, ranks, 0), cost.volume * bytes, n > 0 ? 100 * cost.volume / (double)n : 0, cost.messages,
            cost.most_messages, cost.most_sent * bytes, cost.rounds, cost.most_rounds, cost.round_messages,
            cost.round_bytes);
    explain_time(bytes, link, &cost, stream);
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}
