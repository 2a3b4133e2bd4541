/* SPDX-License-Identifier: Apache-2.0
 *
 * A move between ranks as it is asked for, made ready once: what its layouts are, and by which of two ways it goes.
 */
#ifndef RIFFLE_EXCHANGE_EXCHANGE_H
#define RIFFLE_EXCHANGE_EXCHANGE_H

#include "exchange/layout.h"
#include "perm/perm.h"

/** A move between the parts of two layouts. Equal parts along an axis have become blocks, and `perm` then says how they move. */
typedef struct transfer {
    const riffle_perm *perm; /**< on storage indices where both layouts are blocks, else of the array's */
    layout src, dst;
    unsigned ranks;
    bool is_affine;      /**< between 2^k equal blocks */
    perm_affine affine;  /**< then; relabelled if that was asked for */
    perm_affine block;   /**< rank -> its block of dst, where it is affine; the identity unless relabelled */
    unsigned piece_bits; /**< 0: messages keep the order of src */
    uint64_t page;       /**< 0: a rank gets one message */
} transfer;

/** Free it with transfer_free, failed or not. */
riffle_status transfer_create(const riffle_perm *perm, unsigned ranks, const riffle_exchange_options *options,
                              transfer *out);
void transfer_free(transfer *t);

/** out[k] = the storage index in dst of what is stored at first + k of rank p's src. */
void transfer_map(const transfer *t, unsigned p, uint64_t first, size_t count, uint64_t *out);

struct riffle_exchange {
    unsigned ranks, rank, block, coset_bits;
    uint64_t src_count, dst_count;
    riffle_perm *pack, *unpack;
    riffle_exchange_message *sends, *receives;
    size_t send_count, receive_count;
    void *places; /**< NULL where the part is complete; of place_bytes each, in order of the ranks they go to */
    size_t place_bytes;
    uint64_t page; /**< the transfer's */
};

/** Words of 4 bytes, or of 8. */
static inline void exchange_store_word(void *words, size_t bytes, uint64_t i, uint64_t value) {
    if (bytes == 4)
        ((uint32_t *)words)[i] = (uint32_t)value;
    else
        ((uint64_t *)words)[i] = value;
}

static inline uint64_t exchange_load_word(const void *words, size_t bytes, uint64_t i) {
    return bytes == 4 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}

/** Messages of counts[p] elements to or from each rank p, one behind the other; none of no elements. Where page is not 0, those of whole pages,
 *  and then those of what is over. */
riffle_status exchange_list_messages(const uint64_t *counts, unsigned ranks, uint64_t page,
                                     riffle_exchange_message **out, size_t *used);

/** A rank's sends, by evaluating the permutation on its own elements: pack, sends and places. */
riffle_status exchange_own_part(const transfer *t, riffle_exchange *out);

#endif
