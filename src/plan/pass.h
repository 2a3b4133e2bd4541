/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass moves a whole array once, from one buffer to another. Each kind has its schedule here in plan/, its
 * loop in every engine, and one name everywhere.
 */
#ifndef RIFFLE_PLAN_PASS_H
#define RIFFLE_PLAN_PASS_H

#include "perm/perm.h"
#include "plan/affine_lines.h"
#include "plan/affine_tile.h"
#include "plan/axes_tile.h"
#include "plan/bmmc.h"
#include "plan/bucket.h"
#include "plan/bucket_tile.h"
#include "plan/row_wise.h"

typedef enum pass_kind {
    PASS_COPY,
    PASS_SCATTER,
    PASS_GATHER,
    PASS_AFFINE_LINES,
    PASS_AXES_TILE,
    PASS_BUCKET,
    PASS_TRANSPOSE,
    PASS_ROW_WISE,
    PASS_AFFINE_TILE,
    PASS_BMMC,
    PASS_BUCKET_TILE,
    PASS_KINDS,
} pass_kind;

/** The spare buffer takes dst's part between passes where these move more elements than dst has: padding. */
typedef enum pass_buffer { BUFFER_SRC, BUFFER_DST, BUFFER_WORKSPACE, BUFFER_SPARE, BUFFERS } pass_buffer;

/** Long runs: out[P(i)] = in[i] for a rotation or reflection P. */
typedef struct copy_schedule {
    perm_rotation rotation;
    uint64_t n;
    size_t elem_bytes;
} copy_schedule;

/** Element by element: a scatter writes out[map(i)] = in[i], a gather out[i] = in[map(i)]. */
typedef struct indexed_schedule {
    riffle_perm *map;
    size_t elem_bytes;
} indexed_schedule;

/** out[j * rows + i] = in[i * cols + j], both matrices whole. */
typedef struct transpose_schedule {
    uint64_t rows, cols;
    size_t elem_bytes;
} transpose_schedule;

/** out[A i + c] = in[i] by a kernel of the BMMC paper's. */
typedef struct bmmc_pass {
    bmmc_schedule schedule;
    size_t elem_bytes;
} bmmc_pass;

typedef struct pass {
    pass_kind kind;
    pass_buffer from, to;
    union {
        copy_schedule copy;
        indexed_schedule indexed; /* scatter and gather */
        affine_lines_schedule affine_lines;
        axes_tile_schedule axes_tile;
        bucket_schedule bucket;
        transpose_schedule transpose;
        row_wise_schedule row_wise;
        affine_tile_schedule affine_tile;
        bmmc_pass bmmc;
        bucket_tile_schedule bucket_tile;
    };
} pass;

#endif
