/* SPDX-License-Identifier: Apache-2.0
 *
 * The reads of a gather dst[P(i)] = src[i] on a GPU. Blocks go through dst in order. Each asks the second-level cache for the
 * sectors of src that its elements lie in, and the cache asks memory for a line that it does not hold, or has lost since. Both
 * follow from where in dst the elements of one line of src go:
 *
 *     a line of src      |0 1 2 3|4 5 6 7|        two sectors
 *     dst    ... |   2 0 |  1    | ... | 6 4 5 7 | ... |   3   | ...        cut where blocks are
 *                    \_____/               /              /
 *                 little lies between:    much has been read meanwhile: memory is asked again
 *                 the cache still has it
 *
 * Here the first sector is asked for three times and the second once, the line three times. So some lines of
 * src, spread evenly, tell what a gather costs. Neighbours that go to neighbouring places are the special case
 * in which a sector is asked for once; how close they come from is another question, which has another answer:
 * an axes permutation may send runs of 28 together and gather each element from a line of its own.
 */
#ifndef RIFFLE_MODELS_LINE_READS_H
#define RIFFLE_MODELS_LINE_READS_H

#include "perm/perm.h"

enum {
    LINE_READS_SAMPLES = 1024,
    LINE_READS_LINE_BYTES = 64,   /**< the unit that memory is read by ... */
    LINE_READS_SECTOR_BYTES = 32, /**< ... and what the second-level cache is asked for */
    LINE_READS_BLOCK = 1024,      /**< neighbours in dst that a block of a gather moves */
};

/** A sample: `lines` lines of `elements` each; line k begins with element k * step * elements of src. */
typedef struct line_sample {
    uint64_t step;
    unsigned lines, elements;
} line_sample;

/** Whole lines of n elements, all if they are few; one shorter line where there is no whole one. */
line_sample line_sample_of(uint64_t n, size_t elem_bytes);

static inline uint64_t line_sample_first(const line_sample *sample, unsigned k) {
    return (uint64_t)k * sample->step * sample->elements;
}

/** A reader of places[k * elements + j] = P(element j of line k) for all of a sample, from whatever `from` is. */
typedef struct line_reader {
    riffle_status (*read)(const void *from, const line_sample *sample, uint64_t *places);
    const void *from;
} line_reader;

/** The reader of a riffle_perm. */
line_reader line_reader_of_perm(const riffle_perm *perm);

/** Reads for each element that is moved. */
typedef struct line_reads {
    double sectors; /**< second-level cache: elem_bytes / 32 where neighbours stay together, at most 1 */
    double lines;   /**< memory: elem_bytes / 64 where each is read once, at most 1 */
} line_reads;

/** Estimates them for elements of elem_bytes <= 16, maps of map_bytes an element and a cache of l2_bytes; no
 *  reads for n = 0. Nothing but what the reader fails with. */
riffle_status line_reads_estimate(const line_reader *reader, uint64_t n, size_t elem_bytes, size_t map_bytes,
                                  uint64_t l2_bytes, line_reads *out);

#endif
