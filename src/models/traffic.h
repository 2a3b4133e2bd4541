/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of a move, as a multiple of a copy, for arrays larger than the caches: the bytes that each algorithm carries between
 * memory and processor, in closed form. A copy reads and writes each element once. These are the UMM's address groups (Kasagi,
 * Nakano, Ito 2013, section II) with a cache line for the group: an access that uses one element of a line still carries the
 * whole line.
 */
#ifndef RIFFLE_MODELS_TRAFFIC_H
#define RIFFLE_MODELS_TRAFFIC_H

#include <stddef.h>

enum { TRAFFIC_LINE_BYTES = 64 };

/** Bytes an element of a copy, or of any pass that reads and writes whole lines. */
double traffic_copy(size_t elem_bytes);

/** out[map(i)] = in[i], no two neighbours in one line: reads the map and in, and of each line of out that it
 *  touches reads and writes all; elements that are whole lines are written without being read. */
double traffic_scatter(size_t elem_bytes, size_t map_bytes);

/** out[i] = in[map(i)], no two neighbours in one line: reads the map and a line of in, reads out to own it, and
 *  writes it. */
double traffic_gather(size_t elem_bytes, size_t map_bytes);

/** `passes` bucket passes, each of which reads elements and two bytes of order and writes elements. */
double traffic_bucket(size_t elem_bytes, unsigned passes);

/** A row-wise pass, which reads elements and two 16-bit indices for each, and writes elements. */
double traffic_row_wise(size_t elem_bytes);

#endif
