/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of a launch: what its warps access, told in a few words before it runs, and from that what a memory machine
 * will count. Each kernel's pattern stands beside the function that appends its launch (move/predict/).
 *
 *     blocks that access alike    one is described, and stands for all
 *     a site, its k-th round      the lanes of a warp, or a run of cells, or stages that a formula gives
 *
 * Where a launch has more blocks than are to be looked at, some of them stand for the others, and the count is an estimate.
 */
#ifndef RIFFLE_DEVICE_PATTERN_H
#define RIFFLE_DEVICE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle/machine.h"

typedef enum pattern_space { PATTERN_GLOBAL, PATTERN_SHARED, PATTERN_SPACES } pattern_space;
typedef enum pattern_op { PATTERN_READ, PATTERN_WRITE, PATTERN_OPS } pattern_op;

/** How numbers are to be taken; of several the last. */
typedef enum pattern_meaning {
    PATTERN_EXACT,     /**< equal to what is counted */
    PATTERN_ESTIMATED, /**< some blocks stand for others, or a compiler may have copied a loop (docs/machine.md) */
    PATTERN_EXPECTED, /**< the mean over random data */
    PATTERN_USERS,    /**< that, where a user's code is taken to be plain: estimated, too */
    PATTERN_AT_MOST,  /**< no data takes more */
} pattern_meaning;

/** "exact", "estimated", "expected", "at most". */
const char *pattern_meaning_string(pattern_meaning meaning);

/** Counts of one kind of access, as the columns of the HMM paper's Table I, and the time of its rounds. */
typedef struct pattern_count {
    uint64_t rounds, casual_rounds, stages, time_units;
} pattern_count;

typedef struct pattern_counts {
    pattern_count of[PATTERN_SPACES][PATTERN_OPS];
} pattern_counts;

void pattern_counts_add(pattern_counts *sum, const pattern_counts *more);
uint64_t pattern_time_units(const pattern_counts *counts);

enum { PATTERN_LANES = 32, PATTERN_SITES = 64 };

/** An access of a warp: the lanes that take part, and the byte that each accesses. */
typedef struct pattern_lanes {
    unsigned count;
    uint64_t at[PATTERN_LANES];
} pattern_lanes;

static inline void pattern_lane(pattern_lanes *w, uint64_t at) { w->at[w->count++] = at; }

typedef struct pattern_round pattern_round;

/** A place in a kernel that accesses memory. */
typedef struct pattern_site {
    pattern_space space;
    pattern_op op;
    unsigned bytes; /**< 0: no site yet */
    bool is_atomic; /**< equal addresses do not merge */
    size_t rounds, capacity;
    pattern_round *round;
    uint64_t *dmm_stages; /**< stages of each round and DMM, where there are several */
} pattern_site;

typedef struct pattern {
    const riffle_machine_options *machine; /**< without zeros */
    uint64_t most_elements;                /**< elements of a launch that are looked at */
    uint64_t grid; /**< blocks of the launch, which may be more than a launch can have */
    riffle_status status;
    pattern_meaning meaning;
    pattern_site site[PATTERN_SITES];
    uint64_t first, alike;      /**< blocks that the one described stands for: their first, and how many */
    size_t done[PATTERN_SITES]; /**< rounds of each site that the warp has come through (pattern_next) */
    pattern_counts besides;     /**< counted otherwise (pattern_add) */
    bool is_unknown;            /**< nothing is known of the launch after all */
    bool has_no_step;           /**< a kernel of steps has none to make: a memory machine launches nothing */
} pattern;

/** Begins with no site, for so many blocks and a machine whose options have no zeros. */
void pattern_begin(pattern *p, const riffle_machine_options *machine, uint64_t grid, uint64_t most_elements);

/** Says that the numbers are no better than that. */
void pattern_mean(pattern *p, pattern_meaning meaning);

/** Adds counts of accesses that no site has. */
static inline void pattern_add(pattern *p, const pattern_counts *more) {
    pattern_counts_add(&p->besides, more);
}

/** The counts so far; frees what it has. */
pattern_counts pattern_end(pattern *p);

/** Says what a site accesses, in cells of so many bytes. */
void pattern_declare(pattern *p, unsigned site, pattern_space space, pattern_op op, size_t bytes);

/** The same of atomic operations, which count as writes. */
void pattern_declare_atomic(pattern *p, unsigned site, pattern_space space, size_t bytes);

/** An entry of a table of sites: pattern_declare's arguments. */
typedef struct pattern_declaration {
    unsigned site;
    pattern_space space;
    pattern_op op;
    size_t bytes;
} pattern_declaration;

/** pattern_declare of each entry. */
void pattern_declare_all(pattern *p, const pattern_declaration *all, size_t count);

enum { PATTERN_FEWEST_SAMPLES = 4 /* blocks that are looked at, where there are so many */ };

/** How many of the blocks are to be described, each of which moves so many elements: all, or as many as may be. */
uint64_t pattern_samples(pattern *p, uint64_t block_elements);

/** The block to describe as the k-th of so many, which then stands for its neighbours too; the last one stands for itself. */
uint64_t pattern_sample(pattern *p, uint64_t samples, uint64_t k);

/** Says that what comes is done by each of `alike` blocks, from `first` on. */
static inline void pattern_alike(pattern *p, uint64_t first, uint64_t alike) {
    p->first = first;
    p->alike = alike;
}

/** An access of a warp of such a block in a site's round; nothing if no lane takes part. */
void pattern_access(pattern *p, unsigned site, size_t round, const pattern_lanes *lanes);

/** Begins a warp of a block, whose accesses come in order: each is of the next round of its site. */
void pattern_begin_warp(pattern *p);
void pattern_next(pattern *p, unsigned site, const pattern_lanes *lanes);

/** The same of `cells` neighbouring cells from byte `at` on, a lane each. */
void pattern_run(pattern *p, unsigned site, size_t round, uint64_t at, uint64_t cells);

/** Accesses of warps of each such block that take so many stages in all, the slowest of them `worst`. */
void pattern_stages(pattern *p, unsigned site, size_t round, uint64_t stages, unsigned worst);

/** Says that a round, which has been told whole, comes so many times more. */
void pattern_repeat(pattern *p, unsigned site, size_t round, uint64_t more);

#endif
