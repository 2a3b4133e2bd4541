/* SPDX-License-Identifier: Apache-2.0 */
#define WORD uint64_t
#define VECTOR_SORT sort_u64
#define WORDS_NAME sort_words_u64

#include "sort/cpu/words/words.inc"
