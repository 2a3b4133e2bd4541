/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of run_planner.c. All arrays are on the device; a step is one kernel, or a few, queued on `stream`, and
 * returns whether they could be launched.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_RUN_STEPS_H
#define RIFFLE_MOVE_CUDA_PLANNER_RUN_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The runs between the pieces of src and the tiles of dst. A piece that is sorted by tile, as pass 1 leaves it, has
 *  one run for each tile, some of no length:
 *
 *      begin[d * pieces + p]    where in piece p the run for tile d begins; for d = tiles where the piece ends */
typedef struct run_table {
    uint64_t n;             /**< at least 1, at most 2^32 */
    uint32_t piece, tile;   /**< their lengths, below 2^16; a piece is whole chunks */
    uint32_t pieces, tiles; /**< how many */
    unsigned unit_bits;     /**< a chunk has 2^unit_bits elements */
    uint16_t *begin;        /**< (tiles + 1) * pieces entries */
    uint16_t *sums;         /**< run_steps_sums(tiles) * pieces entries, for scanning */
} run_table;

/** Rows of `sums`. */
uint32_t run_steps_sums(uint32_t tiles);

/** begin[d * pieces + p] = how many elements go from piece p to tile d, from the indices that dst gathers from, or the
 *  places that src scatters to. */
cudaError_t run_steps_count_gathered(const run_table *t, const uint32_t *from, cudaStream_t stream);
cudaError_t run_steps_count_scattered(const run_table *t, const uint32_t *to, cudaStream_t stream);

/** From these counts to `begin`. */
cudaError_t run_steps_scan(const run_table *t, cudaStream_t stream);

/** chunks[d] = in how many chunks the runs of tile d lie; *most, which was 0, the most of them. */
cudaError_t run_steps_count_chunks(const run_table *t, uint32_t *chunks, uint32_t *most, cudaStream_t stream);

/** Both orders, and the lists of chunks, tile d's from chunks[first_chunk[d]] on: all that the schedule has, from the
 *  indices that dst gathers from. */
cudaError_t run_steps_place_gathered(const run_table *t, const uint32_t *from, const uint32_t *first_chunk,
                                     uint32_t *chunks, uint16_t *first_order, uint16_t *last_order,
                                     cudaStream_t stream);

/** The same from the places that src scatters to, in two steps: pass 1's order, and for each place in its output where
 *  in its tile the element goes; from that the rest. `ranks` has n entries for working. */
cudaError_t run_steps_sort_pieces(const run_table *t, const uint32_t *to, uint16_t *first_order,
                                  uint16_t *within, uint16_t *ranks, cudaStream_t stream);
cudaError_t run_steps_place_scattered(const run_table *t, const uint16_t *within, const uint32_t *first_chunk,
                                      uint32_t *chunks, uint16_t *last_order, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
