/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine tiles by vectors, as affine_tile.cu moves them, whose words are added to a check's record from the registers that they are read into:
 * each with the keys of the place where P sends it. That follows from where it was read, and not from where the tile is written.
 *
 *     a --whole segments--> registers --cells--> tile --cells--> registers --whole segments--> b
 *                               |
 *                               +--> the thread's sums --> the warp's --> the block's --> record
 */
#include "check/kernels/sum_block.h"
#include "move/kernels/affine/affine_access.h"
#include "move/kernels/affine/affine_checked.h"

/* A word of an element: itself, or 4 of its bytes. */
template <class element, bool is_short> struct affine_word { typedef element type; };
template <class element> struct affine_word<element, false> { typedef uint32_t type; };

/* The sums of a thread's vectors of a tile. */
template <class element, class keys, class place>
static __device__ inline check_sums sums_of_tile(const affine_vector<element, vector16> *held, const keys *k,
                                                 place start_of_tile) {
    typedef typename affine_word<element, sizeof(element) <= CHECK_WORD_BYTES>::type word;
    const place start = start_of_tile ^ sum_of_bits(k->thread, threadIdx.x);
    check_sums sums = {0, 0};
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i) {
        affine_vector<word, vector16> of;
        of.whole = held[i].whole;
        const place first = start ^ k->move[i];
        UNROLL
        for (uint32_t w = 0; w < sizeof(vector16) / sizeof(word); ++w)
            check_add_at(&sums, (place)(first ^ k->word[w]), of.unit[w]);
    }
    return sums;
}

/* The place of a tile's first word, among those of all runs. */
template <class place, class keys>
static __device__ inline place first_place(const keys *k, place origin, uint64_t run, uint32_t number) {
    return (place)(run * k->run_words) + (origin ^ sum_of_bits(k->tile, number));
}

template <class element, class table>
__global__ void LAUNCH_BOUNDS(AFFINE_CHECKED_THREADS, 4)
    affine_checked(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    check_block *const block = (check_block *)(tile + t.tiles.tile_bytes);
    const uint64_t run = blockIdx.x >> t.tiles.tile_bits, bytes = run * t.tiles.stride;
    const uint32_t number = blockIdx.x & ((1u << t.tiles.tile_bits) - 1);
    const auto keys_begin = first_place(&t.keys, t.keys.origin, run, number);
    affine_vector<element, vector16> held[AFFINE_MOVES];
    read_tile(held, (const char *)a + bytes, &t.tiles, start_of_tile(&t.tiles.read, number));
    put_tile(tile, held, &t.tiles);
    check_put_warp(block, sums_of_tile(held, &t.keys, keys_begin));
    __syncthreads();
    check_add_block(t.keys.record, block, false);
    write_tile<element, vector16>((char *)b + bytes, tile, &t.tiles, start_of_tile(&t.tiles.write, number));
}
