/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/words/words.h"

#include "sort/cpu/words/vector.h"

bool words_want_room(void) { return sort_vector_best() == NULL; }

const sort_words *sort_words_for(size_t word_bytes) {
    return word_bytes == 4 ? &sort_words_u32 : &sort_words_u64;
}
