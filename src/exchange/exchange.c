/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/exchange.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "exchange/cosets.h"
#include "perm/kind.h"

typedef uint64_t coset_rank(const cosets *c, uint64_t p, uint64_t s);

/* 2^r messages of equal length, by ascending rank. */
static riffle_status coset_messages(const cosets *c, uint64_t p, coset_rank *rank_of,
                                    riffle_exchange_message **out, size_t *count) {
    const uint64_t each = (uint64_t)1 << (c->w - c->r);
    *count = (size_t)1 << c->r;
    *out = calloc(*count, sizeof **out);
    if (*out == NULL) return fail_memory("an exchange's messages", *count * sizeof **out);
    for (uint64_t s = 0; s < *count; s++)
        (*out)[s] = (riffle_exchange_message){(unsigned)rank_of(c, p, s), s * each, each};
    return RIFFLE_OK;
}

static riffle_status affine_part(const transfer *t, riffle_exchange *out) {
    const cosets c = cosets_of(&t->affine, (unsigned)__builtin_ctz(t->ranks));
    const perm_affine pack = cosets_pack(&c, out->rank), unpack = cosets_unpack(&c, out->rank);
    out->coset_bits = c.r;
    out->block = (unsigned)(gf2_apply(&t->block.a, out->rank) ^ t->block.c);
    riffle_status status = affine_create(&pack, &out->pack);
    if (status == RIFFLE_OK) status = affine_create(&unpack, &out->unpack);
    if (status == RIFFLE_OK)
        status = coset_messages(&c, out->rank, coset_send_rank, &out->sends, &out->send_count);
    if (status == RIFFLE_OK)
        status = coset_messages(&c, out->rank, coset_receive_rank, &out->receives, &out->receive_count);
    return status;
}

static uint64_t part_length(const layout *l, unsigned p) { return layout_first(l, p + 1) - layout_first(l, p); }

static riffle_status create_part(const transfer *t, unsigned rank, riffle_exchange **out) {
    riffle_exchange *part = calloc(1, sizeof *part);
    if (part == NULL) return fail_memory("an exchange", sizeof *part);
    *part = (riffle_exchange){.ranks = t->ranks,
                              .rank = rank,
                              .block = rank,
                              .coset_bits = UINT_MAX,
                              .src_count = part_length(&t->src, rank),
                              .dst_count = part_length(&t->dst, rank),
                              .page = t->page};
    const riffle_status status = t->is_affine ? affine_part(t, part) : exchange_own_part(t, part);
    if (status == RIFFLE_OK)
        *out = part;
    else
        riffle_exchange_free(part);
    return status;
}

riffle_status riffle_exchange_create(const riffle_perm *perm, unsigned ranks, unsigned rank,
                                     const riffle_exchange_options *options, riffle_exchange **out) {
    RETURN_IF_NULL(perm, out);
    transfer t;
    riffle_status status = transfer_create(perm, ranks, options, &t);
    if (status == RIFFLE_OK && rank >= ranks)
        status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no rank %u among %u; they are counted from 0",
                      rank, ranks);
    if (status == RIFFLE_OK) status = create_part(&t, rank, out);
    transfer_free(&t);
    return status;
}

static riffle_status check_counts(const riffle_exchange *x, const uint64_t *counts) {
    uint64_t sum = 0;
    for (unsigned p = 0; p < x->ranks; p++) {
        if (counts[p] > x->dst_count - sum) sum = UINT64_MAX;
        if (sum == UINT64_MAX) break;
        sum += counts[p];
    }
    if (sum == x->dst_count) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                "rank %u has room for %" PRIu64
                " elements, and the ranks' parts send it another number; plan the same move on all ranks",
                x->rank, x->dst_count);
}

static void free_places(riffle_exchange *x) {
    riffle_buffer_free(x->places, x->src_count * x->place_bytes);
    x->places = NULL;
}

static riffle_status table_of(const riffle_exchange *x, const void *places, riffle_perm **out) {
    return x->place_bytes == 4 ? riffle_perm_table_u32(x->dst_count, places, out)
                               : riffle_perm_table_u64(x->dst_count, places, out);
}

/* Places come in order of the ranks; messages may be cut, and lie in another. */
static void order_places(const riffle_exchange *x, const uint64_t *counts, const char *places, uint64_t *cursor,
                         char *out) {
    uint64_t first = 0;
    for (unsigned p = 0; p < x->ranks; p++) {
        cursor[p] = first;
        first += counts[p];
    }
    for (size_t k = 0; k < x->receive_count; k++) {
        const riffle_exchange_message *const m = &x->receives[k];
        memcpy(out + m->first * x->place_bytes, places + cursor[m->rank] * x->place_bytes,
               m->count * x->place_bytes);
        cursor[m->rank] += m->count;
    }
}

/* The table that unpacks what comes in messages that are cut. */
static riffle_status unpack_cut(const riffle_exchange *x, const uint64_t *counts, const void *places,
                                riffle_perm **out) {
    const size_t bytes = x->dst_count * x->place_bytes;
    uint64_t *const cursor = calloc(x->ranks, sizeof *cursor);
    void *ordered = NULL;
    riffle_status status =
        cursor != NULL ? RIFFLE_OK : fail_memory("an exchange's messages", x->ranks * sizeof *cursor);
    if (status == RIFFLE_OK) status = buffer_create("an exchange's places", bytes, &ordered);
    if (status == RIFFLE_OK) {
        order_places(x, counts, places, cursor, ordered);
        status = table_of(x, ordered, out);
    }
    riffle_buffer_free(ordered, bytes);
    free(cursor);
    return status;
}

riffle_status riffle_exchange_finish(riffle_exchange *exchange, const uint64_t *counts, const void *places) {
    RETURN_IF_NULL(exchange, counts);
    if (exchange->places == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the exchange is complete and wants no places");
    riffle_status status = check_counts(exchange, counts);
    if (status != RIFFLE_OK) return status;
    if (exchange->dst_count > 0) RETURN_IF_NULL(places);
    riffle_perm *unpack = NULL;
    riffle_exchange_message *receives = NULL;
    status =
        exchange_list_messages(counts, exchange->ranks, exchange->page, &receives, &exchange->receive_count);
    exchange->receives = receives;
    if (status == RIFFLE_OK)
        status = exchange->page > 0 ? unpack_cut(exchange, counts, places, &unpack)
                                    : table_of(exchange, places, &unpack);
    if (status != RIFFLE_OK) {
        free(exchange->receives);
        exchange->receives = NULL;
        exchange->receive_count = 0;
        return status;
    }
    exchange->unpack = unpack;
    free_places(exchange);
    return RIFFLE_OK;
}

const void *riffle_exchange_places(const riffle_exchange *exchange) {
    return exchange != NULL ? exchange->places : NULL;
}

size_t riffle_exchange_place_bytes(const riffle_exchange *exchange) {
    return exchange != NULL && exchange->places != NULL ? exchange->place_bytes : 0;
}

const riffle_exchange_message *riffle_exchange_sends(const riffle_exchange *exchange, size_t *count) {
    if (count != NULL) *count = exchange != NULL ? exchange->send_count : 0;
    return exchange != NULL ? exchange->sends : NULL;
}

const riffle_exchange_message *riffle_exchange_receives(const riffle_exchange *exchange, size_t *count) {
    if (count != NULL) *count = exchange != NULL ? exchange->receive_count : 0;
    return exchange != NULL ? exchange->receives : NULL;
}

const riffle_perm *riffle_exchange_pack(const riffle_exchange *exchange) {
    return exchange != NULL ? exchange->pack : NULL;
}

const riffle_perm *riffle_exchange_unpack(const riffle_exchange *exchange) {
    return exchange != NULL ? exchange->unpack : NULL;
}

unsigned riffle_exchange_block(const riffle_exchange *exchange) {
    return exchange != NULL ? exchange->block : 0;
}

unsigned riffle_exchange_coset_bits(const riffle_exchange *exchange) {
    return exchange != NULL ? exchange->coset_bits : UINT_MAX;
}

riffle_status riffle_exchange_fail(riffle_status status, const char *detail) {
    return fail(status, "%s", detail != NULL ? detail : "");
}

void riffle_exchange_free(riffle_exchange *exchange) {
    if (exchange == NULL) return;
    riffle_perm_free(exchange->pack);
    riffle_perm_free(exchange->unpack);
    free(exchange->sends);
    free(exchange->receives);
    free_places(exchange);
    free(exchange);
}
