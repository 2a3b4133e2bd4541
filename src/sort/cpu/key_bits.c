/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/key_bits.h"

/* Keys of one number are most of them: each kind has a loop of its own, in which all but the bits is constant. */
#define NUMBER_LOOP(number, kind_, bytes_)                                                                     \
    for (uint64_t i = 0; i < n; i++) {                                                                         \
        number bits_;                                                                                          \
        memcpy(&bits_, from + i * elem_bytes, sizeof bits_);                                                   \
        const uint64_t e_ = sort_code_merged(kind_, bytes_, sort_code_up(kind_, bytes_, bits_));               \
        const uint64_t code_ = descending ? sort_code_turned(kind_, bytes_, e_) : e_;                          \
        out[i] = code_ << (64 - 8 * (bytes_)) << bit;                                                          \
    }                                                                                                          \
    return
#define NUMBER_KINDS(number, bytes_)                                                                           \
    switch (piece->kind) {                                                                                     \
    case RIFFLE_SORT_KEY_SIGNED: NUMBER_LOOP(number, RIFFLE_SORT_KEY_SIGNED, bytes_);                          \
    case RIFFLE_SORT_KEY_UNSIGNED: NUMBER_LOOP(number, RIFFLE_SORT_KEY_UNSIGNED, bytes_);                      \
    default: NUMBER_LOOP(number, RIFFLE_SORT_KEY_FLOAT, bytes_);                                               \
    }

static void number_bits(const key_piece *piece, const unsigned char *elements, size_t elem_bytes, uint64_t n,
                        unsigned bit, uint64_t *out) {
    const unsigned char *const from = elements + piece->offset;
    const bool descending = piece->descending;
    switch (piece->bytes) {
    case 1: NUMBER_KINDS(uint8_t, 1)
    case 2: NUMBER_KINDS(uint16_t, 2)
    case 4: NUMBER_KINDS(uint32_t, 4)
    default: NUMBER_KINDS(uint64_t, 8)
    }
}

void key_bits_of_many(const key_pieces *key, const unsigned char *elements, size_t elem_bytes, uint64_t n,
                      unsigned bit, uint64_t *out) {
    if (key->count == 1 && key->piece[0].kind != RIFFLE_SORT_KEY_BYTES && bit < 64) {
        number_bits(&key->piece[0], elements, elem_bytes, n, bit, out);
        return;
    }
    for (uint64_t i = 0; i < n; i++) out[i] = key_bits_at(key, elements + i * elem_bytes, bit);
}
