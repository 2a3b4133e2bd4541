/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch while it runs: its threads and where each stands, the warp that is running, and what has been found.
 *
 *     launch: blocks one after another; where one waits for others, several are under way (schedule.c)
 *       block: turns of its warps, until all have left or wait at a barrier
 *         turn: each lane that can run, until it waits, leaves, or has logged a slice
 *
 * A warp's accesses become rounds where all of its lanes have met, as far as no lane can still take part in them, and before
 * another warp runs. So lanes that wait at an exchange of a part of the warp still meet the accesses of those that ran ahead.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LAUNCH_STATE_H
#define RIFFLE_MACHINE_RUNTIME_LAUNCH_STATE_H

#include <setjmp.h>
#include <stdatomic.h>

#include "machine/check/hazards.h"
#include "machine/check/ordering.h"
#include "machine/check/races.h"
#include "machine/check/releases.h"
#include "machine/count/rounds.h"
#include "machine/count/widths.h"
#include "machine/runtime/cluster/cluster.h"
#include "machine/runtime/cluster/windows.h"
#include "machine/runtime/limits/budget.h"
#include "machine/runtime/limits/gate.h"
#include "machine/runtime/limits/sample.h"
#include "machine/runtime/machine.h"
#include "machine/runtime/thread/bulk_reads.h"
#include "machine/runtime/thread/context.h"
#include "machine/runtime/thread/copies.h"
#include "machine/runtime/thread/frames.h"
#include "machine/runtime/thread/moves.h"
#include "machine/runtime/thread/products.h"
#include "machine/runtime/thread/sights.h"
#include "machine/runtime/thread/spin.h"

enum {
    /** Accesses after which a thread makes room for the others, so that logs stay small and a thread that waits
     *  for what another writes gets it. Lanes that diverge across this many accesses count as separate
     *  accesses. */
    SLICE_ACCESSES = 1 << 16,
    /** Accesses of a warp after which its log becomes rounds also where its lanes have not met: as many as its
     *  lanes log in a slice each. */
    WARP_LOG_ACCESSES = 1 << 21,
    /** A thread that has made so many since it last waited is long: its block is counted to the end only where all accesses are, and it is
     *  not waited for where the machine's work is done. This is checked at the end of a slice. */
    LONG_THREAD_ACCESSES = 1 << 20,
};

typedef enum thread_state {
    THREAD_READY,
    THREAD_AT_BARRIER,
    THREAD_AT_GRID_BARRIER,
    THREAD_AT_CLUSTER, /**< and has not arrived yet: the block does when nothing else of it can run */
    THREAD_AT_PHASE,
    THREAD_EXCHANGING,
    THREAD_LEFT,
} thread_state;

typedef struct launch_thread {
    thread_state state;
    machine_index index;
    context *context;         /**< NULL until it first runs, and after it has left */
    context_image *image;     /**< of its stack, while its block waits for others; else NULL */
    spin spin;                /**< the accesses that it made last */
    const void *site;         /**< where it waits, or spins */
    const void *looked_at;    /**< where it looked in vain last, in its block's turn; NULL: it did not */
    uint64_t slices;          /**< that it has run since its last wait */
    int predicate;            /**< at a barrier */
    unsigned mask;            /**< mask of lanes that it waits for */
    bool meeting;             /**< waits for no lanes that it names, but for those that come to its place */
    bool orders;              /**< its wait orders the accesses of the lanes that meet */
    unsigned long long value; /**< that it brings to an exchange */
    unsigned took_part;       /**< lanes of the exchange that it comes from */
    jmp_buf *outset; /**< where its kernel was called, to which a thread goes that leaves in the middle of it */
    frames frames;
    copies copies;     /**< asynchronous ones of its own */
    bool copying;      /**< its access is one's, so that no value is there yet */
    uint32_t arrivals; /**< 1 + the phase of the cluster's barrier for which it has arrived and not waited; 0: none */
    bulk_reads reads;  /**< bulk copies of its own that read shared memory */
    products products; /**< its part of its warpgroup's */
    uint32_t
        proxied; /**< the first segment since its last fence between threads' accesses and bulk copies'; 0: none */
    bool fenced;              /**< since then */
    bool in_step;             /**< it waits where it has arrived, and has done nothing between */
    const clock_phase *waits; /**< for this to be beyond phase `waits_for`, where it is at a phase */
    uint32_t waits_for;
} launch_thread;

/** A kernel's call of a function that the machine has for host code alone. */
typedef struct lacking_call {
    const char *function; /**< NULL: there was none */
    const void *pc;
    uint32_t path; /**< of calls */
} lacking_call;

/** A thread that had made so many accesses since it last waited when the machine's work was done. */
typedef struct long_thread {
    const void *pc; /**< NULL: there was none */
    hazard_thread who;
    uint64_t accesses;
} long_thread;

typedef struct launch_state {
    const machine_launch *launch;
    const riffle_machine_options *options;
    machine_arrays *arrays;
    const machine_indices *shown;   /**< where a user's kernel reads its indices; NULL: nowhere */
    unsigned threads, warps;        /**< the block's */
    uint64_t blocks, block;         /**< how many, and the number of the running one */
    uint64_t ran;                   /**< blocks that have come to their end, or to the launch's */
    struct waiting_block **waiting; /**< blocks that wait for others, in the order in which they began */
    size_t waiting_count, waiting_capacity;
    machine_index block_index;
    launch_thread *thread;
    machine_index shape;   /**< of a cluster: one block, where there are none */
    unsigned cluster_size; /**< blocks of one */
    windows *windows;      /**< the machine's */
    struct cluster *clusters, *cluster,
        *in_windows; /**< those under way; the running block's, NULL: nothing has asked for it; the one whose blocks are in the windows */
    unsigned rank;   /**< in its cluster */
    clock_block clocks; /**< the running block's part of the order by phases */
    ordering order;
    release_block releasing; /**< the running block's part of the order */
    rounds rounds;
    moves moves; /**< of blocks that are counted */
    hazard_log hazards;
    source_lines *lines; /**< the machine's */
    const gate *gate;    /**< the machine's, which may ask the launch to end */

    /* The running thread. */
    unsigned running, warp, lane;
    uintptr_t
        code; /**< where the kernel's code begins, once it is known that it declares shared arrays; else 0 */
    unsigned asked; /**< how often that has been looked for */
    launch_thread *current;
    uintptr_t stack; /**< the low end of its own */
    uint32_t segment;
    uint32_t sliced; /**< accesses since it was last resumed */

    /* Without those of the running thread since it was last resumed. */
    uint64_t made;   /**< accesses of the running block */
    uint64_t logged; /**< accesses of the running warp, that have not become rounds */

    /* Without the running block's accesses. */
    sample_spent counted;
    block_sample sample;
    uint64_t may_check, may_work; /**< accesses, to the end of a block; units of work, with those of the launches before */
    budget_entry own;             /**< the kernel's, with this launch's blocks */
    uint64_t work;
    uint64_t resumed; /**< threads that went on after they had waited, since a block ended last */
    uint64_t checked_blocks, skipped;
    bool is_counted; /**< the running block is counted; else its accesses are checked and no more, or unseen */
    bool unseen;     /**< nor checked any more */
    bool has_long;   /**< thread, in one of its blocks */
    uint64_t cut_counts; /**< blocks with one, that were counted as far as accesses may be */
    bool blind;  /**< nor were others before, or these did not come to their end, so what has been written to global memory is not known */

    uint64_t looks;     /**< turns that a spinning thread makes before it gives way */
    bool fresh;         /**< blocks that wait have not been asked since one began, or went on when they were */
    bool progress;      /**< a thread has done something else than spin, since that was last asked */
    uint64_t looked;    /**< accesses since then, and barriers as some of these */
    unsigned fruitless; /**< turns of all waiting blocks since then */
    sights sights;
    uint64_t vain, vain_most; /**< looks in vain in the running block's turn, and after how many that ends */
    bool news;                /**< in that turn one found something new */

    races races; /**< races of the running thread, that are not judged yet */

    unsigned long long exchanged[MACHINE_MAX_WIDTH]; /**< values of the exchange that ended last */
    unsigned votes;                                  /**< its lanes whose value is not 0 */
    unsigned predicates; /**< threads that came to the last barrier with one that is not 0 */

    bool knows_components;     /**< vectors' components, by the source: its accesses to them may be made one */
    const line_widths *widths; /**< widths of nvcc's accesses; NULL: nobody has asked it */
    size_t known_sites;        /**< sites of which that has been asked */
    bool lost;                 /**< ended by an access to what is in no array */
    bool strayed;              /**< has accessed what is in no array */
    bool ended;                /**< by a hazard after which it cannot go on, or for want of memory */
    lacking_call lacking;      /**< ended by that */
    long_thread unfinished;    /**< ended for that */
    riffle_status status;      /**< RIFFLE_ERROR_OUT_OF_MEMORY where it is for that */
} launch_state;

/** The launch that runs now on this thread of the host, or NULL. It must not use a TLS model that wants a place at the
 *  process's start: a library that Python loads later would find none. */
extern _Thread_local launch_state *machine_running;

/** The low end of the stack of the launch's running thread, 0 where none runs, and that launch. */
extern _Atomic(uintptr_t) machine_stack;
extern _Atomic(launch_state *) machine_on_stack;

/** machine_running of a thread of a launch, or of any. Hooks ask it at each access, and a library's thread-local variable takes a call. */
static inline launch_state *launch_here(void) {
    const uintptr_t stack = atomic_load_explicit(&machine_stack, memory_order_relaxed);
    if ((uintptr_t)__builtin_frame_address(0) - stack < CONTEXT_STACK_BYTES)
        return atomic_load_explicit(&machine_on_stack, memory_order_relaxed);
    return machine_running;
}

/** Runs all blocks, or until the launch is ended. */
void launch_run(launch_state *l);

/** Begins a block, by its turn: those of a cluster have theirs one after another. */
void launch_begin_block(launch_state *l, uint64_t turn);

/** Tells kernels which block runs, and whether it is counted. */
void launch_show_block(launch_state *l);

/** Runs the block until it ends, or looks in vain too often; true if it waits for other blocks. */
bool launch_go(launch_state *l);

/** Units of work of the running block, as far as it has run. */
uint64_t launch_block_work(const launch_state *l);

/** The block has ended, or will not go on. */
void launch_end_block(launch_state *l);

/** Begins numbers of segments anew where they are nearly used up. */
void launch_renumber(launch_state *l);

/** Frees what a launch has of its own. */
void launch_free(launch_state *l);

/** Counts what moves beside the running thread, where its block is counted; ends the launch without memory. */
void launch_count_move(launch_state *l, const move *one);

/** Turns what the running warp has logged into rounds, as far as the lanes in `live` can no longer take part. */
void launch_flush(launch_state *l, unsigned live);

/** Leaves the running thread for others; returns when it is resumed. */
void launch_yield(launch_state *l);

/** Ends the launch from within a thread; does not return. */
_Noreturn void launch_end(launch_state *l);
/** The same for want of memory. */
_Noreturn void launch_end_without_memory(launch_state *l, const char *what);

/** Remembers that the launch must end for want of memory; for who is on no thread. */
void launch_lacks_memory(launch_state *l, const char *what);

/** Counts a hazard; the place for its words if it is new, else NULL. */
char *launch_hazard(launch_state *l, const hazard *one);

/** The same of the running thread, as hazards_say_thread says it. */
void launch_report(launch_state *l, hazard_kind kind, const void *pc, const char *what);

/** Says which of the running thread's races with writes were of the same value. It has made its accesses. */
void launch_judge_races(launch_state *l);

/** The running thread, for messages. */
hazard_thread launch_who(const launch_state *l);

/** The coordinates of a block by its number. */
machine_index launch_block_index(const launch_state *l, uint64_t block);

#endif
