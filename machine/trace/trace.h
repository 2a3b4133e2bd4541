/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace while it is filled: accesses of warps, each of a round, and the lanes of each, one behind the other.
 *
 *     round    | 0 | 1 | 2 | ...         when it begins, and its place in the source
 *     access   | 0 | 0 | 1 | 0 | ...     its round; stages before it there
 *     lane     | 0 1 2 3 | 0 1 2 3 | ... what each accesses, and in which of the access's stages
 *
 * Rounds of a launch that runs have no time yet: it is known when the launch has ended.
 */
#ifndef RIFFLE_MACHINE_TRACE_TRACE_H
#define RIFFLE_MACHINE_TRACE_TRACE_H

#include "machine/count/rounds.h"
#include "riffle/trace.h"

typedef struct traced_round {
    const char *kernel, *file; /**< of the trace's own strings, as all of these */
    unsigned launch, line, width, latency;
    bool is_shared;
    riffle_trace_op op;
    uint64_t begin, time;      /**< first time unit, and how many */
    uint64_t accesses, stages; /**< of warps that are kept, and theirs */
    uint32_t site, turn;       /**< of the machine's launch that runs: the turn-th round of that site */
} traced_round;

typedef struct traced_access {
    uint32_t round;
    unsigned warp, bytes, lanes, stages;
    uint64_t block, before; /**< stages of the round before it */
    size_t first;           /**< its first lane */
} traced_access;

typedef struct traced_lane {
    uint64_t address; /**< from the array's start */
    uint32_t stage;   /**< of its access, from 0 */
    uint16_t lane, array;
} traced_lane;

struct riffle_trace {
    access_observer observer; /**< the machine's; first, so that it leads here */
    riffle_trace_options options;
    uint64_t made;   /**< accesses of lanes, those beyond the limit among them */
    uint64_t time;   /**< end of the last round that has its time */
    unsigned launch; /**< of the machine: the number of the one that runs */
    size_t opened;   /**< first round of the launch that runs */
    bool lacks_memory;
    uint64_t last_round; /**< of riffle_trace_add: the caller's number of the last round, and */
    bool adds;           /**< whether there is one */
    size_t rounds, round_capacity;
    traced_round *round;
    size_t accesses, access_capacity;
    traced_access *access;
    size_t lanes, lane_capacity;
    traced_lane *lane;
    size_t strings, string_capacity;
    char **string; /**< names; lanes have their array's by its number */
    struct {
        uint32_t *round, rounds;
    } * of_site; /**< rounds of each site of the launch that runs: 1 + their numbers; 0: not met yet */
    size_t sites;
};

/** An array's or kernel's name as the trace keeps it: the number of its string; UINT32_MAX without memory, which the trace remembers. */
uint32_t trace_string(riffle_trace *trace, const char *text);

/** The accesses of launch number `launch` are shown to the trace from now on; NULL if they are not wanted. */
access_observer *trace_begin_launch(riffle_trace *trace, unsigned launch);

/** The launch has ended: its rounds have their places and times, and follow each other. */
void trace_end_launch(riffle_trace *trace);

/** The event of lane number `at` of access `a`. */
riffle_trace_event trace_event(const riffle_trace *trace, const traced_access *a, unsigned at);

/** The first time unit of an access of a warp. */
static inline uint64_t trace_begin(const riffle_trace *trace, const traced_access *a) {
    return trace->round[a->round].begin + a->before;
}

extern const char *const trace_op_names[];

#endif
