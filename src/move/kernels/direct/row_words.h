/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving a row that is no whole number of words of 16 bytes, and may begin anywhere in one, word by word of b: each is put
 * together from the two words of a that its bytes lie in.
 *
 *     a   ...|        low     |     high       |...        whole words of memory
 *                     \______________/
 *                            | shifted
 *     b   ...|  begin |     word 1     |     word 2     | end  |...        one row
 *
 * The parts of a row in its first and its last word are written in pieces of 1, 2, 4 and 8 bytes, each on a multiple of its
 * size: the rest of these words belongs to other rows. Rows have at least 16 bytes. Words of a that reach beyond the array are
 * not read; the few bytes in them are moved one element at a time.
 */
#ifndef RIFFLE_MOVE_KERNELS_DIRECT_ROW_WORDS_H
#define RIFFLE_MOVE_KERNELS_DIRECT_ROW_WORDS_H

#include "device/kernels/device.h"
#include "device/kernels/rows.h"

union row_word {
    vector16 whole;
    uint32_t part[4];
};

/* The 16 bytes from byte `shift` (0..15) of the two words on. */
static __device__ inline row_word shifted(row_word low, row_word high, uint32_t shift) {
    uint32_t x[8];
    row_word out;
    UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
        x[k] = low.part[k];
        x[k + 4] = high.part[k];
    }
    UNROLL
    for (uint32_t k = 0; k < 6; ++k) x[k] = shift & 8 ? x[k + 2] : x[k];
    UNROLL
    for (uint32_t k = 0; k < 5; ++k) x[k] = shift & 4 ? x[k + 1] : x[k];
    UNROLL
    for (uint32_t k = 0; k < 4; ++k)
        out.part[k] = (uint32_t)(((uint64_t)x[k + 1] << 32 | x[k]) >> (8 * (shift & 3)));
    return out;
}

static __device__ inline uint64_t first_8(row_word word) { return (uint64_t)word.part[1] << 32 | word.part[0]; }

/* Writes the first `bytes` (1..15) bytes of a word to where they end a word of b: the smallest piece first. */
template <class element> static __device__ inline void write_begin(char *to, row_word word, uint32_t bytes) {
    if (sizeof(element) <= 1 && bytes & 1) {
        *(uint8_t *)to = (uint8_t)word.part[0];
        word = shifted(word, word, 1);
        to += 1;
    }
    if (sizeof(element) <= 2 && bytes & 2) {
        *(uint16_t *)to = (uint16_t)word.part[0];
        word = shifted(word, word, 2);
        to += 2;
    }
    if (sizeof(element) <= 4 && bytes & 4) {
        *(uint32_t *)to = word.part[0];
        word = shifted(word, word, 4);
        to += 4;
    }
    if (bytes & 8) *(uint64_t *)to = first_8(word);
}

/* The same where they begin a word of b: the largest piece first. */
template <class element> static __device__ inline void write_end(char *to, row_word word, uint32_t bytes) {
    if (bytes & 8) {
        *(uint64_t *)to = first_8(word);
        word = shifted(word, word, 8);
        to += 8;
    }
    if (sizeof(element) <= 4 && bytes & 4) {
        *(uint32_t *)to = word.part[0];
        word = shifted(word, word, 4);
        to += 4;
    }
    if (sizeof(element) <= 2 && bytes & 2) {
        *(uint16_t *)to = (uint16_t)word.part[0];
        word = shifted(word, word, 2);
        to += 2;
    }
    if (sizeof(element) <= 1 && bytes & 1) *(uint8_t *)to = (uint8_t)word.part[0];
}

/* Writes what a row of row_bytes, which begins at `to`, has of the number-th word that it touches; it comes from the row at
 * byte `from` of a, an array of array_bytes. The last number may be one that it does not touch. */
template <class element>
static __device__ inline void move_word(char *to, const char *a, uint64_t from, uint64_t row_bytes,
                                        uint64_t array_bytes, uint64_t number) {
    const uint32_t before = (uint32_t)((uintptr_t)to % ROWS_WORD_BYTES);
    const uint64_t end = (number + 1) * ROWS_WORD_BYTES - before;
    const uint64_t first = number > 0 ? end - ROWS_WORD_BYTES : 0;
    if (first >= row_bytes) return;
    const uint32_t bytes = (uint32_t)((end < row_bytes ? end : row_bytes) - first);
    to += first;
    from += first;
    const uint32_t shift = (uint32_t)((uintptr_t)(a + from) % ROWS_WORD_BYTES);
    const uint32_t span = shift + bytes > ROWS_WORD_BYTES ? 2 * ROWS_WORD_BYTES : ROWS_WORD_BYTES;
    if (from < shift || from - shift + span > array_bytes) {
        for (uint32_t k = 0; k < bytes; k += sizeof(element))
            *(element *)(to + k) = *(const element *)(a + from + k);
        return;
    }
    row_word low, high;
    low.whole = *(const vector16 *)(a + from - shift);
    high = low;
    if (span > ROWS_WORD_BYTES) high.whole = *(const vector16 *)(a + from - shift + ROWS_WORD_BYTES);
    const row_word word = shifted(low, high, shift);
    if (bytes == ROWS_WORD_BYTES) {
        *(vector16 *)to = word.whole;
    } else if (number == 0) {
        write_begin<element>(to, word, bytes);
    } else {
        write_end<element>(to, word, bytes);
    }
}

#endif
