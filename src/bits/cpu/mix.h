/* SPDX-License-Identifier: Apache-2.0
 *
 * A linear map T of the bits of a few lines, as maps of whole bytes and one exchange of bits between bytes.
 *
 * A bit's index is (hi, lo): its byte, and 3 bits for its place there. Let L = span(e_0, e_1, e_2), a byte's bits. The bytes of W = T^-1 L go
 * into one: W has a basis w_i = (b_i, l_i), i < k, with independent b_i, and 3 - k vectors (0, i_j) inside L; T sends them to f_i and g_j,
 * a basis of L. With vectors a_i that complete the inside to L, and bytes of z + span(b) labelled by beta, the bits of those 2^k bytes go
 * by these steps and stay among them:
 *
 *     lo                     is made of a and i:   lo = l beta + a alpha + i iota
 *     beta, iota             change by what T_lo says of alpha and z
 *     alpha and beta         change places: 2^k rows of bytes, k bits of each byte
 *     lo'                    is made of f and g:   lo' = f beta + g iota
 *
 * A map of bytes is left, H. Where b_i are not each one bit of a line's number, a map of bytes P makes them so before. Where it only
 * changes lines' numbers, and turns the bytes of each line, that is done as the steps read lines:
 *
 *     T = (bytes by H) (bits by the steps) (bytes by P)
 */
#ifndef RIFFLE_BITS_MIX_H
#define RIFFLE_BITS_MIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perm/gf2.h"

enum {
    BITS_OF_BYTE = 3,
    BITS_OF_LANE = 6,                              /**< bits of a byte's number in its line */
    BITS_OF_LINE = BITS_OF_BYTE + BITS_OF_LANE,    /**< bits of a bit's */
    BITS_LEAST_TILE = BITS_OF_LINE + BITS_OF_BYTE, /**< lines for P to choose among */
    BITS_MOST_TILE = 2 * BITS_OF_LINE,
    BITS_MOST_LINES = 1 << (BITS_MOST_TILE - BITS_OF_LINE),
    BITS_LINE_BYTES = 1 << BITS_OF_LANE,
    BITS_MOST_STEPS = 6,
};

/** Bits whose place has `mask` change places with those `distance` above them, in each byte. */
typedef struct bits_step {
    unsigned distance;
    uint64_t mask;
} bits_step;

/** Steps that take the bit in place p to place G p, G linear. */
typedef struct bits_steps {
    unsigned count;
    bits_step step[BITS_MOST_STEPS];
} bits_steps;

/** Where a coordinate of beta or iota changes: by bytes of a line, all bits set or none; by bits of a line's number; and, of beta, by
 *  bits of bytes. */
typedef struct bits_flip {
    _Alignas(64) uint8_t lanes[BITS_LINE_BYTES];
    uint32_t lines;
    uint64_t places;
} bits_flip;

typedef struct bits_mix {
    unsigned count;                    /**< k */
    unsigned label[1 << BITS_OF_BYTE]; /**< the bits of a line's number that make each label */
    uint8_t lane[1 << BITS_OF_BYTE];   /**< byte b of such a line is read from b ^ lane */
    uint8_t turn[1 << BITS_OF_BYTE];   /**< l beta */
    bits_steps before, after;
    unsigned flips;                   /**< bit i: flip i is not 0, whatever alpha says */
    bits_flip flip[BITS_OF_BYTE];     /**< beta's, then iota's */
    uint8_t parts[1 << BITS_OF_BYTE]; /**< lo' in coordinates of f and g */
} bits_mix;

/** T in three. Takes microseconds, cannot fail. t->m is at least BITS_LEAST_TILE, at most BITS_MOST_TILE. */
typedef struct bits_factors {
    bool is_within;         /**< P moves bytes out of their lines, which the steps do not */
    gf2_matrix first, back; /**< P, and its inverse */
    gf2_matrix last;        /**< H */
    bits_mix mix;
} bits_factors;

void bits_factor(const gf2_matrix *t, bits_factors *out);

#endif
