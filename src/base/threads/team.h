/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a loop. All loops of this engine open their parallel region here, so that a single thread
 * opens none: libgomp allocates a team for every region, also for one of a single thread (200 ns), and serves a
 * region within another outside its pool, with threads that it starts each time.
 */
#ifndef RIFFLE_BASE_THREADS_TEAM_H
#define RIFFLE_BASE_THREADS_TEAM_H

#include <stdint.h>

/** One thread of those that share a loop: number `number`, from 0, of `count`. */
typedef struct team_member {
    unsigned number, count;
} team_member;

typedef void team_work(const void *context, team_member me);

/** The same in a parallel region. */
void team_run_together(unsigned threads, team_work *work, const void *context);

/** Calls work(context, ...) on `threads` threads, or on fewer where OpenMP gives fewer, and waits for them. */
static inline void team_run(unsigned threads, team_work *work, const void *context) {
    if (threads <= 1)
        work(context, (team_member){.number = 0, .count = 1});
    else
        team_run_together(threads, work, context);
}

typedef struct team_share {
    uint64_t first, end;
} team_share;

/** A member's share of a loop over `count` items: one contiguous range, as even as may be. */
static inline team_share team_share_of(uint64_t count, team_member me) {
    if (me.count == 1) return (team_share){0, count}; /* a division takes as long as a short move's line */
    const uint64_t whole = count / me.count, rest = count % me.count;
    const uint64_t first = whole * me.number + (me.number < rest ? me.number : rest);
    return (team_share){first, first + whole + (me.number < rest ? 1 : 0)};
}

/** The next `most` of the `count` items that no member has taken yet; *taken, which all share, begins as 0.
 *  Empty once all are taken. */
static inline team_share team_take(uint64_t count, uint64_t most, uint64_t *taken) {
    const uint64_t first = __atomic_fetch_add(taken, most, __ATOMIC_RELAXED);
    if (first >= count) return (team_share){count, count};
    return (team_share){first, count - first < most ? count : first + most};
}

#endif
