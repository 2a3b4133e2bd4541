/* SPDX-License-Identifier: Apache-2.0
 *
 * Which block runs. Each runs to its end before the next begins, unless it must wait for others: all of its threads that can run spin,
 * or all have come to a barrier of the grid; or they look for others' writes in vain, many times (sights.h), whatever they do between. Then it is put away and the next one begins, as many as a GPU would have at once; when there
 * is no more to begin, those that spin or look in vain look again in turn, back and forth, so that a chain of them ends in two passes either way.
 * When none finds anything new for long, nobody ever will.
 */
#include <stdlib.h>

#include "machine/runtime/blocks.h"
#include "machine/runtime/clusters.h"
#include "machine/runtime/limits/resident.h"
#include "machine/runtime/waits.h"

/* Accesses of waiting blocks, all together, and turns of each, after which they are taken to wait in vain: some stop by themselves after many. */
enum { FRUITLESS_ACCESSES = 1 << 23, FRUITLESS_TURNS = 8, MOST_LOOKS = 1 << 14 };
/* A block's looks in vain in its first turn: so many, and so many a thread, which is its most in a later one. */
enum { VAIN_LOOKS = 1 << 12, VAIN_LOOKS_OF_THREAD = 64 };

static uint64_t first_looks(const launch_state *l) {
    return VAIN_LOOKS + (uint64_t)VAIN_LOOKS_OF_THREAD * l->threads;
}

static uint64_t later_looks(const launch_state *l) {
    const uint64_t looks = (l->threads + VAIN_LOOKS_OF_THREAD) * l->looks, most = first_looks(l);
    return looks < most ? looks : most;
}

static bool reserve_waiting(launch_state *l) {
    if (l->waiting_count < l->waiting_capacity) return true;
    const size_t capacity = 2 * l->waiting_capacity + 16;
    struct waiting_block **grown = realloc(l->waiting, capacity * sizeof *grown);
    if (grown == NULL) return false;
    l->waiting = grown;
    l->waiting_capacity = capacity;
    return true;
}

/* The running block has made so many accesses, or goes on and has not. */
static void account(launch_state *l, uint64_t made) {
    if (l->is_counted) l->counted.accesses += made;
    if (!l->unseen) l->own.checked += made;
}

/* Runs the block that is there; the one that it is while it waits, or NULL. */
static waiting_block *go(launch_state *l) {
    const bool waits = launch_go(l);
    account(l, l->made);
    waiting_block *w = waits ? blocks_put_away(l) : NULL;
    if (waits && w == NULL) launch_lacks_memory(l, "the blocks that wait for others");
    if (w == NULL) {
        launch_end_block(l);
        return NULL;
    }
    w->at_grid = blocks_are_at_grid(w, l->threads);
    w->at_phase = !w->at_grid && blocks_are_at_phase(w, l->threads);
    return w;
}

static void begin(launch_state *l, uint64_t block) {
    launch_begin_block(l, block);
    if (!reserve_waiting(l)) launch_lacks_memory(l, "the blocks that wait for others");
    l->looked = 0;
    l->fruitless = 0;
    l->fresh = true;
    l->vain_most = first_looks(l);
    waiting_block *w = go(l);
    if (w != NULL) l->waiting[l->waiting_count++] = w;
}

static waiting_block *go_on(launch_state *l, waiting_block *w) {
    const bool passes = w->passes;
    if (!blocks_bring_back(l, w)) launch_lacks_memory(l, "the order of accesses");
    account(l, -l->made);
    launch_show_block(l);
    launch_renumber(l);
    if (passes) waits_end_grid_barrier(l);
    l->vain_most = later_looks(l);
    return go(l);
}

/* Each that may find something new has its turn; true if one of them spins still. */
static bool sweep(launch_state *l, bool backwards) {
    bool spins = false;
    for (size_t k = 0; k < l->waiting_count && !l->ended; k++) {
        waiting_block **at = &l->waiting[backwards ? l->waiting_count - 1 - k : k];
        waiting_block *const w = *at;
        if (!blocks_can_go_on(w, l->threads)) continue;
        *at = NULL;
        *at = go_on(l, w);
        l->progress |= *at == NULL;
        spins |= *at != NULL && !(*at)->at_grid && !(*at)->at_phase;
    }
    size_t left = 0;
    for (size_t k = 0; k < l->waiting_count; k++)
        if (l->waiting[k] != NULL) l->waiting[left++] = l->waiting[k];
    l->waiting_count = left;
    return spins;
}

static void report_spinning(launch_state *l, const waiting_block *w, uint64_t to_begin) {
    for (unsigned t = 0; t < l->threads; t++) {
        const launch_thread *one = &w->thread[t];
        const void *where = one->state == THREAD_READY ? one->site : one->looked_at;
        if (where == NULL || one->state == THREAD_LEFT) continue;
        char *text = launch_hazard(l, &(hazard){.kind = HAZARD_ENDLESS, .pc = where});
        const hazard_thread who = {one->index, launch_block_index(l, w->number)};
        if (text != NULL) hazards_say_spinning(text, who, l->waiting_count, to_begin);
    }
}

/* Not all blocks have come to the barrier at which `w` waits. */
static void report_grid_barrier(launch_state *l, const waiting_block *w, uint64_t begun) {
    const launch_thread *one = w->thread;
    while (one->state != THREAD_AT_GRID_BARRIER) one++;
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_BARRIER, .pc = one->site});
    size_t arrived = 0;
    for (size_t k = 0; k < l->waiting_count; k++) arrived += l->waiting[k]->at_grid;
    if (text != NULL) hazards_say_grid_barrier(text, arrived, l->blocks, l->ran, l->blocks - begun);
}

static void report_vain(launch_state *l, uint64_t begun) {
    for (size_t k = 0; k < l->waiting_count; k++) {
        if (l->waiting[k]->at_grid)
            report_grid_barrier(l, l->waiting[k], begun);
        else if (l->waiting[k]->at_phase)
            clusters_report_phases(l, l->waiting[k]);
        else
            report_spinning(l, l->waiting[k], l->blocks - begun);
    }
    l->ended = true;
}

/* All blocks that have not left wait at a barrier of the grid: those that have count as arrived, and are reported. */
static void end_grid_barrier(launch_state *l, uint64_t begun) {
    if (l->waiting_count < l->blocks) report_grid_barrier(l, l->waiting[0], begun);
    if (begun < l->blocks) {
        l->ended = true;
        return;
    }
    ordering_grid_barrier(&l->order);
    if (l->order.releases != NULL) releases_forget(l->order.releases);
    for (size_t k = 0; k < l->waiting_count; k++) {
        l->waiting[k]->at_grid = false;
        l->waiting[k]->passes = true;
    }
}

static bool any_at_phase(const launch_state *l) {
    for (size_t k = 0; k < l->waiting_count; k++)
        if (l->waiting[k]->at_phase) return true;
    return false;
}

static void run_waiting(launch_state *l, uint64_t begun, bool backwards) {
    l->progress = false;
    const bool spins = sweep(l, backwards), at_phase = any_at_phase(l);
    l->fresh = l->progress;
    if (l->ended || l->waiting_count == 0) return;
    if (!spins && at_phase && !l->progress) {
        report_vain(l, begun);
    } else if (!spins && !at_phase && (begun == l->blocks || !l->progress)) {
        end_grid_barrier(l, begun);
    } else if (l->progress) {
        l->looks = 1;
        l->looked = 0;
        l->fruitless = 0;
    } else if (++l->fruitless >= FRUITLESS_TURNS && l->looked >= FRUITLESS_ACCESSES) {
        report_vain(l, begun);
    } else if (l->looks < MOST_LOOKS && l->looked < FRUITLESS_ACCESSES) {
        l->looks *= 2;
    }
}

static machine_index index_of(machine_shape shape) { return (machine_index){shape.x, shape.y, shape.z}; }

/* A block whose thread did not end is one of those that the machine's work does not suffice for: the one in hand, whose first accesses
 * may be counted. */
static void leave_unfinished(launch_state *l, uint64_t begun) {
    if (l->unfinished.pc == NULL) return;
    l->ran--;
    l->checked_blocks -= !l->unseen;
    l->cut_counts += l->is_counted;
    l->skipped = l->blocks - begun + 1;
}

/* Blocks that have not come to their end have run until now. */
static void account_waiting(launch_state *l) {
    for (size_t k = 0; k < l->waiting_count; k++) l->ran += l->waiting[k] != NULL;
}

/* The blocks of a cluster begin together; the next one does when those of clusters under way cannot go on by themselves. */
static bool may_begin(const launch_state *l, uint64_t begun, uint64_t at_once) {
    if (begun == l->blocks) return false;
    if (begun % l->cluster_size != 0) return true;
    const bool first = l->cluster_size > 1 && l->waiting_count > 0 && l->fresh;
    return !first && l->waiting_count + l->cluster_size <= at_once;
}

/* The blocks that have not begun are left out; none of those that have waits for them. */
static bool is_spent(const launch_state *l, uint64_t begun) {
    return l->work >= l->may_work && l->waiting_count == 0 && begun % l->cluster_size == 0;
}

void launch_run(launch_state *l) {
    if (l->shown != NULL) {
        *l->shown->block_dim = index_of(l->launch->block);
        *l->shown->grid_dim = index_of(l->launch->grid);
    }
    const uint64_t at_once = resident_blocks(l->threads, l->launch->shared_bytes);
    uint64_t begun = 0;
    bool backwards = false;
    l->looks = 1;
    ordering_begin_launch(&l->order, l->threads);
    clusters_begin_launch(l);
    while (!l->ended && (begun < l->blocks || l->waiting_count > 0)) {
        if (is_spent(l, begun)) {
            l->skipped = l->blocks - begun;
            begun = l->blocks;
        } else if (may_begin(l, begun, at_once)) {
            begin(l, begun++);
        } else {
            run_waiting(l, begun, backwards);
            backwards = !backwards;
        }
    }
    leave_unfinished(l, begun);
    account_waiting(l);
    if (l->shown != NULL) *l->shown->seen = 0;
}
