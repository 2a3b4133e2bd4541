/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves element by element: bytes of dst are put together of what the inverse names, a block of indices at a time.
 */
#include "base/arithmetic.h"
#include "bits/plan.h"
#include "perm/kind.h"

enum { BLOCK = 1024 };

typedef struct gathering {
    const uint8_t *src;
    unsigned elem_bits;
    bool is_big;
} gathering;

static unsigned element_at(const gathering *g, uint64_t i) {
    return (unsigned)g->src[i * g->elem_bits / 8] >> bits_shift(i, g->elem_bits, g->is_big) &
           ((1U << g->elem_bits) - 1);
}

static uint8_t byte_of(const gathering *g, const uint64_t *from, uint64_t count) {
    unsigned byte = 0;
    for (uint64_t k = 0; k < count; k++)
        byte |= element_at(g, from[k]) << bits_shift(k, g->elem_bits, g->is_big);
    return (uint8_t)byte;
}

static void gather_block(const riffle_bits_plan *plan, const gathering *g, uint8_t *dst, uint64_t first) {
    uint64_t from[BLOCK];
    const uint64_t each = 8 / plan->elem_bits, count = min((uint64_t)BLOCK, plan->n - first);
    perm_map(plan->inverse, first, (size_t)count, from);
    for (uint64_t k = 0; k < count; k += each)
        dst[(first + k) / each] = byte_of(g, from + k, min(each, count - k));
}

void bits_gather_run(const riffle_bits_plan *plan, uint8_t *dst, const uint8_t *src, team_member me) {
    const uint64_t blocks = ceil_div(plan->n, (uint64_t)BLOCK);
    const team_share mine = team_share_of(blocks * plan->batch, me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const size_t array = (size_t)(k / blocks) * plan->array_bytes;
        const gathering g = {src + array, plan->elem_bits, plan->is_big};
        gather_block(plan, &g, dst + array, k % blocks * BLOCK);
    }
}
