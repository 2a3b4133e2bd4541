/* SPDX-License-Identifier: Apache-2.0 */
#define WORD uint32_t
#define VECTOR_SORT sort_u32
#define WORDS_NAME sort_words_u32

#include "sort/cpu/words/words.inc"
