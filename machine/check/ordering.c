/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/check/ordering.h"

#include <stdlib.h>
#include <string.h>

#include "machine/check/releases.h"

static size_t warps_of(const ordering *o) { return (o->threads + o->width - 1) / o->width; }

static bool block_init(ordering_block *b, unsigned threads, unsigned width) {
    *b = (ordering_block){0};
    b->clock = calloc(threads, sizeof *b->clock);
    b->segment = calloc(threads, sizeof *b->segment);
    bool has_memory = b->clock != NULL && b->segment != NULL;
    for (unsigned k = 0; k < ORDERINGS; k++) {
        b->seen[k] = calloc(threads, sizeof *b->seen[k]);
        b->exchanged[k] = calloc((threads + width - 1) / width, sizeof *b->exchanged[k]);
        has_memory = has_memory && b->seen[k] != NULL && b->exchanged[k] != NULL;
    }
    return has_memory;
}

void ordering_block_free(ordering_block *b) {
    for (unsigned k = 0; k < ORDERINGS; k++) {
        free(b->seen[k]);
        free(b->exchanged[k]);
    }
    free(b->clock);
    free(b->segment);
    *b = (ordering_block){0};
}

bool ordering_init(ordering *o, unsigned threads, unsigned width) {
    *o = (ordering){.threads = threads, .width = width, .next = SEGMENT_FIRST};
    return block_init(&o->block, threads, width);
}

void ordering_free(ordering *o) {
    free(o->owner);
    free(o->stretch);
    ordering_block_free(&o->block);
}

static bool begin_stretch(ordering *o, uint32_t start) {
    if (o->stretches == o->stretch_capacity) {
        const size_t capacity = 2 * o->stretch_capacity + 64;
        ordering_stretch *grown = realloc(o->stretch, capacity * sizeof *grown);
        if (grown == NULL) return false;
        o->stretch = grown;
        o->stretch_capacity = capacity;
    }
    o->stretch[o->stretches++] = (ordering_stretch){
        .block = o->block.number, .start = start, .epoch = o->block.epoch_base, .first_owner = o->owners};
    return true;
}

static void begin_epoch(ordering *o) {
    o->block.epoch_base = o->next;
    o->next += o->threads;
    if (!o->keeps) o->owners = 0;
    for (unsigned k = 0; k < ORDERINGS; k++)
        memset(o->block.exchanged[k], 0, warps_of(o) * sizeof *o->block.exchanged[k]);
}

bool ordering_barrier(ordering *o) {
    begin_epoch(o);
    return !o->keeps || begin_stretch(o, o->block.epoch_base);
}

void ordering_begin_launch(ordering *o, unsigned threads) {
    o->threads = threads;
    o->launch_base = o->next;
    o->stretches = 0;
}

bool ordering_begin_block(ordering *o, uint64_t number) {
    o->block.number = number;
    o->block.restarts = o->restarts;
    o->block.block_base = o->next;
    begin_epoch(o);
    return begin_stretch(o, o->block.block_base);
}

bool ordering_keep(ordering *o) {
    if (o->keeps) return true;
    o->keeps = true;
    if (!begin_stretch(o, o->block.epoch_base)) return false;
    o->stretch[o->stretches - 1].first_owner = 0;
    return true;
}

bool ordering_put_away(ordering *o, ordering_block *out) {
    if (!ordering_keep(o)) return false;
    *out = o->block;
    return block_init(&o->block, o->threads, o->width);
}

bool ordering_bring_back(ordering *o, ordering_block *block) {
    ordering_block_free(&o->block);
    o->block = *block;
    *block = (ordering_block){0};
    if (o->block.restarts == o->restarts) return begin_stretch(o, o->next);
    o->block.restarts = o->restarts;
    o->block.block_base = SEGMENT_FIRST;
    return ordering_barrier(o);
}

void ordering_grid_barrier(ordering *o) { o->launch_base = o->next; }

bool ordering_is_full(const ordering *o) { return o->next > SEGMENT_MASK - 2 * o->threads - MACHINE_MAX_WIDTH; }

void ordering_restart(ordering *o) {
    o->block.restarts = ++o->restarts;
    o->launch_base = o->block.block_base = SEGMENT_FIRST;
    o->next = SEGMENT_FIRST + 1;
    o->owners = 0;
    begin_epoch(o);
    o->stretch[0] =
        (ordering_stretch){.block = o->block.number, .start = SEGMENT_FIRST, .epoch = SEGMENT_FIRST};
    o->stretch[1] = (ordering_stretch){
        .block = o->block.number, .start = o->block.epoch_base, .epoch = o->block.epoch_base};
    o->stretches = o->keeps ? 2 : 1;
}

uint32_t ordering_segment(const ordering *o, unsigned thread) {
    const ordering_block *b = &o->block;
    return b->exchanged[ORDERING_OF_READS][thread / o->width] != 0 ? b->segment[thread]
                                                                   : b->epoch_base + thread;
}

const ordering_stretch *ordering_stretch_of(const ordering *o, uint32_t segment) {
    size_t low = 0, high = o->stretches;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (o->stretch[middle].start <= segment) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &o->stretch[low];
}

segment_owner ordering_owner_in(const ordering *o, const ordering_stretch *in, uint32_t segment) {
    const uint32_t begun = in->start == in->epoch ? o->threads : 0, k = segment - in->start;
    if (k < begun) return (segment_owner){k, 0};
    const size_t at = in->first_owner + k - begun;
    return at < o->owners ? o->owner[at] : (segment_owner){UINT32_MAX, 0};
}

segment_owner ordering_owner(const ordering *o, uint32_t segment) {
    if (o->keeps) return ordering_owner_in(o, ordering_stretch_of(o, segment), segment);
    const uint32_t k = segment - o->block.epoch_base;
    return k < o->threads ? (segment_owner){k, 0} : o->owner[k - o->threads];
}

uint64_t ordering_block_of(const ordering *o, uint32_t segment) {
    return ordering_stretch_of(o, segment)->block;
}

bool ordering_is_of_block(const ordering *o, uint32_t segment) {
    return o->keeps ? ordering_block_of(o, segment) == o->block.number : segment >= o->block.block_base;
}

/* Between two threads of a block, since its last barrier. */
static relation relation_to(const ordering *o, ordering_of what, segment_owner owner, unsigned thread) {
    const ordering_block *b = &o->block;
    if (owner.thread == thread) return RELATION_ORDERED;
    const unsigned warp = thread / o->width;
    if (owner.thread / o->width != warp) return RELATION_IN_BLOCK;
    if (b->exchanged[what][warp] == 0) return RELATION_IN_WARP;
    return b->seen[what][thread][owner.thread % o->width] > owner.clock ? RELATION_ORDERED : RELATION_IN_WARP;
}

static relation relation_kept(const ordering *o, ordering_of what, uint32_t segment, unsigned thread) {
    const ordering_stretch *in = ordering_stretch_of(o, segment);
    const bool is_own = in->block == o->block.number;
    if (is_own && in->epoch < o->block.epoch_base) return RELATION_ORDERED;
    if (!is_own && o->releases != NULL && releases_are_full(o->releases)) return RELATION_ORDERED;
    const segment_owner owner = ordering_owner_in(o, in, segment);
    const relation found = is_own ? relation_to(o, what, owner, thread) : RELATION_IN_GRID;
    if (found == RELATION_ORDERED) return found;
    if (clocks_cover(&o->peers, o->clock, in->block, owner.thread, segment)) return RELATION_ORDERED;
    if (o->releases == NULL) return found;
    const released_segment asked = {in->block, in->epoch, owner.thread, owner.clock};
    return releases_cover(o->releases, o->known, &asked) ? RELATION_ORDERED : found;
}

relation ordering_relation(const ordering *o, ordering_of what, uint32_t segment, unsigned thread,
                           uint32_t now) {
    if (segment == now || segment < o->launch_base) return RELATION_ORDERED;
    if (o->keeps) return relation_kept(o, what, segment, thread);
    if (segment < o->block.block_base) return RELATION_IN_GRID;
    if (segment < o->block.epoch_base) return RELATION_ORDERED;
    return relation_to(o, what, ordering_owner(o, segment), thread);
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
        for (unsigned k = 0; k < ORDERINGS; k++) memset(o->block.seen[k][t], 0, sizeof o->block.seen[k][t]);
        o->block.clock[t] = 0;
        o->block.segment[t] = o->block.epoch_base + t;
    }
}

/* Joins what each of the lanes comes after. Lanes of one exchange have seen the same until their next one. */
static void join_seen(const ordering *o, ordering_of what, unsigned warp, unsigned mask,
                      uint32_t joined[static MACHINE_MAX_WIDTH]) {
    const unsigned first = warp * o->width;
    memcpy(joined, o->block.seen[what][first + (unsigned)__builtin_ctz(mask)],
           MACHINE_MAX_WIDTH * sizeof *joined);
    if (o->block.exchanged[what][warp] == mask) return;
    for (unsigned rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
        const uint32_t *seen = o->block.seen[what][first + (unsigned)__builtin_ctz(rest)];
        for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) joined[k] = seen[k] > joined[k] ? seen[k] : joined[k];
    }
}

/* The lanes come after all that any of them has done. */
static void see(ordering *o, ordering_of what, unsigned warp, unsigned mask) {
    const unsigned first = warp * o->width;
    uint32_t joined[MACHINE_MAX_WIDTH];
    join_seen(o, what, warp, mask, joined);
    o->block.exchanged[what][warp] = mask;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        joined[lane] = o->block.clock[first + lane] + 1;
    }
    for (unsigned rest = mask; rest != 0; rest &= rest - 1)
        memcpy(o->block.seen[what][first + (unsigned)__builtin_ctz(rest)], joined, sizeof joined);
}

bool ordering_exchange(ordering *o, unsigned warp, unsigned mask, bool fences) {
    if (mask == 0) return true;
    if (!reserve_owners(o, MACHINE_MAX_WIDTH)) return false;
    if (o->block.exchanged[ORDERING_OF_READS][warp] == 0) begin_exchanges(o, warp);
    see(o, ORDERING_OF_READS, warp, mask);
    if (fences) see(o, ORDERING_OF_WRITES, warp, mask);
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned t = warp * o->width + (unsigned)__builtin_ctz(rest);
        o->owner[o->owners++] = (segment_owner){t, ++o->block.clock[t]};
        o->block.segment[t] = o->next++;
    }
    return true;
}
