/* SPDX-License-Identifier: Apache-2.0
 *
 * Up to eight planes woven into one array and back (RGB images and the like).
 *
 *     planes   r0 r1 r2 ... r15      interleave      r0 g0 b0 r1 g1 b1 ... r5
 *              g0 g1 g2 ... g15         --->         g5 b5 r6 g6 b6 ...
 *              b0 b1 b2 ... b15      <--- separate   ...               ... b15
 *
 * Both are K registers in and K registers out, and output i takes some lanes of input j for all i and j: one
 * permutation of lanes an output, and a mask a pair. K * K masked permutes for K registers are less than a
 * transpose of a block that is mostly empty, for K up to 8.
 */
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { MAX_PLANES = 8 };

/** Output i has word index[i][t] of input j in lane t, where bit t of mask[i][j] is set. */
typedef struct plane_mix {
    _Alignas(64) uint8_t index[MAX_PLANES][64];
    uint64_t mask[MAX_PLANES][MAX_PLANES];
} plane_mix;

/** Lane t of output i takes word number `from` of all inputs. */
static void mix_lane(plane_mix *mix, size_t word, size_t i, size_t t, size_t from) {
    const size_t lanes = 64 / word;
    mix->index[i][t * word] = (uint8_t)(from % lanes);
    mix->mask[i][from / lanes] |= (uint64_t)1 << t;
}

/** The mix that weaves: output word K t + j is word t of plane j; or the inverse. */
static void mix_make(plane_mix *mix, size_t word, size_t planes, bool weave) {
    const size_t lanes = 64 / word;
    *mix = (plane_mix){.mask = {{0}}};
    size_t woven = 0;
    for (size_t t = 0; t < lanes; t++)
        for (size_t j = 0; j < planes; j++, woven++) {
            if (weave)
                mix_lane(mix, word, woven / lanes, woven % lanes, j * lanes + t);
            else
                mix_lane(mix, word, j, t, woven);
        }
}

/** A mask of the lowest `count` bytes: none below 0, all 64 from 64 on. */
static inline uint64_t first_bytes(ptrdiff_t count) {
    if (count >= 64) return ~(uint64_t)0;
    return count > 0 ? ((uint64_t)1 << count) - 1 : 0;
}

#define TARGET_SIMD "avx512f,avx512bw,avx512vl,avx512dq"

#define PLANE_WORD 1
#define PLANE_MASK __mmask64
#define PLANE_PERMUTE _mm512_mask_permutexvar_epi8
#define PLANE_TARGET __attribute__((target(TARGET_SIMD ",avx512vbmi")))
#define PLANE_NAME(VERB) VERB##_1
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#define PLANE_WORD 2
#define PLANE_MASK __mmask32
#define PLANE_PERMUTE _mm512_mask_permutexvar_epi16
#define PLANE_TARGET __attribute__((target(TARGET_SIMD)))
#define PLANE_NAME(VERB) VERB##_2
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#define PLANE_WORD 4
#define PLANE_MASK __mmask16
#define PLANE_PERMUTE _mm512_mask_permutexvar_epi32
#define PLANE_TARGET __attribute__((target(TARGET_SIMD)))
#define PLANE_NAME(VERB) VERB##_4
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#define PLANE_WORD 8
#define PLANE_MASK __mmask8
#define PLANE_PERMUTE _mm512_mask_permutexvar_epi64
#define PLANE_TARGET __attribute__((target(TARGET_SIMD)))
#define PLANE_NAME(VERB) VERB##_8
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#endif
