/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass moves a whole array once, from one buffer to another. Each kind has its schedule here in plan/, and
 * one record of what it is called and how the engines run it, which stands in move/passes/. Adding one is
 * its file, and a line here.
 */
#ifndef RIFFLE_PLAN_PASS_H
#define RIFFLE_PLAN_PASS_H

#include "papers/schedules/bmmc.h"
#include "papers/schedules/row_wise.h"
#include "perm/perm.h"
#include "plan/affine/exchange.h"
#include "plan/affine/lines.h"
#include "plan/affine/tile.h"
#include "plan/axes/box.h"
#include "plan/axes/tile.h"
#include "plan/bucket/bucket.h"
#include "plan/bucket/rows.h"
#include "plan/bucket/tile.h"
#include "plan/matrix/in_place.h"
#include "plan/once/once.h"
#include "plan/once/spread.h"

/** The spare buffer takes dst's part between passes where these move more elements than dst has: padding. */
typedef enum pass_buffer { BUFFER_SRC, BUFFER_DST, BUFFER_WORKSPACE, BUFFER_SPARE, BUFFERS } pass_buffer;

/** Long runs: out[P(i)] = in[i] for a rotation or reflection P. */
typedef struct copy_schedule {
    perm_rotation rotation;
    uint64_t n;
    size_t elem_bytes;
    bool stream; /**< reversed runs on a host: past the caches */
} copy_schedule;

/** In place: the run of the first `first` elements reversed, and the run of the others behind it. */
typedef struct reverse_ends_schedule {
    uint64_t n, first;
    size_t elem_bytes;
} reverse_ends_schedule;

/** Element by element: a scatter writes out[map(i)] = in[i], a gather out[i] = in[map(i)]. */
typedef struct indexed_schedule {
    riffle_perm *map;
    size_t elem_bytes;
    riffle_perm *of; /**< the permutation that the entries are, in an outline, which has none; else NULL */
} indexed_schedule;

/** out[j * rows + i] = in[i * cols + j], both matrices whole. */
typedef struct transpose_schedule {
    uint64_t rows, cols;
    size_t elem_bytes;
} transpose_schedule;

/** By boxes on a device: where addresses are multiples of the longest unit that the move allows, and where they are
 *  multiples of what an element consists of alone. */
typedef struct axes_box_pass {
    box_schedule aligned, anywhere;
} axes_box_pass;

/** out[A i + c] = in[i] by a kernel of the BMMC paper's. */
typedef struct bmmc_pass {
    bmmc_schedule schedule;
    size_t elem_bytes;
} bmmc_pass;

/** Affine tiles of arrays along p, whose words are added to a check's record as they are read, each at its place in dst. */
typedef struct affine_checked_pass {
    affine_tile_schedule tiles;
    perm_affine p;
} affine_checked_pass;

typedef struct pass_kind pass_kind;

typedef struct pass {
    const pass_kind *kind;
    pass_buffer from, to;
    /** Numbers, from 1 on, of the arrays between passes that the pass reads and writes, where a check compares those; else 0. */
    uint8_t reads_between, writes_between;
    unsigned block_threads; /**< threads of launches that are made when their arrays are known; else 0 */
    union {
        copy_schedule copy;
        reverse_ends_schedule reverse_ends;
        indexed_schedule indexed; /* scatter and gather */
        affine_lines_schedule affine_lines;
        axes_tile_schedule axes_tile;
        axes_box_pass *axes_box; /* the pass's own */
        bucket_schedule bucket;
        bucket_rows bucket_rows;
        transpose_schedule transpose;
        row_wise_schedule row_wise;
        in_rows_schedule in_rows;
        in_columns_schedule in_columns;
        affine_tile_schedule affine_tile;
        affine_exchange_cuts affine_exchange;
        affine_checked_pass affine_checked;
        bmmc_pass bmmc;
        bucket_tile_schedule bucket_tile;
        once_schedule once;     /* sort and collect, on devices */
        spread_schedule spread; /* spread and place, on the host */
    };
} pass;

/* Structures of the engines (move/cpu/passes/loops.h, base/threads/team.h, move/gpu/launch.h). */
struct cpu_move;
struct prediction_model;
struct prediction;
struct launch_list;
struct launch_array;
struct launch_limits;
struct team_member;

/** A kind of pass. Members that a comment does not say may be NULL are not. */
struct pass_kind {
    const char *name;
    /** Says more of the pass than its name and buffers, beginning with ": ". May be NULL. */
    void (*print)(const pass *p, FILE *stream);
    /** Frees what the schedule holds. May be NULL. */
    void (*free)(pass *p);

    /** One thread's part of the move on the host. NULL where the planner gives the CPU no such pass, and then
     *  the others are there. */
    void (*run)(const struct cpu_move *move, struct team_member me);

    /** The arrays of the schedule that the kernel reads on the device. May be NULL. */
    void (*arrays)(const pass *p, struct launch_array *out);
    /** Appends the launches of a pass that is several, between buffers that are known. NULL: one, which the members below
     *  say. */
    void (*launches)(const pass *p, const void *const *arrays, void *to, const void *from,
                     struct launch_list *out);
    /** How many blocks a launch has. */
    uint64_t (*blocks)(const pass *p, const struct launch_limits *limits);
    /** Appends the launch, but for its blocks and the buffers it moves between; `arrays` are device pointers. */
    void (*launch)(const pass *p, const struct launch_limits *limits, const void *const *arrays,
                   struct launch_list *out);
    /** The elements that a block has in hand, where that bounds how many threads it is worth. May be NULL. */
    uint64_t (*block_elements)(const pass *p, const struct launch_limits *limits);
    /** True if its launches add src to a check's record as they read it: it is the one of their arrays at LAUNCH_RECORD. */
    bool adds_read;
    /** Bytes that device addresses must be multiples of. NULL: a whole element. */
    size_t (*alignment)(const pass *p);
    /** Adds what a memory machine will count of the pass's launches between arrays at these addresses, at which nothing need
     *  be, nor at that of a check's record. NULL: nobody knows. */
    riffle_status (*predict)(const pass *p, const struct prediction_model *model, void *to, const void *from,
                             const void *record, struct prediction *out);
};

/** The `predict` of all kinds whose launches are known by their kernels (move/predict/). */
riffle_status pass_predict(const pass *p, const struct prediction_model *model, void *to, const void *from,
                           const void *record, struct prediction *out);

extern const pass_kind PASS_COPY, PASS_REVERSE_ENDS, PASS_SCATTER, PASS_GATHER, PASS_AFFINE_LINES,
    PASS_AXES_TILE, PASS_AXES_BOX, PASS_BUCKET, PASS_BUCKET_ROWS, PASS_TRANSPOSE, PASS_ROW_WISE, PASS_AFFINE_TILE,
    PASS_AFFINE_CHECKED, PASS_AFFINE_EXCHANGE, PASS_IN_ROWS, PASS_IN_COLUMNS, PASS_BUCKET_TILE, PASS_ONCE_SORT,
    PASS_ONCE_COLLECT, PASS_ONCE_SPREAD, PASS_ONCE_PLACE, PASS_BUCKET_CHECKED,
    PASS_BUCKET_TILE_CHECKED;
static inline bool pass_is_bucket_tile(const pass *p) {
    return p->kind == &PASS_BUCKET_TILE || p->kind == &PASS_BUCKET_TILE_CHECKED;
}

extern const pass_kind PASS_BMMC; /* the BMMC paper's (papers/) */

#endif
