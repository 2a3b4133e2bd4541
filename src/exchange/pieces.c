/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "base/status.h"
#include "perm/kind.h"

enum {
    SAMPLES = 1024,
    WINDOWS = 4,      /* a rank's, at least */
    RUN_BITS = 11,    /* a group gets so many from a window */
    PAGES = 2048,     /* whose translations are cached: a run of each window lies in one */
    SHORTEST_RUN = 2, /* bits: what a piece gets from a window */
};

bool pieces_pay(const transfer *t, unsigned piece_bits) {
    const uint64_t n = t->src.n;
    if (piece_bits == 0 || piece_bits > 31 || t->is_affine) return false;
    if (n / t->ranks < (uint64_t)WINDOWS << piece_bits || (n - 1) >> (2 * piece_bits - SHORTEST_RUN) > 0)
        return false;
    uint64_t state = n;
    unsigned turns = 0, leaps = 0;
    for (unsigned k = 0; k < SAMPLES; k++) {
        const uint64_t i = splitmix_next(&state) % (n - 2);
        uint64_t to[] = {i, i + 1, i + 2};
        perm_apply(t->perm, sizeof to / sizeof *to, to);
        turns += to[2] - to[1] != to[1] - to[0];
        leaps += to[0] >> piece_bits != to[1] >> piece_bits;
    }
    return turns > SAMPLES / 8 * 7 && leaps > SAMPLES / 2;
}

/* A rank's first piece, and where its messages lie: the packed elements in order of the ranks, moved on by one of two distances. */
typedef struct receiver {
    uint64_t first_piece, count[2], limit, on[2];
} receiver;

typedef struct placer {
    const transfer *t;
    const void *to;
    size_t to_bytes;
    receiver *receivers; /* one more, whose first piece is the number of all */
    uint64_t *ends;      /* pieces behind each group; groups do not go on from one rank to the next */
    uint64_t groups;
    uint64_t *cursor; /* for each group, where its next element is packed */
    uint64_t *next;   /* for each piece, in a window */
} placer;

static uint64_t piece_of(const placer *p, uint64_t to) {
    return p->receivers[located_rank(to)].first_piece + (located_place(to) >> p->t->piece_bits);
}

/* A rank's first message, and the second where there is one. */
static void find_messages(receiver *receivers, unsigned ranks, const riffle_exchange *part) {
    for (size_t k = 0; k < part->send_count; k++) {
        receiver *const to = &receivers[part->sends[k].rank];
        if (to->count[0] > 0) {
            to->count[1] = part->sends[k].count;
            to->on[1] = part->sends[k].first;
        } else {
            to->count[0] = part->sends[k].count;
            to->on[0] = part->sends[k].first;
        }
    }
    uint64_t packed = 0;
    for (unsigned r = 0; r < ranks; r++) {
        receiver *const to = &receivers[r];
        for (unsigned k = 0; k < 2; k++) {
            to->on[k] -= packed;
            packed += to->count[k];
            if (k == 0) to->limit = packed;
        }
    }
}

static void find_receivers(placer *p, const riffle_exchange *part) {
    const transfer *const t = p->t;
    uint64_t pieces = 0;
    for (unsigned r = 0; r <= t->ranks; r++) {
        const uint64_t length = r < t->ranks ? layout_first(&t->dst, r + 1) - layout_first(&t->dst, r) : 0;
        p->receivers[r] = (receiver){.first_piece = pieces};
        pieces += (length >> t->piece_bits) + (length % ((uint64_t)1 << t->piece_bits) > 0);
    }
    find_messages(p->receivers, t->ranks, part);
}

static void find_groups(placer *p) {
    uint64_t group = 1;
    const unsigned bits = p->t->piece_bits;
    while (group << bits << bits < p->t->src.n << RUN_BITS) group *= 2;
    if (p->t->src.n >> bits <= PAGES) group = p->t->src.n; /* all of a rank */
    for (unsigned r = 0; r < p->t->ranks; r++) {
        const uint64_t last = p->receivers[r + 1].first_piece;
        for (uint64_t first = p->receivers[r].first_piece; first < last; first += group)
            p->ends[p->groups++] = min(first + group, last);
    }
}

/* Destinations of elements first .. end - 1, or of as many as a block has; as many are told. */
static size_t load(const placer *p, uint64_t first, uint64_t end, uint64_t *to) {
    const size_t count = min(end - first, (uint64_t)PERM_BLOCK);
    for (size_t k = 0; k < count; k++) to[k] = exchange_load_word(p->to, p->to_bytes, first + k);
    layout_locate(&p->t->dst, count, to);
    return count;
}

static void count_pieces(placer *p, uint64_t first, uint64_t end) {
    uint64_t to[PERM_BLOCK];
    for (size_t count; first < end; first += count) {
        count = load(p, first, end, to);
        for (size_t k = 0; k < count; k++) p->next[piece_of(p, to[k])]++;
    }
}

static void count_groups(placer *p, uint64_t count) {
    uint64_t packed = 0;
    count_pieces(p, 0, count);
    for (uint64_t g = 0, u = 0; g < p->groups; g++) {
        p->cursor[g] = packed;
        for (; u < p->ends[g]; u++) packed += p->next[u];
    }
}

/* Counts of a window become where its pieces' next elements are packed. */
static void begin_pieces(placer *p) {
    for (uint64_t g = 0, u = 0; g < p->groups; g++) {
        for (; u < p->ends[g]; u++) {
            const uint64_t count = p->next[u];
            p->next[u] = p->cursor[g];
            p->cursor[g] += count;
        }
    }
}

static void place_window(placer *p, uint64_t first, uint64_t end, riffle_exchange *part) {
    uint64_t to[PERM_BLOCK];
    memset(p->next, 0, p->receivers[p->t->ranks].first_piece * sizeof *p->next);
    count_pieces(p, first, end);
    begin_pieces(p);
    for (size_t count; first < end; first += count) {
        count = load(p, first, end, to);
        for (size_t k = 0; k < count; k++) {
            const receiver *const r = &p->receivers[located_rank(to[k])];
            const uint64_t packed = p->next[piece_of(p, to[k])]++;
            exchange_store_word(part->places, part->place_bytes, packed, located_place(to[k]));
            table_store(&part->pack->table, first + k, packed + r->on[packed >= r->limit]);
        }
    }
}

static riffle_status allocate(placer *p) {
    const uint64_t pieces = p->receivers[p->t->ranks].first_piece;
    p->ends = calloc(pieces + 1, sizeof *p->ends);
    p->cursor = calloc(pieces + 1, sizeof *p->cursor);
    p->next = calloc(pieces + 1, sizeof *p->next);
    if (p->ends != NULL && p->cursor != NULL && p->next != NULL) return RIFFLE_OK;
    return fail_memory("an exchange's messages", 3 * pieces * sizeof *p->next);
}

riffle_status pieces_place(const transfer *t, const void *to, size_t to_bytes, riffle_exchange *part) {
    placer p = {.t = t, .to = to, .to_bytes = to_bytes};
    const uint64_t count = part->src_count;
    p.receivers = calloc((size_t)t->ranks + 1, sizeof *p.receivers);
    if (p.receivers == NULL) return fail_memory("an exchange's messages", t->ranks * sizeof *p.receivers);
    find_receivers(&p, part);
    const riffle_status status = allocate(&p);
    if (status == RIFFLE_OK) {
        const uint64_t window = (uint64_t)1 << t->piece_bits;
        find_groups(&p);
        count_groups(&p, count);
        for (uint64_t first = 0; first < count; first += window)
            place_window(&p, first, min(first + window, count), part);
    }
    free(p.receivers);
    free(p.ends);
    free(p.cursor);
    free(p.next);
    return status;
}
