/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "machine/device/device.h"
#include "machine/runtime/access.h"
#include "machine/runtime/cluster/tensor.h"
#include "machine/runtime/clusters.h"
#include "machine/runtime/order.h"

enum { BULK_UNIT = 16, TENSOR_UNIT = 128 };

/* A place in shared memory: of a block of the cluster, at the address that it has when that runs. */
typedef struct shared_place {
    unsigned rank;
    uintptr_t at;
} shared_place;

static shared_place place_of(const launch_state *l, const void *address) {
    const uintptr_t at = (uintptr_t)address;
    const int rank = l->cluster_size > 1 ? windows_rank(l->windows, at) : -1;
    if (rank < 0) return (shared_place){l->rank, at};
    return (shared_place){(unsigned)rank, windows_home(l->windows, at)};
}

/* Where the running block finds it. */
static uintptr_t address_of(const launch_state *l, shared_place spot) {
    return spot.rank == l->rank ? spot.at : windows_at(l->windows, spot.at, spot.rank);
}

/* ---- mbarriers */

/* Others than its thread want to know that it has been initialized. */
static void check_initialized(launch_state *l, const mbarrier *one, const void *pc) {
    const cluster *c = l->cluster;
    const bool known = one->rank == l->rank
                           ? ordering_relation(&l->order, ORDERING_OF_WRITES, one->segment, l->running,
                                               l->segment) == RELATION_ORDERED
                           : !c->gone[one->rank] && clocks_know(&l->order.peers, l->order.clock, one->rank);
    if (known || l->unseen) return;
    char *text = launch_hazard(
        l,
        &(hazard){.kind = HAZARD_RACE, .pc = pc, .op = OP_ATOMIC, .other_pc = one->pc, .other_op = OP_WRITE});
    if (text != NULL)
        hazards_say_thread(
            text, launch_who(l),
            "uses an mbarrier, and no barrier is between that and its initialization by another thread");
}

/* The array of a block's memory; NULL if it is in none, or the block has left. */
static machine_array *array_of(const launch_state *l, shared_place spot) {
    return l->cluster->gone[spot.rank] ? NULL : arrays_find(l->arrays, address_of(l, spot));
}

static void land(launch_state *l, mbarrier *one, const bulk_copy *bulk) {
    const shared_place to = {bulk->rank, bulk->to};
    machine_array *array = array_of(l, to);
    const uintptr_t at = address_of(l, to);
    if (array == NULL || !access_is_held(array, at, (unsigned)bulk->bytes)) return;
    memcpy((void *)at, bulk->data, bulk->bytes);
    const shadow_accessor who = {&l->order, l->running, bulk->segment, bulk->site, bulk->strength, false};
    if (!l->unseen) shadow_land(&array->shadow, at - array->start, bulk->bytes, &who);
    if (!clocks_note(&one->phase, bulk->from_rank, bulk->from_thread, bulk->segment + 1, &l->order.peers))
        launch_end_without_memory(l, "the order of accesses");
}

/* With copies as late as it may: not before a thread waits for it, or needs the next one. */
static void end_if_ready(launch_state *l, mbarrier *one, bool needed) {
    const int landing = mbarrier_ready(one);
    if (landing < 0 || (landing > 0 && !needed)) return;
    const bulk_copy *bulk = one->first;
    for (int k = 0; k < landing; k++, bulk = bulk->next) land(l, one, bulk);
    mbarrier_end_phase(one, (unsigned)landing);
}

/* The one that is there; the launch ends where none is. */
static mbarrier *require(launch_state *l, const void *at, const void *pc) {
    const shared_place spot = place_of(l, at);
    mbarrier *one = mbarrier_find(clusters_own(l)->barriers, spot.rank, spot.at);
    if (one == NULL) {
        launch_report(l, HAZARD_UNINITIALIZED, pc, "uses an mbarrier that nothing has initialized");
        launch_end(l);
    }
    check_initialized(l, one, pc);
    end_if_ready(l, one, true);
    return one;
}

void machine_mbarrier_init(void *at, unsigned count, const void *pc) {
    launch_state *l = machine_running;
    const shared_place spot = place_of(l, at);
    cluster *c = clusters_own(l);
    if (((uintptr_t)at & 7) != 0)
        launch_report(l, HAZARD_MISALIGNED, pc, "initializes an mbarrier at no multiple of 8 bytes");
    mbarrier *one = order_part(l) ? mbarrier_init(&c->barriers, spot.rank, spot.at, count) : NULL;
    if (one == NULL) launch_end_without_memory(l, "the mbarriers");
    one->segment = l->segment;
    one->thread = l->running;
    one->pc = pc;
}

void machine_mbarrier_end(void *at, const void *pc) {
    launch_state *l = machine_running;
    mbarrier *one = require(l, at, pc);
    mbarrier_remove(&l->cluster->barriers, one);
}

unsigned long long machine_mbarrier_arrive(void *at, unsigned count, int drops, const void *pc) {
    launch_state *l = machine_running;
    mbarrier *one = require(l, at, pc);
    const uint32_t number = one->phase.number;
    if (count > one->pending) {
        launch_report(l, HAZARD_BARRIER, pc, "arrives at an mbarrier of which no arrival is missing in this phase");
        launch_end(l);
    }
    if (!order_part(l) || !clocks_arrive(&one->phase, &l->clocks, l->rank, l->running,
                                         l->order.block.epoch_base, l->segment, &l->order.peers))
        launch_end_without_memory(l, "the order of accesses");
    one->pending -= count;
    if (drops) one->count -= count;
    end_if_ready(l, one, one->awaited);
    return number;
}

void machine_mbarrier_expect(void *at, long long bytes, const void *pc) {
    launch_state *l = machine_running;
    mbarrier *one = require(l, at, pc);
    one->bytes += bytes;
    end_if_ready(l, one, one->awaited);
}

int machine_mbarrier_wait(void *at, unsigned long long phase, int is_parity, int blocks, const void *pc) {
    launch_state *l = machine_running;
    mbarrier *one = require(l, at, pc);
    const uint32_t number = one->phase.number;
    const bool over = is_parity ? (number & 1) != (phase & 1) : number > (uint32_t)phase;
    one->awaited |= !over && blocks;
    if (over && number == 0) return 1; /* the phase before the first, which nobody arrived in */
    if (over || blocks) {
        clusters_wait_for(l, &one->phase, over ? number - 1 : number, pc);
        return 1;
    }
    launch_yield(l);
    return 0;
}

/* ---- barriers by number */

/* They are kept as mbarriers whose addresses, their numbers, are in no memory. */
static mbarrier *named(launch_state *l, unsigned number, unsigned threads, const void *pc) {
    cluster *c = clusters_own(l);
    mbarrier *one = mbarrier_find(c->barriers, l->rank, number);
    if (one == NULL) one = mbarrier_init(&c->barriers, l->rank, number, threads);
    if (one == NULL) launch_end_without_memory(l, "the barriers");
    if (one->pending == one->count) one->pending = one->count = threads;
    if (one->count == threads) return one;
    launch_report(l, HAZARD_BARRIER, pc, "comes to a barrier for another number of threads than others have");
    launch_end(l);
}

void machine_named_barrier(unsigned number, unsigned threads, int waits, const void *pc) {
    launch_state *l = machine_running;
    if (number > MBARRIER_NAMED || threads == 0 || threads % l->options->width != 0) {
        launch_report(l, HAZARD_BARRIER, pc, "comes to a barrier beyond the last, 15, or not for whole warps");
        launch_end(l);
    }
    mbarrier *one = named(l, number, threads, pc);
    const uint32_t phase = one->phase.number;
    if (!order_part(l) || !clocks_arrive(&one->phase, &l->clocks, l->rank, l->running, l->order.block.epoch_base,
                                         l->segment, &l->order.peers))
        launch_end_without_memory(l, "the order of accesses");
    one->pending--;
    end_if_ready(l, one, true);
    if (waits) clusters_wait_for(l, &one->phase, phase, pc);
}

/* ---- copies */

/* Reads or writes stretches of global memory for a box. */
typedef struct box {
    launch_state *l;
    const machine_bulk *one;
    uintptr_t shared;    /* where the box begins there */
    unsigned char *data; /* as it lies in shared memory */
    report_op op;
    const void *pc;
    move moved;
} box;

static void move_stretch(void *own, uintptr_t global, size_t offset, size_t bytes) {
    box *b = own;
    uint16_t number_of_site;
    b->moved.bytes += bytes;
    b->moved.requests += moves_sectors(global, bytes);
    access_bulk(b->l, global, bytes, b->op, b->pc, &number_of_site);
    for (size_t k = 0; k < bytes;) {
        const size_t at = offset + k, spot = tensor_place(b->one->tensor, b->shared, at);
        const size_t left = BULK_UNIT - at % BULK_UNIT, piece = left < bytes - k ? left : bytes - k;
        if (b->op == OP_READ)
            memcpy(b->data + spot, (const void *)(global + k), piece);
        else
            memcpy((void *)(global + k), b->data + spot, piece);
        k += piece;
    }
}

static size_t bytes_of(const machine_bulk *one) {
    return one->tensor != NULL ? tensor_box_bytes(one->tensor) : one->bytes;
}

/* A map, sizes and addresses as the hardware wants them; the launch ends where they are not. */
static size_t check_bulk(launch_state *l, const machine_bulk *one, const void *pc) {
    const bool is_map = one->tensor == NULL || one->tensor->is == MACHINE_TENSOR;
    const char *wrong = !is_map ? "copies by what is no tensor map" : NULL;
    const size_t bytes = is_map ? bytes_of(one) : 0;
    const uintptr_t unit = one->tensor != NULL ? TENSOR_UNIT : BULK_UNIT;
    if (wrong == NULL && ((uintptr_t)one->shared % unit != 0 || (uintptr_t)one->other % BULK_UNIT != 0))
        wrong = one->tensor != NULL ? "copies a box to or from shared memory at no multiple of 128 bytes"
                                    : "copies in bulk from or to an address that is no multiple of 16";
    if (wrong == NULL && bytes % BULK_UNIT != 0) wrong = "copies in bulk what is no multiple of 16 bytes";
    if (wrong == NULL) return bytes;
    launch_report(l, HAZARD_MISALIGNED, pc, wrong);
    launch_end(l);
}

/* Threads' writes that a copy reads, with no fence between theirs and the copy's way to memory. */
static void check_proxy(launch_state *l, const machine_array *array, size_t offset, size_t bytes,
                        const void *pc, const char *what) {
    const shadow *s = &array->shadow;
    size_t reach;
    for (size_t at = offset; at < offset + bytes; at += reach) {
        const shadow_cell *cell = shadow_cell_at(s, at, &reach);
        const uint32_t writer = shadow_writer(cell);
        if (writer < l->order.block.block_base || cell->writer_strength == SHADOW_ASYNC) continue;
        const ordering_stretch *in = ordering_stretch_of(&l->order, writer);
        const segment_owner owner = ordering_owner_in(&l->order, in, writer);
        if (in->block != l->block || owner.thread >= l->threads) continue;
        if (l->current->proxied > writer || l->thread[owner.thread].proxied > writer) continue;
        const void *other = cell->writer_site > 0 ? l->rounds.site[cell->writer_site - 1]->pc : NULL;
        char *text = launch_hazard(
            l,
            &(hazard){.kind = HAZARD_RACE, .pc = pc, .op = OP_READ, .other_pc = other, .other_op = OP_WRITE});
        if (text != NULL)
            hazards_say_thread(text, launch_who(l), what);
        return;
    }
}

void bulk_read_shared(launch_state *l, uintptr_t from, size_t bytes, const void *pc, const char *unfenced,
                      bulk_reads *keeps) {
    uint16_t number_of_site;
    machine_array *array = access_bulk(l, from, bytes, OP_READ, pc, &number_of_site);
    if (array == NULL || l->unseen || array->home != NULL) return;
    const size_t offset = from - array->start;
    check_proxy(l, array, offset, bytes, pc, unfenced);
    const bulk_read one = {.array = array, .offset = offset, .bytes = bytes, .pc = pc};
    if (keeps != NULL && !bulk_reads_add(keeps, &one))
        launch_end_without_memory(l, "the copies that are under way");
}

static void read_shared(launch_state *l, const void *from, size_t bytes, const void *pc, bulk_reads *keeps) {
    bulk_read_shared(l, (uintptr_t)from, bytes, pc,
                     "copies in bulk what threads have written, and no fence.proxy.async is between", keeps);
}

static bulk_copy *copy_of(launch_state *l, size_t bytes) {
    bulk_copy *bulk = calloc(1, sizeof *bulk + bytes);
    if (bulk == NULL) launch_end_without_memory(l, "the copies that are under way");
    bulk->bytes = bytes;
    bulk->from_rank = l->rank;
    bulk->from_thread = l->running;
    bulk->segment = l->segment;
    bulk->strength = SHADOW_ASYNC;
    return bulk;
}

/* What is copied, as it will lie in shared memory; tells what moves for one block. */
static move fetch(launch_state *l, const machine_bulk *one, size_t bytes, uintptr_t to, unsigned char *data,
                  const void *pc) {
    uint16_t number_of_site;
    if (one->tensor != NULL) {
        box b = {l, one, to, data, OP_READ, pc, {pc, MOVE_LOAD, 1, 0, 0}};
        tensor_each(one->tensor, one->at, move_stretch, &b);
        return b.moved;
    }
    const machine_array *array = arrays_find(l->arrays, (uintptr_t)one->other);
    const bool is_peer = array != NULL && array->space == SPACE_SHARED;
    if (is_peer)
        read_shared(l, one->other, bytes, pc, NULL);
    else
        access_bulk(l, (uintptr_t)one->other, bytes, OP_READ, pc, &number_of_site);
    memcpy(data, one->other, bytes);
    return (move){pc, is_peer ? MOVE_PEER : MOVE_LOAD, 1, bytes, moves_sectors((uintptr_t)one->other, bytes)};
}

/* Into the memory of one block, at whose mbarrier it is queued. */
static void queue(launch_state *l, bulk_copy *bulk, shared_place to, shared_place barrier, const void *pc) {
    const uintptr_t at = address_of(l, to);
    mbarrier *one = require(l, (const void *)address_of(l, barrier), pc);
    l->current->copying = true;
    machine_array *array = access_bulk(l, at, bulk->bytes, OP_WRITE, pc, &bulk->site);
    l->current->copying = false;
    bulk->rank = to.rank;
    bulk->to = to.at;
    bulk->pc = pc;
    if (array != NULL && array->stretch < bulk->bytes) array->stretch = bulk->bytes;
    if (array != NULL && !l->unseen) shadow_mark(&array->shadow, at - array->start, bulk->bytes);
    mbarrier_queue(one, bulk);
    end_if_ready(l, one, one->awaited);
}

static void part(launch_state *l) {
    if (!order_part(l)) launch_end_without_memory(l, "the order of accesses");
}

void machine_bulk_load(const machine_bulk *one, const void *pc) {
    launch_state *l = machine_running;
    const cluster *c = clusters_own(l);
    const size_t bytes = check_bulk(l, one, pc);
    const shared_place to = place_of(l, one->shared), barrier = place_of(l, one->barrier);
    part(l);
    bulk_copy *first = copy_of(l, bytes);
    move moved = fetch(l, one, bytes, to.at, first->data, pc);
    const unsigned ranks = one->ranks != 0 ? one->ranks : 1u << to.rank;
    moved.bytes *= (unsigned)__builtin_popcount(ranks);
    moved.requests *= (unsigned)__builtin_popcount(ranks);
    launch_count_move(l, &moved);
    for (unsigned rank = 0; rank < c->size; rank++) {
        if ((ranks >> rank & 1) == 0) continue;
        bulk_copy *bulk = copy_of(l, bytes);
        memcpy(bulk->data, first->data, bytes);
        const unsigned of_barrier = one->ranks != 0 ? rank : barrier.rank;
        queue(l, bulk, (shared_place){rank, to.at}, (shared_place){of_barrier, barrier.at}, pc);
    }
    free(first);
    part(l);
}

void bulk_bind(launch_state *l, void *barrier, size_t first, const void *pc) {
    copies *own = &l->current->copies;
    mbarrier *to = require(l, barrier, pc);
    for (size_t k = first; k < own->count; k++) {
        const copy *one = &own->copy[k];
        bulk_copy *bulk = copy_of(l, one->bytes);
        memcpy(bulk->data, one->data, one->bytes);
        bulk->rank = l->rank;
        bulk->to = (uintptr_t)one->to;
        bulk->pc = one->pc;
        bulk->site = one->site;
        bulk->strength = SHADOW_WEAK;
        mbarrier_queue(to, bulk);
        to->bytes += one->bytes;
    }
    own->count = first;
}

void machine_store_async(void *to, const void *values, unsigned bytes, void *barrier, const void *pc) {
    launch_state *l = machine_running;
    clusters_own(l);
    part(l);
    bulk_copy *bulk = copy_of(l, bytes);
    memcpy(bulk->data, values, bytes);
    queue(l, bulk, place_of(l, to), place_of(l, barrier), pc);
    access_count(l, (uintptr_t)to, bytes, OP_WRITE, pc);
    part(l);
}

void machine_bulk_store(const machine_bulk *one, const void *pc) {
    launch_state *l = machine_running;
    clusters_own(l);
    const size_t bytes = check_bulk(l, one, pc);
    part(l);
    read_shared(l, one->shared, bytes, pc, &l->current->reads);
    move moved = {pc, MOVE_STORE, 1, bytes, moves_sectors((uintptr_t)one->other, bytes)};
    if (one->tensor != NULL) {
        box b = {l, one, (uintptr_t)one->shared, one->shared, OP_WRITE, pc, {pc, MOVE_STORE, 1, 0, 0}};
        tensor_each(one->tensor, one->at, move_stretch, &b);
        moved = b.moved;
    } else {
        uint16_t number_of_site;
        l->current->copying = true;
        access_bulk(l, (uintptr_t)one->other, bytes, OP_WRITE, pc, &number_of_site);
        l->current->copying = false;
        memcpy(one->other, one->shared, bytes);
    }
    launch_count_move(l, &moved);
    part(l);
}

void machine_bulk_commit(void) { bulk_reads_commit(&machine_running->current->reads); }

void machine_bulk_wait(unsigned left) { bulk_reads_wait(&machine_running->current->reads, left); }

void machine_proxy_fence(void) {
    launch_state *l = machine_running;
    if (l->unseen) return;
    clusters_own(l);
    part(l);
    l->current->proxied = l->segment;
}

const bulk_copy *bulk_find(const launch_state *l, uintptr_t address, size_t bytes) {
    if (l->cluster == NULL) return NULL;
    const shared_place spot = place_of(l, (const void *)address);
    return mbarrier_find_copy(l->cluster->barriers, spot.rank, spot.at, bytes);
}
