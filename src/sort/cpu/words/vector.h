/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector sorts of unsigned numbers, where they are installed: those of Highway (libhwy_contrib.so.1), which choose a
 * processor's instructions themselves. The library is loaded when a sort first asks for it and is no condition: without it, or
 * where memory is too short to load it, numbers are sorted by merging (words.inc).
 */
#ifndef RIFFLE_SORT_CPU_WORDS_VECTOR_H
#define RIFFLE_SORT_CPU_WORDS_VECTOR_H

#include <stddef.h>
#include <stdint.h>

typedef struct sort_vector {
    void (*sort_u32)(uint32_t *numbers, size_t n);
    void (*sort_u64)(uint64_t *numbers, size_t n);
} sort_vector;

/** NULL where there are none. */
const sort_vector *sort_vector_best(void);

#endif
