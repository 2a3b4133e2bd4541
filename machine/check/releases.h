/* SPDX-License-Identifier: Apache-2.0
 *
 * What threads release to others, of any block, and acquire, in the words of PTX's memory model (section 8 of its manual):
 *
 *     release    a fence, then a strong write (atomic or volatile) of the thread, or one with an order of its own
 *     acquire    a strong read of what was written so, then a fence, or one with an order of its own
 *
 * A release is what had happened before the fence: all that the block did before its last barrier then, what the thread's warp did up to where
 * it had met the thread, and the releases that the thread had acquired. A place of global memory has the set of releases that its last
 * strong writes carry; a read-modify-write carries on what it finds. At a barrier threads of a block share what they have
 * acquired, and lanes do at __syncwarp.
 *
 * Beyond the model, as real programs have it: fence and flag may be on two sides of a barrier, and belong to different threads. Who fences behind
 * it acquires what others have read before; if all have fenced before it, any of them may write the flag, and with __syncwarp
 * if one has. A read-modify-write without an order of its own, of a thread that has fenced before, acquires too, as the last
 * block of NVIDIA's threadFenceReduction does. Scopes below the device order nothing here.
 */
#ifndef RIFFLE_MACHINE_CHECK_RELEASES_H
#define RIFFLE_MACHINE_CHECK_RELEASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/device/device_api.h"

/** Releases of a launch that are kept: 2^16. Beyond them accesses of different blocks count as ordered. */
enum { RELEASES_MOST = 1 << 16 };

/** A set of releases: bit k of the words is release k. */
typedef struct release_set {
    uint64_t *word;
    uint32_t words;
} release_set;

/** Where a thread's last fence stood. */
typedef struct release_fence {
    bool made;
    uint32_t epoch;                   /**< first segment since the block's last barrier then */
    uint32_t first;                   /**< thread that is lane 0 of its warp */
    uint32_t release;                 /**< 1 + its number, once it is one; else 0 */
    uint32_t seen[MACHINE_MAX_WIDTH]; /**< how many segments of each lane since that barrier come before it */
} release_fence;

/** A thread's part. */
typedef struct release_thread {
    release_fence fence;
    release_set pending; /**< read, and acquired with the next fence */
    release_set known;   /**< acquired, with the block's, since the last barrier; no words: the block's alone */
    uint32_t acquired;   /**< the first segment number that came after its last acquiring; 0: never */
} release_thread;

/** A block's part. */
typedef struct release_block {
    unsigned threads;
    release_thread *thread; /**< NULL until one of them fences, or reads what was released */
    release_fence fence;    /**< made by all threads, before the last barrier */
    release_set known;
    release_set pending; /**< read before the last barrier, and acquired by who fences */
    uint32_t acquired;
} release_block;

typedef struct releases releases;

/** None; NULL without memory. */
releases *releases_create(void);
void releases_free(releases *r);
/** Forgets all: everything is ordered. */
void releases_forget(releases *r);

/** A thread of block `number` fences: `seen` and `epoch` as release_fence has them; `now` is the number of its next segment. False without memory. */
bool releases_fence(releases *r, release_block *block, unsigned thread, const release_fence *fence,
                    uint32_t now);

/** How a strong access acts. */
typedef struct release_access {
    uintptr_t address;
    bool reads, writes;
    bool acquires; /**< it has that order of its own */
    bool ordered;  /**< it has one of its own, so that fences before it do not make it acquire */
    uint64_t block;
    uint32_t now; /**< the number that the next segment would have */
} release_access;

/** True if a thread has acquired, and not only read, what the last strong write of a place was made in the name of. */
bool releases_follow(const releases *r, const release_block *block, unsigned thread, uintptr_t address);

/** A strong access of a thread, which fences before it where it has the order of a release. False without memory. */
bool releases_access(releases *r, release_block *block, unsigned thread, const release_access *one);

/** True if a strong access may acquire or release anything. */
bool releases_any(const releases *r);

/** True if there were more than are kept. */
bool releases_are_full(const releases *r);

/** True if a thread has fenced since the barrier behind which segment `epoch` was the first. */
bool releases_has_fenced(const release_block *block, unsigned thread, uint32_t epoch);

/** The threads have met at the block's barrier, `all` of them having fenced since the one before; `epoch` is the first segment behind it. False
 *  without memory. */
bool releases_barrier(release_block *block, bool all, uint32_t epoch);

/** Some lanes of the warp whose first thread is `first` have met at a __syncwarp. False without memory. */
bool releases_meet(release_block *block, unsigned first, unsigned lanes);

/** What a thread has acquired, and since when (acquired of the one of them). */
const release_set *releases_known(const release_block *block, unsigned thread);
uint32_t releases_acquired(const release_block *block, unsigned thread);

/** A segment that is asked about: its block, its epoch's first, and whose it is. */
typedef struct released_segment {
    uint64_t block;
    uint32_t epoch, thread, clock;
} released_segment;

/** True if one of the known releases covers it. */
bool releases_cover(const releases *r, const release_set *known, const released_segment *one);

/** Forgets what a block has; it begins anew. */
void release_block_free(release_block *block);

#endif
