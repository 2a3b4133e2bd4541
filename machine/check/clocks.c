/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/check/clocks.h"

#include <stdlib.h>

static size_t length_of(const clock_peers *peers) { return (size_t)peers->count * peers->threads; }

bool clocks_cover(const clock_peers *peers, const uint32_t *clock, uint64_t block, unsigned thread,
                  uint32_t segment) {
    if (clock == NULL || thread >= peers->threads) return false;
    for (unsigned rank = 0; rank < peers->count; rank++)
        if (peers->block[rank] == block) return segment < clock[(size_t)rank * peers->threads + thread];
    return false;
}

bool clocks_know(const clock_peers *peers, const uint32_t *clock, unsigned rank) {
    for (unsigned t = 0; clock != NULL && t < peers->threads; t++)
        if (clock[(size_t)rank * peers->threads + t] != 0) return true;
    return false;
}

const uint32_t *clocks_of(const clock_block *block, unsigned thread) {
    const uint32_t *own = block->own != NULL ? block->own[thread] : NULL;
    return own != NULL ? own : block->common;
}

uint32_t clocks_acquired(const clock_block *block, unsigned thread) {
    const uint32_t own = block->acquired != NULL ? block->acquired[thread] : 0;
    return own > block->all_acquired ? own : block->all_acquired;
}

static bool reserve(uint32_t **clock, const clock_peers *peers) {
    if (*clock == NULL) *clock = calloc(length_of(peers), sizeof **clock);
    return *clock != NULL;
}

bool clocks_join(uint32_t **to, const uint32_t *from, const clock_peers *peers) {
    if (from == NULL) return true;
    if (!reserve(to, peers)) return false;
    const size_t length = length_of(peers);
    uint32_t *into = *to;
    for (size_t k = 0; k < length; k++) into[k] = from[k] > into[k] ? from[k] : into[k];
    return true;
}

/* The threads of a block, but for one, come after what is before `from`. */
static void raise(uint32_t *clock, unsigned threads, uint32_t from) {
    for (unsigned t = 0; t < threads; t++) clock[t] = from > clock[t] ? from : clock[t];
}

bool clocks_arrive(clock_phase *phase, const clock_block *block, unsigned rank, unsigned thread, uint32_t epoch,
                   uint32_t now, const clock_peers *peers) {
    if (!reserve(&phase->pending, peers) || !clocks_join(&phase->pending, clocks_of(block, thread), peers))
        return false;
    uint32_t *own = phase->pending + (size_t)rank * peers->threads;
    raise(own, peers->threads, epoch);
    if (now > own[thread]) own[thread] = now;
    return true;
}

bool clocks_arrive_all(clock_phase *phase, const clock_block *block, unsigned rank, uint32_t now,
                       const clock_peers *peers) {
    if (!reserve(&phase->pending, peers) || !clocks_join(&phase->pending, block->common, peers)) return false;
    for (unsigned t = 0; block->own != NULL && t < peers->threads; t++)
        if (!clocks_join(&phase->pending, block->own[t], peers)) return false;
    raise(phase->pending + (size_t)rank * peers->threads, peers->threads, now);
    return true;
}

bool clocks_note(clock_phase *phase, unsigned rank, unsigned thread, uint32_t now, const clock_peers *peers) {
    if (!reserve(&phase->pending, peers)) return false;
    uint32_t *own = phase->pending + (size_t)rank * peers->threads + thread;
    if (now > *own) *own = now;
    return true;
}

void clocks_end(clock_phase *phase) {
    free(phase->done);
    phase->done = phase->pending;
    phase->pending = NULL;
    phase->number++;
}

static bool reserve_own(clock_block *block, unsigned threads) {
    if (block->own == NULL) block->own = calloc(threads, sizeof *block->own);
    if (block->acquired == NULL) block->acquired = calloc(threads, sizeof *block->acquired);
    return block->own != NULL && block->acquired != NULL;
}

/* A clock of the thread's own, which may differ from the others'. */
static bool part(clock_block *block, unsigned thread, const clock_peers *peers) {
    return block->own[thread] != NULL || clocks_join(&block->own[thread], block->common, peers);
}

bool clocks_wait(const clock_phase *phase, clock_block *block, unsigned thread, uint32_t now,
                 const clock_peers *peers) {
    if (!reserve_own(block, peers->threads) || !part(block, thread, peers)) return false;
    block->acquired[thread] = now;
    return clocks_join(&block->own[thread], phase->done, peers);
}

bool clocks_meet(clock_block *block, const clock_peers *peers) {
    if (block->own == NULL) return true;
    for (unsigned t = 0; t < peers->threads; t++) {
        if (block->acquired[t] > block->all_acquired) block->all_acquired = block->acquired[t];
        if (!clocks_join(&block->common, block->own[t], peers)) return false;
        free(block->own[t]);
        block->own[t] = NULL;
    }
    return true;
}

bool clocks_meet_lanes(clock_block *block, unsigned rank, unsigned first, unsigned lanes,
                       const uint32_t *segment, const clock_peers *peers) {
    uint32_t *joined = NULL, acquired = 0;
    bool done = reserve_own(block, peers->threads) && reserve(&joined, peers);
    for (unsigned rest = lanes; done && rest != 0; rest &= rest - 1) {
        const unsigned t = first + (unsigned)__builtin_ctz(rest);
        done = clocks_join(&joined, clocks_of(block, t), peers);
        joined[(size_t)rank * peers->threads + t] = segment[t];
        if (block->acquired[t] > acquired) acquired = block->acquired[t];
    }
    for (unsigned rest = lanes; done && rest != 0; rest &= rest - 1) {
        const unsigned t = first + (unsigned)__builtin_ctz(rest);
        block->acquired[t] = acquired;
        done = clocks_join(&block->own[t], joined, peers);
    }
    free(joined);
    return done;
}

void clocks_free_block(clock_block *block, unsigned threads) {
    for (unsigned t = 0; block->own != NULL && t < threads; t++) free(block->own[t]);
    free(block->own);
    free(block->common);
    free(block->acquired);
    *block = (clock_block){0};
}

void clocks_free_phase(clock_phase *phase) {
    free(phase->pending);
    free(phase->done);
    phase->pending = phase->done = NULL;
}
