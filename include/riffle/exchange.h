/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Exchanges: an array that lies in the memories of several ranks, moved along a permutation. This is the plan alone, of any transport.
 *
 *      src of a rank -- pack --> messages in order of their ranks -- transport --> messages in order -- unpack --> dst of a rank
 *
 *  Both local steps are permutations of the rank's own elements. Between affine permutations over 2^k equal blocks the messages go within
 *  cosets of 2^r ranks, r being the rank of the lower-left block of the matrix (docs/beyond.md), and a rank plans by itself. Along any other
 *  permutation, of any length and over any number of ranks, a rank plans what it sends, from its own n / ranks indices, and is told by the others where
 *  theirs go:
 *
 *  @code{.c}
 *  riffle_exchange_create(perm, 3, rank, NULL, &x);
 *  if (riffle_exchange_places(x) != NULL) {
 *      // each rank sends places[first .. first + count - 1] of each of its messages to that message's rank, and then
 *      riffle_exchange_finish(x, counts, places);  // what came: how many from each rank, and all of them in order of the ranks
 *  }
 *  @endcode
 *
 *  Every element that changes its rank is sent once, and no other: no exchange has less volume.
 */
#ifndef RIFFLE_EXCHANGE_H
#define RIFFLE_EXCHANGE_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most ranks. */
#define RIFFLE_MAX_RANKS (1u << 20)

/** How an array is cut. */
typedef enum riffle_exchange_layout_kind {
    RIFFLE_EXCHANGE_LAYOUT_BLOCKS =
        0, /**< rank p has the elements from p * b on, b of them or what is left; b = n / ranks, rounded up */
    RIFFLE_EXCHANGE_LAYOUT_AXIS, /**< a row-major array of `shape`, cut along `axis` in the same way; a part is row-major, too */
    RIFFLE_EXCHANGE_LAYOUT_OWNERS, /**< chunks of n / chunks elements, rounded up: owner[k] has chunk k, behind its earlier ones */
} riffle_exchange_layout_kind;

/** Where the elements of an array are. Zeroed it is equal blocks. */
typedef struct riffle_exchange_layout {
    riffle_exchange_layout_kind kind; /**< how the array is cut */
    unsigned rank;                    /**< AXIS: dimensions, at most RIFFLE_MAX_RANK */
    const uint64_t *shape;            /**< AXIS: their product is n */
    unsigned axis;                    /**< AXIS: the one that is cut */
    uint64_t chunks;                  /**< OWNERS: at least 1 where n is not 0 */
    const uint32_t *owner;            /**< OWNERS: a rank for each chunk, the same table on all ranks; copied */
} riffle_exchange_layout;

/** A caller's wishes; NULL, or zero in every field, gives the defaults. */
typedef struct riffle_exchange_options {
    riffle_exchange_layout src; /**< how the array is cut before */
    riffle_exchange_layout dst; /**< and afterwards */
    /** Ranks may change the blocks of dst among themselves where fewer elements are sent so: riffle_exchange_block says which one a
     *  rank has then. For affine permutations between equal blocks of 2^k ranks; others are left as they are. */
    bool relabel;
    /** Where neighbours go far apart, as of random tables: elements of a message come in the order of pieces of 2^piece_bits elements of the
     *  receiver's dst, for each so many elements of src, so that both local steps of an array of up to 2^(2 piece_bits - 2) elements take one
     *  bucket pass (docs/beyond.md). 0: in the order of src. riffle_mpi sets it. At most 31. */
    unsigned piece_bits;
    /** For such moves also: messages are whole pages of so many elements, and begin with pages on both sides; what is over of each is a second
     *  message to its rank, behind those of all ranks. 0: one message. riffle_mpi sets it. */
    uint64_t page;
} riffle_exchange_options;

/** A part that goes to a rank, or comes from one; a rank's own part is such a message too. */
typedef struct riffle_exchange_message {
    unsigned rank;  /**< the other one */
    uint64_t first; /**< in the packed array, or in the one that is to be unpacked; in elements */
    uint64_t count; /**< at least 1 */
} riffle_exchange_message;

/** The part of one rank. Immutable once it is finished. */
typedef struct riffle_exchange riffle_exchange;

/** Plans the part of rank `rank` among `ranks`; all of them ask for the same permutation and options. `options` may be NULL. An affine
 *  part takes O(m^2) steps and 2^r messages, any other O(n / ranks).
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for a rank that is not below `ranks`, more than RIFFLE_MAX_RANKS, or a layout that does not
 *  suit; RIFFLE_ERROR_LENGTH for a shape of another length; RIFFLE_ERROR_OUT_OF_MEMORY. */
RIFFLE_API riffle_status riffle_exchange_create(const riffle_perm *perm, unsigned ranks, unsigned rank,
                                                const riffle_exchange_options *options, riffle_exchange **out);

/** NULL where the part is complete. Else where each element goes in its destination's dst, in order of the ranks, for as many elements as this rank has:
 *  unsigned integers of riffle_exchange_place_bytes. The transport carries them as it will carry elements, and riffle_exchange_finish takes what came. */
RIFFLE_API const void *riffle_exchange_places(const riffle_exchange *exchange);
/** Bytes of a place, on all ranks: 4 where no rank has more than 2^32 elements of dst, else 8. 0 where the part is complete. */
RIFFLE_API size_t riffle_exchange_place_bytes(const riffle_exchange *exchange);

/** Completes a part by what the other ranks' places say: counts[p] of them came from rank p, and `places` has all in order of p.
 *  RIFFLE_ERROR_NOT_A_PERMUTATION where they do not fill this rank's dst: the ranks have planned different moves. */
RIFFLE_API riffle_status riffle_exchange_finish(riffle_exchange *exchange, const uint64_t *counts,
                                                const void *places);

/** The messages that this rank sends, by ascending rank (with options.page whole pages, and then what is over of each); they lie in the packed
 *  array in this order without gaps. */
RIFFLE_API const riffle_exchange_message *riffle_exchange_sends(const riffle_exchange *exchange, size_t *count);
/** The messages that it gets, the same; none before the part is complete. */
RIFFLE_API const riffle_exchange_message *riffle_exchange_receives(const riffle_exchange *exchange,
                                                                   size_t *count);

/** From the rank's src to the packed array; the exchange keeps it. */
RIFFLE_API const riffle_perm *riffle_exchange_pack(const riffle_exchange *exchange);
/** From what came to the rank's dst; NULL before the part is complete. */
RIFFLE_API const riffle_perm *riffle_exchange_unpack(const riffle_exchange *exchange);

/** The part of dst that this rank has in the end: its own number, unless ranks were relabelled. */
RIFFLE_API unsigned riffle_exchange_block(const riffle_exchange *exchange);

/** r, for exchanges within cosets of 2^r ranks; UINT_MAX for others. */
RIFFLE_API unsigned riffle_exchange_coset_bits(const riffle_exchange *exchange);

/** Frees the part. */
RIFFLE_API void riffle_exchange_free(riffle_exchange *exchange);

/** For transports, which fail as riffle does: riffle_error_detail() says `detail` on this thread from now on, as riffle_printable has
 *  it, and `status` is returned. Nothing is said where it is NULL. */
RIFFLE_API riffle_status riffle_exchange_fail(riffle_status status, const char *detail);

/** @name Costs
 *  The sum of what all ranks send, without planning their parts.
 *  @{ */

/** How the figures of a cost were found. */
typedef enum riffle_exchange_basis {
    RIFFLE_EXCHANGE_BASIS_EXACT =
        0, /**< closed form: affine permutations over 2^k equal blocks, axes and rotations over any equal blocks */
    RIFFLE_EXCHANGE_BASIS_COUNTED, /**< every index was looked at: up to 2^24 of them */
    RIFFLE_EXCHANGE_BASIS_SAMPLED, /**< 2^22 indices of up to 16 ranks were looked at, in pieces all over their parts. All figures are
                                    *   estimates, and over more ranks the most of one is that of these ranks' sends */
} riffle_exchange_basis;

/** Elements and messages between ranks, a rank's own part not among them. */
typedef struct riffle_exchange_cost {
    riffle_exchange_basis basis; /**< how they were found */
    unsigned coset_bits;         /**< r; UINT_MAX where there are no cosets */
    uint64_t volume;             /**< elements that change their rank, of all ranks together */
    uint64_t messages;           /**< between different ranks, of all ranks together */
    uint64_t most_sent;          /**< elements that one rank sends, or gets, at most */
    unsigned most_messages;      /**< messages that one rank sends, or gets, at most */
} riffle_exchange_cost;

/** Finds the cost. O(m^2) for affine permutations over 2^k equal blocks (once for each rank where not all send alike), O(ranks) for
 *  axes and rotations, with most_messages and messages estimated from 64 ranks where there are more than 1024. */
RIFFLE_API riffle_status riffle_exchange_cost_of(const riffle_perm *perm, unsigned ranks,
                                                 const riffle_exchange_options *options,
                                                 riffle_exchange_cost *out);

/** A network: each rank sends and gets so much at a time, and each message costs so much besides. */
typedef struct riffle_exchange_link {
    double bytes_per_second; /**< a rank's, each way; 0: not known, and no time is said */
    double latency;          /**< seconds a message */
} riffle_exchange_link;

/** Prints volume, messages, rounds and the time that the link needs. `link` may be NULL. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_exchange_explain(const riffle_perm *perm, size_t elem_bytes, unsigned ranks,
                                                 const riffle_exchange_options *options,
                                                 const riffle_exchange_link *link, FILE *stream);

/** Figures of a sort over ranks (riffle_mpi_sort), expected of elements in random order that lie in equal parts. All zeros where
 *  nothing is sent. */
typedef struct riffle_exchange_sort_cost {
    double volume;         /**< elements that change their rank, of all ranks together */
    double messages;       /**< that carry them, between different ranks */
    double most_sent;      /**< elements that one rank sends, or gets */
    double most_messages;  /**< messages that one rank sends, or gets */
    unsigned rounds;       /**< in which pivots are found, about: log2 n */
    unsigned most_rounds;  /**< as many as any input takes */
    double round_messages; /**< that a rank sends in a round: an all-to-all by single messages, an all-gather and a sum by log2 of the ranks */
    double round_bytes;    /**< that a rank sends then */
} riffle_exchange_sort_cost;

/** Finds the cost of a sort of n elements, of which each takes value_bytes along if that is not 0 (8 for indices), in closed form, O(ranks).
 *  RIFFLE_ERROR_INVALID_ARGUMENT for elements of no bytes, no ranks and more than RIFFLE_MAX_RANKS; RIFFLE_ERROR_LENGTH for n beyond
 *  RIFFLE_MAX_LENGTH. */
RIFFLE_API riffle_status riffle_exchange_sort_cost_of(uint64_t n, size_t elem_bytes, size_t value_bytes,
                                                      unsigned ranks, riffle_exchange_sort_cost *out);

/** Prints volume, messages, rounds and the time that the link needs for such a sort. `link` may be NULL. RIFFLE_ERROR_IO if the stream
 *  fails. */
RIFFLE_API riffle_status riffle_exchange_explain_sort(uint64_t n, size_t elem_bytes, size_t value_bytes,
                                                      unsigned ranks, const riffle_exchange_link *link,
                                                      FILE *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
