/* SPDX-License-Identifier: Apache-2.0
 *
 * What a running thread asks of the machine. An access is placed in its array, checked and logged before the
 * kernel makes it.
 */
#include "machine/device/device.h"

#include "machine/runtime/launch_state.h"

enum { WIDEST_ACCESS = 16 };

machine_index machine_thread_index(void) { return machine_running->current->index; }
machine_index machine_block_index(void) { return machine_running->block_index; }

static machine_index index_of(machine_shape shape) { return (machine_index){shape.x, shape.y, shape.z}; }
machine_index machine_block_dim(void) { return index_of(machine_running->launch->block); }
machine_index machine_grid_dim(void) { return index_of(machine_running->launch->grid); }

unsigned machine_warp_size(void) { return machine_running->options->width; }
unsigned machine_lane(void) { return machine_running->lane; }

static hazard_access describe(const launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                              const machine_array *array) {
    return (hazard_access){launch_who(l), op, address, bytes, array};
}

/* The kernel must not make this access, so it does not go on. */
static _Noreturn void end_out_of_bounds(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                                        const void *pc) {
    const hazard_access access = describe(l, address, bytes, op, arrays_nearest(l->arrays, address));
    char *text = launch_hazard(l, HAZARD_OUT_OF_BOUNDS, pc);
    if (text != NULL) hazards_say_out_of_bounds(text, &access);
    launch_end(l);
}

static bool holds(const machine_array *array, uintptr_t address, unsigned bytes) {
    const uintptr_t offset = address - array->start;
    return offset < array->bytes && bytes <= array->bytes - offset;
}

/* The site of an access, its array in last_array; NULL for the device's own table, which is no memory of the
   kernel. */
static site *find_site(launch_state *l, uintptr_t address, unsigned bytes, report_op op, const void *pc) {
    machine_array *array = arrays_find(l->arrays, address);
    if (array == NULL || !holds(array, address, bytes)) {
        if (address - (uintptr_t)&machine_device < sizeof machine_device) return NULL;
        end_out_of_bounds(l, address, bytes, op, pc);
    }
    site *s = rounds_site(&l->rounds, pc, frames_place(&l->current->frames).block, bytes, op, array->space);
    if (s == NULL) launch_end_without_memory(l, "the call sites");
    s->last_array = array;
    return s;
}

static __attribute__((noinline)) void report_finding(launch_state *l, const hazard_access *access,
                                                     const shadow_finding *found, const void *pc) {
    char *text = found->uninitialized ? launch_hazard(l, HAZARD_UNINITIALIZED, pc) : NULL;
    if (text != NULL) hazards_say_uninitialized(text, access);
    text = found->race ? launch_hazard(l, HAZARD_RACE, pc) : NULL;
    if (text == NULL) return;
    if (found->segment == 0) {
        hazards_say_race(text, access, NULL, found->raced_write);
        return;
    }
    hazard_thread other = {.block = launch_block_index(l, ordering_block_of(&l->order, found->segment))};
    if (found->segment >= l->order.epoch_base)
        other.thread = l->thread[ordering_owner(&l->order, found->segment).thread].index;
    hazards_say_race(text, access, &other, found->raced_write);
}

static __attribute__((noinline)) void report_misaligned(launch_state *l, const hazard_access *access,
                                                        const void *pc) {
    char *text = launch_hazard(l, HAZARD_MISALIGNED, pc);
    if (text != NULL) hazards_say_misaligned(text, access);
}

static void end_slice(launch_state *l, const void *pc) {
    const uint64_t own = ++l->current->slices * SLICE_ACCESSES;
    const uint64_t all = l->made + l->sliced - l->current->since;
    if (own >= ENDLESS_THREAD_ACCESSES && all >= ENDLESS_BLOCK_ACCESSES) {
        char *text = launch_hazard(l, HAZARD_ENDLESS, pc);
        if (text != NULL) hazards_say_endless(text, launch_who(l), own);
        launch_end(l);
    }
    launch_yield(l);
}

static lane_steps *own_steps(launch_state *l) { return &l->rounds.steps.lane[l->lane]; }

/* One of 1, 2, 4, 8 or 16 bytes. */
static void access_once(launch_state *l, uintptr_t address, unsigned bytes, report_op op, const void *pc) {
    site *s = *rounds_slot(&l->rounds, pc);
    if (s == NULL || s->pc != pc || s->bytes != bytes || s->op != op || !holds(s->last_array, address, bytes)) {
        s = find_site(l, address, bytes, op, pc);
        if (s == NULL) return;
    }
    machine_array *array = s->last_array;
    const size_t offset = address - array->start;
    if ((address & (bytes - 1)) != 0) {
        const hazard_access access = describe(l, address, bytes, op, array);
        report_misaligned(l, &access, pc);
    }
    const shadow_accessor who = {&l->order, l->running, l->segment};
    shadow_finding found;
    if (!shadow_access(&array->shadow, offset, bytes, op, &who, &found))
        launch_end_without_memory(l, "what the machine knows of an array");
    if (found.race || found.uninitialized) {
        const hazard_access access = describe(l, address, bytes, op, array);
        report_finding(l, &access, &found, pc);
    }
    if (!steps_access(own_steps(l), frames_place(&l->current->frames).call, s->number, array->base | offset))
        launch_end_without_memory(l, "the log of accesses");
    if (++l->sliced == SLICE_ACCESSES) end_slice(l, pc);
}

static bool is_own_stack(const launch_state *l, const void *address) {
    return (uintptr_t)address - l->stack < CONTEXT_STACK_BYTES;
}

/* In pieces of the largest size that divides both address and size, as a compiler must do that knows no more.
   */
void machine_access_unaligned(const void *address, unsigned long bytes, int op, const void *pc) {
    launch_state *l = machine_running;
    if (l == NULL || is_own_stack(l, address)) return;
    const uintptr_t start = (uintptr_t)address, end = start + bytes;
    const unsigned piece = 1u << __builtin_ctzll(start | bytes | WIDEST_ACCESS);
    for (uintptr_t at = start; at < end; at += piece) access_once(l, at, piece, (report_op)op, pc);
}

void machine_access(const void *address, unsigned long bytes, int op, const void *pc) {
    launch_state *l = machine_running;
    if (l == NULL || is_own_stack(l, address)) return;
    if (bytes > WIDEST_ACCESS || (bytes & (bytes - 1)) != 0) {
        machine_access_unaligned(address, bytes, op, pc);
    } else if (bytes > 0) {
        access_once(l, (uintptr_t)address, (unsigned)bytes, (report_op)op, pc);
    }
}

void machine_block(const void *pc, const void *stack) {
    launch_state *l = machine_running;
    if (l == NULL || l->current->frames.depth == 0) return;
    frame *own = &l->current->frames.frame[l->current->frames.depth - 1];
    if (own->stack != (uintptr_t)stack) return;
    flow *f = &l->rounds.flow;
    const uint32_t block = flow_go(f, own->at.block, pc);
    if (block == FLOW_NO_BLOCK) launch_end_without_memory(l, "the order of the code");
    if (flow_leads_back(f, own->at.block, block) && !steps_turn(own_steps(l), own->at.call, block))
        launch_end_without_memory(l, "the turns of loops");
    own->at.block = block;
}

void machine_enter(const void *pc, const void *stack) {
    launch_state *l = machine_running;
    if (l != NULL && !frames_enter(&l->current->frames, &l->rounds.flow, pc, (uintptr_t)stack))
        launch_end_without_memory(l, "the calls");
}

void machine_leave(void) {
    if (machine_running != NULL) frames_leave(&machine_running->current->frames);
}

static void wait_in(launch_state *l, thread_state state, const void *pc) {
    l->current->state = state;
    l->current->site = pc;
    launch_yield(l);
}

unsigned machine_barrier_count(int predicate, const void *pc) {
    launch_state *l = machine_running;
    l->current->predicate = predicate;
    wait_in(l, THREAD_AT_BARRIER, pc);
    return l->predicates;
}

void machine_barrier(const void *pc) { (void)machine_barrier_count(0, pc); }

void machine_sync_threads(void) { machine_barrier(__builtin_return_address(0)); }

unsigned machine_warp_gather(unsigned mask, unsigned long long value,
                             unsigned long long values[MACHINE_MAX_WIDTH], const void *pc) {
    launch_state *l = machine_running;
    launch_thread *self = l->current;
    self->mask = mask | 1u << l->lane; /* a lane that does not name itself takes part all the same */
    self->value = value;
    wait_in(l, THREAD_EXCHANGING, pc);
    for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) values[k] = l->exchanged[k];
    return self->took_part;
}

unsigned machine_active_mask(void) {
    const launch_state *l = machine_running;
    const unsigned first = l->warp * l->options->width;
    unsigned mask = 0;
    for (unsigned lane = 0; lane < l->options->width && first + lane < l->threads; lane++) {
        if (l->thread[first + lane].state != THREAD_LEFT) mask |= 1u << lane;
    }
    return mask;
}

const machine_device_api machine_device = {
    .thread_index = machine_thread_index,
    .block_index = machine_block_index,
    .block_dim = machine_block_dim,
    .grid_dim = machine_grid_dim,
    .warp_size = machine_warp_size,
    .lane = machine_lane,
    .access = machine_access,
    .block = machine_block,
    .enter = machine_enter,
    .leave = machine_leave,
    .barrier = machine_barrier,
    .barrier_count = machine_barrier_count,
    .warp_gather = machine_warp_gather,
    .active_mask = machine_active_mask,
};
