/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 1 to 8 bytes and their codes, in words of 4 or 8 bytes, many at a time.
 */
#ifndef RIFFLE_SORT_CPU_WORDS_CODES_H
#define RIFFLE_SORT_CPU_WORDS_CODES_H

#include "sort/key.h"

/** The codes of n numbers: words of 8 bytes where numbers have as many, else of 4. */
void sort_codes_of(const sort_field *field, const void *from, void *to, uint64_t n);

/** The numbers of n codes, which may take their place. */
void sort_numbers_of(const sort_field *field, const void *from, void *to, uint64_t n);

#endif
