/* SPDX-License-Identifier: Apache-2.0
 *
 * The sends of a rank along any permutation, from its own elements alone: one look finds where each goes, and elements are sorted by
 * ranks in a stable way, by counting. A message keeps the order of the sender's elements, which its places tell the receiver.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "exchange/exchange.h"
#include "perm/kind.h"

typedef struct own {
    const transfer *transfer;
    unsigned rank;
    uint64_t count;
    uint64_t *to;       /* storage indices in dst, and then packed indices */
    uint64_t *cursor;   /* for each rank, how many elements go there, and then where its next one is packed */
    unsigned *owner_of; /* for each element, its rank */
} own;

static void find_ranks(own *o) {
    const uint64_t first = layout_first(&o->transfer->src, o->rank);
    for (uint64_t done = 0; done < o->count;) {
        const size_t count = (size_t)min(o->count - done, (uint64_t)PERM_BLOCK);
        transfer_map(o->transfer, o->rank, first + done, count, o->to + done);
        for (size_t k = 0; k < count; k++) {
            o->owner_of[done + k] = layout_owner(&o->transfer->dst, o->to[done + k]);
            o->cursor[o->owner_of[done + k]]++;
        }
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

static void place(own *o, uint64_t *places) {
    for (uint64_t i = 0; i < o->count; i++) {
        const unsigned p = o->owner_of[i];
        const uint64_t packed = o->cursor[p]++;
        places[packed] = o->to[i] - layout_first(&o->transfer->dst, p);
        o->to[i] = packed;
    }
}

static riffle_status allocate(own *o, riffle_exchange *out) {
    o->to = malloc((o->count + 1) * sizeof *o->to);
    o->owner_of = malloc((o->count + 1) * sizeof *o->owner_of);
    o->cursor = calloc(out->ranks, sizeof *o->cursor);
    out->places = malloc((o->count + 1) * sizeof *out->places);
    if (o->to != NULL && o->owner_of != NULL && o->cursor != NULL && out->places != NULL) return RIFFLE_OK;
    return fail_memory("an exchange's own part", o->count * 20 + out->ranks * sizeof *o->cursor);
}

riffle_status exchange_own_part(const transfer *t, riffle_exchange *out) {
    own o = {.transfer = t, .rank = out->rank, .count = out->src_count};
    riffle_status status = allocate(&o, out);
    if (status == RIFFLE_OK) {
        find_ranks(&o);
        status = list_sends(&o, out);
    }
    if (status == RIFFLE_OK) {
        place(&o, out->places);
        status = riffle_perm_table_u64(o.count, o.to, &out->pack);
    }
    free(o.to);
    free(o.owner_of);
    free(o.cursor);
    return status;
}
