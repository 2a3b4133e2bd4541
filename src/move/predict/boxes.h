/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes of axes permutations as the patterns of their kernels see them (move/kernels/axes/axes_rows.h): the rows of both sides,
 * and a warp's way through them.
 */
#ifndef RIFFLE_MOVE_PREDICT_BOXES_H
#define RIFFLE_MOVE_PREDICT_BOXES_H

#include "move/predict/predict.h"

/** Sites of all these kernels; what comes is a kernel's own. */
enum { SITE_FILL_ROW, SITE_FILL_PLACE, SITE_FIRST_ROW, SITE_ROW, SITE_ROW_OUT, SITE_FIRST_OUT, SITE_OWN };

/** A row: bytes to its first group of lanes, its cell in bytes, elements before the row in that group, and of it. */
typedef struct box_row {
    int64_t at;
    uint32_t cell, before, length;
} box_row;

/** A block of a launch; sides are 0, of src, and 1, of dst. */
typedef struct box_view {
    const launch *work;
    const axes_table *table;
    uint32_t elem_bytes;
    int64_t start[2];
    uint32_t left[AXES_CUTS];
    uint64_t array[2]; /**< addresses */
    box_row *row[2];   /**< padded ones too, which have no length */
    pattern *out;
} box_view;

/** A warp: its threads. */
typedef struct box_warp {
    uint64_t first, end;
} box_warp;

/** Makes room for the rows of a block; false without memory. */
bool boxes_begin(const launch *work, pattern *out, box_view *v);
void boxes_end(box_view *v);

/** Describes blocks, all or some, warp after warp. */
void boxes_each_block(box_view *v, void (*describe)(const box_view *v, const box_warp *w));

/** The cell, in elements, of a place of dst's rows, beside the row's. */
uint32_t boxes_cell_of_place(const axes_table *t, uint32_t number);

/** Describes how a warp fills a table in shared memory, whose entries a block's threads store in turn. */
void boxes_fill_table(const box_view *v, const box_warp *w, unsigned site, uint64_t at, uint64_t count,
                      size_t entry_bytes);

/** Describes how a warp fills the tables of rows, one behind the other. */
void boxes_fill_rows(const box_view *v, const box_warp *w);

/** Describes how a warp fills the table of places, whose entries have so many bytes. */
void boxes_fill_places(const box_view *v, const box_warp *w, size_t entry_bytes);

/** The turns of a thread along the rows of a side, `words` words of `units` elements at a time. */
typedef struct box_walk {
    uint32_t first, jump, count, group, groups;
} box_walk;

/** Describes a warp in a turn: `number` and `row` are each lane's, UINT32_MAX where it takes no part. */
typedef void (*box_turn)(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                         uint32_t words, uint32_t at_once);

/** The two loops of a side, over words of rows and over rows; `begin` (or NULL) is called before the rows of each word. */
typedef struct box_loops {
    unsigned side;
    uint32_t words, units, at_once;
    bool by_vectors; /**< lanes take words side by side, of a row of vectors */
    void (*begin)(const box_view *v, const box_warp *w, const uint32_t *number, uint32_t words);
    box_turn turn;
} box_loops;

void boxes_loop(const box_view *v, const box_warp *w, const box_loops *loops);

/** Reads of the table of rows: row + i * groups of each lane that takes part. */
void boxes_read_rows(const box_view *v, const box_warp *w, unsigned side, unsigned site, const uint32_t *row,
                     uint32_t at_once);

void pattern_of_axes_box(const launch *work, const void *subject, pattern *out);
void pattern_of_axes_vectors(const launch *work, const void *subject, pattern *out);
void pattern_of_axes_words(const launch *work, const void *subject, pattern *out);

#endif
