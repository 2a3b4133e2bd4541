/* SPDX-License-Identifier: Apache-2.0
 *
 * The sends of a rank along any permutation, from its own elements alone: one look finds where each goes, and elements are sorted by
 * ranks in a stable way, by counting. A message keeps the order of the sender's elements, which its places tell the receiver.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "exchange/pieces.h"
#include "perm/kind.h"

/* Messages are often as far apart as pages are, so that few lines of a cache serve all: a line is asked for so many elements before it is written. */
enum { AHEAD = 64 };

typedef struct own {
    const transfer *transfer;
    unsigned rank;
    uint64_t count;
    size_t to_bytes;
    void *to;         /* for each element its storage index in dst, of to_bytes */
    uint64_t *cursor; /* for each rank, how many elements go there, and then where its next one is packed */
} own;

/* Words of 4 bytes, where they hold all, are half of what a system has to clear: that takes longer than all looks. */
static size_t word_bytes(uint64_t below) { return below <= (uint64_t)1 << 32 ? 4 : 8; }

/* Destinations of some elements in line, each a rank and the place there. */
typedef struct block {
    uint64_t at[PERM_BLOCK];
    uint64_t first, count; /* among the rank's elements */
} block;

static void begin_block(const own *o, uint64_t first, block *b) {
    b->first = first;
    b->count = min(o->count - first, (uint64_t)PERM_BLOCK);
}

static void find_block(const own *o, uint64_t first, block *b) {
    const transfer *const t = o->transfer;
    begin_block(o, first, b);
    transfer_map(t, o->rank, layout_first(&t->src, o->rank) + first, b->count, b->at);
    for (uint64_t k = 0; k < b->count; k++) exchange_store_word(o->to, o->to_bytes, first + k, b->at[k]);
    layout_locate(&t->dst, b->count, b->at);
}

static void load_block(const own *o, uint64_t first, block *b) {
    begin_block(o, first, b);
    for (uint64_t k = 0; k < b->count; k++) b->at[k] = exchange_load_word(o->to, o->to_bytes, first + k);
    layout_locate(&o->transfer->dst, b->count, b->at);
}

/* The end of a run of elements that go to one rank, whose cursor a loop can hold: a word of memory that each element adds to makes the next one wait. */
static inline uint64_t run_end(const block *b, uint64_t k) {
    const unsigned rank = located_rank(b->at[k++]);
    while (k < b->count && located_rank(b->at[k]) == rank) k++;
    return k;
}

static void find_ranks(own *o) {
    block b;
    for (uint64_t first = 0; first < o->count; first += b.count) {
        find_block(o, first, &b);
        for (uint64_t k = 0, next; k < b.count; k = next) {
            next = run_end(&b, k);
            o->cursor[located_rank(b.at[k])] += next - k;
        }
    }
}

riffle_status exchange_list_messages(const uint64_t *counts, unsigned ranks, uint64_t page,
                                     riffle_exchange_message **out, size_t *used) {
    size_t k = 0;
    for (unsigned p = 0; p < ranks; p++) k += counts[p] > page && page > 0 ? 2 : 1;
    riffle_exchange_message *const list = calloc(k + 1, sizeof *list);
    if (list == NULL) return fail_memory("an exchange's messages", k * sizeof *list);
    uint64_t first = 0;
    *out = list;
    k = 0;
    for (unsigned part = 0; part < (page > 0 ? 2 : 1); part++) {
        for (unsigned p = 0; p < ranks; p++) {
            const uint64_t over = page > 0 ? counts[p] % page : 0, count = part == 0 ? counts[p] - over : over;
            if (count > 0) list[k++] = (riffle_exchange_message){p, first, count};
            first += count;
        }
    }
    *used = k;
    return RIFFLE_OK;
}

static riffle_status list_sends(own *o, riffle_exchange *out) {
    const riffle_status status =
        exchange_list_messages(o->cursor, out->ranks, out->page, &out->sends, &out->send_count);
    for (size_t k = 0; k < out->send_count; k++) o->cursor[out->sends[k].rank] = out->sends[k].first;
    return status;
}

static void place_block(const own *o, const block *b, riffle_exchange *out) {
    for (uint64_t k = 0; k < b->count;) {
        uint64_t *const cursor = &o->cursor[located_rank(b->at[k])];
        uint64_t packed = *cursor;
        const uint64_t later = o->cursor[located_rank(b->at[min(k + AHEAD, b->count - 1)])];
        __builtin_prefetch((char *)out->places + later * out->place_bytes, 1);
        for (const uint64_t end = run_end(b, k); k < end; k++, packed++) {
            exchange_store_word(out->places, out->place_bytes, packed, located_place(b->at[k]));
            table_store(&out->pack->table, b->first + k, packed);
        }
        *cursor = packed;
    }
}

static void place(const own *o, riffle_exchange *out) {
    block b;
    for (uint64_t first = 0; first < o->count; first += b.count) {
        load_block(o, first, &b);
        place_block(o, &b, out);
    }
}

/* Rooms are on huge pages: small ones take as long to get as all the rest. */
static riffle_status allocate(own *o, riffle_exchange *out) {
    void *places = NULL;
    o->cursor = calloc(out->ranks, sizeof *o->cursor);
    if (o->cursor == NULL) return fail_memory("an exchange's messages", out->ranks * sizeof *o->cursor);
    riffle_status status = buffer_create("an exchange's own part", o->count * o->to_bytes, &o->to);
    if (status == RIFFLE_OK)
        status = buffer_create("an exchange's own part", o->count * out->place_bytes, &places);
    out->places = places;
    return status;
}

riffle_status exchange_own_part(const transfer *t, riffle_exchange *out) {
    own o = {.transfer = t,
             .rank = out->rank,
             .count = out->src_count,
             .to_bytes = word_bytes(layout_first(&t->dst, t->ranks))};
    out->place_bytes = word_bytes(layout_longest(&t->dst));
    riffle_status status = allocate(&o, out);
    if (status == RIFFLE_OK) {
        find_ranks(&o);
        status = list_sends(&o, out);
    }
    if (status == RIFFLE_OK) status = table_of_zeros(o.count, &out->pack);
    if (status == RIFFLE_OK && t->piece_bits > 0)
        status = pieces_place(t, o.to, o.to_bytes, out);
    else if (status == RIFFLE_OK)
        place(&o, out);
    riffle_buffer_free(o.to, o.count * o.to_bytes);
    free(o.cursor);
    return status;
}
