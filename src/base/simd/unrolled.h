/* SPDX-License-Identifier: Apache-2.0
 *
 * How often loops on vectors are unrolled: UNROLLED_n times n. A build with a sanitizer unrolls none, for its checks in every turn
 * would cost a compiler minutes; nor does the set of any processor, VECTORS_PORTABLE_WORDS, which few have and whose loops would be the
 * longest. gcc reads a pragma's names as enumerators, not as macros.
 */
#ifndef RIFFLE_BASE_SIMD_UNROLLED_H
#define RIFFLE_BASE_SIMD_UNROLLED_H

#if defined(RIFFLE_SANITIZED) || defined(VECTORS_PORTABLE_WORDS)
enum { UNROLLED_2 = 1, UNROLLED_4 = 1, UNROLLED_6 = 1, UNROLLED_8 = 1, UNROLLED_16 = 1 };
#else
enum { UNROLLED_2 = 2, UNROLLED_4 = 4, UNROLLED_6 = 6, UNROLLED_8 = 8, UNROLLED_16 = 16 };
#endif

#endif
