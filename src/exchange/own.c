/* SPDX-License-Identifier: Apache-2.0
 *
 * The sends of a rank along any permutation, from its own elements alone: one look finds where each goes, and elements are sorted by
 * ranks in a stable way, by counting. A message keeps the order of the sender's elements, which its places tell the receiver.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "exchange/exchange.h"
#include "perm/kind.h"

/* Messages are often as far apart as pages are, so that few lines of a cache serve all: a line is asked for so many elements before it is written. */
enum { AHEAD = 64 };

typedef struct own {
    const transfer *transfer;
    unsigned rank;
    uint64_t count;
    uint64_t *to;     /* for each element its destination: a rank, and the place there */
    uint64_t *cursor; /* for each rank, how many elements go there, and then where its next one is packed */
} own;

/* The end of a run of elements that go to one rank, whose cursor a loop can hold: a word of memory that each element adds to makes the next one wait. */
static inline uint64_t run_end(const own *o, uint64_t i, uint64_t end) {
    const unsigned rank = located_rank(o->to[i++]);
    while (i < end && located_rank(o->to[i]) == rank) i++;
    return i;
}

static void count_ranks(own *o, uint64_t first, uint64_t end) {
    for (uint64_t i = first, next; i < end; i = next) {
        next = run_end(o, i, end);
        o->cursor[located_rank(o->to[i])] += next - i;
    }
}

static void find_ranks(own *o) {
    const uint64_t first = layout_first(&o->transfer->src, o->rank);
    for (uint64_t done = 0; done < o->count;) {
        const size_t count = (size_t)min(o->count - done, (uint64_t)PERM_BLOCK);
        transfer_map(o->transfer, o->rank, first + done, count, o->to + done);
        layout_locate(&o->transfer->dst, count, o->to + done);
        count_ranks(o, done, done + count);
        done += count;
    }
}

riffle_status exchange_list_messages(const uint64_t *counts, unsigned ranks, riffle_exchange_message **out,
                                     size_t *used) {
    size_t k = 0;
    for (unsigned p = 0; p < ranks; p++) k += counts[p] > 0;
    riffle_exchange_message *const list = calloc(k + 1, sizeof *list);
    if (list == NULL) return fail_memory("an exchange's messages", k * sizeof *list);
    uint64_t first = 0;
    *out = list;
    *used = k;
    k = 0;
    for (unsigned p = 0; p < ranks; p++) {
        if (counts[p] > 0) list[k++] = (riffle_exchange_message){p, first, counts[p]};
        first += counts[p];
    }
    return RIFFLE_OK;
}

static riffle_status list_sends(own *o, riffle_exchange *out) {
    const riffle_status status = exchange_list_messages(o->cursor, out->ranks, &out->sends, &out->send_count);
    for (size_t k = 0; k < out->send_count; k++) o->cursor[out->sends[k].rank] = out->sends[k].first;
    return status;
}

static void place(own *o, uint64_t *places, perm_table *pack) {
    for (uint64_t i = 0; i < o->count;) {
        uint64_t *const cursor = &o->cursor[located_rank(o->to[i])];
        uint64_t packed = *cursor;
        const uint64_t later = min(i + AHEAD, o->count - 1);
        __builtin_prefetch(&places[o->cursor[located_rank(o->to[later])]], 1);
        for (const uint64_t end = run_end(o, i, o->count); i < end; i++, packed++) {
            places[packed] = located_place(o->to[i]);
            table_store(pack, i, packed);
        }
        *cursor = packed;
    }
}

/* Rooms are on huge pages: small ones take as long to get as all the rest. */
static riffle_status allocate(own *o, riffle_exchange *out) {
    void *to = NULL, *places = NULL;
    o->cursor = calloc(out->ranks, sizeof *o->cursor);
    if (o->cursor == NULL) return fail_memory("an exchange's messages", out->ranks * sizeof *o->cursor);
    riffle_status status = buffer_create("an exchange's own part", o->count * sizeof *o->to, &to);
    o->to = to;
    if (status == RIFFLE_OK)
        status = buffer_create("an exchange's own part", o->count * sizeof *out->places, &places);
    out->places = places;
    return status;
}

riffle_status exchange_own_part(const transfer *t, riffle_exchange *out) {
    own o = {.transfer = t, .rank = out->rank, .count = out->src_count};
    riffle_status status = allocate(&o, out);
    if (status == RIFFLE_OK) {
        find_ranks(&o);
        status = list_sends(&o, out);
    }
    if (status == RIFFLE_OK) status = table_of_zeros(o.count, &out->pack);
    if (status == RIFFLE_OK) place(&o, out->places, &out->pack->table);
    riffle_buffer_free(o.to, o.count * sizeof *o.to);
    free(o.cursor);
    return status;
}
