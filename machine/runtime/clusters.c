/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/clusters.h"

#include <stdlib.h>

#include "base/status.h"
#include "machine/device/device.h"
#include "machine/runtime/order.h"
#include "machine/runtime/waits.h"

static machine_index index_of(machine_shape shape) { return (machine_index){shape.x, shape.y, shape.z}; }

/* ---- launches */

static bool set_shape(launch_state *l, machine_index shape) {
    l->status = cluster_check(l->launch->kernel, index_of(l->launch->grid), shape);
    l->ended |= l->status != RIFFLE_OK;
    if (l->ended) return false;
    const unsigned size = shape.x * shape.y * shape.z;
    if (size == 1) return true;
    l->status = windows_open(l->windows, l->arrays, size);
    if (l->status == RIFFLE_OK && !ordering_keep(&l->order)) launch_lacks_memory(l, "the order of accesses");
    l->ended |= l->status != RIFFLE_OK;
    l->shape = shape;
    l->cluster_size = size;
    return !l->ended;
}

void clusters_begin_launch(launch_state *l) {
    l->shape = (machine_index){1, 1, 1};
    l->cluster_size = 1;
    if (l->launch->cluster.x != 0) set_shape(l, index_of(l->launch->cluster));
}

void clusters_free(launch_state *l) {
    while (l->clusters != NULL) {
        cluster *c = l->clusters;
        l->clusters = c->next;
        cluster_free(c);
    }
    clocks_free_block(&l->clocks, l->threads);
}

/* ---- blocks */

uint64_t clusters_block(const launch_state *l, uint64_t turn) {
    return cluster_block(index_of(l->launch->grid), l->shape, turn / l->cluster_size,
                         (unsigned)(turn % l->cluster_size));
}

/* The one that begins with the running block. */
static void begin_cluster(launch_state *l) {
    cluster *c = cluster_create(l->cluster_size, l->threads);
    if (c == NULL) {
        launch_lacks_memory(l, "a cluster of blocks");
        return;
    }
    c->next = l->clusters;
    l->clusters = l->cluster = c;
    if (!blocks_show_cluster(l, c)) launch_lacks_memory(l, "the blocks that wait for others");
}

/* The running block takes its place. */
static void join_cluster(launch_state *l) {
    cluster *c = l->cluster;
    c->block[l->rank] = l->block;
    c->base[l->rank] = l->order.block.block_base;
    l->order.peers = cluster_peers(c);
}

void clusters_begin_block(launch_state *l, uint64_t turn) {
    clocks_free_block(&l->clocks, l->threads);
    l->rank = (unsigned)(turn % l->cluster_size);
    l->order.peers = (clock_peers){0};
    for (unsigned t = 0; t < l->threads; t++) l->thread[t].arrivals = 0;
    if (l->cluster_size == 1) {
        l->cluster = NULL;
        return;
    }
    if (l->rank == 0)
        begin_cluster(l);
    else
        l->cluster = l->clusters; /* blocks of one begin with no other's between */
    if (!l->ended) join_cluster(l);
}

cluster *clusters_own(launch_state *l) {
    if (l->cluster != NULL) return l->cluster;
    begin_cluster(l);
    if (l->ended || !ordering_keep(&l->order)) launch_end_without_memory(l, "the order of accesses");
    join_cluster(l);
    return l->cluster;
}

static void remove_cluster(launch_state *l, cluster *c) {
    cluster **at = &l->clusters;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    if (l->in_windows == c) l->in_windows = NULL;
    cluster_free(c);
}

/* True if any thread of the running block, all of which have left, comes after the access. */
static bool is_before_end(launch_state *l, const cluster_use *use) {
    for (unsigned t = 0; t < l->threads; t++) {
        l->order.known = releases_known(&l->releasing, t);
        l->order.clock = clocks_of(&l->clocks, t);
        if (ordering_relation(&l->order, ORDERING_OF_WRITES, use->segment, t, 0) == RELATION_ORDERED)
            return true;
    }
    return false;
}

/* Accesses of others to the block's memory that may come when it is gone. */
static void report_late(launch_state *l, const cluster *c) {
    for (unsigned rank = 0; rank < c->size; rank++) {
        const cluster_use *use = &c->use[l->rank][rank];
        if (use->segment == 0 || is_before_end(l, use)) continue;
        char *text = launch_hazard(l, &(hazard){.kind = HAZARD_RACE, .pc = use->pc});
        const hazard_thread who = {l->thread[use->thread].index, launch_block_index(l, c->block[rank])};
        if (text != NULL) hazards_say_late(text, who, l->block_index);
    }
}

/* Bulk copies to the block's memory that never land. */
static void drop_copies(launch_state *l, const cluster *c) {
    for (const mbarrier *one = c->barriers; one != NULL; one = one->next) {
        for (const bulk_copy *bulk = one->first; bulk != NULL; bulk = bulk->next) {
            machine_array *array = bulk->rank == l->rank ? arrays_find(l->arrays, bulk->to) : NULL;
            if (array != NULL) shadow_unmark(&array->shadow, bulk->to - array->start, bulk->bytes);
        }
    }
}

void clusters_end_block(launch_state *l) {
    cluster *c = l->cluster;
    if (c == NULL) return;
    if (!l->unseen && !l->ended) report_late(l, c);
    c->gone[l->rank] = true;
    drop_copies(l, c);
    clocks_free_block(&l->clocks, l->threads);
    l->cluster = NULL;
    if (++c->left == c->size) remove_cluster(l, c);
}

/* ---- phases */

void clusters_leave(launch_state *l, const launch_thread *thread) {
    if (l->cluster != NULL) cluster_leave(l->cluster, thread->arrivals > l->cluster->barrier.number);
}

void clusters_wait_for(launch_state *l, const clock_phase *phase, uint32_t number, const void *pc) {
    launch_thread *self = l->current;
    if (phase->number <= number) {
        self->waits = phase;
        self->waits_for = number;
        self->state = THREAD_AT_PHASE;
        self->spin = (spin){0};
        self->site = pc;
        launch_yield(l);
        return;
    }
    if (!order_part(l) || !clocks_wait(phase, &l->clocks, l->running, l->segment, &l->order.peers))
        launch_end_without_memory(l, "the order of accesses");
    order_know(l);
}

static unsigned count_in(const launch_state *l, thread_state state) {
    unsigned count = 0;
    for (unsigned t = 0; t < l->threads; t++) count += l->thread[t].state == state;
    return count;
}

/* Threads that are at the cluster's barrier, all that have not left or some. */
static bool arrive(launch_state *l, cluster *c, unsigned count) {
    const uint32_t number = c->barrier.number;
    const bool all = count + count_in(l, THREAD_LEFT) == l->threads;
    bool done = !all || clocks_arrive_all(&c->barrier, &l->clocks, l->rank, l->order.next, &l->order.peers);
    for (unsigned t = 0; t < l->threads; t++) {
        launch_thread *one = &l->thread[t];
        if (one->state != THREAD_AT_CLUSTER) continue;
        one->state = THREAD_AT_PHASE;
        one->in_step = all;
        one->waits = &c->barrier;
        one->waits_for = number;
        one->arrivals = number + 1;
        const unsigned warp = t / l->options->width;
        if (!all)
            done = done && ordering_exchange(&l->order, warp, 1u << (t - warp * l->options->width), true) &&
                   clocks_arrive(&c->barrier, &l->clocks, l->rank, t, l->order.block.epoch_base,
                                 ordering_segment(&l->order, t), &l->order.peers);
    }
    cluster_arrive(c, count);
    return done;
}

static bool is_over(const launch_thread *one) {
    return one->state == THREAD_AT_PHASE && one->waits->number > one->waits_for;
}

/* All threads of the block come from its cluster's barrier, at which it stood still: a barrier of its own, too. */
static bool go_on_in_step(launch_state *l) {
    for (unsigned t = 0; t < l->threads; t++) {
        const launch_thread *one = &l->thread[t];
        if (one->state != THREAD_LEFT && !(is_over(one) && one->in_step)) return false;
    }
    for (unsigned t = 0; t < l->threads; t++)
        if (l->thread[t].state == THREAD_AT_PHASE) waits_resume(&l->thread[t]);
    waits_begin_epoch(l);
    l->clocks.all_acquired = l->order.next;
    if (!clocks_meet(&l->clocks, &l->order.peers) ||
        !clocks_join(&l->clocks.common, l->cluster->barrier.done, &l->order.peers))
        launch_lacks_memory(l, "the order of accesses");
    return true;
}

bool clusters_go_on(launch_state *l) {
    if (l->cluster == NULL) return false;
    const unsigned syncing = count_in(l, THREAD_AT_CLUSTER);
    if (syncing > 0 && !arrive(l, l->cluster, syncing)) launch_lacks_memory(l, "the order of accesses");
    if (count_in(l, THREAD_AT_PHASE) == 0) return false;
    if (go_on_in_step(l)) return true;
    bool any = false;
    for (unsigned t = 0; t < l->threads; t++) {
        launch_thread *one = &l->thread[t];
        if (!is_over(one)) continue;
        const unsigned warp = t / l->options->width;
        if (!ordering_exchange(&l->order, warp, 1u << (t - warp * l->options->width), true) ||
            !clocks_wait(one->waits, &l->clocks, t, ordering_segment(&l->order, t), &l->order.peers))
            launch_lacks_memory(l, "the order of accesses");
        waits_resume(one);
        any = true;
    }
    return any;
}

bool clusters_wait(const launch_state *l) { return l->cluster != NULL && count_in(l, THREAD_AT_PHASE) > 0; }

/* What is missing at the mbarrier that a thread waits for. */
static phase_missing mbarrier_of(const cluster *c, const clock_phase *phase) {
    for (const mbarrier *one = c->barriers; one != NULL; one = one->next)
        if (&one->phase == phase)
            return (phase_missing){one->pending, one->count, one->bytes, one->at <= MBARRIER_NAMED, (unsigned)one->at};
    return (phase_missing){0};
}

void clusters_report_phases(launch_state *l, const waiting_block *w) {
    for (unsigned t = 0; t < l->threads; t++) {
        const launch_thread *one = &w->thread[t];
        if (one->state != THREAD_AT_PHASE || one->waits->number > one->waits_for) continue;
        const cluster *c = w->cluster;
        const hazard_thread who = {one->index, launch_block_index(l, w->number)};
        const bool all = one->waits == &c->barrier;
        char *text =
            launch_hazard(l, &(hazard){.kind = all ? HAZARD_BARRIER : HAZARD_ENDLESS, .pc = one->site});
        if (text == NULL) continue;
        if (all)
            hazards_say_cluster_barrier(text, c->living - c->missing, c->living);
        else
            hazards_say_phase(text, who, mbarrier_of(c, one->waits));
    }
}

void clusters_forget(launch_state *l) {
    for (cluster *c = l->clusters; c != NULL; c = c->next) cluster_forget(c, SEGMENT_FIRST);
    clocks_free_block(&l->clocks, l->threads);
    for (size_t k = 0; k < l->waiting_count; k++)
        if (l->waiting[k] != NULL) clocks_free_block(&l->waiting[k]->clocks, l->threads);
    if (l->cluster_size > 1) windows_forget(l->windows, SEGMENT_FIRST);
}

/* ---- accesses */

bool clusters_access(launch_state *l, const machine_array *array, const hazard_access *access, const void *pc) {
    cluster *c = l->cluster;
    if (c == NULL || array->rank == l->rank) return true;
    const bool gone = c->gone[array->rank];
    if (!gone && clocks_know(&l->order.peers, l->order.clock, array->rank)) {
        c->use[array->rank][l->rank] = (cluster_use){l->segment, l->running, pc};
        return true;
    }
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_RACE, .pc = pc, .op = access->op});
    if (text != NULL) hazards_say_absent(text, access, gone);
    return false;
}

/* ---- what kernels call */

machine_index machine_cluster_shape(void) { return machine_running->shape; }

/* The first thread of a launch comes to what the kernel is declared with. */
void machine_cluster_set(unsigned x, unsigned y, unsigned z) {
    launch_state *l = machine_running;
    const machine_index asked = {x, y, z};
    const machine_index has = l->shape;
    const bool first = l->ran == 0 && l->waiting_count == 0 && l->cluster == NULL && l->launch->cluster.x == 0;
    if (x == has.x && y == has.y && z == has.z) return;
    if (!first) {
        l->status = fail(RIFFLE_ERROR_UNSUPPORTED,
                         "kernel %s: launched in clusters of %u x %u x %u blocks, and declared with "
                         "__cluster_dims__(%u, %u, %u)",
                         l->launch->kernel, has.x, has.y, has.z, x, y, z);
        launch_end(l);
    }
    if (!set_shape(l, asked)) launch_end(l);
    clusters_begin_block(l, 0);
    order_know(l);
}

/* Also of an address near to shared memory: programs map where an array begins or ends. */
static bool is_shared(const launch_state *l, uintptr_t at) {
    if (l->cluster_size > 1) return windows_have(l->windows, at);
    const machine_array *array = arrays_find(l->arrays, at);
    if (array == NULL) array = arrays_nearest(l->arrays, at, NULL);
    return array != NULL && array->space == SPACE_SHARED;
}

/* An address at which nothing is, so that who uses it is told of that and not of races with the block's own memory;
   but accesses that nobody looks at have to find something. */
static void *report_no_peer(launch_state *l, uintptr_t at, unsigned rank, const void *pc) {
    char *text = NULL;
    if (rank >= l->cluster_size)
        text = launch_hazard(l, &(hazard){.kind = HAZARD_OUT_OF_BOUNDS, .pc = pc});
    else
        launch_report(l, HAZARD_OUT_OF_BOUNDS, pc,
                      "asks where another block of the cluster has what is not in shared memory");
    if (text != NULL) hazards_say_no_block(text, launch_who(l), rank, l->cluster_size);
    return l->unseen ? (void *)at : NULL;
}

void *machine_cluster_peer(const void *address, unsigned rank, const void *pc) {
    launch_state *l = machine_running;
    const uintptr_t at = (uintptr_t)address;
    if (rank >= l->cluster_size || !is_shared(l, at)) return report_no_peer(l, at, rank, pc);
    if (l->cluster_size == 1) return (void *)at;
    return (void *)(rank == l->rank ? windows_home(l->windows, at) : windows_at(l->windows, at, rank));
}

unsigned machine_cluster_rank_of(const void *address) {
    launch_state *l = machine_running;
    const int in = l->cluster_size > 1 ? windows_rank(l->windows, (uintptr_t)address) : -1;
    return in >= 0 ? (unsigned)in : l->rank;
}

/* Before it has waited where it has arrived last, a thread may not arrive again. */
static void check_arrival(launch_state *l, const void *pc) {
    if (l->current->arrivals == 0) return;
    launch_report(l, HAZARD_BARRIER, pc,
                  "arrives at the barrier of the cluster again, without a wait since it last did");
    launch_end(l);
}

void machine_cluster_sync(const void *pc) {
    launch_state *l = machine_running;
    clusters_own(l);
    check_arrival(l, pc);
    l->current->state = THREAD_AT_CLUSTER;
    l->current->spin = (spin){0};
    l->current->site = pc;
    launch_yield(l);
    l->current->arrivals = 0;
}

void machine_cluster_arrive(int relaxed, const void *pc) {
    launch_state *l = machine_running;
    launch_thread *self = l->current;
    cluster *c = clusters_own(l);
    check_arrival(l, pc);
    const clock_block nothing = {0};
    const bool orders = !relaxed || self->fenced;
    const uint32_t base = c->base[l->rank];
    const bool done =
        orders ? order_part(l) && clocks_arrive(&c->barrier, &l->clocks, l->rank, l->running,
                                                l->order.block.epoch_base, l->segment, &l->order.peers)
               : clocks_arrive(&c->barrier, &nothing, l->rank, l->running, base, base, &l->order.peers);
    if (!done) launch_end_without_memory(l, "the order of accesses");
    self->fenced = self->in_step = false;
    self->arrivals = c->barrier.number + 1;
    cluster_arrive(c, 1);
}

void machine_cluster_wait(const void *pc) {
    launch_state *l = machine_running;
    launch_thread *self = l->current;
    const cluster *c = clusters_own(l);
    if (self->arrivals == 0) {
        launch_report(l, HAZARD_BARRIER, pc, "waits at the barrier of the cluster and has not arrived at it");
        return;
    }
    clusters_wait_for(l, &c->barrier, self->arrivals - 1, pc);
    self->arrivals = 0;
}
