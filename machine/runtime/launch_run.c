/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts are handed from thread to thread, and from launch to launch: one that has left gives its own to the next that starts, so that a
 * kernel without waits runs on a single warm stack.
 */
#include <stdlib.h>

#include "base/status.h"
#include "machine/runtime/blocks.h"
#include "machine/runtime/clusters.h"
#include "machine/runtime/order.h"
#include "machine/runtime/waits.h"

_Thread_local launch_state *machine_running;
_Atomic(uintptr_t) machine_stack;
_Atomic(launch_state *) machine_on_stack;

void launch_lacks_memory(launch_state *l, const char *what) {
    l->ended = true;
    l->status = fail(RIFFLE_ERROR_OUT_OF_MEMORY, "no memory for %s of kernel %s; launch fewer threads", what,
                     l->launch->kernel);
}

/* Comes back from the kernel, or out of the middle of it. */
static void run_kernel(launch_state *l) {
    jmp_buf outset;
    l->current->outset = &outset;
    if (_setjmp(outset) == 0) l->launch->entry(l->launch->args);
}

/* A context's loop: runs a thread, leaves, and is entered again for the next. */
static void run_threads(context *own) {
    for (;;) {
        launch_state *const l = context_argument(own);
        launch_thread *const thread = l->current;
        run_kernel(l);
        launch_judge_races(l);
        thread->state = THREAD_LEFT;
        thread->spin = (spin){0};
        context_leave(own);
    }
}

static bool begin_thread(launch_state *l, launch_thread *thread) {
    thread->context = context_take(run_threads, l);
    return thread->context != NULL;
}

static bool is_stopped(const launch_state *l) {
    return atomic_load_explicit(&l->gate->stops, memory_order_relaxed);
}

static bool run_thread(launch_state *l, unsigned t) {
    launch_thread *thread = &l->thread[t];
    if (is_stopped(l)) {
        l->ended = true;
        return false;
    }
    l->resumed += thread->context != NULL;
    if (thread->context == NULL && !begin_thread(l, thread)) {
        launch_lacks_memory(l, "the threads");
        return false;
    }
    l->running = t;
    l->lane = t - l->warp * l->options->width;
    l->current = thread;
    l->stack = context_stack(thread->context);
    atomic_store_explicit(&machine_stack, l->stack, memory_order_relaxed);
    l->segment = ordering_segment(&l->order, t);
    order_know(l);
    l->sliced = 0;
    if (l->shown != NULL) *l->shown->thread = thread->index;
    context_enter(thread->context);
    l->made += l->sliced;
    l->logged += l->sliced;
    l->looked += l->sliced;
    if (thread->state == THREAD_LEFT) {
        context_give(thread->context);
        thread->context = NULL;
        clusters_leave(l, thread);
    }
    return !l->ended;
}

static unsigned warp_end(const launch_state *l, unsigned warp) {
    const unsigned end = (warp + 1) * l->options->width;
    return end < l->threads ? end : l->threads;
}

/* Debug information wants more stack than a kernel's thread has, so it is asked here. Atomics are
 * left as they are, but for those that count. */
static void know_site(launch_state *l, site *s) {
    if (l->widths == NULL) {
        if (l->knows_components) s->component = source_component_of(l->lines, s->pc);
        return;
    }
    const source_line at = source_line_of(l->lines, s->pc);
    const code_width code = widths_find(l->widths, at.file, at.line, s->space, s->op);
    const unsigned near = widths_near(l->widths, at.file, at.line, s->space, s->op);
    /* A line without an access in nvcc's code can only be part of a neighbour's. */
    const unsigned widest = code.widest > 0 ? code.widest : near > s->bytes ? near : s->bytes;
    s->of_nvcc = s->op == OP_ATOMIC ? s->bytes : widest;
    s->counts = s->op == OP_ATOMIC && code.widest == WIDTHS_COUNTING;
    s->code = (kept_code){
        .asked = true, .none = code.widest == 0, .none_near = code.widest + near == 0, .sum = code.sum};
}

static void know_sites(launch_state *l) {
    if (!l->knows_components && l->widths == NULL) return;
    for (; l->known_sites < l->rounds.sites; l->known_sites++) know_site(l, l->rounds.site[l->known_sites]);
}

void launch_flush(launch_state *l, unsigned live) {
    if (l->is_counted) know_sites(l);
    if (l->is_counted && !rounds_flush(&l->rounds, l->warp, (unsigned)(l->block % l->options->dmms), live))
        launch_lacks_memory(l, "the rounds");
    if (live == 0) l->logged = 0;
}

/* Lets each lane of a warp run that can; false if none could, or all that could spin. */
static bool run_turn(launch_state *l, unsigned warp) {
    bool any = false;
    l->warp = warp;
    for (unsigned t = warp * l->options->width; t < warp_end(l, warp); t++) {
        if (l->thread[t].state != THREAD_READY) continue;
        const bool goes_on = run_thread(l, t);
        any |= !spin_is_on(&l->thread[t].spin);
        if (!goes_on) break;
    }
    return any;
}

/* Counts take memory by the accesses of a thread, of which one may make as many as it likes. Nothing is left of the warps' steps. */
static void count_no_further(launch_state *l) {
    const uint64_t most = l->options->accesses;
    if (!l->is_counted || !l->has_long || most == 0 || l->made < most) return;
    l->counted.accesses += l->made;
    l->cut_counts++;
    l->is_counted = false;
    launch_show_block(l);
}

/* A warp that only has exchanges to wait for goes on at once; one whose slice is over waits for the other
   warps. */
static bool run_warps(launch_state *l) {
    bool any = false;
    for (unsigned warp = 0; warp < l->warps && !l->ended; warp++) {
        any |= run_turn(l, warp);
        while (!l->ended && waits_end_exchanges(l, warp)) {
            any |= run_turn(l, warp);
            if (l->logged >= WARP_LOG_ACCESSES) launch_flush(l, 0);
        }
        launch_flush(l, 0);
        count_no_further(l);
    }
    return any;
}

static void forget_segments(const machine_arrays *all, uint32_t block_base) {
    for (size_t k = 0; k < all->count; k++)
        if (all->array[k]->home == NULL) shadow_forget_segments(&all->array[k]->shadow, block_base);
}

void launch_renumber(launch_state *l) {
    if (!ordering_is_full(&l->order)) return;
    forget_segments(l->arrays, l->order.block.block_base);
    for (size_t k = 0; k < l->waiting_count; k++)
        if (l->waiting[k] != NULL) blocks_forget_segments(l->waiting[k]);
    clusters_forget(l);
    if (l->order.releases != NULL) releases_forget(l->order.releases);
    release_block_free(&l->releasing);
    ordering_restart(&l->order);
}

void launch_show_block(launch_state *l) {
    l->block_index = launch_block_index(l, l->block);
    if (l->shown == NULL) return;
    *l->shown->block = l->block_index;
    *l->shown->seen = l->is_counted ? MACHINE_SEEN | MACHINE_FOLLOWED : l->unseen ? 0 : MACHINE_SEEN;
}

/* A block is counted and checked, or checked alone, or neither. */
static void see_block(launch_state *l, uint64_t turn) {
    const uint64_t weight = sample_weight(&l->sample, turn, l->blocks, &l->counted);
    l->is_counted = weight > 0;
    if (l->is_counted)
        rounds_begin_block(&l->rounds, weight);
    else
        rounds_pass_block(&l->rounds);
    l->unseen = !l->is_counted && l->own.checked >= l->may_check;
    l->blind |= l->unseen;
    l->counted.blocks += l->is_counted;
    l->checked_blocks += !l->unseen;
    l->own.checked_blocks += !l->unseen;
}

void launch_begin_block(launch_state *l, uint64_t turn) {
    const uint64_t block = clusters_block(l, turn);
    l->block = block;
    launch_renumber(l);
    release_block_free(&l->releasing);
    if (!ordering_begin_block(&l->order, block)) launch_lacks_memory(l, "the blocks");
    clusters_begin_block(l, turn);
    l->made = l->logged = 0;
    for (unsigned t = 0; t < l->threads; t++) {
        l->thread[t].state = THREAD_READY;
        l->thread[t].slices = 0;
        l->thread[t].spin = (spin){0};
        l->thread[t].frames.depth = 0;
    }
    see_block(l, turn);
    launch_show_block(l);
}

static bool has_threads_that_spin(const launch_state *l) {
    for (unsigned t = 0; t < l->threads; t++)
        if (l->thread[t].state == THREAD_READY) return true;
    return false;
}

static bool has_threads(const launch_state *l) {
    for (unsigned t = 0; t < l->threads; t++)
        if (l->thread[t].state != THREAD_LEFT) return true;
    return false;
}

/* Runs until no thread can go on that does not spin, or the block's turn is over. */
static void run_on(launch_state *l, bool *any) {
    bool goes_on = true;
    while (!l->ended && goes_on && l->vain < l->vain_most) {
        goes_on = run_warps(l);
        *any |= goes_on;
    }
}

static void begin_turn(launch_state *l) {
    l->vain = 0;
    l->news = false;
    for (unsigned t = 0; t < l->threads; t++) l->thread[t].looked_at = NULL;
}

/* A barrier of the block takes a thread of the machine as long as so many accesses. */
enum { BARRIER_ACCESSES = 32 };

bool launch_go(launch_state *l) {
    bool any = false;
    begin_turn(l);
    while (!l->ended) {
        run_on(l, &any);
        if (l->ended) return false;
        const bool over = l->vain >= l->vain_most, passed = clusters_go_on(l);
        any |= passed;
        if (passed && !over) continue;
        if (over || has_threads_that_spin(l) || clusters_wait(l) || waits_for_grid(l)) {
            l->progress |= over ? l->news : any;
            return has_threads(l);
        }
        if (!waits_end_barrier(l)) return false;
        l->looked += (uint64_t)BARRIER_ACCESSES * l->threads;
        launch_renumber(l);
    }
    return false;
}

/* Nobody can have waited for copies that are still under way. */
static void drop_copies(launch_state *l) {
    for (unsigned t = 0; l->thread != NULL && t < l->threads; t++) {
        copies_drop(&l->thread[t].copies);
        bulk_reads_drop(&l->thread[t].reads);
        products_drop(&l->thread[t].products);
        l->thread[t].proxied = 0;
    }
}

uint64_t launch_block_work(const launch_state *l) {
    return BUDGET_THREAD * (uint64_t)l->threads + BUDGET_WAIT * l->resumed +
           (l->unseen ? BUDGET_ACCESS * budget_mean(&l->own) : BUDGET_SEEN_ACCESS * l->made);
}

void launch_end_block(launch_state *l) {
    drop_copies(l);
    clusters_end_block(l);
    l->ran++;
    l->work += launch_block_work(l);
    l->resumed = 0;
}

void launch_free(launch_state *l) {
    while (l->waiting_count > 0) blocks_free(l, l->waiting[--l->waiting_count]);
    free(l->waiting);
    clusters_free(l);
    blocks_free_threads(l->thread, l->threads);
    release_block_free(&l->releasing);
    releases_free(l->order.releases);
    rounds_free(&l->rounds);
    moves_free(&l->moves);
    hazards_free(&l->hazards);
    ordering_free(&l->order);
}

void launch_yield(launch_state *l) {
    launch_judge_races(l);
    context_leave(l->current->context);
}

_Noreturn void launch_end(launch_state *l) {
    l->ended = true;
    for (;;) launch_yield(l);
}

_Noreturn void launch_end_without_memory(launch_state *l, const char *what) {
    launch_lacks_memory(l, what);
    launch_end(l);
}

void launch_count_move(launch_state *l, const move *one) {
    if (l->is_counted && !moves_add(&l->moves, one)) launch_end_without_memory(l, "the copies that are counted");
}

char *launch_hazard(launch_state *l, const hazard *one) {
    bool out_of_memory;
    char *text = hazards_count(&l->hazards, one, &out_of_memory);
    if (out_of_memory) launch_lacks_memory(l, "the hazards");
    return text;
}

void launch_report(launch_state *l, hazard_kind kind, const void *pc, const char *what) {
    char *text = launch_hazard(l, &(hazard){.kind = kind, .pc = pc});
    if (text != NULL) hazards_say_thread(text, launch_who(l), what);
}

hazard_thread launch_who(const launch_state *l) { return (hazard_thread){l->current->index, l->block_index}; }

machine_index launch_block_index(const launch_state *l, uint64_t block) {
    const machine_shape grid = l->launch->grid;
    return (machine_index){(unsigned)(block % grid.x), (unsigned)(block / grid.x % grid.y),
                           (unsigned)(block / grid.x / grid.y)};
}
