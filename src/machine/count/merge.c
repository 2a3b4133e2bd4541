/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/merge.h"

#include <string.h>

static const merge_access *any_held(const merge *m) {
    return m->held != 0 ? &m->of[__builtin_ctz(m->held)] : NULL;
}

static place base_of(const merge_access *a, unsigned lane) {
    return a->access.at[lane] - (uint64_t)(a->component - 1) * a->access.bytes;
}

/* All lanes' vectors begin where one of two components, or of four, must. */
static bool is_aligned(const merge_access *a) {
    const unsigned most = a->component > 2 ? 4 : 2;
    for (unsigned k = 0; k < a->access.lanes; k++) {
        if (place_offset(base_of(a, k)) % (most * a->access.bytes) != 0) return false;
    }
    return true;
}

static bool same_vectors(const merge_access *a, const merge_access *b) {
    if (a->access.lanes != b->access.lanes || memcmp(a->access.lane, b->access.lane, a->access.lanes) != 0)
        return false;
    for (unsigned k = 0; k < a->access.lanes; k++) {
        if (base_of(a, k) != base_of(b, k)) return false;
    }
    return true;
}

bool merge_takes(const merge *m, const merge_access *next) {
    if (next->component == 0 || next->access.op == OP_ATOMIC || next->access.bytes > MERGE_BYTES / 2)
        return false;
    if (!is_aligned(next)) return false;
    const merge_access *held = any_held(m);
    if (held == NULL) return true;
    return (m->held >> (next->component - 1) & 1) == 0 && held->call == next->call &&
           held->block == next->block && held->access.op == next->access.op &&
           held->access.space == next->access.space && held->access.bytes == next->access.bytes &&
           same_vectors(held, next);
}

void merge_hold(merge *m, const merge_access *next) {
    m->held |= 1u << (next->component - 1);
    m->of[next->component - 1] = *next;
}

bool merge_must_end(const merge *m, const merge_access *next) {
    const merge_access *held = any_held(m);
    if (held == NULL) return false;
    const bool reads = held->access.op == OP_READ && next->access.op == OP_READ;
    return !reads || next->component != 0 || held->call != next->call || held->block != next->block;
}

unsigned merge_next(merge *m, merge_access *out) {
    if (m->held == 0) return 0;
    const unsigned first = (unsigned)__builtin_ctz(m->held);
    *out = m->of[first];
    unsigned count = 1;
    if (first == 0 && m->held == 0xf && 4 * out->access.bytes <= MERGE_BYTES)
        count = 4;
    else if (first % 2 == 0 && (m->held >> first & 3) == 3)
        count = 2;
    m->held &= ~(((1u << count) - 1) << first);
    out->access.bytes *= count;
    return count;
}
