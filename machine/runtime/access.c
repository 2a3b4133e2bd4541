/* SPDX-License-Identifier: Apache-2.0
 *
 * An access of the running thread: placed in its array, checked and logged before the kernel makes it.
 */
#define _GNU_SOURCE /* mincore */
#include "machine/runtime/access.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/device/device.h"
#include "machine/runtime/bulk.h"
#include "machine/runtime/clusters.h"
#include "machine/runtime/order.h"

enum { WIDEST_ACCESS = 16 };

/* For what is rare: inlined, its locals would lengthen the frame of every access, all of which the address sanitizer clears. */
#define RARE __attribute__((noinline))

static hazard_access describe(const launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                              const machine_array *array) {
    return (hazard_access){.who = launch_who(l), .op = op, .address = address, .bytes = bytes, .array = array};
}

bool access_is_held(const machine_array *array, uintptr_t address, unsigned bytes) {
    const uintptr_t offset = address - array->start;
    return offset < array->bytes && bytes <= array->bytes - offset;
}

/* True for a shared array of a kernel that does not run: the memory is there, but on a GPU it is another's or nobody's. */
static bool is_of_another(const launch_state *l, const machine_array *array) {
    return array->code != 0 && l->code != 0 && array->code != l->code;
}

/* True if there is memory of the host's at an address, which is no thread's stack. */
static bool is_of_host(const launch_state *l, uintptr_t address) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    for (unsigned t = 0; t < l->threads; t++) {
        const context *own = l->thread[t].context;
        if (own != NULL && address - context_stack(own) < CONTEXT_STACK_BYTES) return false;
    }
    return address >= page && !context_is_idle_at(address) &&
           mincore((void *)(address / page * page), 1, &resident) == 0;
}

/* The shared array that the running kernel declares nearest before an address; NULL if there is none. */
static const machine_array *own_before(const launch_state *l, uintptr_t address) {
    const machine_array *own = NULL;
    for (size_t k = 0; k < l->arrays->count; k++) {
        const machine_array *a = l->arrays->array[k];
        if (a->code == 0 || l->code == 0 || a->start > address || is_of_another(l, a)) continue;
        if (own == NULL || a->start > own->start) own = a;
    }
    return own;
}

/* The array that an access outside of all was meant for, which is hardly dynamic memory that nobody asked for. */
static const machine_array *meant(const launch_state *l, uintptr_t address, const machine_array *likely) {
    const machine_array *near = arrays_nearest(l->arrays, address, likely);
    const bool is_empty = near != NULL && near->dynamic && near->bytes == 0;
    const machine_array *own = is_empty ? own_before(l, address) : NULL;
    return own != NULL ? own : near;
}

/* A program that takes cudaMalloc's NULL for an array has no error of its own where a GPU would have had the memory. */
static RARE void end_for_lacked_array(launch_state *l) {
    l->status = fail(RIFFLE_ERROR_OUT_OF_MEMORY,
                     "kernel %s accesses NULL: there was no memory for an allocation of %zu bytes before, and the program "
                     "goes on without it; give the run more memory, or the program less to do",
                     l->launch->kernel, l->arrays->lacked);
    launch_end(l);
}

/* Goes on where the access meets what lies behind an array and belongs to nobody; else the kernel must not make it. */
static RARE void report_out_of_bounds(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                                      const machine_array *likely, const void *pc) {
    const machine_array *near = meant(l, address, likely);
    if (near == NULL && address < l->arrays->lacked) end_for_lacked_array(l);
    hazard_access access = describe(l, address, bytes, op, near);
    access.is_hosts = near == NULL && is_of_host(l, address);
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_OUT_OF_BOUNDS, .pc = pc, .op = op});
    if (text != NULL) hazards_say_out_of_bounds(text, &access);
    l->strayed = true;
    if (arrays_are_apart(l->arrays, address, bytes)) return;
    l->lost = true;
    launch_end(l);
}

uint32_t access_call(const launch_state *l, uint32_t call) { return l->rounds.attributes ? call : FLOW_KERNEL; }

static RARE void report_array_of_another(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                                         const machine_array *likely, const void *pc) {
    const hazard_access access =
        describe(l, address, bytes, op, likely != NULL ? likely : own_before(l, address));
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_OUT_OF_BOUNDS, .pc = pc, .op = op});
    if (text != NULL) hazards_say_out_of_bounds(text, &access);
    l->strayed = true;
}

RARE void access_know_kernel(launch_state *l, const void *pc) {
    const uintptr_t at = (uintptr_t)pc;
    l->asked++;
    for (size_t k = 0; k < l->arrays->count; k++) {
        const machine_array *a = l->arrays->array[k];
        if (at >= a->code && at < a->code_end) l->code = a->code;
    }
}

/* The site of an access, its array in last_array; NULL for the device's own table, which is no memory of the
   kernel, and for what is in no array of its. `likely` is the one that it accessed before. */
static RARE site *find_site(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                            const machine_array *likely, const void *pc) {
    machine_array *array = arrays_find(l->arrays, address);
    if (array == NULL || !access_is_held(array, address, bytes)) {
        if (address - (uintptr_t)&machine_device >= sizeof machine_device)
            report_out_of_bounds(l, address, bytes, op, array != NULL ? array : likely, pc);
        return NULL;
    }
    if (l->code == 0 && l->asked < ACCESS_MOST_ASKED) access_know_kernel(l, pc);
    if (is_of_another(l, array)) {
        report_array_of_another(l, address, bytes, op, likely, pc);
        return NULL;
    }
    if (array->foreign) return NULL;
    const code_place at = frames_place(&l->current->frames);
    const site like = {
        .pc = pc, .call = access_call(l, at.call), .bytes = bytes, .op = op, .space = array->space};
    site *s = rounds_site(&l->rounds, &like, at.block);
    if (s == NULL) launch_end_without_memory(l, "the call sites");
    s->last_array = array;
    if (array->unit < bytes) array->unit = bytes;
    return s;
}

/* A race with what `with` says of the other thread. */
static RARE void report_race(launch_state *l, const race *r, const shadow_race *with, hazard_kind kind) {
    const report_op other_op = with == &r->found.with_read ? OP_READ : with->atomic ? OP_ATOMIC : OP_WRITE;
    const void *other_pc = with->site > 0 ? l->rounds.site[with->site - 1]->pc : NULL;
    char *text = launch_hazard(
        l,
        &(hazard){.kind = kind, .pc = r->pc, .op = r->access.op, .other_pc = other_pc, .other_op = other_op});
    if (text == NULL) return;
    hazard_other other = {.op = other_op};
    other.has_place = other_pc != NULL;
    hazard_thread who;
    if (with->segment != 0) {
        who = (hazard_thread){.block = launch_block_index(l, ordering_block_of(&l->order, with->segment))};
        if (with->segment >= l->order.block.epoch_base)
            who.thread = l->thread[ordering_owner(&l->order, with->segment).thread].index;
        other.who = &who;
    }
    hazards_say_race(text, &r->access, &other, kind == HAZARD_SAME_VALUE);
}

void launch_judge_races(launch_state *l) {
    for (unsigned k = 0; k < l->races.count; k++) {
        const race *r = &l->races.race[k];
        const bool same = memcmp(r->before, (const void *)r->access.address, r->access.bytes) == 0;
        if (!same)
            report_race(l, r, &r->found.with_write, HAZARD_RACE);
        else if (r->found.with_read.found)
            report_race(l, r, &r->found.with_read, HAZARD_RACE);
        else
            report_race(l, r, &r->found.with_write, HAZARD_SAME_VALUE);
    }
    l->races.count = 0;
}

static RARE void report_finding(launch_state *l, const hazard_access *access, const shadow_finding *found,
                                const void *pc) {
    if (found->uninitialized) {
        char *text = launch_hazard(l, &(hazard){.kind = HAZARD_UNINITIALIZED, .pc = pc, .op = access->op});
        if (text != NULL) hazards_say_uninitialized(text, access);
    }
    const race one = {.access = *access, .found = *found, .pc = pc};
    if (found->with_write.found && access->op == OP_WRITE && !found->with_write.atomic &&
        !l->current->copying) {
        if (l->races.count == RACES_KEPT) launch_judge_races(l);
        race *kept = &l->races.race[l->races.count++];
        *kept = one;
        memcpy(kept->before, (const void *)access->address, access->bytes);
    } else if (found->with_write.found) {
        report_race(l, &one, &one.found.with_write, HAZARD_RACE);
    } else if (found->with_read.found) {
        report_race(l, &one, &one.found.with_read, HAZARD_RACE);
    }
}

/* A write to what a product of a warpgroup's reads. */
static RARE void report_product(launch_state *l, const hazard_access *access, const void *pc) {
    const bulk_read *from = NULL;
    for (unsigned t = 0; t < l->threads && from == NULL; t++)
        from = bulk_reads_find(&l->thread[t].products.reads, access->array, access->address - access->array->start,
                               access->bytes);
    if (from == NULL) return;
    char *text = launch_hazard(
        l,
        &(hazard){.kind = HAZARD_RACE, .pc = pc, .op = access->op, .other_pc = from->pc, .other_op = OP_READ});
    if (text != NULL) hazards_say_product(text, access);
}

/* An access to a register of a product that is under way. */
static RARE void report_sum(launch_state *l, uintptr_t address, unsigned long bytes, report_op op, const void *pc) {
    const product *one = products_find(&l->current->products, address, bytes);
    if (one == NULL) return;
    char *text = launch_hazard(
        l, &(hazard){.kind = HAZARD_RACE, .pc = pc, .op = op, .other_pc = one->pc, .other_op = OP_WRITE});
    if (text != NULL) hazards_say_sum(text, launch_who(l), op);
}

/* The same of a bulk copy, or a write to what one reads. */
static RARE void report_bulk(launch_state *l, const hazard_access *access, const void *pc) {
    const bulk_copy *to = bulk_find(l, access->address, access->bytes);
    const bulk_read *from = NULL;
    for (unsigned t = 0; t < l->threads && to == NULL && from == NULL; t++)
        from = bulk_reads_find(&l->thread[t].reads, access->array, access->address - access->array->start,
                               access->bytes);
    if (to == NULL && from == NULL) {
        report_product(l, access, pc);
        return;
    }
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_RACE,
                                            .pc = pc,
                                            .op = access->op,
                                            .other_pc = to != NULL ? to->pc : from->pc,
                                            .other_op = to != NULL ? OP_WRITE : OP_READ});
    const bool is_bulk = to == NULL || to->strength == SHADOW_ASYNC;
    if (text != NULL) hazards_say_bulk(text, access, is_bulk ? "bulk" : "asynchronous", to == NULL);
}

/* An access to where a copy is under way: what it reads is not there yet, and what it writes the copy overwrites. */
static RARE void report_under_way(launch_state *l, const hazard_access *access, const void *pc) {
    const launch_thread *copier = NULL;
    const copy *one = NULL;
    for (unsigned t = 0; t < l->threads && one == NULL; t++) {
        copier = &l->thread[t];
        one = copies_find(&copier->copies, access->address, access->bytes);
    }
    if (one == NULL) {
        report_bulk(l, access, pc);
        return;
    }
    char *text = launch_hazard(
        l,
        &(hazard){.kind = HAZARD_RACE, .pc = pc, .op = access->op, .other_pc = one->pc, .other_op = OP_WRITE});
    const hazard_thread who = {copier->index, l->block_index};
    if (text != NULL) hazards_say_under_way(text, access, copier == l->current ? NULL : &who);
}

static RARE void report_misaligned(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                                   const machine_array *array, const void *pc) {
    const hazard_access access = describe(l, address, bytes, op, array);
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_MISALIGNED, .pc = pc, .op = op});
    if (text != NULL) hazards_say_misaligned(text, &access);
}

static RARE void report(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                        const machine_array *array, const shadow_finding *found, const void *pc) {
    const hazard_access access = describe(l, address, bytes, op, array);
    if (found->marked)
        report_under_way(l, &access, pc);
    else
        report_finding(l, &access, found, pc);
}

/* Nothing tells a loop without end from a long one, so that a thread which goes on and on is no hazard. */
static void end_slice(launch_state *l, const void *pc) {
    const uint64_t own = ++l->current->slices * SLICE_ACCESSES;
    l->has_long |= own >= LONG_THREAD_ACCESSES;
    if (own >= LONG_THREAD_ACCESSES && l->work + launch_block_work(l) >= l->may_work) {
        l->unfinished = (long_thread){.pc = pc, .who = launch_who(l), .accesses = own};
        launch_end(l);
    }
    launch_yield(l);
}

lane_steps *access_steps(launch_state *l) { return &l->rounds.steps.lane[l->lane]; }

/* True if the access looks in vain for others' writes, and its block has done so often enough for its turn. */
static bool ends_turn(launch_state *l, uintptr_t address, uint64_t number, unsigned how, const void *pc) {
    const unsigned kind = how & MACHINE_KIND;
    const bool looks = kind == MACHINE_READ ? (how & MACHINE_STRONG) != 0
                                            : kind == MACHINE_ATOMIC && (how & MACHINE_LOAD) != 0;
    if (!looks) return false;
    const sight found = sights_look(&l->sights, l->block, l->running, address, number);
    l->news |= found == SIGHT_NEW;
    if (found != SIGHT_SAME) return false;
    l->current->looked_at = pc;
    return ++l->vain >= l->vain_most;
}

/* A thread that spins, or whose block has had its turn, makes room for others before it looks again. */
static void look(launch_state *l, uintptr_t address, unsigned bytes, unsigned how, const void *pc) {
    spin *own = &l->current->spin;
    const uint64_t number = spin_number(pc, address, bytes);
    const bool spins = spin_access(own, number) && ++own->looks >= l->looks;
    if (!ends_turn(l, address, number, how, pc) && !spins) return;
    own->looks = 0;
    l->current->site = pc;
    launch_yield(l);
}

/* Shared memory of another block; false if nothing of it is to be checked. */
static RARE bool access_peer(launch_state *l, uintptr_t address, unsigned bytes, report_op op,
                             const machine_array *array, const void *pc) {
    const hazard_access access = describe(l, address, bytes, op, array);
    return clusters_access(l, array, &access, pc);
}

static shadow_strength strength_of(unsigned how) {
    if ((how & MACHINE_STRONG) == 0) return SHADOW_WEAK;
    return (how & MACHINE_STORE) != 0 ? SHADOW_ORDERED : SHADOW_VOLATILE;
}

/* One of 1, 2, 4, 8 or 16 bytes. */
static void access_once(launch_state *l, uintptr_t address, unsigned bytes, unsigned how, const void *pc) {
    const report_op op = (report_op)(how & MACHINE_KIND);
    if (l->sliced == SLICE_ACCESSES)
        end_slice(l, pc); /* before the access, as all those before it have been made */
    const uint32_t path = frames_place(&l->current->frames).call, call = access_call(l, path);
    site *s = *rounds_slot(&l->rounds, pc, call);
    if (s == NULL || s->pc != pc || s->call != call || s->bytes != bytes || s->op != op ||
        !access_is_held(s->last_array, address, bytes)) {
        const bool same = s != NULL && s->pc == pc && s->call == call;
        s = find_site(l, address, bytes, op, same ? s->last_array : NULL, pc);
        if (s == NULL) return;
    }
    machine_array *array = s->last_array;
    look(l, address, bytes, array->space == SPACE_GLOBAL ? how : MACHINE_WRITE, pc);
    bool follows = false;
    if (array->space == SPACE_GLOBAL && !order_access(l, address, how, &follows))
        launch_end_without_memory(l, "what blocks release");
    const size_t offset = address - array->start;
    if ((address & (bytes - 1)) != 0) report_misaligned(l, address, bytes, op, array, pc);
    const uint16_t site_number = s->number < UINT16_MAX ? (uint16_t)(s->number + 1) : 0;
    const shadow_accessor who = {&l->order, l->running, l->segment, site_number, strength_of(how), follows};
    shadow_finding found = {0};
    const bool checked = array->home == NULL || access_peer(l, address, bytes, op, array, pc);
    if (checked && !shadow_access(&array->shadow, offset, bytes, op, &who, &found))
        launch_end_without_memory(l, "what the machine knows of an array");
    if (l->blind && array->space == SPACE_GLOBAL) found.uninitialized = false;
    if (found.marked || found.with_write.found || found.with_read.found || found.uninitialized)
        report(l, address, bytes, op, array, &found, pc);
    if (l->is_counted && !steps_access(access_steps(l), path, s->number, array->base | offset))
        launch_end_without_memory(l, "the log of accesses");
    l->sliced++;
}

machine_array *access_bulk(launch_state *l, uintptr_t address, size_t bytes, report_op op, const void *pc,
                           uint16_t *site_number) {
    *site_number = 0;
    if (l->unseen) return NULL;
    machine_array *array = NULL;
    unsigned piece;
    for (uintptr_t at = address; at < address + bytes; at += piece) {
        piece = 1u << __builtin_ctzll(at | (address + bytes - at) | WIDEST_ACCESS);
        if (array == NULL || !access_is_held(array, at, piece)) {
            const site *s = find_site(l, at, piece, op, NULL, pc);
            if (s == NULL) return NULL;
            array = s->last_array;
            *site_number = s->number < UINT16_MAX ? (uint16_t)(s->number + 1) : 0;
        }
        const shadow_accessor who = {&l->order, l->running, l->segment, *site_number, SHADOW_WEAK, false};
        shadow_finding found = {0};
        if (array->home != NULL && !access_peer(l, at, piece, op, array, pc)) return NULL;
        if (!shadow_access(&array->shadow, at - array->start, piece, op, &who, &found))
            launch_end_without_memory(l, "what the machine knows of an array");
        if (l->blind && array->space == SPACE_GLOBAL) found.uninitialized = false;
        if (found.marked || found.with_write.found || found.with_read.found || found.uninitialized)
            report(l, at, piece, op, array, &found, pc);
    }
    return array;
}

void access_count(launch_state *l, uintptr_t address, unsigned bytes, report_op op, const void *pc) {
    const uint32_t path = frames_place(&l->current->frames).call;
    const site *s = l->is_counted ? find_site(l, address, bytes, op, NULL, pc) : NULL;
    if (s == NULL) return;
    const machine_array *array = s->last_array;
    if (!steps_access(access_steps(l), path, s->number, array->base | (address - array->start)))
        launch_end_without_memory(l, "the log of accesses");
    l->sliced++;
}

/* What a thread has on its own stack is looked at only where it may be a register of a product. */
static bool is_own(launch_state *l, const void *address, unsigned long bytes, int op, const void *pc) {
    if ((uintptr_t)address - l->stack >= CONTEXT_STACK_BYTES) return false;
    if (l->current->products.count > 0 && !l->unseen)
        report_sum(l, (uintptr_t)address, bytes, (report_op)(op & MACHINE_KIND), pc);
    return true;
}

/* In pieces of the largest size that divides both address and size, as a compiler must do that knows no more.
   */
void machine_access_unaligned(const void *address, unsigned long bytes, int op, const void *pc) {
    launch_state *l = launch_here();
    if (l == NULL || is_own(l, address, bytes, op, pc)) return;
    const uintptr_t start = (uintptr_t)address, end = start + bytes;
    const unsigned piece = 1u << __builtin_ctzll(start | bytes | WIDEST_ACCESS);
    for (uintptr_t at = start; at < end; at += piece) access_once(l, at, piece, (unsigned)op, pc);
}

/* Others get their turn as they do where it is counted. */
static void pass_over(launch_state *l, uintptr_t address, unsigned long bytes, unsigned how, const void *pc) {
    if (l->sliced == SLICE_ACCESSES) end_slice(l, pc);
    if (bytes > 0 && bytes <= 8 && (bytes & (bytes - 1)) == 0) look(l, address, (unsigned)bytes, how, pc);
    l->sliced++;
}

void machine_access(const void *address, unsigned long bytes, int op, const void *pc) {
    launch_state *l = launch_here();
    if (l == NULL || is_own(l, address, bytes, op, pc)) return;
    if (l->unseen) {
        pass_over(l, (uintptr_t)address, bytes, (unsigned)op, pc);
        return;
    }
    if (bytes > WIDEST_ACCESS || (bytes & (bytes - 1)) != 0) {
        machine_access_unaligned(address, bytes, op, pc);
    } else if (bytes > 0) {
        access_once(l, (uintptr_t)address, (unsigned)bytes, (unsigned)op, pc);
    }
}
