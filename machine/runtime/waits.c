/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that has left the kernel counts as arrived everywhere, and is reported; one that waits elsewhere
 * never comes, and the launch ends.
 */
#define _GNU_SOURCE /* dladdr */
#include "machine/runtime/waits.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Lanes of a warp in a state. */
static unsigned lanes_in(const launch_state *l, unsigned warp, thread_state state) {
    const unsigned first = warp * l->options->width;
    unsigned mask = 0;
    for (unsigned lane = 0; lane < l->options->width && first + lane < l->threads; lane++) {
        if (l->thread[first + lane].state == state) mask |= 1u << lane;
    }
    return mask;
}

static unsigned lanes_there_are(const launch_state *l, unsigned warp) {
    const unsigned left = l->threads - warp * l->options->width;
    const unsigned lanes = left < l->options->width ? left : l->options->width;
    return lanes < 32 ? (1u << lanes) - 1 : ~0u;
}

static void say_left_lanes(char *text, unsigned missing, unsigned mask, machine_index block) {
    snprintf(text, HAZARD_TEXT_BYTES,
             "%d of %d lanes named by mask 0x%08x of a warp of block (%u,%u,%u) have left the kernel before",
             __builtin_popcount(missing), __builtin_popcount(mask), mask, block.x, block.y, block.z);
}

void waits_resume(launch_thread *thread) {
    thread->state = THREAD_READY;
    thread->slices = 0;
}

/* The lanes `here` have come to their exchange, and nobody else will. */
static void end_exchange(launch_state *l, unsigned warp, unsigned here) {
    const unsigned first = warp * l->options->width;
    bool orders = true;
    memset(l->exchanged, 0, sizeof l->exchanged);
    l->votes = 0;
    for (unsigned rest = here; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        l->exchanged[lane] = l->thread[first + lane].value;
        l->votes |= (unsigned)(l->exchanged[lane] != 0) << lane;
        orders &= l->thread[first + lane].orders;
        waits_resume(&l->thread[first + lane]);
        l->thread[first + lane].took_part = here;
    }
    if (!ordering_exchange(&l->order, warp, here, orders)) launch_lacks_memory(l, "the order of accesses");
    if (orders && !releases_meet(&l->releasing, first, here)) launch_lacks_memory(l, "what blocks release");
    if (orders && l->cluster != NULL &&
        !clocks_meet_lanes(&l->clocks, l->rank, first, here, l->order.block.segment, &l->order.peers))
        launch_lacks_memory(l, "the order of accesses");
}

/* Lanes meet where nothing else of the warp can go on: all that stand at the place of the first one. */
static bool end_meeting(launch_state *l, unsigned warp, unsigned exchanging, unsigned live) {
    const launch_thread *first = &l->thread[warp * l->options->width];
    const void *where = NULL;
    unsigned here = 0;
    for (unsigned rest = exchanging; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!first[lane].meeting || (here != 0 && first[lane].site != where)) continue;
        where = first[lane].site;
        here |= 1u << lane;
    }
    if (here == 0) return false;
    end_exchange(l, warp, here);
    if (here == live) launch_flush(l, here);
    return true;
}

/* The lanes that wait for the same mask as `lane` does. */
static unsigned companions(const launch_state *l, unsigned warp, unsigned exchanging, unsigned lane) {
    const launch_thread *first = &l->thread[warp * l->options->width];
    unsigned here = 0;
    for (unsigned rest = exchanging & first[lane].mask; rest != 0; rest &= rest - 1) {
        const unsigned other = (unsigned)__builtin_ctz(rest);
        if (!first[other].meeting && first[other].mask == first[lane].mask) here |= 1u << other;
    }
    return here;
}

bool waits_end_exchanges(launch_state *l, unsigned warp) {
    const unsigned exchanging = lanes_in(l, warp, THREAD_EXCHANGING);
    if (exchanging == 0) return false;
    const unsigned left = lanes_in(l, warp, THREAD_LEFT);
    const unsigned all = lanes_there_are(l, warp);
    for (unsigned rest = exchanging; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const launch_thread *thread = &l->thread[warp * l->options->width + lane];
        if (thread->meeting) continue;
        const unsigned here = companions(l, warp, exchanging, lane), wanted = thread->mask & all;
        if ((wanted & ~here & ~left) != 0) continue;
        if (here != wanted) {
            char *text = launch_hazard(l, &(hazard){.kind = HAZARD_BARRIER, .pc = thread->site});
            if (text != NULL) say_left_lanes(text, wanted & ~here, thread->mask, l->block_index);
        }
        end_exchange(l, warp, here);
        if (here == (all & ~left)) launch_flush(l, here);
        /* One at a time: the lanes fetch the values before the next exchange ends. */
        return true;
    }
    return end_meeting(l, warp, exchanging, all & ~left);
}

/* "at tile.cu:12", or what else a thread does that others wait for. */
static void say_where(launch_state *l, const launch_thread *thread, char out[128]) {
    if (thread->state == THREAD_LEFT) {
        snprintf(out, 128, "has left the kernel");
        return;
    }
    const source_line line = source_line_of(l->lines, thread->site);
    snprintf(out, 128, "waits at %.90s:%u", line.file, line.line);
}

static const char *const waited_for[] = {[THREAD_AT_BARRIER] = "barrier",
                                         [THREAD_AT_GRID_BARRIER] = "barrier of the grid",
                                         [THREAD_AT_CLUSTER] = "barrier of the cluster",
                                         [THREAD_AT_PHASE] = "phase",
                                         [THREAD_EXCHANGING] = "exchange of a warp"};

/* Reports that not all threads of the block come to where `thread` waits; `other` is one that does not. */
static void report_missing(launch_state *l, const launch_thread *thread, const launch_thread *other,
                           unsigned arrived) {
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_BARRIER, .pc = thread->site});
    if (text == NULL) return;
    char where[128];
    say_where(l, other, where);
    const source_line line = source_line_of(l->lines, thread->site);
    snprintf(text, HAZARD_TEXT_BYTES,
             "%u of %u threads of block (%u,%u,%u) have come to the %s at %.100s:%u; thread (%u,%u,%u) %s",
             arrived, l->threads, l->block_index.x, l->block_index.y, l->block_index.z,
             waited_for[thread->state], line.file, line.line, other->index.x, other->index.y, other->index.z,
             where);
}

/* True for riffle's own kernels, which are in this library. */
static bool is_own(const void *pc) {
    static const char here;
    Dl_info of_pc, of_here;
    return dladdr(pc, &of_pc) != 0 && dladdr(&here, &of_here) != 0 && of_pc.dli_fbase == of_here.dli_fbase;
}

/* The compiler may have made two call sites of one line. A package may have no lines: then riffle's own kernels get the benefit of the
 * doubt, and a user's do not. */
static bool same_line(launch_state *l, const void *a, const void *b) {
    if (a == b) return true;
    const source_line one = source_line_of(l->lines, a), other = source_line_of(l->lines, b);
    if (one.line == 0 || other.line == 0) return is_own(a) && is_own(b);
    return one.line == other.line && strcmp(one.file, other.file) == 0;
}

static bool same_wait(launch_state *l, const launch_thread *a, const launch_thread *b) {
    if (a->state != b->state) return false;
    return a->state == THREAD_EXCHANGING ? a->mask == b->mask : same_line(l, a->site, b->site);
}

static unsigned count_same(launch_state *l, const launch_thread *as) {
    unsigned count = 0;
    for (unsigned t = 0; t < l->threads; t++) count += same_wait(l, &l->thread[t], as);
    return count;
}

/* A thread for which `thread` waits in vain, those that have left counting only where nobody else is missing.
   */
static const launch_thread *find_missing(launch_state *l, const launch_thread *thread) {
    const launch_thread *left = NULL;
    const size_t first = (size_t)(thread - l->thread) / l->options->width * l->options->width;
    for (unsigned t = 0; t < l->threads; t++) {
        const launch_thread *other = &l->thread[t];
        if (same_wait(l, other, thread)) continue;
        const bool in_mask =
            t >= first && t < first + l->options->width && (thread->mask >> (t - first) & 1) != 0;
        if (thread->state == THREAD_EXCHANGING && !in_mask) continue;
        if (other->state != THREAD_LEFT) return other;
        if (left == NULL) left = other;
    }
    return left;
}

static launch_thread *first_in(launch_state *l, thread_state state) {
    for (unsigned t = 0; t < l->threads; t++) {
        if (l->thread[t].state == state) return &l->thread[t];
    }
    return NULL;
}

/* Resumes the threads in a state; true if all of these have fenced since the last barrier. */
static bool resume_all(launch_state *l, thread_state state) {
    bool fenced = true;
    l->predicates = 0;
    for (unsigned t = 0; t < l->threads; t++) {
        launch_thread *thread = &l->thread[t];
        if (thread->state != state) continue;
        waits_resume(thread);
        l->predicates += thread->predicate != 0;
        fenced = fenced && releases_has_fenced(&l->releasing, t, l->order.block.epoch_base);
    }
    return fenced;
}

void waits_begin_epoch(launch_state *l) {
    if (!ordering_barrier(&l->order)) launch_lacks_memory(l, "the order of accesses");
    if (l->is_counted) rounds_level_block(&l->rounds);
}

/* False if not all threads that have not left come to where `thread` waits, which ends the launch. */
static bool all_have_come(launch_state *l, const launch_thread *thread) {
    const launch_thread *missing = find_missing(l, thread);
    if (missing == NULL) return true;
    report_missing(l, thread, missing, count_same(l, thread));
    if (thread->state != THREAD_EXCHANGING && missing->state == THREAD_LEFT) return true;
    l->ended = true;
    return false;
}

bool waits_end_barrier(launch_state *l) {
    const launch_thread *thread = first_in(l, THREAD_EXCHANGING);
    if (thread == NULL) thread = first_in(l, THREAD_AT_BARRIER);
    if (thread == NULL || !all_have_come(l, thread)) return false;
    const bool fenced = resume_all(l, THREAD_AT_BARRIER);
    waits_begin_epoch(l);
    if (!releases_barrier(&l->releasing, fenced, l->order.block.epoch_base))
        launch_lacks_memory(l, "what blocks release");
    if (l->cluster != NULL && !clocks_meet(&l->clocks, &l->order.peers))
        launch_lacks_memory(l, "the order of accesses");
    return true;
}

bool waits_for_grid(launch_state *l) {
    const launch_thread *thread = first_in(l, THREAD_AT_GRID_BARRIER);
    const bool others = first_in(l, THREAD_EXCHANGING) != NULL || first_in(l, THREAD_AT_BARRIER) != NULL;
    return thread != NULL && !others && all_have_come(l, thread);
}

void waits_end_grid_barrier(launch_state *l) {
    resume_all(l, THREAD_AT_GRID_BARRIER);
    release_block_free(&l->releasing);
    waits_begin_epoch(l);
}
