/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes that the kernels of hulls share with the host, and tables of numbers that kernels take by value.
 *
 * One large set goes through two rounds. A round knows of each of HULL_CELLS stretches of x the lowest and the highest point of
 * those that it has seen, and of each stretch of y the rightmost and the leftmost one; and from them four chains of points that
 * are there, boundaries as seen from below, above, the right and the left. Where one is steep, and many points are in few of
 * its stretches, another is not.
 *
 *     points --sample--> extremes --> chains --> sieve          round 0
 *     points --sieve---> list 0 --chains, exact--> list 1       hull_filter, hull_refine; the sieve is of x only
 *            list 1 ---> extremes --> chains                    round 1
 *            list 1 --chains, exact--> list 0                   hull_refine
 *            list 1 or 0 --> hull                               hull_candidates, where they are few
 *            list 0 --> hull --> results                        other kernels (sorted.h) and hull_results, where they are not
 *
 * Where most of what a boundary was made of are its corners, as of a ring, and the sieve throws away next to nothing of a
 * trial, the rounds are left out: all points are candidates, and no list has them. The hull is the same either way.
 *
 * How many a list has is known on the device only: launches are the same for any, and have nothing to do where a list is short.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_H
#define RIFFLE_HULL_KERNELS_HULL_H

#include <stdint.h>

#include "device/kernels/lanes.h"

enum {
    HULL_CELLS = 2048,
    HULL_ENTRIES =
        HULL_CELLS + 2,  /* entries of a boundary: the first point of all, that of each cell, the last of all */
    HULL_QUARTERS = 2,   /* quarters of a turn: as x and y are, and so that right is below */
    HULL_WAYS = 4,       /* to see points: as they are, turned by a half, and these two by a quarter more */
    HULL_GROUP = 4,      /* neighbouring points of a sample */
    HULL_BLOCK = 512,    /* threads of a block that has boundaries or sets to find, at most */
    HULL_FEW = 4096,     /* points of a set that a block has room for at most */
    HULL_SOON = 1024,    /* candidates of the first round that are few enough to do without the second */
    HULL_MIDDLING = 512, /* points of the first class of sets */
    HULL_AT_ONCE = 8,    /* points that a thread of hull_filter reads before it looks at the first */
    HULL_ROOM = 2048,    /* candidates that a block of hull_filter holds back, to write them together */
    HULL_CLASSES = 3,    /* classes of sets that a warp has no room for */
    HULL_LISTS = 3,
    HULL_SAMPLERS = 128, /* blocks that look for bounds, at most */
    HULL_BENT = 64,      /* corners of a boundary that is nearly all of what it was made of, at least */
    HULL_TRIAL = 1024,   /* points that the sieve is tried on then */
};

/** Forms of a coordinate: with its bytes that is its type. */
enum { HULL_SIGNED = 0, HULL_UNSIGNED, HULL_REAL };

/** Numbers found on the way. They begin as ones: a count, which blocks add to, is one more than it says. */
typedef struct hull_record {
    uint64_t bad_point; /**< the first that is not finite; UINT64_MAX where all are */
    uint64_t bad_set;   /**< one that has no beginning and end among the points; UINT64_MAX where all have */
    uint64_t bad[2];    /**< the coordinates of the bad point, as they lie in memory */
    uint32_t listed[HULL_LISTS];    /**< candidates of list 0, of list 1, and of list 0 again */
    uint32_t classed[HULL_CLASSES]; /**< sets of each class */
    uint32_t many; /**< candidates, plainly, where hull_candidates has no room for so many, else 0 */
    uint32_t
        first; /**< the first point, where candidates are all points and no list has them; else UINT32_MAX */
    uint64_t many_length; /**< length of the hull of many, plainly */
} hull_record;

/** Extremes of a round and a quarter: entry k is the lowest or highest point of a cell, as its rounded height, ordered, above
 *  its index. */
typedef struct hull_extremes {
    uint64_t lower[HULL_ENTRIES], upper[HULL_ENTRIES]; /**< begin as ones */
} hull_extremes;

/** A lower boundary of points that are there, from the left to the right, as its way sees them; its cells too. */
typedef struct hull_boundary {
    uint64_t place[HULL_ENTRIES][2]; /**< hull_f64 or hull_i64 */
    uint32_t index[HULL_ENTRIES];
    uint32_t until[HULL_CELLS]; /**< how many of them are in cells up to this one */
    uint32_t count;
    uint32_t noted; /**< points that it was made of */
} hull_boundary;

/** The state of one large set, beside its lists. */
typedef struct hull_state {
    hull_record record;
    hull_extremes extremes[2][HULL_QUARTERS];  /* [round] */
    uint64_t bounds[HULL_SAMPLERS][4];         /* as the record's, of what each block has seen */
    uint64_t scale[HULL_QUARTERS][4];          /* a hull_scale (hull_points.h) as bits */
    float least[HULL_CELLS], most[HULL_CELLS]; /* the sieve, as in hull/cpu/sieve.h */
    hull_boundary boundary[2][HULL_WAYS];      /* [round]: lower, upper, right, left */
} hull_state;

typedef struct hull_table {
    const void *points;
    const uint64_t *first; /**< where sets begin, or NULL: all have as many */
    void *hulls;
    uint64_t *lengths;
    hull_state *state;
    uint32_t *list[2]; /**< candidates, n each; sets, `sets` for each class, where there are many */
    uint32_t *
        scratch; /**< 5 n words, for hulls of more than HULL_FEW points by one block, where there are many sets */
    uint64_t n, sets;
    uint64_t each; /**< points of a set, where there is no `first` */
    uint32_t sample,
        samplers;       /**< points of it, a multiple of HULL_GROUP, and blocks that look for its bounds */
    double least_scale; /**< scales are within this and its inverse, else there is no sieve */
    uint32_t form, coordinate_bytes;
    uint32_t result_bytes; /**< 4 or 8 of an index; 0: results are points */
    uint32_t all;
} hull_table;

/** Which sets blocks are to solve. */
typedef struct hull_block_job {
    uint32_t room; /**< points of a set in shared memory, at most */
    uint32_t list; /**< 0: all sets; 1 + k: those of class k */
} hull_block_job;

#endif
