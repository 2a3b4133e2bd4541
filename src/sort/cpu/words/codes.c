/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/words/codes.h"

/* Loops over codes of one kind of number: with constants for all but the numbers the compiler makes vectors of them. */
#define CODE_LOOP(number, word, kind, bytes, turned)                                                           \
    for (uint64_t i = 0; i < n; i++) {                                                                         \
        const uint64_t up_ = sort_code_up(kind, bytes, ((const number *)from)[i]);                             \
        ((word *)to)[i] = (word)((turned) ? sort_code_turned(kind, bytes, up_) : up_);                         \
    }                                                                                                          \
    break
#define BACK_LOOP(number, word, kind, bytes, turned)                                                           \
    for (uint64_t i = 0; i < n; i++) {                                                                         \
        const uint64_t code_ = ((const word *)from)[i];                                                        \
        const uint64_t up_ = (turned) ? sort_code_turned(kind, bytes, code_) : code_;                          \
        ((number *)to)[i] = (number)sort_code_back(kind, bytes, up_);                                          \
    }                                                                                                          \
    break
#define EACH_KIND(LOOP, number, word, bytes)                                                                   \
    switch (field->kind * 2 + field->descending) {                                                             \
    case 2 * RIFFLE_SORT_KEY_SIGNED: LOOP(number, word, RIFFLE_SORT_KEY_SIGNED, bytes, false);                 \
    case 2 * RIFFLE_SORT_KEY_SIGNED + 1: LOOP(number, word, RIFFLE_SORT_KEY_SIGNED, bytes, true);              \
    case 2 * RIFFLE_SORT_KEY_UNSIGNED: LOOP(number, word, RIFFLE_SORT_KEY_UNSIGNED, bytes, false);             \
    case 2 * RIFFLE_SORT_KEY_UNSIGNED + 1: LOOP(number, word, RIFFLE_SORT_KEY_UNSIGNED, bytes, true);          \
    case 2 * RIFFLE_SORT_KEY_FLOAT: LOOP(number, word, RIFFLE_SORT_KEY_FLOAT, bytes, false);                   \
    default: LOOP(number, word, RIFFLE_SORT_KEY_FLOAT, bytes, true);                                           \
    }                                                                                                          \
    break
#define EACH_WIDTH(LOOP)                                                                                       \
    switch (field->bytes) {                                                                                    \
    case 1: EACH_KIND(LOOP, uint8_t, uint32_t, 1);                                                             \
    case 2: EACH_KIND(LOOP, uint16_t, uint32_t, 2);                                                            \
    case 4: EACH_KIND(LOOP, uint32_t, uint32_t, 4);                                                            \
    default: EACH_KIND(LOOP, uint64_t, uint64_t, 8);                                                           \
    }

void sort_codes_of(const sort_field *field, const void *from, void *to, uint64_t n) { EACH_WIDTH(CODE_LOOP) }

void sort_numbers_of(const sort_field *field, const void *from, void *to, uint64_t n) { EACH_WIDTH(BACK_LOOP) }
