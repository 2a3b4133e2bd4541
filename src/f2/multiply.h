/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of parts of matrices over F2, added to what is there: to += a b. All that algorithms here do to many words is one.
 */
#ifndef RIFFLE_F2_MULTIPLY_H
#define RIFFLE_F2_MULTIPLY_H

#include "f2/work.h"

/** Makes room for products of at most so many rows, inner and columns. f2_work_free frees it. */
riffle_status f2_work_create(uint64_t rows, uint64_t inner, uint64_t columns, unsigned threads, f2_work *out);
void f2_work_free(f2_work *work);

/** to += a b. The sizes suit each other, and parts of one matrix do not overlap. The rest of a's rows may be anything; that of b's is added to
 *  that of to's. */
void f2_multiply_add(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                     const riffle_f2_matrix *b);

#endif
