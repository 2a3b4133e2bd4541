/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of large matrices by seven of their quarters (Strassen 1969, in Winograd's form of 15 sums).
 */
#ifndef RIFFLE_F2_STRASSEN_H
#define RIFFLE_F2_STRASSEN_H

#include "f2/work.h"

typedef void f2_add_product(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                            const riffle_f2_matrix *b);

/** True if a product of that size is faster so. */
bool strassen_pays(uint64_t rows, uint64_t inner, uint64_t columns);

/** Words of work->temporary that products up to that size take. */
size_t strassen_words(uint64_t rows, uint64_t inner, uint64_t columns);

/** to += a b: by quarters while a product is so large that this is faster; `plainly` does the small ones, and what is left over at odd edges. */
void strassen_add(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                  const riffle_f2_matrix *b, f2_add_product *plainly);

#endif
