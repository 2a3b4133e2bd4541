/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys read 64 bits at a time, from any bit on: of the codes of its pieces only those that are asked for.
 */
#ifndef RIFFLE_SORT_CPU_KEY_BITS_H
#define RIFFLE_SORT_CPU_KEY_BITS_H

#include <string.h>

#include "sort/key_pieces.h"

static inline uint64_t key_piece_bits(const key_piece *piece, const unsigned char *element) {
    const unsigned char *const from = element + piece->offset;
    uint32_t word;
    uint16_t half;
    uint64_t bits;
    if (piece->kind == RIFFLE_SORT_KEY_BYTES) return sort_read_big(from, piece->bytes);
    switch (piece->bytes) {
    case 1: return *from;
    case 2: memcpy(&half, from, sizeof half); return half;
    case 4: memcpy(&word, from, sizeof word); return word;
    default: memcpy(&bits, from, sizeof bits); return bits;
    }
}

/** 64 bits of an element's key from bit `bit` on, the first most significant; 0 behind its end. */
static inline uint64_t key_bits_at(const key_pieces *key, const unsigned char *element, unsigned bit) {
    uint64_t bits = 0;
    for (unsigned k = 0; k < key->count; k++) {
        const key_piece *const piece = &key->piece[k];
        const int end =
            8 * (piece->at + piece->bytes) - (int)bit; /* the piece's, in the bits that are asked for */
        if (end <= 0) continue;
        const int begin = end - 8 * piece->bytes;
        if (begin >= 64) break;
        const uint64_t code = key_piece_code(piece, key_piece_bits(piece, element));
        bits |= end <= 64 ? code << (64 - end) : code >> (end - 64);
    }
    return bits;
}

/** The same of n elements one behind the other. */
void key_bits_of_many(const key_pieces *key, const unsigned char *elements, size_t elem_bytes, uint64_t n,
                      unsigned bit, uint64_t *out);

#endif
