/* SPDX-License-Identifier: Apache-2.0
 *
 * Up to eight planes woven into one array and back (RGB images and the like).
 *
 *     planes   r0 r1 r2 ... r15      interleave      r0 g0 b0 r1 g1 b1 ... r5
 *              g0 g1 g2 ... g15         --->         g5 b5 r6 g6 b6 ...
 *              b0 b1 b2 ... b15      <--- separate   ...               ... b15
 *
 * Both are K registers in and K registers out, and output i takes some lanes of input j for all i and j. Where K is odd no two woven
 * registers have words of one plane in the same lane (word K e + j, of plane j, is in lane (K e + j) mod L of L, whose inverse is unique),
 * so one permutation of lanes a plane puts each word in its lane, and blends by masks do the rest, which cost a third of a permutation.
 * Otherwise it is one masked permute a pair. Both are less than a transpose of a block that is mostly empty, for K up to 8.
 */
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "base/simd/unrolled.h"

enum { MAX_PLANES = 8 };

/** Output i has word index[i][t] of input j in lane t, where bit t of mask[i][j] is set. */
typedef struct plane_mix {
    size_t word, planes;
    bool weave;
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
    *mix = (plane_mix){.word = word, .planes = planes, .weave = weave};
    size_t woven = 0;
    for (size_t t = 0; t < lanes; t++)
        for (size_t j = 0; j < planes; j++, woven++) {
            if (weave)
                mix_lane(mix, word, woven / lanes, woven % lanes, j * lanes + t);
            else
                mix_lane(mix, word, j, t, woven);
        }
}

/** A thread keeps its last mix, as tile_planes_pieces.inc does its orders: blocks may be shorter than the work to make it. */
static const plane_mix *mix_of(size_t word, size_t planes, bool weave) {
    static _Thread_local plane_mix last;
    if (last.word != word || last.planes != planes || last.weave != weave) mix_make(&last, word, planes, weave);
    return &last;
}

/** A mask of the lowest `count` bytes: none below 0, all 64 from 64 on. */
static inline uint64_t first_bytes(ptrdiff_t count) {
    if (count >= 64) return ~(uint64_t)0;
    return count > 0 ? ((uint64_t)1 << count) - 1 : 0;
}

/** The lanes, of 64, whose numbers are multiples of an odd number of planes. */
static const uint64_t MULTIPLES[MAX_PLANES] = {
    [1] = ~(uint64_t)0, [3] = 0x9249249249249249, [5] = 0x1084210842108421, [7] = 0x8102040810204081};

/** c K is 1 modulo 64, for odd K. */
static const uint8_t INVERSE[MAX_PLANES] = {[1] = 1, [3] = 43, [5] = 13, [7] = 55};

/** The lanes, of 64, whose numbers have bit j set. */
static const uint64_t BIT_SET[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                   0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

/** The planes' side of a block, the woven one, and which of them is read. */
typedef struct plane_move {
    uint8_t *out;
    const uint8_t *in;
    size_t out_step; /**< bytes from a register to the next one's, 64 on the woven side */
    ptrdiff_t in_step;
    size_t planes;
    size_t bytes; /**< a plane's */
    bool weaves;
    bool stream; /**< whole registers go around the caches, where out is a line */
} plane_move;

/** Which bytes there are of each register of a chunk, the planes' and the woven ones. */
typedef struct plane_masks {
    __mmask64 in[MAX_PLANES], out[MAX_PLANES];
} plane_masks;

/** The masks of a chunk when `left` bytes a plane are left. */
static inline void masks_of(const plane_move *m, size_t left, plane_masks *masks) {
    for (size_t j = 0; j < m->planes; j++) {
        const uint64_t plane = first_bytes((ptrdiff_t)left),
                       woven = first_bytes((ptrdiff_t)(left * m->planes) - (ptrdiff_t)(64 * j));
        masks->in[j] = m->weaves ? plane : woven;
        masks->out[j] = m->weaves ? woven : plane;
    }
}

#define TARGET_SIMD "avx512f,avx512bw,avx512vl,avx512dq"

#define PLANE_WORD 1
#define PLANE_MASK __mmask64
#define PLANE_LANES(VERB) _mm512_##VERB##_epi8
#define PLANE_INT char
#define PLANE_TARGET __attribute__((target(TARGET_SIMD ",avx512vbmi")))
#define PLANE_NAME(VERB) VERB##_1
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#define PLANE_WORD 2
#define PLANE_MASK __mmask32
#define PLANE_LANES(VERB) _mm512_##VERB##_epi16
#define PLANE_INT short
#define PLANE_TARGET __attribute__((target(TARGET_SIMD)))
#define PLANE_NAME(VERB) VERB##_2
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#define PLANE_WORD 4
#define PLANE_MASK __mmask16
#define PLANE_LANES(VERB) _mm512_##VERB##_epi32
#define PLANE_INT int
#define PLANE_TARGET __attribute__((target(TARGET_SIMD)))
#define PLANE_NAME(VERB) VERB##_4
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#define PLANE_WORD 8
#define PLANE_MASK __mmask8
#define PLANE_LANES(VERB) _mm512_##VERB##_epi64
#define PLANE_INT long long
#define PLANE_TARGET __attribute__((target(TARGET_SIMD)))
#define PLANE_NAME(VERB) VERB##_8
#include "move/cpu/passes/tile_kernels/tile_planes_avx512.inc"

#endif
