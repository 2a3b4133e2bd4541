/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's services to a running thread: who it is, copies, barriers and exchanges. Accesses are in access.c.
 */
#include "machine/device/device.h"

#include <string.h>

#include "base/status.h"
#include "machine/runtime/access.h"
#include "machine/runtime/bulk.h"
#include "machine/runtime/order.h"

machine_index machine_thread_index(void) { return launch_here()->current->index; }
machine_index machine_block_index(void) { return launch_here()->block_index; }

static machine_index index_of(machine_shape shape) { return (machine_index){shape.x, shape.y, shape.z}; }
machine_index machine_block_dim(void) { return index_of(launch_here()->launch->block); }
machine_index machine_grid_dim(void) { return index_of(launch_here()->launch->grid); }

unsigned machine_warp_size(void) { return launch_here()->options->width; }
unsigned machine_lane(void) { return launch_here()->lane; }

/* Every block of a kernel's code calls machine_block, and most go no further than its own few compares: the rest is apart, so that these
 * save no registers. */
#define RARELY __attribute__((noinline))

RARELY static void go_to_block(launch_state *l, frame *own, const void *pc) {
    const flow_way way = flow_go(&l->rounds.flow, own->at.block, pc);
    if (way.block == FLOW_NO_BLOCK) launch_end_without_memory(l, "the order of the code");
    if (way.back && !steps_turn(access_steps(l), &l->rounds.flow, own->at.call, way.block))
        launch_end_without_memory(l, "the turns of loops");
    own->at.block = way.block;
}

void machine_block(const void *pc, const void *stack) {
    launch_state *l = launch_here();
    if (l == NULL || !l->is_counted) return;
    if (l->code == 0 && l->asked < ACCESS_MOST_ASKED) access_know_kernel(l, pc);
    if (l->current->frames.depth == 0) return;
    frame *own = &l->current->frames.frame[l->current->frames.depth - 1];
    if (own->stack == (uintptr_t)stack) go_to_block(l, own, pc);
}

void machine_enter(const void *pc, const void *stack) {
    launch_state *l = launch_here();
    if (l != NULL && l->is_counted && !frames_enter(&l->current->frames, &l->rounds.flow, pc, (uintptr_t)stack))
        launch_end_without_memory(l, "the calls");
}

void machine_leave(void) {
    const launch_state *l = launch_here();
    if (l != NULL && l->is_counted) frames_leave(&l->current->frames);
}

void machine_align(const void *address, unsigned bytes) {
    launch_state *l = launch_here();
    machine_array *array = l != NULL ? arrays_find(l->arrays, (uintptr_t)address) : NULL;
    if (array != NULL && array->unit < bytes) array->unit = bytes;
}

/* At once where nobody looks, or where no copy of the hardware's could be: into other memory than an array of the block's. */
static bool is_copied_at_once(const launch_state *l, const machine_array *array, void *to, unsigned bytes) {
    return l->unseen || array == NULL || array->space != SPACE_SHARED ||
           !access_is_held(array, (uintptr_t)to, bytes) || (bytes & (bytes - 1)) != 0 || bytes < 4 ||
           bytes > COPY_BYTES || ((uintptr_t)to & (bytes - 1)) != 0;
}

void machine_copy(void *to, const void *from, unsigned bytes, unsigned given, void *barrier,
                  const void *pc) {
    launch_state *l = launch_here();
    machine_array *array = l != NULL ? arrays_find(l->arrays, (uintptr_t)to) : NULL;
    const bool at_once = l == NULL || is_copied_at_once(l, array, to, bytes);
    if (given > 0) machine_access(from, given, MACHINE_READ, pc);
    if (!at_once) l->current->copying = true;
    machine_access(to, bytes, MACHINE_WRITE, pc);
    if (at_once) {
        if (given > 0) memmove(to, from, given);
        memset((char *)to + given, 0, bytes - given);
        return;
    }
    l->current->copying = false;
    copy one = {.to = to, .array = array, .pc = pc, .bytes = bytes};
    if (given > 0) memcpy(one.data, from, given);
    const site *s = *rounds_slot(&l->rounds, pc, access_call(l, frames_place(&l->current->frames).call));
    one.site = s != NULL && s->pc == pc && s->number < UINT16_MAX ? (uint16_t)(s->number + 1) : 0;
    if (!copies_add(&l->current->copies, &one)) launch_end_without_memory(l, "the copies that are under way");
    if (barrier != NULL) bulk_bind(l, barrier, l->current->copies.count - 1, pc);
}

void machine_copy_bind(void *barrier, const void *pc) {
    launch_state *l = launch_here();
    if (l != NULL && !l->unseen) bulk_bind(l, barrier, 0, pc);
}

void machine_copy_commit(void) {
    const launch_state *l = launch_here();
    if (l != NULL) copies_commit(&l->current->copies);
}

static shadow_accessor accessor(const launch_state *l) {
    return (shadow_accessor){&l->order, l->running, l->segment, 0, SHADOW_WEAK, false};
}

void machine_copy_land(void) {
    launch_state *l = launch_here();
    if (l == NULL) return;
    const shadow_accessor who = accessor(l);
    copies_land(&l->current->copies, &who);
}

void machine_copy_land_prior(unsigned left) {
    launch_state *l = launch_here();
    if (l == NULL) return;
    const shadow_accessor who = accessor(l);
    copies_land_prior(&l->current->copies, left, &who);
}

void *machine_allocate(unsigned long bytes) {
    launch_state *l = launch_here();
    machine_array *array;
    if (l == NULL) return NULL;
    if (arrays_create(l->arrays, "the kernel's heap", bytes, &array) != RIFFLE_OK)
        launch_end_without_memory(l, "the kernel's heap");
    return array->owned;
}

int machine_release_heap(void *address) {
    const launch_state *l = launch_here();
    return l != NULL && arrays_give_up(l->arrays, (uintptr_t)address);
}

void machine_refuse(unsigned most) {
    launch_state *l = launch_here();
    l->status = fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "kernel %s: its __launch_bounds__ take %u threads a block, and this one has %u; CUDA refuses such a "
        "launch",
        l->launch->kernel, most, l->threads);
    launch_end(l);
}

void machine_lack(const char *function, const void *pc) {
    launch_state *l = launch_here();
    l->lacking = (lacking_call){function, pc, frames_place(&l->current->frames).call};
    launch_end(l);
}

void machine_exit(void) { _longjmp(*launch_here()->current->outset, 1); }

void machine_fence(void) {
    launch_state *l = launch_here();
    if (l != NULL && !l->unseen && !order_fence(l)) launch_end_without_memory(l, "what blocks release");
}

static void wait_in(launch_state *l, thread_state state, const void *pc) {
    l->current->state = state;
    if (state != THREAD_EXCHANGING) l->current->spin = (spin){0};
    l->current->site = pc;
    launch_yield(l);
}

unsigned machine_barrier_count(int predicate, const void *pc) {
    launch_state *l = launch_here();
    l->current->predicate = predicate;
    wait_in(l, THREAD_AT_BARRIER, pc);
    return l->predicates;
}

void machine_barrier(const void *pc) { (void)machine_barrier_count(0, pc); }

int machine_is_cooperative(void) { return launch_here()->launch->cooperative; }

void machine_grid_barrier(const void *pc) {
    launch_state *l = launch_here();
    if (!l->launch->cooperative) {
        char *text = launch_hazard(l, &(hazard){.kind = HAZARD_BARRIER, .pc = pc});
        if (text != NULL) hazards_say_not_cooperative(text, launch_who(l));
        launch_end(l);
    }
    if (l->blocks == 1)
        machine_barrier(pc);
    else
        wait_in(l, THREAD_AT_GRID_BARRIER, pc);
}

void machine_sync_threads(void) { machine_barrier(__builtin_return_address(0)); }

static void exchange(launch_state *l, unsigned mask, unsigned long long value, bool orders, const void *pc) {
    launch_thread *self = l->current;
    self->mask = mask | 1u << l->lane; /* a lane that does not name itself takes part all the same */
    self->meeting = false;
    self->orders = orders;
    self->value = value;
    wait_in(l, THREAD_EXCHANGING, pc);
}

const unsigned long long *machine_warp_exchange(unsigned mask, unsigned long long value, const void *pc) {
    launch_state *l = launch_here();
    exchange(l, mask, value, false, pc);
    return l->exchanged;
}

unsigned machine_warp_ballot(unsigned mask, unsigned long long value, const void *pc) {
    launch_state *l = launch_here();
    exchange(l, mask, value, false, pc);
    return l->votes;
}

static unsigned machine_warp_gather(unsigned mask, unsigned long long value,
                                    unsigned long long values[MACHINE_MAX_WIDTH], const void *pc) {
    launch_state *l = launch_here();
    exchange(l, mask, value, false, pc);
    memcpy(values, l->exchanged, sizeof l->exchanged);
    return l->current->took_part;
}

void machine_warp_sync(unsigned mask, const void *pc) { exchange(launch_here(), mask, 0, true, pc); }

unsigned machine_meet(const void *pc) {
    launch_state *l = launch_here();
    launch_thread *self = l->current;
    self->meeting = true;
    self->orders = false;
    wait_in(l, THREAD_EXCHANGING, pc);
    return self->took_part;
}

const machine_device_api machine_device = {
    .warp_size = machine_warp_size,
    .lane = machine_lane,
    .access = machine_access,
    .block = machine_block,
    .enter = machine_enter,
    .leave = machine_leave,
    .allocate = machine_allocate,
    .release = machine_release_heap,
    .refuse = machine_refuse,
    .lack = machine_lack,
    .exit = machine_exit,
    .fence = machine_fence,
    .grid_barrier = machine_grid_barrier,
    .is_cooperative = machine_is_cooperative,
    .cluster_shape = machine_cluster_shape,
    .cluster_set = machine_cluster_set,
    .cluster_peer = machine_cluster_peer,
    .cluster_rank_of = machine_cluster_rank_of,
    .cluster_sync = machine_cluster_sync,
    .cluster_arrive = machine_cluster_arrive,
    .cluster_wait = machine_cluster_wait,
    .mbarrier_init = machine_mbarrier_init,
    .mbarrier_end = machine_mbarrier_end,
    .mbarrier_arrive = machine_mbarrier_arrive,
    .mbarrier_expect = machine_mbarrier_expect,
    .mbarrier_wait = machine_mbarrier_wait,
    .bulk_load = machine_bulk_load,
    .bulk_store = machine_bulk_store,
    .bulk_commit = machine_bulk_commit,
    .bulk_wait = machine_bulk_wait,
    .proxy_fence = machine_proxy_fence,
    .store_async = machine_store_async,
    .named_barrier = machine_named_barrier,
    .product = machine_product_add,
    .product_fence = machine_product_fence,
    .product_commit = machine_product_commit,
    .product_wait = machine_product_wait,
    .barrier = machine_barrier,
    .barrier_count = machine_barrier_count,
    .warp_gather = machine_warp_gather,
    .warp_sync = machine_warp_sync,
    .meet = machine_meet,
    .align = machine_align,
    .copy = machine_copy,
    .copy_bind = machine_copy_bind,
    .copy_commit = machine_copy_commit,
    .copy_land = machine_copy_land,
    .copy_land_prior = machine_copy_land_prior,
};
