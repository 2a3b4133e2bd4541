/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/check/releases.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 10 };

typedef struct release {
    uint64_t block;
    uint32_t next; /* 1 + the number of the one before it in its bucket; 0: none */
    release_fence at;
} release;

/* A place that has been written to in the name of a release. */
typedef struct place_of_release {
    uintptr_t address;
    struct place_of_release *next;
    release_set carried;
} place_of_release;

struct releases {
    release *release;
    uint32_t count, capacity;
    uint32_t last[BUCKETS]; /* 1 + the last one of blocks that fall there */
    place_of_release *place[BUCKETS];
    bool fenced, full;
};

releases *releases_create(void) { return calloc(1, sizeof(releases)); }

void releases_forget(releases *r) {
    for (size_t k = 0; k < BUCKETS; k++) {
        for (place_of_release *one = r->place[k], *next; one != NULL; one = next) {
            next = one->next;
            free(one->carried.word);
            free(one);
        }
        r->place[k] = NULL;
    }
    memset(r->last, 0, sizeof r->last);
    r->count = 0;
    r->fenced = r->full = false;
}

void releases_free(releases *r) {
    if (r == NULL) return;
    releases_forget(r);
    free(r->release);
    free(r);
}

/* ---- sets */

static bool reserve(release_set *set, uint32_t words) {
    if (words <= set->words) return true;
    uint64_t *grown = realloc(set->word, words * sizeof *grown);
    if (grown == NULL) return false;
    memset(grown + set->words, 0, (words - set->words) * sizeof *grown);
    *set = (release_set){grown, words};
    return true;
}

static bool add_one(release_set *set, uint32_t k) {
    if (!reserve(set, k / 64 + 1)) return false;
    set->word[k / 64] |= UINT64_C(1) << k % 64;
    return true;
}

static bool add_all(release_set *to, const release_set *from) {
    if (!reserve(to, from->words)) return false;
    for (uint32_t k = 0; k < from->words; k++) to->word[k] |= from->word[k];
    return true;
}

static bool has(const release_set *set, uint32_t k) {
    return k / 64 < set->words && (set->word[k / 64] >> k % 64 & 1) != 0;
}

static void empty(release_set *set) {
    free(set->word);
    *set = (release_set){0};
}

/* ---- threads */

static release_thread *thread_of(release_block *block, unsigned thread) {
    if (block->thread == NULL) block->thread = calloc(block->threads, sizeof *block->thread);
    return block->thread != NULL ? &block->thread[thread] : NULL;
}

/* The thread comes after these. */
static bool acquire(const release_block *block, release_thread *own, const release_set *these, uint32_t now) {
    if (these->words == 0) return true;
    own->acquired = now;
    return add_all(&own->known, &block->known) && add_all(&own->known, these);
}

bool releases_fence(releases *r, release_block *block, unsigned thread, const release_fence *fence,
                    uint32_t now) {
    release_thread *own = thread_of(block, thread);
    if (own == NULL) return false;
    own->fence = *fence;
    r->fenced = true;
    if (!acquire(block, own, &block->pending, now) || !acquire(block, own, &own->pending, now)) return false;
    empty(&own->pending);
    return true;
}

const release_set *releases_known(const release_block *block, unsigned thread) {
    const bool own = block->thread != NULL && block->thread[thread].known.words > 0;
    return own ? &block->thread[thread].known : &block->known;
}

uint32_t releases_acquired(const release_block *block, unsigned thread) {
    const uint32_t own = block->thread != NULL ? block->thread[thread].acquired : 0;
    return own > block->acquired ? own : block->acquired;
}

bool releases_any(const releases *r) { return r->fenced; }
bool releases_are_full(const releases *r) { return r->full; }

bool releases_has_fenced(const release_block *block, unsigned thread, uint32_t epoch) {
    const release_thread *own = block->thread != NULL ? &block->thread[thread] : NULL;
    return own != NULL && own->fence.made && own->fence.epoch == epoch;
}

bool releases_barrier(release_block *block, bool all, uint32_t epoch) {
    if (block->thread == NULL) return true;
    for (unsigned t = 0; t < block->threads; t++) {
        release_thread *own = &block->thread[t];
        if (own->acquired > block->acquired) block->acquired = own->acquired;
        if (!add_all(&block->known, &own->known) || !add_all(&block->pending, &own->pending)) return false;
        empty(&own->known);
        empty(&own->pending);
    }
    if (all) block->fence = (release_fence){.made = true, .epoch = epoch};
    return true;
}

/* A fence that covers what those of the lanes do since the block's last barrier at which one of them has fenced. */
static release_fence join_fences(const release_thread *own, unsigned lanes) {
    release_fence joined = {.made = false};
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const release_fence *one = &own[__builtin_ctz(rest)].fence;
        if (!one->made || (joined.made && one->epoch < joined.epoch)) continue;
        if (!joined.made || one->epoch > joined.epoch) {
            joined = *one;
            continue;
        }
        if (memcmp(joined.seen, one->seen, sizeof joined.seen) == 0) continue;
        joined.release = 0;
        for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++)
            if (one->seen[k] > joined.seen[k]) joined.seen[k] = one->seen[k];
    }
    return joined;
}

static bool share(release_thread *own, unsigned lanes, release_set *known, release_set *pending) {
    uint32_t acquired = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const release_thread *one = &own[__builtin_ctz(rest)];
        if (one->acquired > acquired) acquired = one->acquired;
        if (!add_all(known, &one->known) || !add_all(pending, &one->pending)) return false;
    }
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        release_thread *one = &own[__builtin_ctz(rest)];
        if (!add_all(&one->known, known) || !add_all(&one->pending, pending)) return false;
        one->acquired = acquired;
    }
    return true;
}

bool releases_meet(release_block *block, unsigned first, unsigned lanes) {
    if (block->thread == NULL || (lanes & (lanes - 1)) == 0) return true;
    release_thread *own = &block->thread[first];
    const release_fence joined = join_fences(own, lanes);
    for (unsigned rest = lanes; joined.made && rest != 0; rest &= rest - 1) {
        release_fence *one = &own[__builtin_ctz(rest)].fence;
        const bool same = one->made && one->epoch == joined.epoch &&
                          memcmp(one->seen, joined.seen, sizeof joined.seen) == 0;
        if (!same) *one = joined;
    }
    release_set known = {NULL, 0}, pending = {NULL, 0};
    const bool shared = share(own, lanes, &known, &pending);
    empty(&known);
    empty(&pending);
    return shared;
}

void release_block_free(release_block *block) {
    for (unsigned t = 0; block->thread != NULL && t < block->threads; t++) {
        free(block->thread[t].pending.word);
        free(block->thread[t].known.word);
    }
    free(block->thread);
    free(block->known.word);
    free(block->pending.word);
    *block = (release_block){.threads = block->threads};
}

/* ---- places */

static size_t bucket_of(uint64_t key) { return (key * UINT64_C(0x9e3779b97f4a7c15)) >> 54; }

static place_of_release *find(const releases *r, uintptr_t address) {
    place_of_release *one = r->place[bucket_of(address)];
    while (one != NULL && one->address != address) one = one->next;
    return one;
}

static place_of_release *find_or_make(releases *r, uintptr_t address) {
    place_of_release *one = find(r, address);
    if (one != NULL) return one;
    one = calloc(1, sizeof *one);
    if (one == NULL) return NULL;
    const size_t bucket = bucket_of(address);
    *one = (place_of_release){.address = address, .next = r->place[bucket]};
    return r->place[bucket] = one;
}

/* Gives a fence its number; a launch with too many has none that are told apart. */
static bool number_fence(releases *r, uint64_t block, release_fence *fence) {
    if (fence->release != 0 || r->full) return true;
    if (r->count == RELEASES_MOST) {
        r->full = true;
        return true;
    }
    if (r->count == r->capacity) {
        const uint32_t capacity = 2 * r->capacity + 64;
        release *grown = realloc(r->release, capacity * sizeof *grown);
        if (grown == NULL) return false;
        r->release = grown;
        r->capacity = capacity;
    }
    uint32_t *last = &r->last[bucket_of(block)];
    r->release[r->count++] = (release){block, *last, *fence};
    *last = fence->release = r->count;
    return true;
}

/* Has the place carry what a fence stands for, if it was made. */
static bool carry(releases *r, uint64_t block, release_fence *fence, place_of_release *at) {
    if (!fence->made) return true;
    return number_fence(r, block, fence) && (r->full || add_one(&at->carried, fence->release - 1));
}

static bool release_to(releases *r, release_block *block, release_thread *own, const release_access *one) {
    place_of_release *at = find_or_make(r, one->address);
    if (at == NULL) return false;
    if (!one->reads) empty(&at->carried);
    const release_set *known = own->known.words > 0 ? &own->known : &block->known;
    return carry(r, one->block, &own->fence, at) && carry(r, one->block, &block->fence, at) &&
           add_all(&at->carried, known);
}

bool releases_follow(const releases *r, const release_block *block, unsigned thread, uintptr_t address) {
    const place_of_release *at = find(r, address);
    if (at == NULL || at->carried.words == 0) return false;
    const release_set *known = releases_known(block, thread);
    uint64_t any = 0;
    for (uint32_t k = 0; k < at->carried.words; k++) {
        any |= at->carried.word[k];
        if ((at->carried.word[k] & ~(k < known->words ? known->word[k] : 0)) != 0) return false;
    }
    return any != 0;
}

bool releases_access(releases *r, release_block *block, unsigned thread, const release_access *one) {
    release_thread *own = thread_of(block, thread);
    if (own == NULL) return false;
    const bool releasing = one->writes && (own->fence.made || block->fence.made);
    place_of_release *at = find(r, one->address);
    if (at != NULL && one->reads) {
        const bool at_once = one->acquires || (one->writes && !one->ordered && own->fence.made);
        if (!(at_once ? acquire(block, own, &at->carried, one->now) : add_all(&own->pending, &at->carried)))
            return false;
    }
    if (releasing) return release_to(r, block, own, one);
    if (at != NULL && one->writes && !one->reads) empty(&at->carried);
    return true;
}

static bool covers(const release *it, const released_segment *one) {
    if (it->block != one->block) return false;
    if (one->epoch != it->at.epoch) return one->epoch < it->at.epoch;
    const uint32_t lane = one->thread - it->at.first;
    return lane < MACHINE_MAX_WIDTH && it->at.seen[lane] > one->clock;
}

bool releases_cover(const releases *r, const release_set *known, const released_segment *one) {
    if (known == NULL || known->words == 0) return false;
    for (uint32_t k = r->last[bucket_of(one->block)]; k != 0; k = r->release[k - 1].next)
        if (has(known, k - 1) && covers(&r->release[k - 1], one)) return true;
    return false;
}
