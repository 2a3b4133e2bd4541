/* SPDX-License-Identifier: Apache-2.0
 *
 * A key by its pieces: what of an element is read as one number of up to 8 bytes and has a code of its own (sort/key.h). A
 * field is a piece, or several: a string one for each 8 bytes of it, an integer of 16 bytes its upper half and its lower.
 *
 *      field 0, 2 bytes | field 1, a string of 10        | field 2, 16 bytes       |
 *      piece 0          | piece 1, 8 bytes | 2, 2 bytes  | 3, upper | 4, lower     |
 *
 * Keys are in the order of their pieces' codes: the first that differs decides. For C and for kernels.
 */
#ifndef RIFFLE_SORT_KEY_PIECES_H
#define RIFFLE_SORT_KEY_PIECES_H

#include "sort/key.h"

enum { KEY_MOST_PIECES = RIFFLE_SORT_MAX_FIELDS + RIFFLE_SORT_MAX_KEY_BYTES / 8 };

typedef struct key_piece {
    uint32_t offset; /**< in the element */
    uint8_t kind, bytes, descending;
    uint8_t at; /**< in the key, in bytes */
} key_piece;

typedef struct key_pieces {
    uint32_t count, bytes; /**< bytes: of all */
    key_piece piece[KEY_MOST_PIECES];
} key_pieces;

/** The pieces of a key. */
key_pieces key_pieces_of(const sort_layout *layout);

/** The merged code of a piece of that kind with these bits; of a string's the first byte is the most significant. */
SORT_FUNCTION uint64_t key_code_of(unsigned kind, unsigned bytes, unsigned descending, uint64_t bits) {
    if (kind == RIFFLE_SORT_KEY_BYTES) return descending ? ~bits & sort_mask(bytes) : bits;
    const uint64_t e = sort_code_merged(kind, bytes, sort_code_up(kind, bytes, bits));
    return descending ? sort_code_turned(kind, bytes, e) : e;
}

SORT_FUNCTION uint64_t key_piece_code(const key_piece *piece, uint64_t bits) {
    return key_code_of(piece->kind, piece->bytes, piece->descending, bits);
}

#endif
