/* SPDX-License-Identifier: Apache-2.0
 *
 * Products over F2 by tables of sums of 8 rows (Arlazarov, Dinic, Kronrod, Faradzhev 1970). A block has a panel of 32 words, and up to 1,024 rows, of the
 * result, in registers; four tables at a time lie in shared memory:
 *
 *     right, 8 rows of the panel --> 256 sums of 32 words      left, a word of a row: 4 bytes, each of which names a sum of a table
 *
 * A sum is all banks once: 8 threads read it, 16 bytes each, and no two words of a quarter of a warp meet in a bank, whatever the matrices are. A warp
 * makes 32 sums, a word a lane; each differs from the one before it by one row.
 *
 * b is the result, a the left factor, in words of 32 bits.
 */
#include "device/kernels/warp.h"
#include "f2/kernels/shape.h"

union f2_words {
    vector16 whole;
    uint32_t word[4];
};

/* Words of 32 bits that a row takes: whole words of 64. */
static __device__ inline uint32_t f2_row_words(uint32_t columns) { return (columns + 63) / 64 * 2; }

/* The warp's part of the tables of the 32 rows from `first` on. */
static __device__ inline void make_sums(uint32_t *tables, const uint32_t *right, uint64_t stride,
                                        uint32_t first, uint32_t inner, uint32_t word, uint32_t words) {
    enum { MADE = 32, LOW = 5, WARPS = F2_ENTRIES / MADE };
    const uint32_t warp = threadIdx.x / WARP_LANES, table = warp / WARPS, part = warp % WARPS;
    const uint32_t row = first + table * F2_FIELD;
    uint32_t held[F2_FIELD];
    UNROLL
    for (uint32_t k = 0; k < F2_FIELD; ++k) {
        held[k] = 0;
        if (row + k < inner && word < words) held[k] = right[(row + k) * stride + word];
    }
    uint32_t sum = 0;
    UNROLL
    for (uint32_t k = LOW; k < F2_FIELD; ++k) sum ^= held[k] & (0 - (part >> (k - LOW) & 1));
    uint32_t *const to = tables + (table * F2_ENTRIES + part * MADE) * F2_PANEL + warp_lane();
    to[0] = sum;
    UNROLL
    for (uint32_t j = 1; j < MADE; ++j) {
        sum ^= held[j & 1 ? 0 : j & 2 ? 1 : j & 4 ? 2 : j & 8 ? 3 : 4];
        to[(j ^ j >> 1) * F2_PANEL] = sum;
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    f2_product(element *b, const element *a, const GRID_CONSTANT f2_product_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const uint32_t words = f2_row_words(t.columns), panel = blockIdx.x % t.panels * F2_PANEL;
    const uint32_t first = blockIdx.x / t.panels * (F2_ROWS * t.moves) + threadIdx.x / F2_LANES;
    const uint32_t place = threadIdx.x % F2_LANES * 16;
    f2_words sum[F2_MOVES];
    UNROLL
    for (uint32_t i = 0; i < F2_MOVES; ++i)
        for (uint32_t k = 0; k < 4; ++k) sum[i].word[k] = 0;
    for (uint32_t from = 0; from < t.inner; from += F2_TABLES * F2_FIELD) {
        make_sums((uint32_t *)shared, t.right, t.right_stride, from, t.inner, panel + warp_lane(), words);
        __syncthreads();
        const uint32_t left = t.inner - from, mask = left < 32 ? (1u << left) - 1 : 0xffffffff;
        UNROLL
        for (uint32_t i = 0; i < F2_MOVES; ++i) {
            const uint32_t row = first + i * F2_ROWS;
            if (i >= t.moves) break;
            if (row >= t.rows) continue;
            const uint32_t fields = a[row * t.left_stride + from / 32] & mask;
            UNROLL
            for (uint32_t k = 0; k < F2_TABLES; ++k) {
                f2_words entry;
                const uint32_t number = k * F2_ENTRIES + (fields >> F2_FIELD * k & (F2_ENTRIES - 1));
                entry.whole = *(const vector16 *)(shared + number * (F2_PANEL * 4) + place);
                UNROLL
                for (uint32_t w = 0; w < 4; ++w) sum[i].word[w] ^= entry.word[w];
            }
        }
        __syncthreads();
    }
    const uint32_t word = panel + place / 4;
    UNROLL
    for (uint32_t i = 0; i < F2_MOVES; ++i) {
        const uint32_t row = first + i * F2_ROWS;
        if (i >= t.moves || row >= t.rows) break;
        UNROLL
        for (uint32_t k = 0; k < 4; k += 2) {
            if (word + k >= words) break;
            const uint32_t rest = t.columns - (word + k) * 32; /* columns of these two words, or more */
            const uint64_t both = (uint64_t)sum[i].word[k + 1] << 32 | sum[i].word[k];
            const uint64_t kept = rest < 64 ? ((uint64_t)1 << rest) - 1 : ~(uint64_t)0;
            *(uint64_t *)(b + row * t.to_stride + word + k) = both & kept;
        }
    }
}
