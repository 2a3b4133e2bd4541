/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves element by element: bytes of dst are put together of what the inverse names, a block of indices at a time.
 */
#include "bits/gather.h"

#include "base/arithmetic.h"
#include "perm/kind.h"

enum { BLOCK = 1024 };

static uint8_t byte_of(const bits_packed *p, const uint8_t *src, const uint64_t *from, uint64_t count) {
    unsigned byte = 0;
    for (uint64_t k = 0; k < count; k++) byte |= bits_element(p, src, from[k]) << bits_place(p, k);
    return (uint8_t)byte;
}

static void gather_block(const bits_packed *p, const riffle_perm *inverse, uint8_t *dst, const uint8_t *src,
                         uint64_t first) {
    uint64_t from[BLOCK];
    const uint64_t each = bits_of_byte(p), count = min((uint64_t)BLOCK, p->n - first);
    perm_map(inverse, first, (size_t)count, from);
    for (uint64_t k = 0; k < count; k += each)
        dst[(first + k) / each] = byte_of(p, src, from + k, min(each, count - k));
}

void bits_gather_run(const bits_packed *packed, const riffle_perm *inverse, uint8_t *dst, const uint8_t *src,
                     team_member me) {
    const uint64_t blocks = ceil_div(packed->n, (uint64_t)BLOCK);
    const team_share mine = team_share_of(blocks * packed->batch, me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const size_t array = (size_t)(k / blocks) * packed->array_bytes;
        gather_block(packed, inverse, dst + array, src + array, k % blocks * BLOCK);
    }
}
