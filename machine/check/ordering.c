/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/check/ordering.h"

#include <stdlib.h>
#include <string.h>

bool ordering_init(ordering *o, unsigned threads, unsigned width) {
    *o = (ordering){.width = width, .next = SEGMENT_FIRST};
    o->clock = calloc(threads, sizeof *o->clock);
    o->segment = calloc(threads, sizeof *o->segment);
    bool has_memory = o->clock != NULL && o->segment != NULL;
    for (unsigned k = 0; k < ORDERINGS; k++) {
        o->seen[k] = calloc(threads, sizeof *o->seen[k]);
        o->exchanged[k] = calloc((threads + width - 1) / width, sizeof *o->exchanged[k]);
        has_memory = has_memory && o->seen[k] != NULL && o->exchanged[k] != NULL;
    }
    return has_memory;
}

void ordering_free(ordering *o) {
    free(o->owner);
    for (unsigned k = 0; k < ORDERINGS; k++) {
        free(o->seen[k]);
        free(o->exchanged[k]);
    }
    free(o->clock);
    free(o->segment);
    free(o->block_begin);
}

void ordering_barrier(ordering *o) {
    o->epoch_base = o->next;
    o->next += o->threads;
    o->owners = 0;
    for (unsigned k = 0; k < ORDERINGS; k++)
        memset(o->exchanged[k], 0, (o->threads + o->width - 1) / o->width * sizeof *o->exchanged[k]);
}

void ordering_begin_launch(ordering *o, unsigned threads) {
    o->threads = threads;
    o->launch_base = o->next;
    o->blocks = 0;
}

bool ordering_begin_block(ordering *o) {
    if (o->blocks == o->block_capacity) {
        const size_t capacity = o->block_capacity == 0 ? 64 : 2 * o->block_capacity;
        uint32_t *grown = realloc(o->block_begin, capacity * sizeof *grown);
        if (grown == NULL) return false;
        o->block_begin = grown;
        o->block_capacity = capacity;
    }
    o->block_base = o->next;
    o->block_begin[o->blocks++] = o->block_base;
    ordering_barrier(o);
    return true;
}

bool ordering_is_full(const ordering *o) { return o->next > SEGMENT_MASK - 2 * o->threads - MACHINE_MAX_WIDTH; }

void ordering_restart(ordering *o) {
    o->launch_base = o->block_base = SEGMENT_FIRST;
    o->next = SEGMENT_FIRST + 1;
    for (size_t k = 0; k < o->blocks; k++) o->block_begin[k] = SEGMENT_FIRST;
    ordering_barrier(o);
}

uint32_t ordering_segment(const ordering *o, unsigned thread) {
    return o->exchanged[ORDERING_OF_READS][thread / o->width] != 0 ? o->segment[thread]
                                                                   : o->epoch_base + thread;
}

segment_owner ordering_owner(const ordering *o, uint32_t segment) {
    const uint32_t k = segment - o->epoch_base;
    return k < o->threads ? (segment_owner){k, 0} : o->owner[k - o->threads];
}

size_t ordering_block_of(const ordering *o, uint32_t segment) {
    size_t low = 0, high = o->blocks;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (o->block_begin[middle] <= segment) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

relation ordering_relation(const ordering *o, ordering_of what, uint32_t segment, unsigned thread,
                           uint32_t now) {
    if (segment == now || segment < o->launch_base) return RELATION_ORDERED;
    if (segment < o->block_base) return RELATION_IN_GRID;
    if (segment < o->epoch_base) return RELATION_ORDERED;
    const segment_owner owner = ordering_owner(o, segment);
    if (owner.thread == thread) return RELATION_ORDERED;
    const unsigned warp = thread / o->width;
    if (owner.thread / o->width != warp) return RELATION_IN_BLOCK;
    if (o->exchanged[what][warp] == 0) return RELATION_IN_WARP;
    return o->seen[what][thread][owner.thread % o->width] > owner.clock ? RELATION_ORDERED : RELATION_IN_WARP;
}

static bool reserve_owners(ordering *o, size_t more) {
    if (o->owners + more <= o->owner_capacity) return true;
    const size_t capacity = 2 * o->owner_capacity + 1024;
    segment_owner *grown = realloc(o->owner, capacity * sizeof *grown);
    if (grown == NULL) return false;
    o->owner = grown;
    o->owner_capacity = capacity;
    return true;
}

static void begin_exchanges(ordering *o, unsigned warp) {
    const unsigned first = warp * o->width;
    const unsigned end = first + o->width < o->threads ? first + o->width : o->threads;
    for (unsigned t = first; t < end; t++) {
        for (unsigned k = 0; k < ORDERINGS; k++) memset(o->seen[k][t], 0, sizeof o->seen[k][t]);
        o->clock[t] = 0;
        o->segment[t] = o->epoch_base + t;
    }
}

/* Joins what each of the lanes comes after. Lanes of one exchange have seen the same until their next one. */
static void join_seen(const ordering *o, ordering_of what, unsigned warp, unsigned mask,
                      uint32_t joined[static MACHINE_MAX_WIDTH]) {
    const unsigned first = warp * o->width;
    memcpy(joined, o->seen[what][first + (unsigned)__builtin_ctz(mask)], MACHINE_MAX_WIDTH * sizeof *joined);
    if (o->exchanged[what][warp] == mask) return;
    for (unsigned rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
        const uint32_t *seen = o->seen[what][first + (unsigned)__builtin_ctz(rest)];
        for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) joined[k] = seen[k] > joined[k] ? seen[k] : joined[k];
    }
}

/* The lanes come after all that any of them has done. */
static void see(ordering *o, ordering_of what, unsigned warp, unsigned mask) {
    const unsigned first = warp * o->width;
    uint32_t joined[MACHINE_MAX_WIDTH];
    join_seen(o, what, warp, mask, joined);
    o->exchanged[what][warp] = mask;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        joined[lane] = o->clock[first + lane] + 1;
    }
    for (unsigned rest = mask; rest != 0; rest &= rest - 1)
        memcpy(o->seen[what][first + (unsigned)__builtin_ctz(rest)], joined, sizeof joined);
}

bool ordering_exchange(ordering *o, unsigned warp, unsigned mask, bool fences) {
    if (mask == 0) return true;
    if (!reserve_owners(o, MACHINE_MAX_WIDTH)) return false;
    if (o->exchanged[ORDERING_OF_READS][warp] == 0) begin_exchanges(o, warp);
    see(o, ORDERING_OF_READS, warp, mask);
    if (fences) see(o, ORDERING_OF_WRITES, warp, mask);
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned t = warp * o->width + (unsigned)__builtin_ctz(rest);
        o->owner[o->owners++] = (segment_owner){t, ++o->clock[t]};
        o->segment[t] = o->next++;
    }
    return true;
}
