/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums that tell a broken file from a whole one, and make names of texts: FNV-1a of 64 bits, by Fowler, Noll and Vo. Nobody is to trust them
 * against somebody who writes files on purpose.
 *
 * A step is a bijection of the sum, so files that differ in one byte, or in one word, never have the same sum.
 */
#ifndef RIFFLE_BASE_FOLDER_CHECKSUM_H
#define RIFFLE_BASE_FOLDER_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CHECKSUM_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t checksum_step(uint64_t sum, uint64_t next) {
    return (sum ^ next) * UINT64_C(0x100000001b3);
}

/** The sum of bytes behind those that have the sum `sum`, CHECKSUM_BEGIN of none. */
static inline uint64_t checksum_bytes(uint64_t sum, const void *bytes, size_t count) {
    const unsigned char *const all = (const unsigned char *)bytes;
    for (size_t k = 0; k < count; k++) sum = checksum_step(sum, all[k]);
    return sum;
}

/** Another sum, for files of many megabytes: a step takes eight bytes, and the last few one each. */
static inline uint64_t checksum_words(uint64_t sum, const void *bytes, size_t count) {
    const unsigned char *const all = (const unsigned char *)bytes;
    size_t done = 0;
    for (uint64_t word; done + sizeof word <= count; done += sizeof word) {
        memcpy(&word, all + done, sizeof word);
        sum = checksum_step(sum, word);
    }
    return checksum_bytes(sum, all + done, count - done);
}

#endif
