/* SPDX-License-Identifier: Apache-2.0
 *
 * Codes of elements' pieces (sort/key_pieces.h), read by the widest words that their places allow, and codes of keys made of
 * them: 64 bits of what is left of a key where only its bits that differ are kept (sort_squeeze.cu).
 */
#ifndef RIFFLE_SORT_KERNELS_CODES_SORT_KEY_BITS_H
#define RIFFLE_SORT_KERNELS_CODES_SORT_KEY_BITS_H

#include "sort/kernels/sort_record.h"
#include "sort/kernels/tables/row.h"

/* Up to 8 bytes of each element, little-endian, of whole words. */
template <class word, uint32_t each>
static __device__ inline void sort_read_words(const unsigned char *const (&element)[each], uint32_t offset,
                                              uint32_t bytes, uint64_t (&out)[each]) {
    UNROLL
    for (uint32_t j = 0; j < each; ++j) out[j] = *(const word *)(element[j] + offset);
    ROLL for (uint32_t k = sizeof(word); k < bytes; k += sizeof(word)) {
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            out[j] |= (uint64_t) * (const word *)(element[j] + offset + k) << 8 * k;
    }
}

static __device__ inline uint64_t sort_swap_bytes(uint64_t x) {
    x = (x & 0x00ff00ff00ff00ff) << 8 | (x >> 8 & 0x00ff00ff00ff00ff);
    x = (x & 0x0000ffff0000ffff) << 16 | (x >> 16 & 0x0000ffff0000ffff);
    return x << 32 | x >> 32;
}

/* Bits become codes; the kind is known where this is compiled. */
template <uint32_t kind, uint32_t each>
static __device__ inline void sort_code_pieces(const key_piece &piece, uint64_t (&bits)[each]) {
    const uint32_t bytes = piece.bytes, descending = piece.descending;
    UNROLL
    for (uint32_t j = 0; j < each; ++j) {
        if (kind == RIFFLE_SORT_KEY_BYTES) bits[j] = sort_swap_bytes(bits[j]) >> (64 - 8 * bytes);
        bits[j] = key_code_of(kind, bytes, descending, bits[j]);
    }
}

/** The merged codes of a piece of several elements, whose loads are all under way before the first is used. */
template <uint32_t each>
static __device__ inline void sort_key_pieces(const sort_rows &rows, const key_piece &piece,
                                              const unsigned char *const (&element)[each],
                                              uint64_t (&out)[each]) {
    const uint32_t bytes = piece.bytes, odd = rows.elem_bytes | piece.offset | bytes | 8;
    switch (odd & (0 - odd)) { /* the place of a piece is a multiple of this */
    case 8: sort_read_words<uint64_t>(element, piece.offset, bytes, out); break;
    case 4: sort_read_words<uint32_t>(element, piece.offset, bytes, out); break;
    case 2: sort_read_words<uint16_t>(element, piece.offset, bytes, out); break;
    default: sort_read_words<uint8_t>(element, piece.offset, bytes, out);
    }
    switch (piece.kind) {
    case RIFFLE_SORT_KEY_SIGNED: sort_code_pieces<RIFFLE_SORT_KEY_SIGNED>(piece, out); break;
    case RIFFLE_SORT_KEY_UNSIGNED: sort_code_pieces<RIFFLE_SORT_KEY_UNSIGNED>(piece, out); break;
    case RIFFLE_SORT_KEY_FLOAT: sort_code_pieces<RIFFLE_SORT_KEY_FLOAT>(piece, out); break;
    default: sort_code_pieces<RIFFLE_SORT_KEY_BYTES>(piece, out);
    }
}

static __device__ inline uint64_t sort_squeezed(const sort_squeeze &by, uint64_t code) {
    code &= by.mask;
    if ((by.mask & (by.mask + 1)) == 0) return code; /* they are together */
    UNROLL
    for (uint32_t k = 0; k < SORT_MOVES; ++k) {
        const uint64_t moved = code & by.move[k];
        code = (code ^ moved) | moved >> (1u << k);
    }
    return code;
}

/** Bits `from` to from + width - 1 of the keys of several elements, width 64 at most, zeros behind their ends; squeezed,
 *  where `squeezes` is not NULL. */
template <uint32_t each>
static __device__ inline void sort_key_bits(const sort_rows &rows, const sort_squeeze *squeezes,
                                            const unsigned char *const (&element)[each], uint32_t from,
                                            uint32_t width, uint64_t (&out)[each]) {
    const uint32_t end = from + width;
    UNROLL
    for (uint32_t j = 0; j < each; ++j) out[j] = 0;
    ROLL for (uint32_t p = 0; p < rows.pieces.count; ++p) {
        const key_piece &piece = rows.pieces.piece[p];
        const bool is_whole = squeezes == nullptr;
        const uint32_t at = is_whole ? 8u * piece.at : squeezes[p].at;
        const uint32_t behind = at + (is_whole ? 8u * piece.bytes : squeezes[p].bits);
        if (at >= end) break;
        if (behind <= from || behind == at) continue;
        uint64_t code[each];
        sort_key_pieces(rows, piece, element, code);
        UNROLL
        for (uint32_t j = 0; j < each && !is_whole; ++j) code[j] = sort_squeezed(squeezes[p], code[j]);
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            out[j] |= behind <= end ? code[j] << (end - behind) : code[j] >> (behind - end);
    }
    UNROLL
    for (uint32_t j = 0; j < each; ++j) out[j] &= ~(uint64_t)0 >> (64 - width);
}

/** True if place k is in a segment; what lies outside is left alone. */
static __device__ inline bool sort_is_inside(const sort_ranges &all, uint64_t k) {
    return k < all.n && (all.begin == nullptr || (k >= all.begin[0] && k < all.begin[all.segments]));
}

#endif
