/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the axes_tile pass: a strided move in normal form, cut into tiles.
 *
 * The bytes that stay innermost and without gaps on both sides are one `run`. Then a is the axis whose runs are closest to each
 * other in src, b the one whose runs are in dst. In an axes permutation they lie side by side:
 *
 *     src   [ 5 = b ][  7  ][ 4 = a ][ run = 6 elements ]      5 x 1 x 7 x 4 x 6 in order 3, 2, 1, 0, 4
 *     dst   [ 4 = a ][  7  ][ 5 = b ][ run = 6 elements ]
 *
 * A tile is a box of runs that is long in memory on both sides: it takes axes from src's fast end until a
 * stretch of src is a few lines long, axes from dst's fast end until a stretch of dst is some more lines
 * long, and cuts only the last one of each. So short axes (3, 5, 10) are taken whole and lines are made of
 * several axes; long ones are cut. The box fits the stage, a cache-sized buffer in dst's order. Where dst itself has
 * gaps behind each run there are no lines to make, and no stage.
 */
#ifndef RIFFLE_PLAN_AXES_TILE_H
#define RIFFLE_PLAN_AXES_TILE_H

#include "plan/axes/strided.h"
#include "plan/request/streaming.h"

/** How a tile gets from src to dst. */
typedef enum axes_tile_mode {
    AXES_TILE_DIRECT, /**< long runs, each copied by itself; axis 0 is the run, in bytes */
    AXES_TILE_APART, /**< short runs, each moved by itself: dst's have gaps between them, and no stage would help */
    AXES_TILE_RUNS, /**< short runs, staged; src's follow each other along b, none before the end of another */
    AXES_TILE_RUNS_ANY, /**< short runs, staged, wherever they are in src */
    AXES_TILE_REVERSED, /**< runs of up to 16 bytes, staged; along b src has them the other way round */
    AXES_TILE_WORDS,    /**< runs of 1, 2, 4, 8 or 16 bytes, transposed a by b in registers, staged */
    AXES_TILE_INTERLEAVE, /**< words; b is a few words, whole, and a follows it in dst; src may have a the other way round */
    AXES_TILE_SEPARATE, /**< words; a is a few words, whole, and b follows it in src, or goes before it */
    AXES_TILE_GATHER,   /**< words, staged, wherever they are in src: an offset for each word */
} axes_tile_mode;

/** One axis; strides in bytes. */
typedef struct axes_tile_axis {
    uint64_t extent;
    uint64_t tile; /**< indices of it in a tile, the last tile perhaps fewer */
    ptrdiff_t src_stride;
    ptrdiff_t dst_stride; /**< at least 1 */
} axes_tile_axis;

/** Axes stand in dst's order, axis 0 fastest: that is b. */
typedef struct axes_tile_schedule {
    axes_tile_mode mode;
    bool stream;      /**< write around the caches */
    bool fetches_src; /**< src is in no cache: blocks that are streamed fetch its lines before their turn */
    bool
        fetches_dst; /**< words that are stored where they belong, in a cache that is far: lines of src and dst are fetched before their turn */
    bool
        fetches_tiles; /**< src's lines of the next tile are fetched while the stage is written; else a block's while others are read */
    unsigned rank;     /**< axes left after normalization, the run not counted (but see DIRECT) */
    unsigned a;        /**< the axis that is fastest in src */
    unsigned joined;   /**< a tile's stretch of dst runs over axes 0..joined-1 */
    size_t run_bytes;
    ptrdiff_t src_start, dst_start; /**< bytes from the arrays' addresses to the first run */
    uint64_t tiles;                 /**< 0 for an empty array */
    axes_tile_axis axes[RIFFLE_MAX_RANK + 1];
    unsigned char by_src[RIFFLE_MAX_RANK + 1]; /**< axes, src's fastest first, those of stride 0 last */
    unsigned char loops[RIFFLE_MAX_RANK + 1];  /**< axes, in the order in which tiles follow each other */
} axes_tile_schedule;

/** Bytes of the stage that each thread keeps on its stack; GATHER has data in the first part and an offset of
 *  four bytes for each word in the rest. */
#define AXES_TILE_STAGE_BYTES ((size_t)96 << 10)
#define AXES_TILE_GATHER_STAGE_BYTES (AXES_TILE_STAGE_BYTES / 8)

/** Most words of the short axis in the modes INTERLEAVE and SEPARATE. */
#define AXES_TILE_MAX_PLANES 8

/** Bytes from one stretch of dst to the next in the stage; never a multiple of 128, so that columns spread
 *  over the sets of the cache. */
static inline size_t axes_tile_pitch(size_t stretch_bytes) {
    return ((stretch_bytes + 127) & ~(size_t)127) + 64;
}

/** True if tiles go through the stage, which makes the whole lines that are streamed; else they go straight to dst. */
static inline bool axes_tile_is_staged(const axes_tile_schedule *s) {
    return s->stream && s->mode != AXES_TILE_APART;
}

/** Schedules a move in normal form whose dst is left there; all bytes together fit a size_t. Cannot fail. */
void axes_tile_plan(const strided_move *move, dst_place place, axes_tile_schedule *out);

#endif
