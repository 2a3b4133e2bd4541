/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps of the kernels for indices used once have this in common: streams of cells that all threads copy in turns, and quads of
 * neighbours, a quad a thread.
 */
#ifndef RIFFLE_MOVE_PREDICT_ONCE_WARPS_H
#define RIFFLE_MOVE_PREDICT_ONCE_WARPS_H

#include "device/predict/predict.h"

enum { ONCE_VECTOR = 16 }; /* bytes of the widest access */

/** A site that accesses cell after cell; cell 0 is at that byte. */
typedef struct once_stream {
    unsigned site;
    uint64_t at;
} once_stream;

/** A warp, by its first thread. */
typedef struct once_warp {
    const launch *work;
    uint32_t first;
    pattern *out;
} once_warp;

/** Cells begin .. end - 1 of each stream, a cell a thread, in turns of all threads. */
void once_turns(const once_warp *w, uint64_t begin, uint64_t end, const once_stream *stream, unsigned count);

/** Copies elements, `end` of them, by vectors if `by_vectors`, else one by one: cell streams of vectors, then of elements. */
void once_copy(const once_warp *w, uint64_t end, bool by_vectors, size_t elem_bytes,
               const once_stream stream[4]);

/** Quads of the warp's lanes, each as many elements as count has, the first lane's at byte `at`: at site `whole` by words of 16 bytes at
 *  most where there are four, on a word, else element by element at site `unit`. */
void once_quads(const once_warp *w, unsigned whole, unsigned unit, uint64_t at,
                const uint32_t count[PATTERN_LANES]);

/** Elements that a thread has of its quad, from the k-th of so many on. */
static inline uint32_t once_quad_count(uint32_t length, uint32_t k) {
    return k >= length ? 0 : length - k < 4 ? length - k : 4;
}

#endif
