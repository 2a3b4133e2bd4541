/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that a check adds up of codes that may be anywhere, besides those of 8 bytes alone (hash.h): of 4 bytes, and of 8 with what goes along. For
 * C and for CUDA.
 *
 * A code of 4 bytes: its multiple has 64 bits, whose lower half times both halves folded goes into the first sum; the code itself is in the upper half
 * of the second, so that this takes an addition of 32 bits. With what goes along, a code of 4 bytes is one of 8.
 */
#ifndef RIFFLE_CHECK_KERNELS_CODES_H
#define RIFFLE_CHECK_KERNELS_CODES_H

#include "check/kernels/hash.h"

#define CHECK_CODE_ALONG UINT32_C(0xb5ad4ecf)
#define CHECK_CODE_PAIR UINT64_C(0xd1342543de82ef95)

/** Adds a code of 4 bytes. */
CHECK_INLINE void check_add_code_4(check_sums *sums, uint32_t code) {
    const uint64_t mixed = CHECK_CODE_BEGIN + (uint64_t)code * CHECK_CODE_LOWER;
    const uint32_t low = (uint32_t)mixed, folded = low ^ (uint32_t)(mixed >> 32);
    sums->first += (uint64_t)folded * low;
    sums->second += (uint64_t)code << 32;
}

/** Adds a code of 8 bytes with what goes along with it: one of the two that changes is found, always. */
CHECK_INLINE void check_add_pair(check_sums *sums, uint64_t code, uint32_t along) {
    const uint32_t low = (uint32_t)code, high = (uint32_t)(code >> 32);
    const uint64_t mixed = CHECK_CODE_BEGIN + (uint64_t)low * CHECK_CODE_LOWER +
                           (uint64_t)high * CHECK_CODE_UPPER + (uint64_t)along * CHECK_CODE_ALONG;
    const uint32_t folded = (uint32_t)mixed ^ (uint32_t)(mixed >> 32),
                   other = low * CHECK_FIRST + high + along * CHECK_THIRD + CHECK_SECOND;
    sums->first += (uint64_t)folded * other;
    sums->second += code + (uint64_t)along * CHECK_CODE_PAIR;
}

#endif
