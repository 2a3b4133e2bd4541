/* SPDX-License-Identifier: Apache-2.0
 *
 * The hazards of one launch as they are found: the first of each kind and call site in words, later ones
 * counted.
 */
#ifndef RIFFLE_MACHINE_CHECK_HAZARDS_H
#define RIFFLE_MACHINE_CHECK_HAZARDS_H

#include <stdbool.h>

#include "machine/check/arrays.h"
#include "machine/lines/source_line.h"

enum { HAZARD_TEXT_BYTES = 512 };

typedef struct hazard {
    hazard_kind kind;
    const void *pc,
        *other_pc; /**< for a race: where the other thread has accessed; NULL where that is not known */
    report_op op, other_op;
    uint64_t count;
    char text[HAZARD_TEXT_BYTES];
} hazard;

typedef struct hazard_log {
    size_t count, capacity;
    hazard *hazard;
} hazard_log;

/** Counts a hazard of a kind, at a call site or a pair of them. Returns where to write its words if it is the first, NULL
 *  if it is not or for want of memory, which *out_of_memory tells then. */
char *hazards_count(hazard_log *log, const hazard *one, bool *out_of_memory);

void hazards_free(hazard_log *log);

/** A thread or a block, for messages: its three coordinates. */
typedef struct hazard_thread {
    machine_index thread, block;
} hazard_thread;

/** An access, for messages. `array` is the one that is meant where the access is out of bounds; NULL if none is
 *  near. */
typedef struct hazard_access {
    hazard_thread who;
    report_op op;
    uintptr_t address;
    size_t bytes;
    const machine_array *array;
    bool is_hosts; /**< then: it is memory of the process's, which kernels have not been given */
} hazard_access;

void hazards_say_out_of_bounds(char text[HAZARD_TEXT_BYTES], const hazard_access *access);
void hazards_say_misaligned(char text[HAZARD_TEXT_BYTES], const hazard_access *access);
void hazards_say_uninitialized(char text[HAZARD_TEXT_BYTES], const hazard_access *access);
/** Another thread's access. */
typedef struct hazard_other {
    const hazard_thread *who; /**< NULL where it is no longer known; its thread counts only within one block */
    report_op op;
    bool has_place; /**< HAZARD_PLACE stands in the text for it: who says it has debug information to ask */
} hazard_other;

/** Stands in a race's text for the place of the other access. */
enum { HAZARD_PLACE = '\1' };

void hazards_say_race(char text[HAZARD_TEXT_BYTES], const hazard_access *access, const hazard_other *other,
                      bool same_value);
/** The access meets a copy that another, or the same thread (NULL), has asked for and not waited for. */
void hazards_say_under_way(char text[HAZARD_TEXT_BYTES], const hazard_access *access,
                           const hazard_thread *copier);
void hazards_say_division(char text[HAZARD_TEXT_BYTES], hazard_thread who);
/** No hazard: the machine's work was done before the thread's. */
void hazards_say_unfinished(char text[HAZARD_TEXT_BYTES], hazard_thread who, uint64_t accesses);
/** A thread spins as all do that could go on, in so many blocks; others have not begun. */
void hazards_say_spinning(char text[HAZARD_TEXT_BYTES], hazard_thread who, uint64_t blocks, uint64_t to_begin);
/** A thread comes to a barrier of the grid in a launch that is not cooperative. */
void hazards_say_not_cooperative(char text[HAZARD_TEXT_BYTES], hazard_thread who);
/** So many blocks of a grid have come to a barrier of all; others have left before, or cannot begin. */
void hazards_say_grid_barrier(char text[HAZARD_TEXT_BYTES], uint64_t arrived, uint64_t blocks, uint64_t left,
                              uint64_t to_begin);

/** The access meets memory of another block of the cluster, which has left the kernel, or may not have begun. */
void hazards_say_absent(char text[HAZARD_TEXT_BYTES], const hazard_access *access, bool gone);
/** A thread asks for memory of a block by a rank that its cluster, of so many blocks, does not have. */
void hazards_say_no_block(char text[HAZARD_TEXT_BYTES], hazard_thread who, unsigned rank, unsigned blocks);
/** A thread has accessed the memory of another block, which may leave the kernel before. */
void hazards_say_late(char text[HAZARD_TEXT_BYTES], hazard_thread who, machine_index block);
/** So many threads of those of a cluster that have not left have come to its barrier. */
void hazards_say_cluster_barrier(char text[HAZARD_TEXT_BYTES], unsigned arrived, unsigned threads);

/** "thread (0,0,0) of block (0,0,0) WHAT" */
void hazards_say_thread(char text[HAZARD_TEXT_BYTES], hazard_thread who, const char *what);
/** The access meets a copy of this kind, "bulk" or "asynchronous", that is under way to its bytes, or that reads them and is written. */
void hazards_say_bulk(char text[HAZARD_TEXT_BYTES], const hazard_access *access, const char *copy, bool reads);
/** The access writes what a product of a warpgroup's reads, or is one to a register of its sums. */
void hazards_say_product(char text[HAZARD_TEXT_BYTES], const hazard_access *access);
void hazards_say_sum(char text[HAZARD_TEXT_BYTES], hazard_thread who, report_op op);

/** Why a phase of an mbarrier does not end: so many of its arrivals are missing, and so many bytes. */
typedef struct phase_missing {
    unsigned arrivals, of;
    long long bytes;
    bool is_named; /**< it is one of the block's barriers by number */
    unsigned number;
} phase_missing;
void hazards_say_phase(char text[HAZARD_TEXT_BYTES], hazard_thread who, phase_missing missing);

#endif
