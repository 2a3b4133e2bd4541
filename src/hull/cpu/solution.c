/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/cpu/solution.h"

uint64_t solution_add_up(const solution *s) {
    uint32_t place = 0;
    for (uint32_t b = 0; b < 2 * s->buckets; b++)
        for (unsigned k = 0; k < s->count; k++) {
            uint32_t *const at = &buckets_of(s, k)[b];
            const uint32_t here = *at;
            *at = place;
            place += here;
        }
    return place;
}

static void cut_side(solution *s, uint32_t from, uint32_t to, uint64_t size) {
    uint64_t first = from == 0 ? 0 : bucket_end(s, from - 1);
    for (uint32_t b = from; b < to; b++) {
        const uint64_t end = bucket_end(s, b);
        if (end - first < size && b + 1 < to) continue;
        if (end > first) s->portions[s->portion_count++] = (portion){from, b + 1, first, end - first};
        first = end;
        from = b + 1;
    }
}

void solution_cut(solution *s, uint64_t kept) {
    const uint64_t size = kept / (PORTIONS_A_THREAD * s->threads) + 1;
    cut_side(s, 0, s->buckets, size);
    cut_side(s, s->buckets, 2 * s->buckets, size);
}

void solution_settle_line(const solution *s) {
    uint64_t on_line = 0, below = 0, above = 0;
    for (unsigned k = 0; k < s->count; k++) {
        on_line += s->parts[k].on_line;
        for (uint32_t b = 0; b < s->buckets; b++) {
            below += buckets_of(s, k)[b];
            above += buckets_of(s, k)[s->buckets + b];
        }
    }
    if (on_line == 0 || (below > 2 && above > 0)) return; /* the line's ends are among those below */
    for (unsigned k = 0; k < s->count; k++)
        for (uint64_t i = 0; i < s->lists[k].count; i++) {
            hull_candidate *const item = &s->lists[k].items[i];
            if ((item->key & LEFT_OUT) == 0 || item->key == UINT32_MAX) continue;
            const uint32_t bucket = item->key & ~LEFT_OUT;
            item->key = below == 2 ? bucket : 2 * s->buckets - 1 - bucket;
            buckets_of(s, k)[item->key]++;
        }
}
