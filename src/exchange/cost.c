/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of an exchange, without its parts: by the algebra of cosets, by closed forms of intervals, or by looking at indices.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/splitmix.h"
#include "base/status.h"
#include "exchange/cosets.h"
#include "exchange/count.h"
#include "exchange/exchange.h"
#include "perm/kind.h"

enum { ALL_PAIRS = 1024, SOME_RANKS = 64, SAMPLED_RANKS = 16, PIECE = 256 };
#define ALL_INDICES ((uint64_t)1 << 24)
#define SAMPLED_INDICES ((uint64_t)1 << 22)

static interval part_of(const layout *l, unsigned p) {
    return (interval){layout_first(l, p), layout_first(l, p + 1)};
}

static void affine_cost(const transfer *t, riffle_exchange_cost *out) {
    const cosets c = cosets_of(&t->affine, (unsigned)__builtin_ctz(t->ranks));
    *out = cosets_cost(&c);
}

/* The messages of rank p to others, and from others. */
static void count_messages(const transfer *t, unsigned p, uint64_t *sent, uint64_t *got) {
    *sent = *got = 0;
    for (unsigned q = 0; q < t->ranks; q++) {
        if (q == p) continue;
        *sent += count_between(t->perm, part_of(&t->src, p), part_of(&t->dst, q)) > 0;
        *got += count_between(t->perm, part_of(&t->src, q), part_of(&t->dst, p)) > 0;
    }
}

static void closed_cost(const transfer *t, riffle_exchange_cost *out) {
    *out = (riffle_exchange_cost){.coset_bits = UINT_MAX};
    for (unsigned p = 0; p < t->ranks; p++) {
        const interval from = part_of(&t->src, p), to = part_of(&t->dst, p);
        const uint64_t own = count_between(t->perm, from, to);
        out->volume += from.end - from.first - own;
        out->most_sent = max(out->most_sent, max(from.end - from.first, to.end - to.first) - own);
    }
    const unsigned looked_at = t->ranks <= ALL_PAIRS ? t->ranks : SOME_RANKS;
    for (unsigned k = 0; k < looked_at; k++) {
        uint64_t sent, got;
        count_messages(t, (unsigned)((uint64_t)k * t->ranks / looked_at), &sent, &got);
        out->messages += sent;
        out->most_messages = (unsigned)max((uint64_t)out->most_messages, max(sent, got));
    }
    out->messages = out->messages * t->ranks / looked_at;
}

/* A look at ranks: seen[q] elements of the last one go to rank q; got[q] and heard[q] are elements and messages of all of them. */
typedef struct look {
    uint64_t *seen, *got;
    unsigned *heard;
    uint64_t indices[PIECE];
} look;

static void look_at_piece(const transfer *t, unsigned p, interval piece, look *l) {
    const size_t count = (size_t)(piece.end - piece.first);
    transfer_map(t, p, piece.first, count, l->indices);
    layout_locate(&t->dst, count, l->indices);
    for (size_t k = 0; k < count; k++) l->seen[located_rank(l->indices[k])]++;
}

/* Looks at about `count` elements of rank p: its part is cut in as many strata as pieces, and a piece is somewhere in each. Pieces at
   equal distances would see one value of each bit of an index that the distance is a multiple of. Returns how many were looked at. */
static uint64_t look_at(const transfer *t, unsigned p, uint64_t count, look *l) {
    const interval own = part_of(&t->src, p);
    const uint64_t length = own.end - own.first, pieces = ceil_div(count, (uint64_t)PIECE);
    uint64_t looked = 0, state = p;
    for (unsigned q = 0; q < t->ranks; q++) l->seen[q] = 0;
    for (uint64_t k = 0; k < pieces; k++) {
        const uint64_t begin = own.first + k * length / pieces, end = own.first + (k + 1) * length / pieces;
        const uint64_t size = min(end - begin, (uint64_t)PIECE);
        const uint64_t first = begin + splitmix_next(&state) % (end - begin - size + 1);
        look_at_piece(t, p, (interval){first, first + size}, l);
        looked += size;
    }
    return looked;
}

/* The rank's row of the table of who sends how much to whom. */
static void add_row(const transfer *t, unsigned p, double scale, look *l, riffle_exchange_cost *out) {
    uint64_t sent = 0, messages = 0;
    for (unsigned q = 0; q < t->ranks; q++) {
        if (q == p || l->seen[q] == 0) continue;
        const uint64_t all = (uint64_t)((double)l->seen[q] * scale + 0.5);
        sent += all;
        messages++;
        l->got[q] += all;
        l->heard[q]++;
    }
    out->volume += sent;
    out->messages += messages;
    out->most_sent = max(out->most_sent, sent);
    out->most_messages = (unsigned)max((uint64_t)out->most_messages, messages);
}

static void add_columns(const transfer *t, const look *l, riffle_exchange_cost *out) {
    for (unsigned q = 0; q < t->ranks; q++) {
        out->most_sent = max(out->most_sent, l->got[q]);
        out->most_messages = max(out->most_messages, l->heard[q]);
    }
}

static void counted_cost(const transfer *t, look *l, riffle_exchange_cost *out) {
    const bool is_whole = t->src.n <= ALL_INDICES;
    const unsigned looked_at = is_whole ? t->ranks : min(t->ranks, (unsigned)SAMPLED_RANKS);
    *out = (riffle_exchange_cost){.basis =
                                      is_whole ? RIFFLE_EXCHANGE_BASIS_COUNTED : RIFFLE_EXCHANGE_BASIS_SAMPLED,
                                  .coset_bits = UINT_MAX};
    for (unsigned k = 0; k < looked_at; k++) {
        const unsigned p = (unsigned)((uint64_t)k * t->ranks / looked_at);
        const interval own = part_of(&t->src, p);
        const uint64_t length = own.end - own.first;
        const uint64_t count = look_at(t, p, is_whole ? length : min(length, SAMPLED_INDICES / looked_at), l);
        add_row(t, p, count > 0 ? (double)length / (double)count : 0, l, out);
    }
    if (looked_at == t->ranks) add_columns(t, l, out);
    out->volume = (uint64_t)((double)out->volume * t->ranks / looked_at);
    out->messages = out->messages * t->ranks / looked_at;
}

static riffle_status look_and_count(const transfer *t, riffle_exchange_cost *out) {
    look *const l = calloc(1, sizeof *l);
    if (l == NULL) return fail_memory("a look at an exchange", sizeof *l);
    l->seen = calloc(t->ranks, sizeof *l->seen);
    l->got = calloc(t->ranks, sizeof *l->got);
    l->heard = calloc(t->ranks, sizeof *l->heard);
    const bool has_memory = l->seen != NULL && l->got != NULL && l->heard != NULL;
    if (has_memory) counted_cost(t, l, out);
    free(l->seen);
    free(l->got);
    free(l->heard);
    free(l);
    return has_memory
               ? RIFFLE_OK
               : fail_memory("a look at an exchange", t->ranks * (2 * sizeof(uint64_t) + sizeof(unsigned)));
}

static riffle_status find_cost(const transfer *t, riffle_exchange_cost *out) {
    const bool are_blocks =
        t->src.kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS && t->dst.kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS;
    if (t->is_affine)
        affine_cost(t, out);
    else if (are_blocks && count_is_closed(t->perm))
        closed_cost(t, out);
    else
        return look_and_count(t, out);
    return RIFFLE_OK;
}

riffle_status riffle_exchange_cost_of(const riffle_perm *perm, unsigned ranks,
                                      const riffle_exchange_options *options, riffle_exchange_cost *out) {
    RETURN_IF_NULL(perm, out);
    transfer t;
    riffle_status status = transfer_create(perm, ranks, options, &t);
    if (status == RIFFLE_OK) status = find_cost(&t, out);
    transfer_free(&t);
    return status;
}

/* ------------------------------------------------------------------ in words */

static const char *basis_in_words(riffle_exchange_basis basis) {
    switch (basis) {
    case RIFFLE_EXCHANGE_BASIS_EXACT: return "in closed form";
    case RIFFLE_EXCHANGE_BASIS_COUNTED: return "counted";
    case RIFFLE_EXCHANGE_BASIS_SAMPLED: return "estimated from a sample";
    }
    return "";
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/* The elements of the largest part, before or afterwards. */
static uint64_t largest_part(const transfer *t) {
    uint64_t most = 0;
    for (unsigned p = 0; p < t->ranks; p++) {
        const interval from = part_of(&t->src, p), to = part_of(&t->dst, p);
        most = max(most, max(from.end - from.first, to.end - to.first));
    }
    return most;
}

static void explain_cost(const transfer *t, size_t elem_bytes, const riffle_exchange_cost *cost, FILE *stream) {
    const double bytes = (double)elem_bytes;
    fprintf(stream, "exchange:    %u rank%s, %" PRIu64 " elements of %zu bytes, up to %" PRIu64 " on a rank\n",
            t->ranks, plural(t->ranks), t->src.n, elem_bytes, largest_part(t));
    if (cost->coset_bits != UINT_MAX)
        fprintf(stream,
                "  within:    cosets of 2^%u = %" PRIu64 " rank%s; one round; both local steps are affine\n",
                cost->coset_bits, (uint64_t)1 << cost->coset_bits, plural((uint64_t)1 << cost->coset_bits));
    else
        fprintf(stream, "  within:    all ranks that have elements for each other; one round\n");
    fprintf(stream, "  volume:    %.0f bytes, %.2f %% of the array, the least possible (%s)\n",
            (double)cost->volume * bytes, percent((double)cost->volume, (double)t->src.n),
            basis_in_words(cost->basis));
    fprintf(stream, "  messages:  %" PRIu64 " between ranks, up to %u of a rank\n", cost->messages,
            cost->most_messages);
    fprintf(stream, "  of a rank: up to %.0f bytes sent or got\n", (double)cost->most_sent * bytes);
}

static void explain_time(size_t elem_bytes, const riffle_exchange_link *link, const riffle_exchange_cost *cost,
                         FILE *stream) {
    if (link == NULL || !(link->bytes_per_second > 0)) return;
    const double moving = (double)cost->most_sent * (double)elem_bytes / link->bytes_per_second;
    const double starting = cost->most_messages * link->latency;
    fprintf(stream,
            "  time:      %.4g ms: %.4g ms at %.4g GB/s of a rank, %.4g ms for %u message%s of %.4g us; the local "
            "steps besides\n",
            1e3 * (moving + starting), 1e3 * moving, link->bytes_per_second / 1e9, 1e3 * starting,
            cost->most_messages, plural(cost->most_messages), link->latency * 1e6);
}

riffle_status riffle_exchange_explain(const riffle_perm *perm, size_t elem_bytes, unsigned ranks,
                                      const riffle_exchange_options *options, const riffle_exchange_link *link,
                                      FILE *stream) {
    RETURN_IF_NULL(perm, stream);
    if (elem_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an element has at least 1 byte");
    riffle_exchange_cost cost;
    transfer t;
    riffle_status status = transfer_create(perm, ranks, options, &t);
    if (status == RIFFLE_OK) status = find_cost(&t, &cost);
    if (status == RIFFLE_OK) {
        explain_cost(&t, elem_bytes, &cost, stream);
        explain_time(elem_bytes, link, &cost, stream);
    }
    transfer_free(&t);
    if (status == RIFFLE_OK && ferror(stream))
        return fail(RIFFLE_ERROR_IO, "the explanation could not be written");
    return status;
}
