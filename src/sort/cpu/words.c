/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/words.h"

#include <string.h>

#include "sort/cpu/vector.h"

bool words_want_room(void) { return sort_vector_best() == NULL; }

#define WORD uint32_t
#define NAME(x) x##_u32
#define VECTOR_SORT sort_u32
#include "sort/cpu/words.inc"
#undef WORD
#undef NAME
#undef VECTOR_SORT

#define WORD uint64_t
#define NAME(x) x##_u64
#define VECTOR_SORT sort_u64
#include "sort/cpu/words.inc"
