/* SPDX-License-Identifier: Apache-2.0
 *
 * From accesses to rounds. While the lanes of a warp run, one after the other, each notes its steps; what they did at
 * once (steps.h) is an access of the warp. The k-th accesses at a site by all warps of all blocks are a round. At a
 * barrier the warps' counts are brought level, so that a loop that one left early does not shift what comes after.
 */
#ifndef RIFFLE_MACHINE_COUNT_ROUNDS_H
#define RIFFLE_MACHINE_COUNT_ROUNDS_H

#include <stdbool.h>

#include "machine/count/kept.h"
#include "machine/count/merge.h"
#include "machine/count/record.h"
#include "machine/count/steps.h"
#include "machine/layout/shared_layout.h"

typedef struct round_sums {
    uint64_t warps, stages, requests, ideal_requests;
    uint32_t worst_stages, casual;
} round_sums;

/** A call site of one size, operation and space: what its rounds are counted by. */
typedef struct site {
    const void *pc;
    uint32_t call; /**< the path of calls to it, where sites are told apart by that; else FLOW_KERNEL */
    unsigned bytes;
    report_op op;
    report_space space;
    struct machine_array *last_array; /**< where it accessed last, as a hint */
    uint32_t number;
    unsigned component; /**< component of a vector that it accesses, as merge_access has it */
    unsigned widest;    /**< bytes of its widest access */
    unsigned of_nvcc;   /**< bytes of the widest that nvcc makes there; 0: not asked */
    kept_code code;     /**< nvcc's code of its kind at its line */
    uint64_t *moved;    /**< bytes a lane by each warp since the block began, where nvcc was asked */
    bool counts;        /**< nvcc's instruction there is one that counts lanes */
    uint64_t
        mergeable; /**< accesses of warps to the cells behind those of their last, which one access could do */
    place last_of[2]; /**< where the first and the last lane of the last access were */
    unsigned last_lanes, last_warp;
    uint64_t laid_requests; /**< wavefronts under the layout asked for, of all its seeds together */
    uint32_t laid_worst;    /**< wavefronts of one access then */
    uint64_t merged;        /**< accesses of warps that were made one with others */
    uint64_t lanes;         /**< that took part in its accesses */
    record *record;         /**< some of them, where sites are attributed; else NULL */
    uint32_t array; /**< 1 + the number of the array that it accessed; 0: none yet, SITE_ARRAYS: several */
    uint32_t *done; /**< rounds of each warp since the block began */
    round_sums *round;
    report_part part[REPORT_PARTS]; /**< of its requests, by their blocks' weights */
    uint64_t *dmm_stages; /**< stages of each round: dmms of them, in shared memory with more than one DMM */
    size_t rounds, round_capacity;
} site;

/* Who wants to see accesses one by one, as they are accounted. */

/** An access of a warp: the site's round that it belongs to, and where it stands there. */
typedef struct observed_access {
    uint32_t site, round;
    uint64_t block;  /**< from 0 */
    unsigned warp;   /**< of the block */
    uint64_t before; /**< stages that accesses of the round have taken before it, on its DMM */
    const warp_access *access;
} observed_access;

/** Begins what an observer of one's own has. */
typedef struct access_observer {
    void (*see)(struct access_observer *own, const observed_access *one);
} access_observer;

enum { SITE_SLOTS = 1024 };
static const uint32_t SITE_ARRAYS = UINT32_MAX;

typedef struct rounds {
    const riffle_machine_options *options;
    unsigned threads, warps; /**< the block's */
    uint64_t block;          /**< number of the running one, from 1: in the order in which they began */
    uint64_t begun;          /**< blocks that have begun */
    uint64_t weight;         /**< how many blocks the running one stands for */
    unsigned part;           /**< the part of the sums that it is in */
    bool attributes;         /**< sites are told apart by the calls to them, and keep records */
    site **site;
    size_t sites, site_capacity;
    site_place *place;      /**< place of each site */
    site *slot[SITE_SLOTS]; /**< one of those whose pc falls there */
    flow flow;
    warp_steps steps;          /**< steps of the warp that runs */
    kept_accesses *kept;       /**< where nvcc was asked; else NULL */
    shared_layout layout;      /**< that the machine is asked to try; of no seeds if none */
    access_observer *observer; /**< is shown each access as it is accounted; NULL: nobody is */
} rounds;

/** For one launch; `asked` nvcc. False without memory. */
bool rounds_init(rounds *r, const riffle_machine_options *options, unsigned threads, bool asked);
void rounds_free(rounds *r);

static inline site **rounds_slot(rounds *r, const void *pc, uint32_t call) {
    return &r->slot[((uintptr_t)pc / 2 + call * 37) % SITE_SLOTS];
}

/** The site as `like` has it, which lies in that block of code and takes its slot; NULL without memory. */
site *rounds_site(rounds *r, const site *like, uint32_t block);

/** Turns what a warp's lanes have done into rounds, as far as the lanes in `live` can no longer take part in it: they
 *  have not left the kernel. False without memory. */
bool rounds_flush(rounds *r, unsigned warp, unsigned dmm, unsigned live);

/** Brings the counts of all warps of the block level; nothing may be left of their steps. */
void rounds_level_block(rounds *r);

/** Begins one that stands for `weight` blocks. */
void rounds_begin_block(rounds *r, uint64_t weight);
/** The same of a block that is not counted. */
void rounds_pass_block(rounds *r);

/** Counts of a block that waits while others run. */
typedef struct rounds_block {
    uint64_t block, weight;
    size_t sites;    /**< those that there were */
    uint32_t *done;  /**< of each site, for each warp */
    uint64_t *moved; /**< the same; NULL where nobody has asked nvcc */
} rounds_block;

/** The running block makes room for another one, and one comes back; nothing may be left of the warps' steps. False without memory. */
bool rounds_put_away(const rounds *r, rounds_block *out);
void rounds_bring_back(rounds *r, rounds_block *block);
void rounds_block_free(rounds_block *block);

/** The time units of the site's round k, whose warps have all been counted. */
uint64_t rounds_time(const rounds *r, const site *s, size_t k);

/** All rounds of a site but for its file and line, as a line of the report. */
report_line rounds_sum(const rounds *r, const site *s);

#endif
