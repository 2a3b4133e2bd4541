/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bits of keys tell elements apart. A bit that is the same in all codes of a piece says nothing of their order: what is left
 * of a key without such bits is in the same order, and often so short that one code holds all that counts of it.
 *
 *     codes    0000 0110 0000 1010              differs   .... .... .... ****
 *              0000 0110 0000 0011              squeezed  1010, 0011
 *
 * Bits are moved together as Warren has it (Hacker's Delight, section 7-4): by 1, 2, 4, ... places those for whose number of
 * gaps before them that power of two is needed.
 */
#include "sort/kernels/codes/sort_key_bits.h"

/** t.differs gets the bits in which some element's code is not like the first's; it is 0 before. A grid of any length. Shared memory
 *  has a word of 8 bytes for each thread and piece. */
template <class element>
__global__ void sort_differ(element *, const element *, const GRID_CONSTANT sort_differ_table t) {
    extern __shared__ uint64_t shared_memory[];
    const sort_ranges &segments = t.ranges;
    const sort_rows &rows = t.rows;
    uint64_t *const own = shared_memory + threadIdx.x;
    const uint64_t begin = segments.begin == nullptr ? 0 : segments.begin[0],
                   end = segments.begin == nullptr ? segments.n : segments.begin[segments.segments];
    const uint64_t tile = SORT_ROW_TILE;
    if (begin >= end) return;
    const unsigned char *const from = rows.elements + begin * rows.elem_bytes;
    for (uint32_t p = 0; p < rows.pieces.count; ++p) own[p * SORT_ROW_THREADS] = 0;
    for (uint64_t k = begin + blockIdx.x * tile + threadIdx.x; k < end; k += gridDim.x * tile) {
        const unsigned char *e[SORT_ROW_EACH + 1];
        e[SORT_ROW_EACH] = from;
        UNROLL
        for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
            e[j] = k + j * SORT_ROW_THREADS < end ? rows.elements + (k + j * SORT_ROW_THREADS) * rows.elem_bytes
                                                  : from;
        ROLL for (uint32_t p = 0; p < rows.pieces.count; ++p) {
            uint64_t code[SORT_ROW_EACH + 1], all = 0;
            sort_key_pieces(rows, rows.pieces.piece[p], e, code);
            UNROLL
            for (uint32_t j = 0; j < SORT_ROW_EACH; ++j) all |= code[j] ^ code[SORT_ROW_EACH];
            own[p * SORT_ROW_THREADS] |= all;
        }
    }
    __syncthreads();
    for (uint32_t p = threadIdx.x / WARP_LANES; p < rows.pieces.count; p += SORT_ROW_THREADS / WARP_LANES) {
        uint64_t all = 0;
        for (uint32_t k = warp_lane(); k < SORT_ROW_THREADS; k += WARP_LANES)
            all |= shared_memory[p * SORT_ROW_THREADS + k];
        UNROLL
        for (uint32_t by = WARP_LANES / 2; by > 0; by /= 2) all |= warp_across(all, by);
        if (warp_lane() == 0 && all != 0)
            ATOMIC_OR((unsigned long long *)&t.differs[p], (unsigned long long)all);
    }
}

static __device__ inline uint32_t sort_ones(uint64_t x) {
    return (uint32_t)__popc((uint32_t)x) + (uint32_t)__popc((uint32_t)(x >> 32));
}

/* A bit for each bit of x, set if an odd number of bits is set below it, or there. */
static __device__ inline uint64_t sort_odd_below(uint64_t x) {
    UNROLL
    for (uint32_t by = 1; by < 64; by *= 2) x ^= x << by;
    return x;
}

/** t.squeezes from t.differs. One warp, a lane a piece. */
template <class element>
__global__ void sort_squeezes(element *, const element *, const GRID_CONSTANT sort_squeezes_table t) {
    const uint32_t p = threadIdx.x;
    if (p > t.pieces) return;
    sort_squeeze by = {};
    for (uint32_t k = 0; k < p; ++k) by.at += sort_ones(t.differs[k]);
    by.mask = p < t.pieces ? t.differs[p] : 0;
    by.bits = sort_ones(by.mask);
    uint64_t left = by.mask, gaps = ~by.mask << 1;
    UNROLL
    for (uint32_t k = 0; k < SORT_MOVES; ++k) {
        const uint64_t odd = sort_odd_below(gaps), moved = odd & left;
        by.move[k] = moved;
        left = (left ^ moved) | moved >> (1u << k);
        gaps &= ~odd;
    }
    t.squeezes[p] = by;
}
