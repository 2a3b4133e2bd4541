/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "base/status.h"
#include "exchange/cosets.h"
#include "exchange/exchange.h"
#include "exchange/pieces.h"
#include "perm/kind.h"

/* out = the move of what is stored: from src's order to the array's, along perm, to dst's order. */
static riffle_status between_blocks(const riffle_perm *perm, const riffle_perm *src, const riffle_perm *dst,
                                    riffle_perm **out) {
    riffle_perm *back = NULL, *first = NULL;
    riffle_status status = riffle_perm_invert(src, &back);
    if (status == RIFFLE_OK) status = riffle_perm_compose(back, perm, &first);
    if (status == RIFFLE_OK) status = riffle_perm_compose(first, dst, out);
    riffle_perm_free(first);
    riffle_perm_free(back);
    return status;
}

/* Layouts of equal parts become blocks. */
static riffle_status make_blocks(transfer *t) {
    riffle_perm *src = NULL, *dst = NULL, *both = NULL;
    riffle_status status = layout_as_perm(&t->src, &src);
    if (status == RIFFLE_OK) status = layout_as_perm(&t->dst, &dst);
    if (status == RIFFLE_OK && src != NULL && dst != NULL) {
        status = between_blocks(t->perm, src, dst, &both);
        if (status == RIFFLE_OK) {
            riffle_perm_free((riffle_perm *)t->perm);
            t->perm = both;
            t->src.kind = t->dst.kind = RIFFLE_EXCHANGE_LAYOUT_BLOCKS;
        }
    }
    riffle_perm_free(src);
    riffle_perm_free(dst);
    return status;
}

static void find_affine(transfer *t, bool relabel) {
    const bool are_blocks =
        t->src.kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS && t->dst.kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS;
    if (!are_blocks || !perm_is_power_of_two(t->ranks) || t->src.n < t->ranks) return;
    t->is_affine = perm_as_affine(t->perm, &t->affine);
    if (!t->is_affine) return;
    const unsigned k = (unsigned)__builtin_ctz(t->ranks);
    t->block = (perm_affine){.a = gf2_identity(k)};
    if (relabel) t->affine = cosets_relabel(&t->affine, k, &t->block);
}

riffle_status transfer_create(const riffle_perm *perm, unsigned ranks, const riffle_exchange_options *options,
                              transfer *out) {
    const riffle_exchange_options asked =
        options != NULL ? *options : (riffle_exchange_options){.relabel = false};
    const uint64_t n = riffle_perm_length(perm);
    *out = (transfer){.perm = riffle_perm_retain(perm), .ranks = ranks};
    if (ranks == 0 || ranks > RIFFLE_MAX_RANKS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an exchange is among 1 to %u ranks, not %u",
                    RIFFLE_MAX_RANKS, ranks);
    riffle_status status = layout_create("src", &asked.src, n, ranks, &out->src);
    if (status == RIFFLE_OK) status = layout_create("dst", &asked.dst, n, ranks, &out->dst);
    if (status == RIFFLE_OK) status = make_blocks(out);
    if (status == RIFFLE_OK) find_affine(out, asked.relabel);
    if (status == RIFFLE_OK && pieces_pay(out, asked.piece_bits)) {
        out->piece_bits = asked.piece_bits;
        out->page = asked.page;
    }
    return status;
}

void transfer_free(transfer *t) {
    riffle_perm_free((riffle_perm *)t->perm);
    layout_free(&t->src);
    layout_free(&t->dst);
}

void transfer_map(const transfer *t, unsigned p, uint64_t first, size_t count, uint64_t *out) {
    if (t->src.kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS) {
        perm_map(t->perm, first, count, out);
    } else {
        layout_indices(&t->src, p, first, count, out);
        perm_apply(t->perm, count, out);
    }
    layout_store(&t->dst, count, out);
}
